package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.executor.internal.fs.PosixException;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Names and addresses: what a resolver knows without a network, which is numeric addresses, {@code
 * localhost} and the host's own name. Any other name is unknown, where Emscripten makes up an
 * address. Errors are musl's {@code EAI_} numbers; structures are laid out as its headers do.
 */
final class NameCalls {
  private static final String LOCALHOST = "localhost";

  /** What {@code uname} of Emscripten's C library says. */
  private static final String OWN_NAME = "emscripten";

  /** 127.0.0.1 in network order. */
  private static final int LOOPBACK = 0x0100007f;

  private static final int AF_UNSPEC = 0;
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int SIZE_OF_INET = 16;
  private static final int SIZE_OF_INET6 = 28;
  private static final int SOCK_STREAM = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int IPPROTO_TCP = 6;
  private static final int IPPROTO_UDP = 17;
  private static final Map<String, Integer> PROTOCOLS =
      Map.of("icmp", 1, "tcp", IPPROTO_TCP, "udp", IPPROTO_UDP);

  private static final int AI_PASSIVE = 1;
  private static final int AI_CANONNAME = 2;
  private static final int AI_NUMERICHOST = 4;
  private static final int AI_V4MAPPED = 8;
  private static final int AI_KNOWN = 0x43f;
  private static final int AI_NUMERICSERV = 0x400;

  private static final int NI_NUMERICHOST = 1;
  private static final int NI_NAMEREQD = 8;

  private static final int EAI_BADFLAGS = -1;
  private static final int EAI_NONAME = -2;
  private static final int EAI_FAMILY = -6;
  private static final int EAI_SOCKTYPE = -7;
  private static final int EAI_SERVICE = -8;
  private static final int EAI_MEMORY = -10;
  private static final int EAI_OVERFLOW = -12;

  private final LinearMemory memory;
  private final GuestMemory guest;
  private final GuestExports exports;

  NameCalls(LinearMemory memory, GuestMemory guest, GuestExports exports) {
    this.memory = memory;
    this.guest = guest;
    this.exports = exports;
  }

  void register(ImportTable table) {
    table.value("getaddrinfo", a -> addresses((int) a[0], (int) a[1], (int) a[2], (int) a[3]));
    table.value(
        "getnameinfo",
        a ->
            names(
                (int) a[0],
                (int) a[1],
                (int) a[2],
                (int) a[3],
                (int) a[4],
                (int) a[5],
                (int) a[6]));
    table.value("getprotobyname", a -> protocol(text((int) a[0])));
    table.value("_emscripten_lookup_name", a -> lookUp((int) a[0]));
  }

  /** A name; one that is too long for any is as unknown as the empty one. */
  private String text(int address) {
    try {
      return guest.path(address);
    } catch (PosixException tooLong) {
      return "";
    }
  }

  private static boolean isOfThisHost(String name) {
    return name.equalsIgnoreCase(LOCALHOST) || name.equalsIgnoreCase(OWN_NAME);
  }

  // ---------------------------------------------------------------- from names to addresses

  private int addresses(int node, int service, int hints, int result) {
    int flags = hints == 0 ? 0 : memory.readInt(hints);
    int family = hints == 0 ? AF_UNSPEC : memory.readInt(hints + 4);
    int type = hints == 0 ? 0 : memory.readInt(hints + 8);
    int protocol = hints == 0 ? 0 : memory.readInt(hints + 12);
    if (node == 0 && service == 0) {
      return EAI_NONAME;
    }
    if ((flags & ~AI_KNOWN) != 0 || (node == 0 && (flags & AI_CANONNAME) != 0)) {
      return EAI_BADFLAGS;
    }
    if (family != AF_UNSPEC && family != AF_INET && family != AF_INET6) {
      return EAI_FAMILY;
    }
    if (type == 0) {
      type = protocol == IPPROTO_UDP ? SOCK_DGRAM : SOCK_STREAM;
    }
    if (type != SOCK_STREAM && type != SOCK_DGRAM) {
      return EAI_SOCKTYPE;
    }
    if (protocol == 0) {
      protocol = type == SOCK_DGRAM ? IPPROTO_UDP : IPPROTO_TCP;
    }
    int port = service == 0 ? 0 : port(text(service));
    if (port < 0) {
      return (flags & AI_NUMERICSERV) != 0 ? EAI_NONAME : EAI_SERVICE;
    }
    byte[] canonical = (flags & AI_CANONNAME) == 0 ? null : bytes(text(node));
    // Emscripten's freeaddrinfo frees the address and the entry, and only the first one. So there
    // is one, and its name lies behind the address.
    int address = allocate(SIZE_OF_INET6 + (canonical == null ? 0 : canonical.length + 1));
    int entry = allocate(32);
    if (address == 0 || entry == 0) {
      return EAI_MEMORY;
    }
    int found = resolve(node, family, flags, address);
    if (found < 0) {
      exports.call("free", address);
      exports.call("free", entry);
      return found;
    }
    memory.writeShort(address, (short) found);
    memory.writeShort(address + 2, Short.reverseBytes((short) port));
    memory.writeI32(entry + 4, found);
    memory.writeI32(entry + 8, type);
    memory.writeI32(entry + 12, protocol);
    memory.writeI32(entry + 16, found == AF_INET ? SIZE_OF_INET : SIZE_OF_INET6);
    memory.writeI32(entry + 20, address);
    if (canonical != null) {
      guest.putString(address + SIZE_OF_INET6, canonical, canonical.length + 1);
      memory.writeI32(entry + 24, address + SIZE_OF_INET6);
    }
    memory.writeI32(result, entry);
    return 0;
  }

