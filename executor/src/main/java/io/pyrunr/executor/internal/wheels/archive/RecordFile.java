package io.pyrunr.executor.internal.wheels.archive;

import static io.pyrunr.executor.internal.packaging.BadPackagingException.quoted;

import io.pyrunr.executor.internal.io.Digests;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A wheel's {@code RECORD}: the hash of every file in it (PEP 376 and 427). */
final class RecordFile {
  /** PEP 427: SHA-256 or better. */
  private static final Map<String, String> ALGORITHMS =
      Map.of("sha256", "SHA-256", "sha384", "SHA-384", "sha512", "SHA-512");

  /** Files that cannot have a hash in RECORD: itself and its signatures. */
  private static final List<String> WITHOUT_HASH = List.of("", ".jws", ".p7s");

  private record Entry(String algorithm, String hash, String size) {}

  private final String path;
  private final Map<String, Entry> entries = new HashMap<>();
  private final Set<String> unseen = new HashSet<>();

  /** Reads the file whose path is {@code path}. */
  RecordFile(String path, String text) throws BadWheelException {
    this.path = path;
    for (String line : text.lines().toList()) {
      if (!line.isBlank()) {
        add(line);
      }
    }
  }

  private void add(String line) throws BadWheelException {
    List<String> fields = fields(line);
    if (fields.size() != 3) {
      throw BadWheelException.untrusted(
          "RECORD has the line " + quoted(line) + ", not three fields");
    }
    String name = fields.get(0);
    if (name.endsWith("/") || exempt(name)) {
      return;
    }
    int equals = fields.get(1).indexOf('=');
    if (equals < 0) {
      throw BadWheelException.untrusted("RECORD has no hash for " + quoted(name));
    }
    String algorithm = ALGORITHMS.get(fields.get(1).substring(0, equals));
    if (algorithm == null) {
      throw BadWheelException.untrusted("RECORD's hash of " + quoted(name) + " is weak or unknown");
    }
    String hash;
    try {
      hash =
          HexFormat.of()
              .formatHex(Base64.getUrlDecoder().decode(fields.get(1).substring(equals + 1)));
    } catch (IllegalArgumentException e) {
      throw BadWheelException.untrusted("RECORD's hash of " + quoted(name) + " is not base64");
    }
    if (entries.put(name, new Entry(algorithm, hash, fields.get(2))) != null) {
      throw BadWheelException.untrusted("RECORD names " + quoted(name) + " twice");
    }
    unseen.add(name);
  }

  private static List<String> fields(String line) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quotes = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        if (quotes && i + 1 < line.length() && line.charAt(i + 1) == '"') {
          field.append('"');
          i++;
        } else {
          quotes = !quotes;
        }
      } else if (c == ',' && !quotes) {
        fields.add(field.toString());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    fields.add(field.toString());
    return fields;
  }

  private boolean exempt(String name) {
    return WITHOUT_HASH.stream().anyMatch(suffix -> name.equals(path + suffix));
  }

  /** Compares a file of the wheel with its entry. */
  void check(String name, byte[] contents) throws BadWheelException {
    if (exempt(name)) {
      return;
    }
    Entry entry = entries.get(name);
    if (entry == null) {
      throw BadWheelException.untrusted(quoted(name) + " is not in RECORD");
    }
    unseen.remove(name);
    boolean sizeDiffers =
        !entry.size.isEmpty() && !entry.size.equals(Integer.toString(contents.length));
    String hash = HexFormat.of().formatHex(Digests.of(entry.algorithm).digest(contents));
    if (sizeDiffers || !hash.equals(entry.hash)) {
      throw BadWheelException.untrusted(
          "the hash of " + quoted(name) + " is not the one in RECORD");
    }
  }

  /** To be called after {@link #check} of all files: what RECORD names must be there. */
  void checkComplete() throws BadWheelException {
    if (!unseen.isEmpty()) {
      throw BadWheelException.untrusted(
          "RECORD names "
              + quoted(unseen.stream().sorted().findFirst().orElseThrow())
              + (unseen.size() == 1 ? "" : " and " + (unseen.size() - 1) + " more")
              + ", which it does not hold");
    }
  }
}
