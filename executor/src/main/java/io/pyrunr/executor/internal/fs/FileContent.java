package io.pyrunr.executor.internal.fs;

import java.util.BitSet;

/**
 * Contents of a regular file: an immutable base array below, and chunks above that were written.
 * What neither covers reads as zeros, so a file may be far larger than what it stores.
 *
 * <p>A {@linkplain #fork fork} shares all chunks with the original and copies one only when it
 * writes to it; the original must not be written any more.
 */
final class FileContent {
  private static final int SHIFT = 14;
  private static final int CHUNK = 1 << SHIFT;

  /** Beyond this a file cannot grow; 1 TiB. */
  static final long MAXIMUM_SIZE = 1L << 40;

  private static final byte[][] NO_CHUNKS = {};
  private static final byte[] NO_BYTES = {};

  private final StorageQuota quota;
  private final BaseLayer.Content base;
  private long baseLimit;
  private byte[][] chunks = NO_CHUNKS;
  private BitSet shared;
  private long size;
  private long stored;

  FileContent(StorageQuota quota, BaseLayer.Content base) {
    this.quota = quota;
    this.base = base;
    this.baseLimit = base == null ? 0 : base.size();
    this.size = baseLimit;
  }

  private FileContent(FileContent original) {
    quota = original.quota;
    base = original.base;
    baseLimit = original.baseLimit;
    chunks = original.chunks.length == 0 ? NO_CHUNKS : original.chunks.clone();
    size = original.size;
    stored = original.stored;
    if (chunks.length > 0) {
      shared = new BitSet(chunks.length);
      shared.set(0, chunks.length);
    }
  }

  FileContent fork() {
    return new FileContent(this);
  }

  long size() {
    return size;
  }

  /** The base, if nothing of it was written over or cut off; else null. */
  BaseLayer.Content untouched() {
    boolean whole = base != null && baseLimit == base.size() && size == baseLimit;
    return whole && chunks.length == 0 ? base : null;
  }

  /** Bytes charged to the quota. */
  long stored() {
    return stored;
  }

  int read(ByteSpace space, int address, int length, long position) {
    if (position >= size) {
      return 0;
    }
    int count = (int) Math.min(length, size - position);
    int done = 0;
    while (done < count) {
      long at = position + done;
      int index = (int) (at >>> SHIFT);
      byte[] chunk = index < chunks.length ? chunks[index] : null;
      if (chunk != null) {
        int within = (int) (at & (CHUNK - 1));
        int piece = Math.min(count - done, CHUNK - within);
        copyOut(chunk, within, space, address + done, piece);
        done += piece;
      } else {
        // Up to the next chunk that exists, so that a large read of base content is one copy.
        long end = nextChunk(index + 1) << SHIFT;
        int piece = (int) Math.min(count - done, end - at);
        int fromBase = (int) Math.max(0, Math.min(piece, baseLimit - at));
        if (fromBase > 0) {
          space.put(address + done, base.bytes(), (int) at, fromBase);
        }
        if (fromBase < piece) {
          space.zero(address + done + fromBase, piece - fromBase);
        }
        done += piece;
      }
    }
    return count;
  }

  private static void copyOut(byte[] chunk, int within, ByteSpace space, int address, int length) {
    int present = Math.max(0, Math.min(length, chunk.length - within));
    if (present > 0) {
      space.put(address, chunk, within, present);
    }
    if (present < length) {
      space.zero(address + present, length - present);
    }
  }

  private long nextChunk(int index) {
    for (int i = index; i < chunks.length; i++) {
      if (chunks[i] != null) {
        return i;
      }
    }
    return Long.MAX_VALUE >>> SHIFT;
  }

