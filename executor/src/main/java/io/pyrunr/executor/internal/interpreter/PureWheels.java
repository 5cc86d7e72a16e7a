package io.pyrunr.executor.internal.interpreter;

import io.pyrunr.executor.internal.fs.BaseLayer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pure-Python wheels of some folders, unpacked into the read-only layer's {@code
 * site-packages}. Unpacked rather than put on the path as archives, since packages look for their
 * data files beside their modules.
 */
final class PureWheels {
  private static final Logger LOG = LoggerFactory.getLogger(PureWheels.class);
  private static final String PURE = ".whl";

  private PureWheels() {}

  /**
   * Finds the wheels.
   *
   * @throws IllegalArgumentException if a folder is missing or holds two versions of a distribution
   */
  static List<Path> find(List<Path> folders) {
    Map<String, Path> byDistribution = new HashMap<>();
    List<Path> wheels = new ArrayList<>();
    for (Path folder : folders) {
      for (Path wheel : list(folder)) {
        String file = wheel.getFileName().toString();
        if (!file.endsWith(PURE)) {
          LOG.warn("{}: left out, it is not a pure-Python wheel (…{})", file, PURE);
          continue;
        }
        // PEP 503: case and the kind of separator do not tell names apart.
        String name =
            file.substring(0, file.indexOf('-')).replaceAll("[-_.]+", "-").toLowerCase(Locale.ROOT);
        Path known = byDistribution.putIfAbsent(name, wheel);
        if (known == null) {
          wheels.add(wheel);
        } else if (known.getParent().equals(wheel.getParent())) {
          throw new IllegalArgumentException(
              folder + " holds " + known.getFileName() + " and " + file + "; keep one of them");
        }
      }
    }
    return wheels;
  }

  private static List<Path> list(Path folder) {
    List<Path> wheels = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.whl")) {
      found.forEach(wheels::add);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "wheel cache " + folder + " cannot be read; give a folder that exists", e);
    }
    wheels.sort(null);
    return wheels;
  }

  /**
   * Unpacks a wheel, the files of its {@code .data} folder that belong beside the modules included.
   */
  static void unpack(Path wheel, String sitePackages, BaseLayer.Builder target) {
    try (ZipFile archive = new ZipFile(wheel.toFile())) {
      for (Enumeration<? extends ZipEntry> all = archive.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        String place = entry.isDirectory() ? null : place(wheel, entry.getName());
        if (place != null) {
          byte[] bytes = archive.getInputStream(entry).readAllBytes();
          target.file(sitePackages + "/" + place, BaseLayer.Content.of(bytes));
        }
      }
    } catch (ZipException e) {
      throw new IllegalArgumentException(
          wheel + " is not a wheel (" + e.getMessage() + "); remove or replace it", e);
    } catch (IOException e) {
      throw new UncheckedIOException("wheel " + wheel + " cannot be read", e);
    }
  }

  /** Where an entry goes below site-packages, or null if nowhere. */
  private static String place(Path wheel, String name) {
    for (String part : name.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        throw new IllegalArgumentException(
            wheel + " has an entry outside of it: " + name + "; do not use this wheel");
      }
    }
    int slash = name.indexOf('/');
    if (slash < 0 || !name.substring(0, slash).endsWith(".data")) {
      return name;
    }
    String inside = name.substring(slash + 1);
    for (String scheme : List.of("purelib/", "platlib/")) {
      if (inside.startsWith(scheme)) {
        return inside.substring(scheme.length());
      }
    }
    return null; // scripts, headers and data have no place in here
  }
}
