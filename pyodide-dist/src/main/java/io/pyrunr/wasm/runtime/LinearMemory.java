package io.pyrunr.wasm.runtime;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.runtime.TrapException;
import com.dylibso.chicory.wasm.types.DataSegment;
import com.dylibso.chicory.wasm.types.MemoryLimits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A linear memory in one {@code byte[]} that knows which of its pages were written since it was
 * last {@linkplain #capture captured}, so that {@link #restore} copies back those pages only.
 *
 * <p>Every store sets one byte per 4 KiB page, as a garbage collector's card table does: finding
 * changed pages by comparison would cost a pass over the whole memory.
 *
 * <p>The class is final and compiled code is linked to it directly: an interface call per load
 * would cost more than the load. Registers are the values of the module's mutable globals that
 * compiled code keeps here instead of in Chicory's {@code GlobalInstance}s, because a field of an
 * object that every function already receives is one load away.
 *
 * <p>Not thread-safe: one instance belongs to the thread that runs its interpreter.
 */
public final class LinearMemory implements Memory {
  /** log2 of the size of a tracked page. */
  static final int TRACK_SHIFT = 12;

  /**
   * Bytes copied back for a marked page: a store marks the page of its first byte only, and up to
   * seven more may be in the next. A second mark per store made programs several percent slower.
   */
  private static final int RESTORED = (1 << TRACK_SHIFT) + Long.BYTES - 1;

  private static final int LONGEST_STRING = 1 << 16;

  /** The largest size an array-backed memory can have: 2 GiB less one wasm page. */
  public static final int MAXIMUM_PAGES = 32767;

  static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle FLOAT =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle DOUBLE =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

  private final int initialPages;

  private final DataSegments segments = new DataSegments();

  /** The memory's bytes; its length is always the current size, so array bounds are wasm bounds. */
  byte[] data;

  /** One byte per tracked page, not zero if it was written since {@link #base} was taken. */
  byte[] written;

  /** What the contents were when no page was marked as written; null before the first snapshot. */
  private Snapshot base;

  /**
   * The array from before the memory grew beyond {@link #base}, kept to return to: pages written
   * meanwhile are marked, so it is restored like the one in use.
   */
  private byte[] beforeGrowth;

  private int maximumPages;

  /** Value of {@code __stack_pointer}, shared by all modules that use this memory. */
  public int stackPointer;

  /** The table that {@code call_indirect} uses in all modules that share this memory, or null. */
  public FunctionTable table;

  /** The instance of the main module, whose functions the other modules call, or null. */
  public Instance main;

  // What a split function hands back to its caller besides its result, see FunctionSplitter. The
  // values are written right before a return and read right after, so a snapshot leaves them out.
  public int i0, i1, i2, i3, i4, i5, i6, i7;
  public int i8, i9, i10, i11, i12, i13, i14, i15;
  public int i16, i17, i18, i19, i20, i21, i22, i23;
  public int i24, i25, i26, i27, i28, i29, i30, i31;
  public long l0, l1, l2, l3, l4, l5, l6, l7;
  public long l8, l9, l10, l11, l12, l13, l14, l15;
  public long l16, l17, l18, l19, l20, l21, l22, l23;
  public long l24, l25, l26, l27, l28, l29, l30, l31;
  public long l32, l33, l34, l35, l36, l37, l38, l39;
  public long l40, l41, l42, l43, l44, l45, l46, l47;
  public float f0, f1, f2, f3;
  public double d0, d1, d2, d3, d4, d5, d6, d7;
  public double d8, d9, d10, d11, d12, d13, d14, d15;

  public LinearMemory(int initialPages, int maximumPages) {
    this.initialPages = initialPages;
    this.maximumPages = Math.min(maximumPages, MAXIMUM_PAGES);
    this.data = new byte[initialPages * PAGE_SIZE];
    this.written = new byte[data.length >> TRACK_SHIFT];
  }

  public LinearMemory(MemoryLimits limits) {
    this(limits.initialPages(), limits.maximumPages());
  }

  /** A memory that starts with the contents of a snapshot. */
  public LinearMemory(Snapshot contents, int maximumPages) {
    this.initialPages = contents.data.length / PAGE_SIZE;
    this.maximumPages = Math.min(maximumPages, MAXIMUM_PAGES);
    copy(contents);
  }

  // ---------------------------------------------------------------- size

  @Override
  public int pages() {
    return data.length / PAGE_SIZE;
  }

  @Override
  public int initialPages() {
    return initialPages;
  }

  @Override
  public int maximumPages() {
    return maximumPages;
  }

  /** Sets how far this memory may grow from now on, in wasm pages. */
  public void setMaximumPages(int pages) {
    maximumPages = Math.min(pages, MAXIMUM_PAGES);
  }

  @Override
  public int grow(int delta) {
    int before = pages();
    if (delta < 0 || delta > maximumPages - before) {
      return -1;
    }
    if (delta > 0) {
      StopSignal.poll(); // a job to be stopped need not copy hundreds of megabytes first
      try {
        resize((before + delta) * PAGE_SIZE);
      } catch (OutOfMemoryError e) {
        return -1; // the job sees MemoryError, as with a refused grow anywhere else
      }
    }
    return before;
  }

  private void resize(int bytes) {
    byte[] newData = Arrays.copyOf(data, bytes);
    written = Arrays.copyOf(written, bytes >> TRACK_SHIFT);
    if (base != null && data.length == base.data.length) {
      beforeGrowth = data;
    }
    data = newData;
  }

  // ---------------------------------------------------------------- capture and restore

  /** A copy of a memory's contents at one moment. Immutable, may be shared between threads. */
  public static final class Snapshot {
    private final byte[] data;
    private final int stackPointer;

    private Snapshot(byte[] data, int stackPointer) {
      this.data = data;
      this.stackPointer = stackPointer;
    }

    /**
     * A snapshot of contents from elsewhere.
     *
     * @param data the bytes, whole wasm pages; they become the snapshot's own
     */
    public static Snapshot of(byte[] data, int stackPointer) {
      if (data.length % PAGE_SIZE != 0) {
        throw new IllegalArgumentException(data.length + " bytes are no whole wasm pages");
      }
      return new Snapshot(data, stackPointer);
    }

    /** Size in bytes. */
    public int size() {
      return data.length;
    }
  }

  /** Copies the contents and starts tracking writes against that copy. */
  public Snapshot capture() {
    Arrays.fill(written, (byte) 0);
    beforeGrowth = null;
    base = new Snapshot(data.clone(), stackPointer);
    return base;
  }

  /** Takes over the contents of a snapshot of any memory. */
  public void load(Snapshot snapshot) {
    if (base == snapshot) {
      int unused = restore(snapshot);
    } else {
      copy(snapshot);
    }
  }

  private void copy(Snapshot snapshot) {
    data = snapshot.data.clone();
    written = new byte[data.length >> TRACK_SHIFT];
    beforeGrowth = null;
    base = snapshot;
    stackPointer = snapshot.stackPointer;
  }

  /**
   * Makes the contents equal to {@code snapshot}, which must be the one last captured or loaded, by
   * copying back the pages written since. Memory that grew is given back.
   *
   * @return the number of 4 KiB pages copied
   */
  public int restore(Snapshot snapshot) {
    if (snapshot != base) {
      throw new IllegalArgumentException("not the snapshot this memory keeps track of");
    }
    byte[] source = snapshot.data;
    if (beforeGrowth != null) {
      data = beforeGrowth;
      written = Arrays.copyOf(written, data.length >> TRACK_SHIFT);
      beforeGrowth = null;
    }
    int copied = 0;
    byte[] marks = written;
    for (int word = 0; word < marks.length; word += Long.BYTES) {
      if ((long) LONG.get(marks, word) == 0) {
        continue;
      }
      for (int page = word; page < word + Long.BYTES; page++) {
        if (marks[page] != 0) {
          int at = page << TRACK_SHIFT;
          System.arraycopy(source, at, data, at, Math.min(RESTORED, source.length - at));
          copied++;
        }
      }
      LONG.set(marks, word, 0L);
    }
    stackPointer = snapshot.stackPointer;
    return copied;
  }

  private void mark(int address, int length) {
    if (length > 0) {
      int last = (address + length - 1) >>> TRACK_SHIFT;
      for (int page = address >>> TRACK_SHIFT; page <= last; page++) {
        written[page] = 1;
      }
    }
  }

  // ---------------------------------------------------------------- loads and stores of the host

  // Those of compiled code are in CompiledSupport.

  /** Marks the page of a store's first byte; {@link #restore} sees to the others. */
  private void markStore(int address) {
    written[address >>> TRACK_SHIFT] = 1;
  }

  @Override
  public byte read(int address) {
    try {
      return data[address];
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(address);
    }
  }

  @Override
  public short readShort(int address) {
    try {
      return (short) SHORT.get(data, address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(address);
    }
  }

  @Override
  public int readInt(int address) {
    try {
      return (int) INT.get(data, address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(address);
    }
  }

  @Override
  public long readLong(int address) {
    try {
      return (long) LONG.get(data, address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(address);
    }
  }

  @Override
  public float readFloat(int address) {
    try {
      return (float) FLOAT.get(data, address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(address);
    }
  }

  @Override
  public double readDouble(int address) {
    try {
      return (double) DOUBLE.get(data, address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(address);
    }
  }

  @Override
  public long readU16(int address) {
    return readShort(address) & 0xffffL;
  }

  @Override
  public long readF32(int address) {
    return readInt(address);
  }

  @Override
  public long readF64(int address) {
    return readLong(address);
  }

  @Override
  public void writeByte(int address, byte value) {
    try {
      data[address] = value;
      markStore(address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(address);
    }
  }

  @Override
  public void writeShort(int address, short value) {
    try {
      SHORT.set(data, address, value);
      markStore(address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(address);
    }
  }

  @Override
  public void writeI32(int address, int value) {
    try {
      INT.set(data, address, value);
      markStore(address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(address);
    }
  }

  @Override
  public void writeLong(int address, long value) {
    try {
      LONG.set(data, address, value);
      markStore(address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(address);
    }
  }

  @Override
  public void writeF32(int address, float value) {
    try {
      FLOAT.set(data, address, value);
      markStore(address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(address);
    }
  }

  @Override
  public void writeF64(int address, double value) {
    try {
      DOUBLE.set(data, address, value);
      markStore(address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(address);
    }
  }

  // ---------------------------------------------------------------- bulk

  @Override
  public void write(int address, byte[] source, int offset, int size) {
    checkRange(address, size);
    System.arraycopy(source, offset, data, address, size);
    mark(address, size);
  }

  @Override
  public byte[] readBytes(int address, int length) {
    checkRange(address, length);
    return Arrays.copyOfRange(data, address, address + length);
  }

  /** Copies bytes out without allocating. */
  public void read(int address, byte[] target, int offset, int length) {
    checkRange(address, length);
    System.arraycopy(data, address, target, offset, length);
  }

  /**
   * The UTF-8 text that starts at {@code address} and ends before the first zero byte: a name or a
   * message, so it is cut after {@value #LONGEST_STRING} bytes.
   */
  public String cString(int address) {
    int end = address;
    while (end - address < LONGEST_STRING && read(end) != 0) {
      end++;
    }
    return new String(data, address, end - address, StandardCharsets.UTF_8);
  }

  @Override
  public void fill(byte value, int from, int to) {
    fillBytes(from, to - from, value);
  }

  /** {@code memory.fill}: sets {@code size} bytes. */
  public void fillBytes(int address, int size, byte value) {
    checkRange(address, size);
    Arrays.fill(data, address, address + size, value);
    mark(address, size);
  }

  @Override
  public void copy(int destination, int source, int size) {
    checkRange(source, size);
    checkRange(destination, size);
    System.arraycopy(data, source, data, destination, size);
    mark(destination, size);
  }

  @Override
  public void zero() {
    Arrays.fill(data, (byte) 0);
    mark(0, data.length);
  }

  // ---------------------------------------------------------------- data segments

  @Override
  public void initialize(Instance instance, DataSegment[] dataSegments) {
    segments.add(instance, dataSegments, this);
  }

  @Override
  public void initPassiveSegment(int segment, int destination, int offset, int size) {
    segments.ofLast().copy(segment, destination, offset, size, this);
  }

  /** {@code memory.init} of {@code instance}. */
  public void initPassiveSegment(
      Instance instance, int segment, int destination, int offset, int size) {
    segments.of(instance).copy(segment, destination, offset, size, this);
  }

  @Override
  public void drop(int segment) {
    segments.ofLast().drop(segment);
  }

  public void drop(Instance instance, int segment) {
    segments.of(instance).drop(segment);
  }

  // ---------------------------------------------------------------- threads: there are none

  @Override
  public boolean shared() {
    return false;
  }

  @Override
  @Deprecated(forRemoval = true)
  public Object lock(int address) {
    return this;
  }

  @Override
  @Deprecated(forRemoval = true)
  public int waitOn(int address, int expected, long timeout) {
    throw new TrapException("memory is not shared");
  }

  @Override
  @Deprecated(forRemoval = true)
  public int waitOn(int address, long expected, long timeout) {
    throw new TrapException("memory is not shared");
  }

  @Override
  @Deprecated(forRemoval = true)
  public int notify(int address, int maxThreads) {
    return 0;
  }

  private void checkRange(int address, int size) {
    if (address < 0 || size < 0 || address > data.length - size) {
      throw outOfBounds(address);
    }
  }

  /** What an access of compiled code throws; base and offset are unsigned. */
  GuestFault outOfBounds(int base, int offset, int size) {
    long address = (base & 0xffff_ffffL) + offset;
    return new GuestFault(
        "out of bounds memory access: "
            + size
            + " bytes at address "
            + address
            + " in a memory of "
            + data.length
            + " bytes");
  }

  GuestFault outOfBounds(int address) {
    return new GuestFault(
        "out of bounds memory access: address "
            + Integer.toUnsignedString(address)
            + " in a memory of "
            + data.length
            + " bytes");
  }
}
