package io.pyrunr.dist.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The numbers of a CPython's opcodes, those of specialised instructions included, as its own
 * standard library has them: {@code _opcode_metadata.py}, which CPython's build generates.
 */
final class Opcodes {
  private static final String SOURCE = "_opcode_metadata.py";
  private static final Pattern ENTRY =
      Pattern.compile("^ {4}'([A-Z0-9_]+)': (\\d+),", Pattern.MULTILINE);

  private Opcodes() {}

  /**
   * Numbers by name.
   *
   * @param library {@code python_stdlib.zip}
   * @throws BuildFailure if it does not have them where CPython 3.13 and 3.14 do
   */
  static Map<String, Integer> of(byte[] library) throws IOException {
    try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(library))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        if (entry.getName().equals(SOURCE)) {
          return parse(new String(in.readAllBytes(), UTF_8));
        }
      }
    }
    throw new BuildFailure(
        "python_stdlib.zip has no " + SOURCE + "; is it a CPython from 3.13 on?");
  }

  private static Map<String, Integer> parse(String source) {
    Map<String, Integer> numbers = new HashMap<>();
    Matcher entry = ENTRY.matcher(source);
    while (entry.find()) {
      numbers.put(entry.group(1), Integer.parseInt(entry.group(2)));
    }
    if (numbers.isEmpty()) {
      throw new BuildFailure(SOURCE + " has another form than CPython 3.13's and 3.14's");
    }
    return numbers;
  }
}
