package io.pyrunr.executor.internal.wheels.archive;

import io.pyrunr.executor.internal.fs.BaseLayer;
import io.pyrunr.executor.internal.packaging.CoreMetadata;
import io.pyrunr.executor.internal.packaging.PackageVersion;
import io.pyrunr.executor.internal.packaging.WheelFileName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A wheel that was checked and unpacked. Immutable.
 *
 * @param path the file
 * @param fileName what its name says
 * @param metadata what it says itself
 * @param sha256 of the file, hexadecimal
 * @param rank of its best tag, lower is better
 * @param contents its files by their path below {@code site-packages}
 */
public record Wheel(
    Path path,
    WheelFileName fileName,
    CoreMetadata metadata,
    String sha256,
    int rank,
    Bundle contents) {

  private static final String INIT = "/__init__.py";

  /** Normalised. */
  public String name() {
    return fileName.name();
  }

  public PackageVersion version() {
    return metadata.version();
  }

  /** Name and version, as messages show it. */
  public String title() {
    return name() + " " + version();
  }

  /** A name for a folder, unique among the wheels that can be used together. */
  public String folderName() {
    return name() + "-" + version().toString().replaceAll("[^A-Za-z0-9.+!_-]", "_");
  }

  public Map<String, BaseLayer.Content> files() {
    return contents.files();
  }

  /**
   * What can be imported because of this wheel and of no other: dotted names of its topmost regular
   * packages and of its modules. For {@code google/cloud/storage/__init__.py} in a namespace that
   * is {@code google.cloud.storage}.
   */
  public List<String> importRoots() {
    Map<String, Boolean> roots = new TreeMap<>();
    for (String file : files().keySet()) {
      String root = root(file);
      if (root != null) {
        roots.put(root.replace('/', '.'), true);
      }
    }
    return new ArrayList<>(roots.keySet());
  }

  private String root(String file) {
    int slash = file.indexOf('/');
    if (slash > 0 && file.substring(0, slash).contains(".")) {
      return null; // dist-info and .libs: no names of packages
    }
    for (; slash > 0; slash = file.indexOf('/', slash + 1)) {
      String folder = file.substring(0, slash);
      if (files().containsKey(folder + INIT)) {
        return folder;
      }
    }
    return file.endsWith(".py") || NativeCode.isSideModule(file)
        ? file.substring(0, file.indexOf('.', file.lastIndexOf('/') + 1))
        : null;
  }

  /** Paths of the side modules below {@code site-packages}, sorted. */
  public List<String> sideModules() {
    return files().keySet().stream().filter(NativeCode::isSideModule).sorted().toList();
  }
}
