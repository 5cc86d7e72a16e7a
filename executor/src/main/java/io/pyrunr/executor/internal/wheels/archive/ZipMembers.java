package io.pyrunr.executor.internal.wheels.archive;

import static io.pyrunr.executor.internal.packaging.BadPackagingException.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The members of a zip archive, read so strictly that no two programs can see different ones: one
 * central directory right before the end of the file, each name once, each local header in
 * agreement, no two members sharing bytes. Layout: PKWARE's APPNOTE 6.3.
 *
 * <p>Why not a library's reader: those we know (the JDK's, commons-compress) read what they can,
 * and let members overlap, which is how a bomb of 10 MB unpacks to 281 TB.
 */
final class ZipMembers {
  private static final int LOCAL = 0x04034b50;
  private static final int CENTRAL = 0x02014b50;
  private static final int END = 0x06054b50;
  private static final int LOCAL_SIZE = 30;
  private static final int CENTRAL_SIZE = 46;
  private static final int END_SIZE = 22;
  private static final int UNIX = 3;
  private static final int FORMAT = 0170000;

  static final int MOST_MEMBERS = 50_000;
  static final long LARGEST_MEMBER = 256L << 20;
  static final long LARGEST_TOTAL = 1L << 30;

  /** Real packages compress to a tenth; tables of zeros in them are small. */
  static final int HIGHEST_RATIO = 100;

  private static final long FREE_OF_RATIO = 16L << 20;
  private static final int LONGEST_NAME = 1024;
  private static final int LONGEST_PART = 255;

  private final ByteBuffer archive;
  private final List<ZipMember> members = new ArrayList<>();
  private final Set<String> files = new HashSet<>();
  private final Set<String> folders = new HashSet<>();
  private int directory;
  private long total;

  private ZipMembers(byte[] archive) {
    this.archive = ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * The files in an archive, in the order they are stored in. Folders are left out.
   *
   * @throws BadWheelException if the archive is damaged, ambiguous or unpacks to too much
   */
  static List<ZipMember> of(byte[] archive) throws BadWheelException {
    try {
      return new ZipMembers(archive).read();
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw BadWheelException.untrusted("not a zip archive, or cut off");
    }
  }

  private List<ZipMember> read() throws BadWheelException {
    int end = end();
    int count = unsigned(end + 10);
    long size = archive.getInt(end + 12) & 0xffffffffL;
    long start = archive.getInt(end + 16) & 0xffffffffL;
    if (unsigned(end + 4) != 0 || unsigned(end + 8) != count) {
      throw BadWheelException.untrusted("one part of a zip archive in several parts");
    }
    if (count == 0xffff || start == 0xffffffffL || size == 0xffffffffL) {
      throw new BadWheelException(
          "a zip archive in the format for more than 4 GB or 65,535 members",
          "build it without zip64");
    }
    if (start + size != end) {
      throw BadWheelException.untrusted("cut off, or something was put before or into the archive");
    }
    if (count > MOST_MEMBERS) {
      throw BadWheelException.untrusted(
          count + " members; " + MOST_MEMBERS + " are the most that is read");
    }
    directory = (int) start;
    int at = directory;
    for (int i = 0; i < count; i++) {
      at = member(at, end);
    }
    if (at != end) {
      throw BadWheelException.untrusted("the archive's directory has more than it says");
    }
    checkTotal();
    checkOverlap();
    checkFolders();
    return members;
  }

  /** The end record, which must end with the file. */
  private int end() throws BadWheelException {
    int last = archive.limit() - END_SIZE;
    for (int at = last; at >= Math.max(0, last - 0xffff); at--) {
      if (archive.getInt(at) == END && at + END_SIZE + unsigned(at + 20) == archive.limit()) {
        return at;
      }
    }
    throw BadWheelException.untrusted("not a zip archive, or cut off");
  }

  private int member(int at, int end) throws BadWheelException {
    if (archive.getInt(at) != CENTRAL) {
      throw BadWheelException.untrusted("the archive's directory is damaged");
    }
    int nameLength = unsigned(at + 28);
    int next = at + CENTRAL_SIZE + nameLength + unsigned(at + 30) + unsigned(at + 32);
    if (next > end) {
      throw BadWheelException.untrusted("the archive's directory is cut off");
    }
    String name = name(at + CENTRAL_SIZE, nameLength);
    boolean folder = name.endsWith("/");
    String path = folder ? name.substring(0, name.length() - 1) : name;
    checkName(path);
    checkKind(path, at);
    int method = unsigned(at + 10);
    if ((unsigned(at + 8) & 1) != 0) {
      throw new BadWheelException(quoted(name) + " is encrypted", "pack it without a password");
    }
    if (method != 0 && method != 8) {
      throw new BadWheelException(
          quoted(name) + " is packed by method " + method, "pack it with deflate");
    }
    long compressed = archive.getInt(at + 20) & 0xffffffffL;
    long size = archive.getInt(at + 24) & 0xffffffffL;
    long header = archive.getInt(at + 42) & 0xffffffffL;
    checkSize(name, compressed, size);
    if (method == 0 && compressed != size) {
      throw BadWheelException.untrusted(quoted(name) + " has two different sizes");
    }
    long data = data(name, header);
    if (data + compressed > directory) {
      throw BadWheelException.untrusted(quoted(name) + " reaches beyond the archive's data");
    }
    if (folder) {
      folders.add(path);
      return next;
    }
    if (!files.add(path)) {
      throw BadWheelException.untrusted(quoted(path) + " is in it twice");
    }
    members.add(
        new ZipMember(
            path,
            method == 8,
            archive.getInt(at + 16),
            (int) data,
            (int) compressed,
            (int) size,
            (int) header));
    return next;
  }

  /** Where a member's data start; its own header must have the name the directory has. */
  private long data(String name, long header) throws BadWheelException {
    if (header + LOCAL_SIZE > directory || archive.getInt((int) header) != LOCAL) {
      throw BadWheelException.untrusted(quoted(name) + " is not where the directory says");
    }
    int at = (int) header;
    int nameLength = unsigned(at + 26);
    if (!name(at + LOCAL_SIZE, nameLength).equals(name)) {
      throw BadWheelException.untrusted(
          quoted(name) + " has another name in the archive's directory than at its data");
    }
    return (long) at + LOCAL_SIZE + nameLength + unsigned(at + 28);
  }

  private String name(int at, int length) throws BadWheelException {
    try {
      return UTF_8.newDecoder().decode(archive.slice(at, length)).toString();
    } catch (CharacterCodingException e) {
      throw BadWheelException.untrusted("a name in it is not UTF-8");
    }
  }

  static void checkName(String name) throws BadWheelException {
    if (name.startsWith("/") || name.matches("(?s)[A-Za-z]:.*")) {
      throw BadWheelException.untrusted("it has the absolute path " + quoted(name));
    }
    if (name.indexOf('\\') >= 0) {
      throw BadWheelException.untrusted("it has a path with a backslash, " + quoted(name));
    }
    if (name.chars().anyMatch(Character::isISOControl)) {
      throw BadWheelException.untrusted("it has a control character in the path " + quoted(name));
    }
    if (name.length() > LONGEST_NAME) {
      throw BadWheelException.untrusted("it has the path " + quoted(name) + ", which is too long");
    }
    for (String part : name.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        throw BadWheelException.untrusted("it has a path that leads elsewhere, " + quoted(name));
      }
      if (part.getBytes(UTF_8).length > LONGEST_PART) {
        throw BadWheelException.untrusted("it has a name over 255 bytes, " + quoted(part));
      }
    }
  }

