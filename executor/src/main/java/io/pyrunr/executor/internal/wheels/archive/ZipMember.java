package io.pyrunr.executor.internal.wheels.archive;

import static io.pyrunr.executor.internal.packaging.BadPackagingException.quoted;

import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A file inside a zip archive.
 *
 * @param name its path, checked: relative, no part of it empty, "." or ".."
 * @param deflated whether it is compressed
 * @param crc CRC-32 of the contents
 * @param start of the compressed data in the archive
 * @param compressedSize bytes of them
 * @param size bytes of the contents, within {@link ZipMembers}'s limits
 * @param headerStart where the member's own header begins
 */
record ZipMember(
    String name,
    boolean deflated,
    int crc,
    int start,
    int compressedSize,
    int size,
    int headerStart) {

  int end() {
    return start + compressedSize;
  }

  /**
   * The contents.
   *
   * @throws BadWheelException if they are not what the headers promise
   */
  byte[] bytes(byte[] archive) throws BadWheelException {
    byte[] bytes =
        deflated ? inflate(archive) : Arrays.copyOfRange(archive, start, start + compressedSize);
    CRC32 sum = new CRC32();
    sum.update(bytes);
    if (bytes.length != size || (int) sum.getValue() != crc) {
      throw BadWheelException.untrusted("damaged: the checksum of " + quoted(name) + " is wrong");
    }
    return bytes;
  }

  /** Never makes more than {@link #size} bytes, whatever the data want. */
  private byte[] inflate(byte[] archive) throws BadWheelException {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(archive, start, compressedSize);
      byte[] bytes = new byte[size];
      int done = 0;
      while (done < size) {
        int count = inflater.inflate(bytes, done, size - done);
        if (count == 0) {
          break;
        }
        done += count;
      }
      boolean more = !inflater.finished() && inflater.inflate(new byte[1]) > 0;
      if (done < size || more) {
        throw BadWheelException.untrusted(
            quoted(name) + " unpacks to another size than the archive says");
      }
      return bytes;
    } catch (DataFormatException e) {
      throw BadWheelException.untrusted("damaged: " + quoted(name) + " cannot be unpacked");
    } finally {
      inflater.end();
    }
  }
}
