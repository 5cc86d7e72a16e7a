package io.pyrunr.executor.internal.link;

import io.pyrunr.executor.internal.emscripten.DynamicLinking.DynamicLinkingException;
import io.pyrunr.executor.internal.fs.PosixException;
import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds the files of libraries, by path or by name. */
final class LibrarySearch {
  /** PATH_MAX. */
  private static final int LONGEST_PATH = 4096;

  private static final String SITE_PACKAGES = "/site-packages";
  private static final List<String> LIBRARY_FOLDERS = List.of("/usr/lib", "/lib");

  private final VirtualFileSystem files;

  LibrarySearch(VirtualFileSystem files) {
    this.files = files;
  }

  /** The path that {@code dlopen} was given, from the root. */
  String absolute(String path) throws DynamicLinkingException {
    if (path.length() > LONGEST_PATH) {
      throw new DynamicLinkingException("the path has " + path.length() + " characters");
    }
    try {
      return normal(path, path.startsWith("/") ? "" : files.workingDirectory());
    } catch (PosixException e) {
      throw new DynamicLinkingException(path + ": there is no working directory any more");
    }
  }

  /**
   * Where a library is that another one needs: in its own runtime path, beside it, among vendored
   * libraries, in the system's folders.
   */
  String find(String name, String neededBy, List<String> runtimePath)
      throws DynamicLinkingException {
    String folder = neededBy.substring(0, neededBy.lastIndexOf('/'));
    if (name.contains("/")) {
      return normal(name, folder);
    }
    Set<String> candidates = new LinkedHashSet<>();
    for (String entry : runtimePath) {
      candidates.add(entry.replace("$ORIGIN", folder).replace("${ORIGIN}", folder));
    }
    candidates.add(folder);
    candidates.addAll(vendoredFolders(folder));
    candidates.addAll(LIBRARY_FOLDERS);
    for (String candidate : candidates) {
      String path = normal(name, candidate);
      if (exists(path)) {
        return path;
      }
    }
    throw new DynamicLinkingException(
        neededBy + " needs the library " + name + ", which is in none of " + candidates);
  }

  /**
   * Where repaired wheels keep libraries: folders named {@code PACKAGE.libs} beside the package,
   * that of the module's own package first.
   */
  private List<String> vendoredFolders(String folder) {
    int end = folder.indexOf(SITE_PACKAGES);
    if (end < 0) {
      return List.of();
    }
    String site = folder.substring(0, end + SITE_PACKAGES.length());
    String own = (folder + "/").substring(site.length()).replaceFirst("^/?([^/]*).*", "$1");
    List<String> folders = new ArrayList<>();
    for (String name : files.host().names(site)) {
      if (name.equals(own + ".libs")) {
        folders.add(0, site + "/" + name);
      } else if (name.endsWith(".libs")) {
        folders.add(site + "/" + name);
      }
    }
    return folders;
  }

  private boolean exists(String path) {
    try {
      files.lookup(VirtualFileSystem.AT_FDCWD, path, true);
      return true;
    } catch (PosixException e) {
      return false;
    }
  }

  /** An absolute path without {@code .}, {@code ..} and empty parts. */
  private static String normal(String path, String folder) {
    Deque<String> parts = new ArrayDeque<>();
    String whole = path.startsWith("/") ? path : folder + "/" + path;
    for (String part : whole.split("/")) {
      if (part.equals("..")) {
        parts.pollLast();
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.addLast(part);
      }
    }
    return "/" + String.join("/", parts);
  }
}
