package io.pyrunr.executor.internal.wheels.archive;

import static io.pyrunr.executor.internal.packaging.BadPackagingException.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells WebAssembly side modules from libraries for real processors, by their first bytes and by
 * the sections of the binary format.
 */
public final class NativeCode {
  private static final Pattern SIDE_MODULE = Pattern.compile(".*\\.so(\\.[0-9.]+)?");
  private static final Pattern FOREIGN = Pattern.compile("(?i).*\\.(pyd|dll|dylib)");

  /** Where an Emscripten side module may import from. */
  private static final Set<String> IMPORTED =
      Set.of("env", "GOT.mem", "GOT.func", "wasi_snapshot_preview1");

  private static final Map<Integer, String> MACHINES =
      Map.of(3, "x86", 62, "x86-64", 40, "ARM", 183, "aarch64", 21, "PowerPC", 243, "RISC-V");

  private static final int IMPORT_SECTION = 2;

  private final String name;
  private final byte[] bytes;
  private int at = 8;

  private NativeCode(String name, byte[] bytes) {
    this.name = name;
    this.bytes = bytes;
  }

  /** Whether the name is that of a shared library. */
  public static boolean isSideModule(String name) {
    return SIDE_MODULE.matcher(name).matches();
  }

  /** Refuses what the dynamic linker could never load. Other files pass. */
  static void check(String name, byte[] bytes) throws BadWheelException {
    if (FOREIGN.matcher(name).matches()) {
      throw wrong(name, "is a library for Windows or macOS");
    }
    if (isSideModule(name)) {
      try {
        new NativeCode(name, bytes).checkSideModule();
      } catch (IndexOutOfBoundsException e) {
        throw BadWheelException.untrusted(
            quoted(name) + " is a WebAssembly module that is cut off");
      }
    }
  }

  private void checkSideModule() throws BadWheelException {
    if (startsWith(0x7f, 'E', 'L', 'F')) {
      int machine = (bytes[18] & 0xff) | (bytes[19] & 0xff) << 8;
      String shown = MACHINES.getOrDefault(machine, "processor " + machine);
      throw wrong(name, "is a library for " + shown);
    }
    if (startsWith(0xcf, 0xfa, 0xed, 0xfe) || startsWith(0xca, 0xfe, 0xba, 0xbe)) {
      throw wrong(name, "is a library for macOS");
    }
    if (!startsWith(0, 'a', 's', 'm', 1, 0, 0, 0)) {
      throw wrong(name, "is not a WebAssembly module");
    }
    if (bytes.length == 8 || bytes[at++] != 0) {
      throw noSideModule();
    }
    int end = length() + at;
    if (!text().equals("dylink.0") || end > bytes.length) {
      throw noSideModule();
    }
    at = end;
    while (at < bytes.length) {
      int section = bytes[at++];
      int size = length();
      if (size > bytes.length - at) {
        throw new IndexOutOfBoundsException();
      }
      int next = at + size;
      if (section == IMPORT_SECTION) {
        checkImports();
      }
      at = next;
    }
  }

  private BadWheelException noSideModule() {
    return wrong(name, "is a WebAssembly module without a dylink.0 section, not a side module");
  }

  private void checkImports() throws BadWheelException {
    int count = length();
    for (int i = 0; i < count; i++) {
      String module = text();
      String field = text();
      if (!IMPORTED.contains(module)) {
        throw wrong(
            name, "imports " + quoted(field) + " from " + quoted(module) + ", which is not there");
      }
      skipImport(bytes[at++]);
    }
  }

  private void skipImport(int kind) {
    switch (kind) {
      case 0 -> length(); // function: type
      case 1 -> {
        at++; // table: element type
        skipLimits();
      }
      case 2 -> skipLimits(); // memory
      case 3 -> at += 2; // global: type, mutability
      default -> {
        at++; // tag: attribute
        length();
      }
    }
  }

  private void skipLimits() {
    int flags = bytes[at++];
    length();
    if ((flags & 1) != 0) {
      length();
    }
  }

  private boolean startsWith(int... expected) {
    if (bytes.length < expected.length) {
      return false;
    }
    for (int i = 0; i < expected.length; i++) {
      if ((bytes[i] & 0xff) != expected[i]) {
        return false;
      }
    }
    return true;
  }

  private String text() {
    int length = length();
    if (length > bytes.length - at) {
      throw new IndexOutOfBoundsException();
    }
    String text = new String(bytes, at, length, UTF_8);
    at += length;
    return text;
  }

  /** An unsigned LEB128 number; those over 2^31 are no lengths. */
  private int length() {
    long value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      byte part = bytes[at++];
      value |= (long) (part & 0x7f) << shift;
      if (part >= 0) {
        break;
      }
    }
    if (value > Integer.MAX_VALUE) {
      throw new IndexOutOfBoundsException();
    }
    return (int) value;
  }

  private static BadWheelException wrong(String name, String what) {
    return new BadWheelException(
        quoted(name) + " " + what, "drop a build for Pyodide, or a pure-Python one");
  }
}
