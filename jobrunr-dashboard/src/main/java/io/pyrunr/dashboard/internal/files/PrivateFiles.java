package io.pyrunr.dashboard.internal.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

/** Files that only their owner can read, where the file system knows owners. */
public final class PrivateFiles {

  private PrivateFiles() {}

  /** Makes a folder, if there is none, and closes it to others. */
  public static Path createFolder(Path folder) throws IOException {
    Files.createDirectories(folder);
    restrict(folder);
    return folder;
  }

  /** Whether a folder holds something and others may do something with it: it is not ours. */
  public static boolean isShared(Path folder) throws IOException {
    var view = Files.getFileAttributeView(folder, PosixFileAttributeView.class);
    if (view == null || !Files.isDirectory(folder)) {
      return false;
    }
    String permissions = PosixFilePermissions.toString(view.readAttributes().permissions());
    if (permissions.endsWith("------")) {
      return false;
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.findAny().isPresent();
    }
  }

  /** Takes away what others may do with a file or folder. */
  private static void restrict(Path path) throws IOException {
    var view =
        Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view != null) {
      view.setPermissions(
          PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwx------" : "rw-------"));
    }
  }

  /** Writes a file that others never see, not even while it is written. */
  public static void write(Path file, String text) throws IOException {
    Path fresh = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".new");
    try {
      restrict(fresh);
      Files.write(fresh, text.getBytes(StandardCharsets.UTF_8));
      Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}
