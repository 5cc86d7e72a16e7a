package io.pyrunr.executor.internal.wheels.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pyrunr.executor.internal.fs.BaseLayer;
import io.pyrunr.executor.internal.io.Digests;
import io.pyrunr.executor.internal.io.WholeFile;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes a {@link Bundle}. Its file appears when it is whole; of two processes that make the same
 * one, the second to finish replaces an equal file.
 */
final class BundleWriter implements AutoCloseable {
  private final Path target;
  private final Path draft;
  private final DataOutputStream out;
  private final DataOutputStream entries;
  private final ByteArrayOutputStream entryBytes = new ByteArrayOutputStream();
  private final Map<String, BaseLayer.Content> inMemory = new LinkedHashMap<>();
  private long offset = Bundle.MAGIC.length;
  private int count;

  private BundleWriter(Path target) throws IOException {
    this.target = target;
    entries = new DataOutputStream(entryBytes);
    if (target == null) {
      draft = null;
      out = null;
      return;
    }
    Files.createDirectories(target.getParent());
    draft = WholeFile.draft(target.getParent());
    out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(draft), 1 << 16));
    out.write(Bundle.MAGIC);
  }

  /**
   * Begins a bundle.
   *
   * @param target its file, or null to keep it in memory
   * @throws IOException if nothing can be written there
   */
  static BundleWriter to(Path target) throws IOException {
    return new BundleWriter(target);
  }

  void add(String name, byte[] bytes) throws IOException {
    count++;
    if (draft == null) {
      inMemory.put(name, BaseLayer.Content.of(bytes));
      return;
    }
    out.write(bytes);
    write(entries, name);
    entries.writeLong(offset);
    entries.writeInt(bytes.length);
    entries.writeInt(Bundle.crc(bytes));
    write(entries, Digests.sha256(bytes));
    offset += bytes.length;
  }

  /** Ends the bundle and gives it its name. */
  Bundle finish(String text) throws IOException {
    if (draft == null) {
      return new Bundle(text, inMemory);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream index = new DataOutputStream(bytes);
    write(index, text);
    index.writeInt(count);
    entryBytes.writeTo(index);
    out.write(bytes.toByteArray());
    out.writeInt(bytes.size());
    out.writeInt(Bundle.crc(bytes.toByteArray()));
    out.close();
    WholeFile.name(draft, target);
    Bundle written = Bundle.open(target);
    if (written == null) {
      throw new IOException(target + " reads otherwise than it was written");
    }
    return written;
  }

  private static void write(DataOutputStream to, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    to.writeInt(bytes.length);
    to.write(bytes);
  }

  @Override
  public void close() throws IOException {
    if (draft != null) {
      out.close();
      Files.deleteIfExists(draft);
    }
  }
}
