package io.pyrunr.executor.internal.wheels;

import io.pyrunr.executor.internal.io.CacheHome;
import io.pyrunr.executor.internal.packaging.PackageName;
import io.pyrunr.executor.internal.wheels.archive.BadWheelException;
import io.pyrunr.executor.internal.wheels.archive.PackageLock;
import io.pyrunr.executor.internal.wheels.archive.SharedLibrary;
import io.pyrunr.executor.internal.wheels.archive.Wheel;
import io.pyrunr.executor.internal.wheels.archive.WheelLog;
import io.pyrunr.executor.internal.wheels.archive.WheelPlatform;
import io.pyrunr.executor.internal.wheels.archive.WheelReader;
import io.pyrunr.executor.internal.wheels.resolve.Candidates;
import io.pyrunr.executor.internal.wheels.resolve.Dependencies;
import io.pyrunr.executor.internal.wheels.resolve.EnvironmentResolver;
import io.pyrunr.executor.internal.wheels.resolve.Pins;
import io.pyrunr.executor.internal.wheels.resolve.RefusedWheels;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Folders with wheels, the first one first. What was read once is not read again as long as the
 * file stays as it is. Thread-safe.
 */
public final class WheelFolders {
  /** Problems logged by folders: of two executors on the same ones, one says them. */
  private static final Map<List<Path>, Set<String>> SAID = new HashMap<>();

  /** By which a file's change is noticed. */
  record Stamp(long size, FileTime time, Object key) {}

  private static final Stamp UNREADABLE = new Stamp(-1, FileTime.fromMillis(0), null);

  /** Outcome of reading a file: a wheel, a library or a problem; the others are null. */
  record Reading(Stamp stamp, Wheel wheel, SharedLibrary library, String problem) {}

  private final List<Path> folders;
  private final WheelPlatform platform;
  private final CacheHome cache;
  private final WheelReader reader;
  private final RefusedWheels refused;
  private Map<Path, Reading> known = new HashMap<>();

  /**
   * Takes the folders.
   *
   * @param cache where what is made of the wheels is kept; untouched if there are none
   * @throws IllegalArgumentException if one cannot be read
   */
  public WheelFolders(List<Path> folders, CacheHome cache, WheelPlatform platform) {
    this.folders =
        folders.stream().map(folder -> folder.toAbsolutePath().normalize()).distinct().toList();
    this.platform = platform;
    refused = RefusedWheels.in(this.folders);
    this.cache = cache;
    reader = new WheelReader(platform, cache);
    for (Path folder : this.folders) {
      if (!Files.isDirectory(folder)) {
        throw new IllegalArgumentException(
            "wheel cache " + folder + " cannot be read; give a folder that exists");
      }
      if (!Files.isReadable(folder)) {
        throw new IllegalArgumentException(
            "wheel cache " + folder + " cannot be read; give this user the right to");
      }
    }
  }

  WheelPlatform platform() {
    return platform;
  }

  /** All files that decide what {@link #scan} finds; equal as long as nothing has changed. */
  Map<Path, Stamp> stamps() {
    Map<Path, Stamp> stamps = new TreeMap<>();
    for (Path folder : folders) {
      stamps.putAll(stamps(folder));
    }
    return stamps;
  }

  private Map<Path, Stamp> stamps(Path folder) {
    Map<Path, Stamp> stamps = new TreeMap<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(
            folder,
            file ->
                isWheel(file)
                    || isLibrary(file)
                    || Pins.FILES.contains(file.getFileName().toString()))) {
      for (Path file : files) {
        try {
          BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
          stamps.put(
              file,
              new Stamp(attributes.size(), attributes.lastModifiedTime(), attributes.fileKey()));
        } catch (NoSuchFileException e) {
          // Gone since it was listed, or a link to nothing: the same as not there.
        } catch (IOException e) {
          stamps.put(file, UNREADABLE); // to be named, and not to hide those after it
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      WheelLog.LOG.debug("{} cannot be listed", folder, e);
    }
    return stamps;
  }

  private static boolean isWheel(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".whl") && !name.startsWith(".");
  }

  private boolean isLibrary(Path file) {
    String name = file.getFileName().toString();
    PackageLock.Entry known = name.endsWith(".zip") ? platform.lock().file(name) : null;
    return known != null && known.isSharedLibrary();
  }

