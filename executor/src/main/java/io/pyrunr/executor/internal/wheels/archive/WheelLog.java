package io.pyrunr.executor.internal.wheels.archive;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This package's logger. Set up when something is logged: it takes a fifth of a short start. */
public final class WheelLog {
  public static final Logger LOG = LoggerFactory.getLogger(WheelLog.class.getPackageName());

  private WheelLog() {}
}