  private void checkKind(String name, int at) throws BadWheelException {
    if (unsigned(at + 4) >>> 8 != UNIX) {
      return;
    }
    int format = (archive.getInt(at + 38) >>> 16) & FORMAT;
    if (format == 0120000) {
      throw BadWheelException.untrusted("it has a symbolic link, " + quoted(name));
    }
    if (format != 0 && format != 0100000 && format != 0040000) {
      throw BadWheelException.untrusted(quoted(name) + " in it is neither a file nor a folder");
    }
  }

  private void checkSize(String name, long compressed, long size) throws BadWheelException {
    if (compressed == 0xffffffffL || size == 0xffffffffL) {
      throw new BadWheelException(quoted(name) + " is in zip64 format", "build it without zip64");
    }
    if (size > LARGEST_MEMBER || isBomb(compressed, size)) {
      throw BadWheelException.untrusted(
          "a bomb: " + quoted(name) + " unpacks from " + compressed + " to " + size + " bytes");
    }
    total += size;
  }

  private void checkTotal() throws BadWheelException {
    if (total > LARGEST_TOTAL || isBomb(archive.limit(), total)) {
      throw BadWheelException.untrusted(
          "a bomb: it unpacks from " + archive.limit() + " to " + total + " bytes");
    }
  }

  private static boolean isBomb(long compressed, long size) {
    return size > FREE_OF_RATIO && size / Math.max(1, compressed) > HIGHEST_RATIO;
  }

  private void checkOverlap() throws BadWheelException {
    members.sort(Comparator.comparingInt(ZipMember::headerStart));
    for (int i = 1; i < members.size(); i++) {
      if (members.get(i).headerStart() < members.get(i - 1).end()) {
        throw BadWheelException.untrusted(
            quoted(members.get(i - 1).name())
                + " and "
                + quoted(members.get(i).name())
                + " overlap");
      }
    }
  }

  private void checkFolders() throws BadWheelException {
    for (String file : files) {
      for (int slash = file.indexOf('/'); slash > 0; slash = file.indexOf('/', slash + 1)) {
        folders.add(file.substring(0, slash));
      }
    }
    for (String folder : folders) {
      if (files.contains(folder)) {
        throw BadWheelException.untrusted(quoted(folder) + " is both a file and a folder in it");
      }
    }
  }

  private int unsigned(int at) {
    return archive.getShort(at) & 0xffff;
  }
}
