package io.pyrunr.executor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Builds small wheels, right ones unless told otherwise. */
public final class TestWheel {
  private final String name;
  private final String version;
  private String tag = "py3-none-any";
  private final StringBuilder headers = new StringBuilder();
  private final Map<String, byte[]> files = new LinkedHashMap<>();
  private final Map<String, byte[]> unrecorded = new LinkedHashMap<>();
  private String record;

  private TestWheel(String name, String version) {
    this.name = name;
    this.version = version;
  }

  public static TestWheel of(String name, String version) {
    return new TestWheel(name, version);
  }

  /** One with a module of its name that has a {@code __version__}. */
  public static TestWheel simple(String name, String version) {
    return of(name, version).file(name + ".py", "__version__ = '" + version + "'\n");
  }

  public TestWheel tag(String value) {
    tag = value;
    return this;
  }

  /** Adds a line to METADATA. */
  public TestWheel header(String line) {
    headers.append(line).append('\n');
    return this;
  }

  public TestWheel requires(String... requirements) {
    for (String requirement : requirements) {
      header("Requires-Dist: " + requirement);
    }
    return this;
  }

  public TestWheel file(String path, String text) {
    return file(path, text.getBytes(UTF_8));
  }

  public TestWheel file(String path, byte[] bytes) {
    files.put(path, bytes);
    return this;
  }

  /** Adds a file that RECORD does not name. */
  public TestWheel unrecorded(String path, String text) {
    unrecorded.put(path, text.getBytes(UTF_8));
    return this;
  }

  /** Replaces RECORD; the empty string leaves it out. */
  public TestWheel record(String text) {
    record = text;
    return this;
  }

  public String fileName() {
    return name.replace('-', '_') + "-" + version + "-" + tag + ".whl";
  }

  public String infoFolder() {
    return name.replace('-', '_') + "-" + version + ".dist-info";
  }

  /** All members in the order they are stored in. */
  public Map<String, byte[]> members() {
    String info = infoFolder();
    Map<String, byte[]> members = new LinkedHashMap<>(files);
    members.putIfAbsent(
        info + "/METADATA",
        ("Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n" + headers + "\n")
            .getBytes(UTF_8));
    members.putIfAbsent(
        info + "/WHEEL",
        ("Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: " + tag + "\n").getBytes(UTF_8));
    StringBuilder lines = new StringBuilder();
    members.forEach((path, bytes) -> lines.append(recordLine(path, bytes)));
    lines.append(info).append("/RECORD,,\n");
    members.putAll(unrecorded);
    String text = record == null ? lines.toString() : record;
    if (!text.isEmpty()) {
      members.put(info + "/RECORD", text.getBytes(UTF_8));
    }
    members.values().removeIf(bytes -> bytes == null);
    return members;
  }

  public static String recordLine(String path, byte[] bytes) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      String shown = path.contains(",") ? '"' + path + '"' : path;
      return shown
          + ",sha256="
          + Base64.getUrlEncoder().withoutPadding().encodeToString(hash)
          + ","
          + bytes.length
          + "\n";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  public byte[] bytes() throws IOException {
    return zip(members());
  }

  /** A zip archive of these members; names that end in a slash are folders. */
  public static byte[] zip(Map<String, byte[]> members) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> member : members.entrySet()) {
        ZipEntry entry = new ZipEntry(member.getKey());
        entry.setTime(0);
        out.putNextEntry(entry);
        out.write(member.getValue());
      }
    }
    return bytes.toByteArray();
  }

  /** Writes the wheel into a folder. */
  public Path writeTo(Path folder) throws IOException {
    return Files.write(folder.resolve(fileName()), bytes());
  }
}
