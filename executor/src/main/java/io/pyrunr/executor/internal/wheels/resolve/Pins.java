package io.pyrunr.executor.internal.wheels.resolve;

import static io.pyrunr.executor.internal.packaging.BadPackagingException.quoted;

import io.pyrunr.executor.internal.io.FileErrors;
import io.pyrunr.executor.internal.packaging.BadPackagingException;
import io.pyrunr.executor.internal.packaging.MarkerEnvironment;
import io.pyrunr.executor.internal.packaging.Requirement;
import io.pyrunr.executor.internal.wheels.archive.Wheel;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which versions a folder asks for: its {@code pyrunr.lock}, else its {@code requirements.txt},
 * both in pip's requirements format. Immutable.
 */
public final class Pins {
  public static final String LOCK = "pyrunr.lock";
  public static final List<String> FILES = List.of(LOCK, "requirements.txt");
  public static final Pins NONE = new Pins();

  private static final Pattern HASH = Pattern.compile("\\s--hash[=\\s]sha256:([0-9a-fA-F]{64})");
  private static final Pattern COMMENT = Pattern.compile("(^|\\s)#.*$");
  private static final long LARGEST = 4 << 20;

  private record Pin(List<Requirement> requirements, Set<String> hashes, String file) {}

  private final Map<String, Pin> pins = new HashMap<>();
  private final List<String> problems = new ArrayList<>();

  private Pins() {}

  /** The pins of a folder. What cannot be read in them is left out and named. */
  public static Pins of(Path folder, MarkerEnvironment markers) {
    for (String name : FILES) {
      Path file = folder.resolve(name);
      if (Files.isRegularFile(file)) {
        Pins pins = new Pins();
        pins.read(file, markers);
        return pins;
      }
    }
    return NONE;
  }

  private void read(Path file, MarkerEnvironment markers) {
    String text;
    try {
      if (Files.size(file) > LARGEST) {
        problems.add(file + " is too large; it is not used");
        return;
      }
      text = Files.readString(file);
    } catch (MalformedInputException e) {
      problems.add(file + " is not UTF-8 text; it is not used");
      return;
    } catch (IOException e) {
      problems.add(file + " cannot be read (" + FileErrors.reason(e) + "); it is not used");
      return;
    }
    String name = file.getFileName().toString();
    for (String line : text.replaceAll("\\\\\\R", " ").lines().toList()) {
      String plain = COMMENT.matcher(line).replaceFirst("").strip();
      if (!plain.isEmpty()) {
        add(plain, name, markers, file);
      }
    }
  }

  private void add(String line, String name, MarkerEnvironment markers, Path file) {
    if (line.startsWith("-")) {
      problems.add(file + ": " + quoted(line) + " is left out; only requirements are read");
      return;
    }
    Set<String> hashes = new HashSet<>();
    Matcher hash = HASH.matcher(line);
    while (hash.find()) {
      hashes.add(hash.group(1).toLowerCase(Locale.ROOT));
    }
    try {
      Requirement requirement =
          Requirement.parse(HASH.matcher(line).replaceAll("").strip(), markers);
      if (requirement.applies(markers, Set.of())) {
        Pin pin =
            pins.computeIfAbsent(
                requirement.name(), unused -> new Pin(new ArrayList<>(), new HashSet<>(), name));
        pin.requirements.add(requirement);
        pin.hashes.addAll(hashes);
      }
    } catch (BadPackagingException e) {
      problems.add(file + ": " + e.getMessage() + "; the line is left out");
    }
  }

  /** These pins, and those of another folder for packages that these do not name. */
  public Pins orElse(Pins later) {
    Pins both = new Pins();
    both.pins.putAll(later.pins);
    both.pins.putAll(pins);
    return both;
  }

  /** Whether a wheel is one that is asked for; packages that are not named are free. */
  boolean allow(Wheel wheel) {
    Pin pin = pins.get(wheel.name());
    return pin == null
        || (pin.requirements.stream().allMatch(r -> r.versions().matches(wheel.version()))
            && (pin.hashes.isEmpty() || pin.hashes.contains(wheel.sha256())));
  }

  boolean wantPrerelease(String name) {
    Pin pin = pins.get(name);
    return pin != null
        && pin.requirements.stream().anyMatch(r -> r.versions().mentionsPrerelease());
  }

  /** What is asked for, in words: {@code numpy==2.2.5 (pyrunr.lock)}. */
  String describe(String name) {
    Pin pin = pins.get(name);
    return String.join(",", pin.requirements.stream().map(Requirement::toString).toList())
        + (pin.hashes.isEmpty() ? "" : " with one of " + pin.hashes.size() + " hashes")
        + " ("
        + pin.file
        + ")";
  }

  Set<String> names() {
    return pins.keySet();
  }

  /** Lines that could not be read, one message each. */
  public List<String> problems() {
    return problems;
  }
}