  /**
   * Scans, and logs what is wrong.
   *
   * @throws IllegalArgumentException if others can put something into the cache
   */
  public WheelSet scanAndSay() {
    WheelSet set = scan();
    say(set);
    return set;
  }

  /**
   * Reads what has changed and chooses among all wheels. Never fails for a wheel's sake.
   *
   * @throws IllegalArgumentException if others can put something into the cache
   */
  synchronized WheelSet scan() {
    Map<Path, Reading> now = read();
    List<List<Wheel>> usable = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    Pins pins = Pins.NONE;
    for (Path folder : folders) {
      List<Wheel> wheels = new ArrayList<>();
      for (Reading reading : now.values()) {
        if (reading.wheel != null && reading.wheel.path().getParent().equals(folder)) {
          wheels.add(reading.wheel);
        }
      }
      usable.add(wheels);
      Pins own = Pins.of(folder, platform.markers());
      problems.addAll(own.problems());
      pins = pins.orElse(own);
    }
    now.values().stream()
        .filter(reading -> reading.problem != null)
        .forEach(reading -> problems.add(reading.problem));
    refused.set(refusals(now));
    Candidates candidates = Candidates.of(usable, pins);
    EnvironmentResolver resolver =
        new EnvironmentResolver(candidates, new Dependencies(platform, candidates), pins);
    Map<String, Wheel> chosen = resolver.resolve();
    problems.addAll(resolver.problems());
    List<SharedLibrary> libraries =
        now.values().stream().map(Reading::library).filter(Objects::nonNull).toList();
    return new WheelSet(
        platform, cache, candidates, chosen, libraries, problems, resolver.unmet(), refused);
  }

  /** Lines about wheels that are not used, by the package that their file names speak of. */
  private static Map<String, List<String>> refusals(Map<Path, Reading> readings) {
    Map<String, List<String>> reasons = new HashMap<>();
    readings.forEach(
        (file, reading) -> {
          if (reading.problem != null && isWheel(file)) {
            String name = file.getFileName().toString().split("-", 2)[0];
            reasons
                .computeIfAbsent(PackageName.normalize(name), unused -> new ArrayList<>())
                .add(reading.problem);
          }
        });
    return reasons;
  }

  /** What is known of each wheel after the last scan, by file. */
  synchronized Map<Path, Reading> readings() {
    return new TreeMap<>(known);
  }

  private Map<Path, Reading> read() {
    Map<Path, Stamp> files = stamps();
    files.keySet().removeIf(file -> !isWheel(file) && !isLibrary(file));
    if (!files.isEmpty()) {
      cache.open();
    }
    Map<Path, Reading> now = new TreeMap<>();
    files.forEach(
        (file, stamp) -> {
          Reading old = known.get(file);
          now.put(file, old != null && old.stamp.equals(stamp) ? old : read(file, stamp));
        });
    known = now;
    return now;
  }

  private Reading read(Path file, Stamp stamp) {
    try {
      return isWheel(file)
          ? new Reading(stamp, reader.read(file), null, null)
          : new Reading(stamp, null, library(file), null);
    } catch (BadWheelException e) {
      return problem(file, stamp, e.getMessage());
    } catch (OutOfMemoryError e) {
      return problem(file, stamp, "too large for this heap; enlarge it with -Xmx");
    } catch (RuntimeException e) {
      WheelLog.LOG.debug("{}", file, e);
      return problem(file, stamp, "it cannot be read, for a reason unknown here; replace it");
    }
  }

  private SharedLibrary library(Path file) throws BadWheelException {
    return SharedLibrary.read(file, platform.lock().file(file.getFileName().toString()), cache);
  }

  private static Reading problem(Path file, Stamp stamp, String reason) {
    String kind = isWheel(file) ? "wheel " : "library ";
    String name = file.getFileName().toString().replaceAll("\\p{Cntrl}", "?");
    return new Reading(stamp, null, null, kind + name + ": " + reason);
  }

  private void say(WheelSet set) {
    if (Thread.currentThread().isInterrupted()) {
      return; // files that could not be read because the watcher was closed
    }
    List<String> problems = new ArrayList<>(set.problems());
    set.unmet().forEach(need -> problems.add(need.toString()));
    synchronized (SAID) {
      Set<String> said = SAID.getOrDefault(folders, Set.of());
      problems.stream()
          .filter(problem -> !said.contains(problem))
          .forEach(problem -> WheelLog.LOG.warn(problem));
      SAID.put(folders, Set.copyOf(problems));
    }
  }
}
