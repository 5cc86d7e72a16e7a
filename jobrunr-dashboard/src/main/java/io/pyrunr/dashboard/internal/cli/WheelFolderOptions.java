package io.pyrunr.dashboard.internal.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where wheels are, and where what is made of them is kept; shared by all that use wheels. */
final class WheelFolderOptions {
  /** The drop box. */
  private static final Path USUAL = Path.of("wheel-cache");

  @Option(
      names = "--wheel-cache",
      paramLabel = "DIR",
      description = "A folder of wheels; may be repeated; default ./wheel-cache.")
  private List<Path> folders = new ArrayList<>();

  @Option(
      names = "--cache",
      paramLabel = "DIR",
      description =
          "Where what is compiled of wheels is kept, for this user alone; default PYRUNR_CACHE, else"
              + " the system's place for caches.")
  private Path cache;

  /**
   * Those that were named, checked; the drop box if none was and it is there.
   *
   * @param empty whether to take it with nothing in it: it may be filled later, but to look for
   *     wheels takes a part of a short start
   */
  List<Path> present(boolean empty) {
    for (Path folder : folders) {
      if (!Files.isDirectory(folder)) {
        throw new UsageException("--wheel-cache " + folder + ": there is no such folder");
      }
    }
    boolean dropBox = folders.isEmpty() && (empty ? Files.isDirectory(USUAL) : dropBoxHasWheels());
    return dropBox ? List.of(USUAL) : folders;
  }

  /** Whether a run finds wheels where none are named. */
  static boolean dropBoxHasWheels() {
    String[] files = USUAL.toFile().list();
    return files != null && Arrays.stream(files).anyMatch(file -> file.endsWith(".whl"));
  }

  /** Those that were named, else the drop box, there or not. */
  List<Path> all() {
    return folders.isEmpty() ? List.of(USUAL) : folders;
  }

  boolean areNamed() {
    return !folders.isEmpty();
  }

  /** Empty for the usual one. */
  Optional<Path> cache() {
    if (cache != null && cache.toString().isEmpty()) {
      throw new UsageException("--cache is empty; name a folder");
    }
    return Optional.ofNullable(cache);
  }
}
