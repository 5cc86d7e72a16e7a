package io.pyrunr.executor.internal.wheels.archive;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.pyrunr.executor.internal.fs.BaseLayer;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.ref.SoftReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * Files by name and a text, kept in one file of the cache: unpacked wheels, and their bytecode. One
 * file, since a rename then is all it takes for another process to see all of it or nothing.
 *
 * <p>Form: magic; contents one after the other; index (text, then name, offset, size and CRC-32 of
 * each file, and its SHA-256); length and CRC-32 of the index. Contents are read, and compared with
 * their checksum, when asked for, and stay in memory as long as there is enough of it.
 *
 * <p>Immutable and thread-safe.
 */
public final class Bundle {
  static final byte[] MAGIC = "PYRUNR-BUNDLE-2\n".getBytes(US_ASCII);
  static final int TRAILER = 2 * Integer.BYTES;

  private static final int LARGEST_INDEX = 64 << 20;

  private final String text;
  private final Map<String, BaseLayer.Content> files;

  Bundle(String text, Map<String, BaseLayer.Content> files) {
    this.text = text;
    this.files = Collections.unmodifiableMap(files);
  }

  String text() {
    return text;
  }

  public Map<String, BaseLayer.Content> files() {
    return files;
  }

  /** Sum of the sizes of all files, in bytes. */
  public long size() {
    return files.values().stream().mapToLong(BaseLayer.Content::size).sum();
  }

  /**
   * Opens a bundle. Only its index is read: the contents of numpy and pandas, read at every start,
   * would take as long as the rest of it.
   *
   * @param file may be null, which is no bundle
   * @return the bundle, or null if there is none or it is damaged
   */
  static Bundle open(Path file) {
    if (file == null || !Files.isRegularFile(file)) {
      return null;
    }
    try {
      Source source = new Source(file);
      byte[] index = source.index();
      if (index == null) {
        return null;
      }
      long end = source.length() - TRAILER - index.length;
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(index));
      String text = string(in);
      Map<String, BaseLayer.Content> files = new LinkedHashMap<>();
      int count = in.readInt();
      for (int i = 0; i < count; i++) {
        String name = string(in);
        Part part = new Part(source, in.readLong(), in.readInt(), in.readInt(), string(in));
        if (part.end() > end) {
          return null;
        }
        files.put(name, part);
      }
      return new Bundle(text, files);
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }

  private static String string(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > LARGEST_INDEX) {
      throw new IOException("a text of " + length + " bytes");
    }
    return new String(in.readNBytes(length), UTF_8);
  }

  static int crc(byte[] bytes) {
    CRC32 sum = new CRC32();
    sum.update(bytes);
    return (int) sum.getValue();
  }

  /**
   * The bundle's file, open as long as anything of it is in use: jobs go on when it is deleted.
   * With no file channel, since those close when the thread, which may run a job, is interrupted.
   */
  private static final class Source {
    private final Path file;
    private final RandomAccessFile in; // closed when this cannot be reached any more

    Source(Path file) throws IOException {
      this.file = file;
      in = new RandomAccessFile(file.toFile(), "r");
    }

    synchronized long length() throws IOException {
      return in.length();
    }

    /** The index, or null if the file is damaged. */
    synchronized byte[] index() throws IOException {
      byte[] magic = new byte[MAGIC.length];
      in.readFully(magic);
      in.seek(Math.max(0, in.length() - TRAILER));
      int length = in.readInt();
      int sum = in.readInt();
      if (!Arrays.equals(magic, MAGIC)
          || length < 0
          || length > Math.min(LARGEST_INDEX, in.length())) {
        return null;
      }
      byte[] index = new byte[length];
      in.seek(Math.max(0, in.length() - TRAILER - length));
      in.readFully(index);
      return crc(index) == sum ? index : null;
    }

    synchronized byte[] read(long offset, int size, int crc) {
      try {
        byte[] bytes = new byte[size];
        in.seek(offset);
        in.readFully(bytes);
        if (crc(bytes) == crc) {
          return bytes;
        }
        Files.deleteIfExists(file); // or the next start would take it for whole again
        throw new IOException("its contents have changed");
      } catch (IOException e) {
        throw new UncheckedIOException(
            "the unpacked wheel " + file + " cannot be read any more; restart to unpack it anew",
            e);
      }
    }
  }

  /** One file inside of a bundle's. */
  private static final class Part implements BaseLayer.Content {
    private final Source source;
    private final long offset;
    private final int size;
    private final int crc;
    private final String sha256;
    private SoftReference<byte[]> known = new SoftReference<>(null);

    Part(Source source, long offset, int size, int crc, String sha256) throws IOException {
      if (size < 0 || offset < 0) {
        throw new IOException("a file of " + size + " bytes at " + offset);
      }
      this.source = source;
      this.offset = offset;
      this.size = size;
      this.crc = crc;
      this.sha256 = sha256;
    }

    long end() {
      return offset + size;
    }

    @Override
    public String sha256() {
      return sha256;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public synchronized byte[] bytes() {
      byte[] bytes = known.get();
      if (bytes == null) {
        bytes = source.read(offset, size, crc);
        known = new SoftReference<>(bytes);
      }
      return bytes;
    }
  }
}
