package io.pyrunr.executor.internal.interpreter;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;

/**
 * UTF-8 that keeps lone surrogates, three bytes each, as Python's {@code surrogatepass} reads them.
 * Java's own encoder would put a question mark in their place, and the job would see other text
 * than it was given.
 */
final class JobText {
  private JobText() {}

  static byte[] encode(String text) {
    try {
      ByteBuffer bytes =
          UTF_8
              .newEncoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .encode(CharBuffer.wrap(text));
      byte[] result = new byte[bytes.remaining()];
      bytes.get(result);
      return result;
    } catch (CharacterCodingException e) {
      return encodeWithSurrogates(text);
    }
  }

  private static byte[] encodeWithSurrogates(String text) {
    ByteBuffer bytes = ByteBuffer.allocate(3 * text.length());
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      int units = Character.charCount(point);
      if (units == 1 && Character.isSurrogate((char) point)) {
        bytes.put((byte) 0xed);
        bytes.put((byte) (0x80 | point >> 6 & 0x3f));
        bytes.put((byte) (0x80 | point & 0x3f));
      } else {
        bytes.put(text.substring(i, i + units).getBytes(UTF_8));
      }
      i += units;
    }
    byte[] result = new byte[bytes.position()];
    bytes.flip().get(result);
    return result;
  }
}