  /** Writes; what fits the quota is written, and {@code ENOSPC} comes if that is nothing. */
  int write(ByteSpace space, int address, int length, long position) {
    if (position > MAXIMUM_SIZE - length) {
      throw PosixException.of(Errno.EFBIG);
    }
    int done = 0;
    while (done < length) {
      long at = position + done;
      int within = (int) (at & (CHUNK - 1));
      int piece = Math.min(length - done, CHUNK - within);
      byte[] chunk;
      try {
        chunk = writable((int) (at >>> SHIFT), within + piece);
      } catch (PosixException full) {
        if (done == 0) {
          throw full;
        }
        break;
      }
      space.get(address + done, chunk, within, piece);
      done += piece;
      size = Math.max(size, at + piece);
    }
    return done;
  }

  /** The chunk with that index, ours alone and at least {@code needed} bytes long. */
  private byte[] writable(int index, int needed) {
    if (index >= chunks.length) {
      growTable(index + 1);
    }
    byte[] chunk = chunks[index];
    if (chunk == null) {
      int length = chunkLength(index, needed);
      quota.charge(length);
      stored += length;
      chunk = new byte[length];
      long start = (long) index << SHIFT;
      int fromBase = (int) Math.max(0, Math.min(CHUNK, baseLimit - start));
      if (fromBase > 0) {
        System.arraycopy(base.bytes(), (int) start, chunk, 0, fromBase);
      }
      chunks[index] = chunk;
    } else if (chunk.length < needed) {
      int length = Math.min(CHUNK, Math.max(needed, chunk.length * 2));
      quota.charge(length - chunk.length);
      stored += length - chunk.length;
      chunk = java.util.Arrays.copyOf(chunk, length);
      chunks[index] = chunk;
    } else if (shared != null && shared.get(index)) {
      chunk = chunk.clone();
      chunks[index] = chunk;
    }
    if (shared != null) {
      shared.clear(index);
    }
    return chunk;
  }

  /** Small files get small chunks; one that covers base content is whole. */
  private int chunkLength(int index, int needed) {
    if (((long) index << SHIFT) < baseLimit || index > 0) {
      return CHUNK;
    }
    return Math.min(CHUNK, Math.max(64, Integer.highestOneBit(Math.max(1, needed - 1)) << 1));
  }

  private void growTable(int needed) {
    int length = needed < 64 ? needed : (int) Math.min(needed * 3L / 2, MAXIMUM_SIZE >>> SHIFT);
    // The references are storage too: a write at the end of a huge hole must not be free.
    long bytes = (long) (length - chunks.length) * Long.BYTES;
    quota.charge(bytes);
    stored += bytes;
    chunks = java.util.Arrays.copyOf(chunks, length);
  }

  void truncate(long newSize) {
    if (newSize > MAXIMUM_SIZE) {
      throw PosixException.of(Errno.EFBIG);
    }
    if (newSize < size) {
      cut(newSize);
    }
    size = newSize;
  }

  private void cut(long newSize) {
    baseLimit = Math.min(baseLimit, newSize);
    int keep = (int) ((newSize + CHUNK - 1) >>> SHIFT);
    for (int i = keep; i < chunks.length; i++) {
      if (chunks[i] != null) {
        quota.release(chunks[i].length);
        stored -= chunks[i].length;
        chunks[i] = null;
      }
    }
    int tail = (int) (newSize & (CHUNK - 1));
    if (tail != 0 && keep <= chunks.length && chunks[keep - 1] != null) {
      byte[] last = chunks[keep - 1];
      if (tail < last.length) {
        // Bytes past the end must read as zeros if the file grows again.
        byte[] shorter = java.util.Arrays.copyOf(last, tail);
        quota.release(last.length - tail);
        stored -= last.length - tail;
        chunks[keep - 1] = shorter;
        if (shared != null) {
          shared.clear(keep - 1);
        }
      }
    }
    if (newSize == 0) {
      long bytes = (long) chunks.length * Long.BYTES;
      quota.release(bytes);
      stored -= bytes;
      chunks = NO_CHUNKS;
      shared = null;
    }
  }

  byte[] toByteArray() {
    byte[] bytes = size == 0 ? NO_BYTES : new byte[Math.toIntExact(size)];
    read(ByteSpace.of(bytes), 0, bytes.length, 0);
    return bytes;
  }
}
