package io.pyrunr.executor.internal.fs;

/** A character device: reads and writes go to Java code, see {@link Device}. */
final class DeviceFile extends Inode {
  /** Size of the buffer that data goes through. */
  private static final int TRANSFER = 1 << 16;

  /**
   * Most that one call moves; callers repeat after a short count. Without a bound, reading 1 GB of
   * random numbers would keep the thread where nothing can stop it.
   */
  private static final int MAXIMUM = 1 << 20;

  private final Device device;
  private final int deviceNumber;

  DeviceFile(Volume volume, int permissions, Device device, int deviceNumber) {
    super(volume, FileMode.S_IFCHR | permissions);
    this.device = device;
    this.deviceNumber = deviceNumber;
  }

  boolean absent() {
    return device == Device.ABSENT;
  }

  @Override
  public int deviceNumber() {
    return deviceNumber;
  }

  @Override
  boolean seekable() {
    return device.seekable();
  }

  @Override
  int read(ByteSpace space, int address, int wantedLength, long position) {
    int length = Math.min(wantedLength, MAXIMUM);
    byte[] buffer = new byte[Math.min(length, TRANSFER)];
    int done = 0;
    while (done < length) {
      int wanted = Math.min(length - done, buffer.length);
      int got = device.read(buffer, 0, wanted);
      space.put(address + done, buffer, 0, got);
      done += got;
      if (got < wanted) {
        break;
      }
    }
    return done;
  }

  @Override
  int write(ByteSpace space, int address, int givenLength, long position) {
    int length = Math.min(givenLength, MAXIMUM);
    byte[] buffer = new byte[Math.min(length, TRANSFER)];
    int done = 0;
    while (done < length) {
      int piece = Math.min(length - done, buffer.length);
      space.get(address + done, buffer, 0, piece);
      int taken = device.write(buffer, 0, piece);
      done += taken;
      if (taken < piece) {
        break;
      }
    }
    return done;
  }

  @Override
  void truncate(long size) {
    // open(..., O_TRUNC) of a device is not an error; ftruncate is refused by OpenFile.
  }

  @Override
  Runnable saveContent() {
    return () -> {};
  }
}
