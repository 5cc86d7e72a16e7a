package io.pyrunr.dashboard.internal.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads files named on the command line, with errors a person can act on. */
final class CodeFile {

  /** Python, too, passes over one at the beginning of a file. */
  private static final String BYTE_ORDER_MARK = "\ufeff";

  private static final Pattern COOKIE =
      Pattern.compile("^[ \\t\\f]*#.*?coding[:=][ \\t]*([-_.a-zA-Z0-9]+)");

  private static final Pattern BLANK_OR_COMMENT =
      Pattern.compile("(\u00ef\u00bb\u00bf)?[ \\t\\f]*(#.*)?");

  private static final int LONGEST_LINES = 8192;

  private CodeFile() {}

  static String read(Path file) throws IOException {
    try {
      byte[] bytes = Files.readAllBytes(notFolder(file));
      Charset charset = charset(bytes, file);
      String code = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return code.startsWith(BYTE_ORDER_MARK) ? code.substring(1) : code;
    } catch (NoSuchFileException e) {
      throw new UsageException("there is no file " + file + "; code itself goes after -c");
    } catch (CharacterCodingException e) {
      throw new UsageException(
          file + " is not UTF-8 text; if it is in another encoding, say so in its first line:"
              + " # -*- coding: latin-1 -*-");
    }
  }

  /** The encoding that the first or second line names, as PEP 263 has it; UTF-8 if none does. */
  private static Charset charset(byte[] bytes, Path file) {
    String start = new String(bytes, 0, Math.min(bytes.length, LONGEST_LINES), ISO_8859_1);
    String[] lines = start.split("\\R", 3);
    for (int i = 0; i < Math.min(lines.length, 2); i++) {
      Matcher cookie = COOKIE.matcher(lines[i]);
      if (cookie.find()) {
        return charset(cookie.group(1), file);
      }
      if (!BLANK_OR_COMMENT.matcher(lines[i]).matches()) {
        break;
      }
    }
    return UTF_8;
  }

  private static Charset charset(String name, Path file) {
    String javaName = name.toLowerCase(Locale.ROOT).replace('_', '-');
    if (javaName.matches("(latin-1|iso-8859-1|iso-latin-1)(-.*)?")) {
      return ISO_8859_1; // as Python's tokenizer reads these
    }
    if (javaName.matches("utf-8(-.*)?")) {
      return UTF_8;
    }
    try {
      return Charset.forName(javaName);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      throw new UsageException(file + ": unknown encoding: " + name);
    }
  }

  static Path notFolder(Path file) {
    if (Files.isDirectory(file)) {
      throw new UsageException(file + " is a folder; name a file");
    }
    return file;
  }
}
