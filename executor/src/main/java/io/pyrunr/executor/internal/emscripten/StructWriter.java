package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.executor.internal.fs.FileName;
import io.pyrunr.executor.internal.fs.Inode;
import io.pyrunr.executor.internal.fs.Timestamp;
import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import io.pyrunr.wasm.runtime.LinearMemory;

/** Lays out C structures as Emscripten's headers for wasm32 do ({@code struct_info.json}). */
final class StructWriter {
  private static final int BLOCK = 4096;

  private StructWriter() {}

  /** {@code struct stat}, 96 bytes. */
  static void stat(LinearMemory memory, int at, Inode inode) {
    long size = inode.size();
    memory.writeI32(at, 1);
    memory.writeI32(at + 4, inode.mode());
    memory.writeI32(at + 8, inode.links());
    memory.writeI32(at + 12, inode.uid());
    memory.writeI32(at + 16, inode.gid());
    memory.writeI32(at + 20, inode.deviceNumber());
    memory.writeLong(at + 24, size);
    memory.writeI32(at + 32, BLOCK);
    memory.writeI32(at + 36, (int) Math.min(Integer.MAX_VALUE, (size + 511) >>> 9));
    time(memory, at + 40, inode.accessed());
    time(memory, at + 56, inode.modified());
    time(memory, at + 72, inode.changed());
    memory.writeLong(at + 88, inode.number());
  }

  private static void time(LinearMemory memory, int at, Timestamp time) {
    memory.writeLong(at, time.seconds());
    memory.writeI32(at + 8, time.nanos());
  }

  /** {@code struct statfs}, 64 bytes. */
  static void statfs(LinearMemory memory, int at, VirtualFileSystem files) {
    memory.writeI32(at + 4, BLOCK);
    memory.writeI32(at + 8, clamp(files.totalBlocks()));
    memory.writeI32(at + 12, clamp(files.freeBlocks()));
    memory.writeI32(at + 16, clamp(files.freeBlocks()));
    memory.writeI32(at + 20, clamp(files.totalInodes()));
    memory.writeI32(at + 24, clamp(files.freeInodes()));
    memory.writeI32(at + 28, 42);
    memory.writeI32(at + 36, FileName.NAME_MAX);
    memory.writeI32(at + 40, BLOCK);
    memory.writeI32(at + 44, 0);
  }

  private static int clamp(long value) {
    return (int) Math.min(Integer.MAX_VALUE, value);
  }
}
