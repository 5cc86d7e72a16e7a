package io.pyrunr.dashboard.internal.bench;

import com.fasterxml.jackson.databind.ObjectMapper;

/** How reports and requests to other engines are written. */
final class BenchJson {
  static final ObjectMapper MAPPER = new ObjectMapper();

  private BenchJson() {}
}
