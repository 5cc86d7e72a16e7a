package io.pyrunr.executor.internal.io;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;

/**
 * The user's folder for what is made of wheels: unpacked files, bytecode, classes, images. All of
 * it can be made again, so it may be deleted at any time.
 *
 * <p>A file is named after the SHA-256 of what it was made from and the version of what made it. So
 * wheels share it wherever they lie, nothing in it is ever out of date, and of two processes that
 * make the same file the second replaces an equal one. Files run as they are read, hence {@link
 * OwnFolder}.
 *
 * <p>Nothing is touched before something is asked for. Where nothing can be written, that is said
 * once, and whoever asks keeps in memory what it makes. Thread-safe.
 */
public final class CacheHome {
  /** What is kept. */
  public enum Kind {
    /** Files of a wheel that passed every check. */
    WHEEL("wheels", ".wheel"),
    /** Files of a library that passed every check. */
    LIBRARY("wheels", ".library"),
    /** Compiled Python of a wheel. */
    BYTECODE("wheels", ".bytecode"),
    /** Compiled WebAssembly. */
    CLASSES("classes", ".zip"),
    /** A Python that has started. */
    IMAGE("images", ".image");

    private final String folder;
    private final String suffix;

    Kind(String folder, String suffix) {
      this.folder = folder;
      this.suffix = suffix;
    }
  }

  /** Keeps nothing and says nothing. */
  public static final CacheHome NONE = new CacheHome(null, Map.of());

  /** Each change of the wheels leaves an image behind, of 10 MB to 50 MB. */
  private static final int MOST_IMAGES = 8;

  private static final Duration UNUSED = Duration.ofDays(30);

  /** What no process will finish any more. */
  private static final Duration ABANDONED = Duration.ofDays(1);

  private static final Duration BETWEEN_CLEANINGS = Duration.ofDays(1);

  /** Use is told to within this time, to write less. */
  private static final Duration TOUCH = Duration.ofHours(1);

  /** Ours: a folder that somebody names by mistake has other files, too. */
  private static final Pattern KEPT =
      Pattern.compile("[0-9a-f]{64}[0-9a-z.-]*\\.(wheel|library|bytecode|zip|image)");

  private static final Map<Path, CacheHome> KNOWN = new HashMap<>();
  private static final CacheHome NOWHERE = new CacheHome(null);

  private final Path place;
  private Map<Kind, Path> folders;
  private boolean said;

  private CacheHome(Path place, Map<Kind, Path> folders) {
    this.place = place;
    this.folders = folders;
  }

  /** One that no other part of the process shares. */
  CacheHome(Path place) {
    this(place, null);
  }

  /**
   * The one that {@code PYRUNR_CACHE} names, else the one of this user on this system.
   *
   * @throws IllegalArgumentException if the variable is no absolute path
   */
  public static CacheHome usual() {
    Path place =
        CachePlace.of(
            System.getenv(),
            System.getProperty("os.name", ""),
            System.getProperty("user.home", ""));
    return place == null ? NOWHERE : at(place);
  }

  /** The one in a folder, which is made when it is needed. */
  public static CacheHome at(Path folder) {
    synchronized (KNOWN) {
      return KNOWN.computeIfAbsent(folder.toAbsolutePath().normalize(), CacheHome::new);
    }
  }

  /** Where it is, or null if there is no place for it. */
  public Path place() {
    return place;
  }

  /**
   * Makes the folder unless it is there.
   *
   * @throws IllegalArgumentException if others can put something into it
   */
  public synchronized void open() {
    if (folders != null) {
      return;
    }
    Map<Kind, Path> opened = new EnumMap<>(Kind.class);
    if (place == null) {
      sayOnce("this user has no home folder for a cache");
    } else {
      try {
        Path root = OwnFolder.open(place);
        for (Kind kind : Kind.values()) {
          opened.put(kind, OwnFolder.open(root.resolve(kind.folder)));
        }
        cleanIfDue(root, opened);
      } catch (IOException e) {
        sayOnce("the cache " + place + " cannot be used: " + FileErrors.reason(e));
      }
    }
    folders = opened;
  }

