package io.pyrunr.executor.internal.wheels.archive;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.pyrunr.executor.internal.packaging.PackageName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Upstream's {@code pyodide-lock.json}: the packages built for this Pyodide. Immutable. */
public final class PackageLock {
  /**
   * A package as upstream built it.
   *
   * @param name normalised
   * @param version of the package
   * @param fileName of its wheel or, for a shared library, of its zip archive
   * @param sha256 of the file
   * @param depends normalised names
   * @param imports names of the modules it has
   * @param isSharedLibrary whether it is no Python package, but a library others are linked to
   * @param isStandardLibrary whether it is a part of Python's standard library
   */
  public record Entry(
      String name,
      String version,
      String fileName,
      String sha256,
      List<String> depends,
      List<String> imports,
      boolean isSharedLibrary,
      boolean isStandardLibrary) {}

  private final Map<String, Entry> byName = new HashMap<>();
  private final Map<String, Entry> byFileName = new HashMap<>();
  private final Map<String, Entry> byImport = new HashMap<>();
  private final Map<String, String> info = new HashMap<>();

  /** Reads the file token by token: to set up data binding takes longer than to read it. */
  public PackageLock(byte[] json) {
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String section = parser.currentName();
        parser.nextToken();
        if (section.equals("info")) {
          readInfo(parser);
        } else if (section.equals("packages")) {
          readPackages(parser);
        } else {
          parser.skipChildren();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("pyodide-lock.json cannot be read", e);
    }
  }

  private void readInfo(JsonParser parser) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      info.put(name, parser.getText());
      parser.skipChildren();
    }
  }

  private void readPackages(JsonParser parser) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = PackageName.normalize(parser.currentName());
      parser.nextToken();
      Entry entry = readPackage(name, parser);
      byName.put(entry.name, entry);
      byFileName.put(entry.fileName, entry);
      entry.imports.forEach(module -> byImport.put(module, entry));
    }
  }

  private static Entry readPackage(String name, JsonParser parser) throws IOException {
    Map<String, String> texts = new HashMap<>();
    List<String> depends = new ArrayList<>();
    List<String> imports = new ArrayList<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      boolean list = parser.nextToken() == JsonToken.START_ARRAY;
      if (list && field.equals("depends")) {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          depends.add(PackageName.normalize(parser.getText()));
        }
      } else if (list && field.equals("imports")) {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          imports.add(parser.getText());
        }
      } else {
        texts.put(field, parser.getText());
        parser.skipChildren();
      }
    }
    return new Entry(
        name,
        texts.getOrDefault("version", ""),
        texts.getOrDefault("file_name", ""),
        texts.getOrDefault("sha256", ""),
        List.copyOf(depends),
        List.copyOf(imports),
        "shared_library".equals(texts.get("package_type")),
        "cpython_module".equals(texts.get("package_type")));
  }

  /** A figure about the distribution, such as {@code platform}. */
  String info(String name) {
    return info.getOrDefault(name, "");
  }

  /** The package of a normalised name, or null. */
  public Entry named(String name) {
    return byName.get(name);
  }

  /** The package that has a module, or null. */
  public Entry importing(String module) {
    return byImport.get(module);
  }

  /** The package with this file, or null. */
  public Entry file(String fileName) {
    return byFileName.get(fileName);
  }
}