  /** Zeroed memory of the program's, or 0. */
  private int allocate(int bytes) {
    return (int) exports.call("calloc", 1, bytes);
  }

  private static int port(String service) {
    return service.matches("\\d{1,5}") ? Integer.parseInt(service) & 0xffff : -1;
  }

  /** Puts the address of a name into a {@code sockaddr}; returns its family, or an error. */
  private int resolve(int node, int family, int flags, int address) {
    if (node == 0) {
      return putOwn(family, address, (flags & AI_PASSIVE) != 0);
    }
    if (exports.call("inet_aton", node, address + 4) != 0) {
      return family == AF_INET6 ? mapped(flags, address) : AF_INET;
    }
    if (exports.call("inet_pton", AF_INET6, node, address + 8) == 1) {
      return family == AF_INET ? EAI_NONAME : AF_INET6;
    }
    if ((flags & AI_NUMERICHOST) != 0 || !isOfThisHost(text(node))) {
      return EAI_NONAME;
    }
    return putOwn(family, address, false);
  }

  /** Puts the loopback address, or that of any interface. */
  private int putOwn(int family, int address, boolean any) {
    if (family == AF_INET6) {
      memory.writeByte(address + 23, (byte) (any ? 0 : 1));
      return AF_INET6;
    }
    memory.writeI32(address + 4, any ? 0 : LOOPBACK);
    return AF_INET;
  }

  /** Turns a version 4 address into the version 6 address that stands for it, if that is asked. */
  private int mapped(int flags, int address) {
    if ((flags & AI_V4MAPPED) == 0) {
      return EAI_NONAME;
    }
    memory.writeI32(address + 20, memory.readInt(address + 4));
    memory.writeI32(address + 4, 0);
    memory.writeShort(address + 18, (short) 0xffff);
    return AF_INET6;
  }

  /** The version 4 address of a name in network order; 0 is all this call can say of others. */
  private long lookUp(int name) {
    int address = allocate(SIZE_OF_INET6);
    if (address == 0) {
      return 0;
    }
    int found = resolve(name, AF_INET, 0, address);
    int result = found == AF_INET ? memory.readInt(address + 4) : 0;
    exports.call("free", address);
    return result;
  }

  // ---------------------------------------------------------------- from addresses to names

  private int names(
      int socketAddress, int size, int host, int hostSize, int service, int room, int flags) {
    int family = (int) memory.readU16(socketAddress);
    boolean four = family == AF_INET && size >= SIZE_OF_INET;
    boolean six = family == AF_INET6 && size >= SIZE_OF_INET6;
    if (!four && !six) {
      return EAI_FAMILY;
    }
    int address = socketAddress + (four ? 4 : 8);
    if (host != 0 && hostSize != 0) {
      boolean named = four ? memory.read(address) == 127 : isLoopback6(address);
      if (named && (flags & NI_NUMERICHOST) == 0) {
        if (!put(LOCALHOST, host, hostSize)) {
          return EAI_OVERFLOW;
        }
      } else if ((flags & NI_NAMEREQD) != 0) {
        return EAI_NONAME;
      } else if (exports.call("inet_ntop", family, address, host, hostSize) == 0) {
        return EAI_OVERFLOW;
      }
    }
    int port = Short.toUnsignedInt(Short.reverseBytes((short) memory.readU16(socketAddress + 2)));
    boolean fits = service == 0 || room == 0 || put(Integer.toString(port), service, room);
    return fits ? 0 : EAI_OVERFLOW;
  }

  private boolean isLoopback6(int address) {
    return memory.readLong(address) == 0 && memory.readLong(address + 8) == 1L << 56;
  }

  private boolean put(String text, int address, int size) {
    byte[] bytes = bytes(text);
    guest.putString(address, bytes, size);
    return bytes.length < size;
  }

  // ---------------------------------------------------------------- protocols

  /** A new {@code struct protoent}, or 0: its name, no aliases, its number. */
  private int protocol(String name) {
    Integer number = PROTOCOLS.get(name);
    byte[] bytes = bytes(name);
    int entry = number == null ? 0 : allocate(16 + bytes.length + 1);
    if (entry != 0) {
      memory.writeI32(entry, entry + 16);
      memory.writeI32(entry + 4, entry + 12);
      memory.writeI32(entry + 8, number);
      guest.putString(entry + 16, bytes, bytes.length + 1);
    }
    return entry;
  }

  private static byte[] bytes(String wire) {
    return wire.getBytes(StandardCharsets.ISO_8859_1);
  }
}