  /**
   * Where something is kept, there or not. To ask for it is to use it.
   *
   * @param key SHA-256 of what it is made from, and the version of what makes it
   * @return null if nothing can be kept
   * @throws IllegalArgumentException as for {@link #open}
   */
  public synchronized Path file(Kind kind, String key) {
    if (folders != null && folders.containsKey(kind) && !Files.isDirectory(folders.get(kind))) {
      folders = null; // deleted meanwhile
    }
    open();
    Path folder = folders.get(kind);
    if (folder == null) {
      return null;
    }
    Path file = folder.resolve(key + kind.suffix);
    touch(file);
    return file;
  }

  private static void touch(Path file) {
    try {
      if (age(file).compareTo(TOUCH) > 0) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
      }
    } catch (IOException e) {
      // Not there; or not ours to change, and then not ours to delete either.
    }
  }

  private static Duration age(Path file) throws IOException {
    return Duration.between(Files.getLastModifiedTime(file).toInstant(), Instant.now());
  }

  /** To be told when a file could not be written. */
  public synchronized void notKept(Path file, IOException why) {
    sayOnce(file + " cannot be written: " + FileErrors.reason(why));
  }

  private void sayOnce(String what) {
    if (!said) {
      said = true;
      // Looked up when there is something to say: to set up logging takes a while.
      LoggerFactory.getLogger(CacheHome.class)
          .warn(
              "{}; what is made of wheels is kept in memory, and the next start makes it anew; name"
                  + " a folder with --cache or PYRUNR_CACHE",
              what);
    }
  }

  /** To be called after an image was written: those of environments that are gone go. */
  public synchronized void deleteOldImages() {
    List<Path> images = new ArrayList<>();
    list(folders.get(Kind.IMAGE), CacheHome::isKept, images);
    images.sort(Comparator.comparing((Path image) -> image.toFile().lastModified()).reversed());
    images.subList(Math.min(MOST_IMAGES, images.size()), images.size()).forEach(CacheHome::delete);
  }

  private static boolean isKept(Path file) {
    return KEPT.matcher(file.getFileName().toString()).matches();
  }

  private static void list(Path folder, DirectoryStream.Filter<Path> filter, List<Path> target) {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, filter)) {
      found.forEach(target::add);
    } catch (IOException | DirectoryIteratorException e) {
      // Deleted meanwhile.
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // In use, on Windows; or not ours.
    }
  }

  private static void cleanIfDue(Path root, Map<Kind, Path> folders) {
    Path stamp = root.resolve("last-cleaned");
    try {
      if (Files.exists(stamp) && age(stamp).compareTo(BETWEEN_CLEANINGS) < 0) {
        return;
      }
      Files.write(stamp, new byte[0]);
      Files.setLastModifiedTime(stamp, FileTime.from(Instant.now()));
    } catch (IOException e) {
      return; // a cache that is only read is another's to look after
    }
    for (Path file : files(folders)) {
      try {
        if (age(file).compareTo(isKept(file) ? UNUSED : ABANDONED) > 0) {
          delete(file);
        }
      } catch (IOException e) {
        // Gone.
      }
    }
  }

  /** All of ours, with what is being written or never was finished. */
  private static List<Path> files(Map<Kind, Path> folders) {
    List<Path> files = new ArrayList<>();
    folders.values().stream()
        .distinct()
        .forEach(folder -> list(folder, file -> isKept(file) || WholeFile.isDraft(file), files));
    return files;
  }

  /** What all files take, in bytes; 0 as long as none was asked for. */
  public synchronized long size() {
    return folders == null
        ? 0
        : files(folders).stream().mapToLong(file -> file.toFile().length()).sum();
  }
}
