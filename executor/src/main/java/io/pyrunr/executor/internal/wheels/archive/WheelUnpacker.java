package io.pyrunr.executor.internal.wheels.archive;

import static io.pyrunr.executor.internal.packaging.BadPackagingException.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.pyrunr.executor.internal.packaging.BadPackagingException;
import io.pyrunr.executor.internal.packaging.PackageName;
import io.pyrunr.executor.internal.packaging.PackageVersion;
import io.pyrunr.executor.internal.packaging.WheelFileName;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks a wheel's contents (PEP 427) and puts them where they go below {@code site-packages}.
 * Scripts, headers and data files have no place in an interpreter without a command line.
 */
final class WheelUnpacker {
  private static final String INFO = ".dist-info";
  private static final List<String> BESIDE_MODULES = List.of("purelib/", "platlib/");

  private final byte[] archive;
  private final WheelFileName file;
  private final List<ZipMember> members;
  private final String stem;

  WheelUnpacker(byte[] archive, WheelFileName file) throws BadWheelException {
    this.archive = archive;
    this.file = file;
    members = ZipMembers.of(archive);
    stem = stem();
  }

  /** What the folders {@code ….dist-info} and {@code ….data} begin with. */
  private String stem() throws BadWheelException {
    Set<String> found = new HashSet<>();
    for (ZipMember member : members) {
      int slash = member.name().indexOf('/');
      String top = slash < 0 ? "" : member.name().substring(0, slash);
      if (top.endsWith(INFO)) {
        found.add(top.substring(0, top.length() - INFO.length()));
      }
    }
    if (found.size() != 1) {
      throw BadWheelException.untrusted(
          "it has " + (found.isEmpty() ? "no" : found.size()) + " .dist-info folders, not one");
    }
    String name = found.iterator().next();
    if (!isOurs(name)) {
      throw BadWheelException.untrusted(
          "its folder " + quoted(name + INFO) + " belongs to another package or version");
    }
    return name;
  }

  private boolean isOurs(String nameAndVersion) {
    int dash = nameAndVersion.indexOf('-');
    try {
      return dash > 0
          && isSame(nameAndVersion.substring(0, dash), nameAndVersion.substring(dash + 1));
    } catch (BadPackagingException e) {
      return false;
    }
  }

  private boolean isSame(String name, String version) throws BadPackagingException {
    return PackageName.normalize(name).equals(file.name())
        && PackageVersion.parse(version.replace('_', '-')).equals(file.version());
  }

  /** The text of METADATA. */
  String metadata() throws BadWheelException {
    return infoFile("METADATA");
  }

  /** Checks the wheel's own format. */
  void checkFormat() throws BadWheelException {
    String version =
        infoFile("WHEEL")
            .lines()
            .filter(line -> line.startsWith("Wheel-Version:"))
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .findFirst()
            .orElse("");
    if (!version.startsWith("1.")) {
      throw new BadWheelException(
          "it is in wheel format " + quoted(version) + ", 1.x is known", "build it as such");
    }
  }

  private String infoFile(String name) throws BadWheelException {
    String path = stem + INFO + "/" + name;
    for (ZipMember member : members) {
      if (member.name().equals(path)) {
        return new String(member.bytes(archive), UTF_8);
      }
    }
    throw BadWheelException.untrusted("it has no " + path);
  }

  /** Compares all files with RECORD and hands on those that have a place. */
  void unpack(BundleWriter target) throws BadWheelException, IOException {
    RecordFile record = new RecordFile(stem + INFO + "/RECORD", infoFile("RECORD"));
    Set<String> places = new HashSet<>();
    for (ZipMember member : members) {
      byte[] bytes = member.bytes(archive);
      record.check(member.name(), bytes);
      NativeCode.check(member.name(), bytes);
      String place = place(member.name());
      if (place == null) {
        continue;
      }
      if (!places.add(place)) {
        throw BadWheelException.untrusted("it has two files for " + quoted(place));
      }
      target.add(place, bytes);
    }
    record.checkComplete();
    for (String place : places) {
      for (int slash = place.indexOf('/'); slash > 0; slash = place.indexOf('/', slash + 1)) {
        if (places.contains(place.substring(0, slash))) {
          throw BadWheelException.untrusted(
              quoted(place.substring(0, slash)) + " is both a file and a folder in it");
        }
      }
    }
  }

  private String place(String name) {
    String data = stem + ".data/";
    if (!name.startsWith(data)) {
      return name;
    }
    String inside = name.substring(data.length());
    for (String scheme : BESIDE_MODULES) {
      if (inside.startsWith(scheme)) {
        return inside.substring(scheme.length());
      }
    }
    return null;
  }
}
