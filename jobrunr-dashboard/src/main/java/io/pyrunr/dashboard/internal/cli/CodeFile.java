package io.pyrunr.dashboard.internal.cli;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads files named on the command line, with errors a person can act on. */
final class CodeFile {

  /** Python, too, passes over one at the beginning of a file. */
  private static final String BYTE_ORDER_MARK = "\ufeff";

  private CodeFile() {}

  static String read(Path file) throws IOException {
    try {
      String code = Files.readString(notFolder(file));
      return code.startsWith(BYTE_ORDER_MARK) ? code.substring(1) : code;
    } catch (NoSuchFileException e) {
      throw new UsageException("there is no file " + file + "; code itself goes after -c");
    } catch (MalformedInputException e) {
      throw new UsageException(file + " is not UTF-8 text");
    }
  }

  static Path notFolder(Path file) {
    if (Files.isDirectory(file)) {
      throw new UsageException(file + " is a folder; name a file");
    }
    return file;
  }
}
