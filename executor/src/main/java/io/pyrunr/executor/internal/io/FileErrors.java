package io.pyrunr.executor.internal.io;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Says what went wrong with a file: the JDK leaves that to the exceptions' names. */
public final class FileErrors {
  private FileErrors() {}

  /** The reason, without the file's name. */
  public static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "this user may not read or write it";
    }
    if (e instanceof NoSuchFileException) {
      return "there is no such file or folder";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "there is a file where a folder should be";
    }
    if (e instanceof FileSystemException file) {
      return file.getReason() == null ? "the system refuses it" : file.getReason();
    }
    return e.getMessage() == null ? "it cannot be read or written" : e.getMessage();
  }
}
