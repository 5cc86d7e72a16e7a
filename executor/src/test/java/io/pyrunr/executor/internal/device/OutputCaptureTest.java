package io.pyrunr.executor.internal.device;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OutputCaptureTest {
  private static final String TEXT = "aé€😀z";

  @Test
  void neverCutsACharacterAtTheLimit() {
    byte[] bytes = TEXT.getBytes(UTF_8);
    for (int limit = 1; limit < bytes.length; limit++) {
      for (int piece = 1; piece <= bytes.length; piece++) {
        OutputCapture capture = new OutputCapture();
        StringBuilder heard = new StringBuilder();
        capture.start(limit, heard::append);
        writeInPieces(capture, bytes, piece);
        capture.end();
        assertTrue(TEXT.startsWith(capture.text()), capture.text());
        assertTrue(capture.text().getBytes(UTF_8).length > limit - 4);
        assertEquals(capture.text(), heard.toString());
        assertTrue(capture.truncated());
      }
    }
  }

  @Test
  void passesOnWholeCharactersOnly() {
    byte[] bytes = TEXT.getBytes(UTF_8);
    OutputCapture capture = new OutputCapture();
    StringBuilder heard = new StringBuilder();
    capture.start(bytes.length, heard::append);
    for (int i = 0; i < bytes.length; i++) {
      capture.write(bytes, i, 1);
      assertTrue(TEXT.startsWith(heard.toString()));
    }
    assertEquals(TEXT, heard.toString());
    assertEquals(TEXT, capture.text());
    assertFalse(capture.truncated());
  }

  @Test
  void brokenUtf8ShowsAsReplacementCharacters() {
    OutputCapture capture = new OutputCapture();
    StringBuilder heard = new StringBuilder();
    capture.start(100, heard::append);
    capture.write(new byte[] {'a', (byte) 0xff, (byte) 0x80, 'b', (byte) 0xe2, (byte) 0x82}, 0, 6);
    capture.end();
    assertEquals("a\ufffd\ufffdb\ufffd", capture.text());
    assertEquals(capture.text(), heard.toString());
  }

  @Test
  void nothingSlipsInBehindTheGap() {
    OutputCapture capture = new OutputCapture();
    capture.start(5, null);
    writeInPieces(capture, "abc€d".getBytes(UTF_8), 6);
    capture.write("x".getBytes(UTF_8), 0, 1);
    assertEquals("abc", capture.text());
  }

  @Test
  void startsAfresh() {
    OutputCapture capture = new OutputCapture();
    capture.start(2, null);
    capture.write("abc".getBytes(UTF_8), 0, 3);
    capture.start(10, null);
    capture.write("d".getBytes(UTF_8), 0, 1);
    assertEquals("d", capture.text());
    assertFalse(capture.truncated());
  }

  private static void writeInPieces(OutputCapture capture, byte[] bytes, int piece) {
    for (int i = 0; i < bytes.length; i += piece) {
      capture.write(bytes, i, Math.min(piece, bytes.length - i));
    }
  }
}
