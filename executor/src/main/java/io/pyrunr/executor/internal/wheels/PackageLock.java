package io.pyrunr.executor.internal.wheels;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrunr.executor.internal.packaging.PackageName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Upstream's {@code pyodide-lock.json}: the packages built for this Pyodide. Immutable. */
final class PackageLock {
  /**
   * A package as upstream built it.
   *
   * @param name normalised
   * @param version of the package
   * @param fileName of its wheel or, for a shared library, of its zip archive
   * @param sha256 of the file
   * @param depends normalised names
   * @param isSharedLibrary whether it is no Python package, but a library others are linked to
   */
  record Entry(
      String name,
      String version,
      String fileName,
      String sha256,
      List<String> depends,
      boolean isSharedLibrary) {}

  private final Map<String, Entry> byName = new HashMap<>();
  private final Map<String, Entry> byFileName = new HashMap<>();
  private final JsonNode info;

  PackageLock(byte[] json) {
    try {
      JsonNode document = new ObjectMapper().readTree(json);
      info = document.path("info");
      for (Map.Entry<String, JsonNode> each : document.path("packages").properties()) {
        add(each.getKey(), each.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("pyodide-lock.json cannot be read", e);
    }
  }

  private void add(String key, JsonNode json) {
    List<String> depends = new ArrayList<>();
    json.path("depends").forEach(name -> depends.add(PackageName.normalize(name.asText())));
    Entry entry =
        new Entry(
            PackageName.normalize(key),
            json.path("version").asText(),
            json.path("file_name").asText(),
            json.path("sha256").asText(),
            List.copyOf(depends),
            json.path("package_type").asText().equals("shared_library"));
    byName.put(entry.name, entry);
    byFileName.put(entry.fileName, entry);
  }

  /** A figure about the distribution, such as {@code platform}. */
  String info(String name) {
    return info.path(name).asText();
  }

  /** The package of a normalised name, or null. */
  Entry named(String name) {
    return byName.get(name);
  }

  /** The package with this file, or null. */
  Entry file(String fileName) {
    return byFileName.get(fileName);
  }
}
