package io.pyrunr.executor.internal.fs;

import io.pyrunr.executor.internal.io.Digests;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The read-only tree at the bottom of every interpreter's file system: standard library, packages.
 * One object serves all interpreters of the JVM; contents may come lazily.
 *
 * <p>Immutable once built and thread-safe. Names are in wire form, see {@link FileName}.
 */
public final class BaseLayer {
  private final Folder root;
  private final long nodes;
  private final long blocks;

  private BaseLayer(Folder root, long nodes) {
    this.root = root;
    this.nodes = nodes;
    this.blocks = root.blocks();
  }

  Folder root() {
    return root;
  }

  /** Inode numbers 1 to this one are taken. */
  long nodes() {
    return nodes;
  }

  /** What the files take up on a volume, in blocks of 4 KiB. */
  long blocks() {
    return blocks;
  }

  /** Bytes of one file, perhaps made when first asked for. Thread-safe. */
  public interface Content {
    long size();

    byte[] bytes();

    /** SHA-256 of the bytes in lower-case hexadecimal. */
    default String sha256() {
      return Digests.sha256(bytes());
    }

    static Content of(byte[] bytes) {
      return new Content() {
        @Override
        public long size() {
          return bytes.length;
        }

        @Override
        public byte[] bytes() {
          return bytes;
        }
      };
    }

    /** Calls {@code source} when the bytes are first read; it must deliver {@code size} bytes. */
    static Content lazy(long size, Supplier<byte[]> source) {
      return new Content() {
        private volatile byte[] bytes;

        @Override
        public long size() {
          return size;
        }

        @Override
        public byte[] bytes() {
          byte[] known = bytes;
          if (known == null) {
            synchronized (this) {
              known = bytes;
              if (known == null) {
                known = source.get();
                bytes = known;
              }
            }
          }
          return known;
        }
      };
    }
  }

  abstract static sealed class Node permits Folder, File, Link {
    private final long number;
    private final int permissions;
    private final Timestamp time;

    Node(long number, int permissions, Timestamp time) {
      this.number = number;
      this.permissions = permissions;
      this.time = time;
    }

    long number() {
      return number;
    }

    int permissions() {
      return permissions;
    }

    Timestamp time() {
      return time;
    }

    long blocks() {
      return 0;
    }
  }

  static final class Folder extends Node {
    private final Map<String, Node> children = new LinkedHashMap<>();
    private int subfolders;

    Folder(long number, int permissions, Timestamp time) {
      super(number, permissions, time);
    }

    Node child(String name) {
      return children.get(name);
    }

    Map<String, Node> children() {
      return Collections.unmodifiableMap(children);
    }

    int subfolders() {
      return subfolders;
    }

    @Override
    long blocks() {
      return children.values().stream().mapToLong(Node::blocks).sum();
    }

    private void add(String name, Node node) {
      children.put(name, node);
      subfolders += node instanceof Folder ? 1 : 0;
    }
  }

  static final class File extends Node {
    private final Content content;

    File(long number, int permissions, Timestamp time, Content content) {
      super(number, permissions, time);
      this.content = content;
    }

    Content content() {
      return content;
    }

    @Override
    long blocks() {
      return (content.size() + 4095) >>> 12;
    }
  }

  static final class Link extends Node {
    private final String target;

    Link(long number, Timestamp time, String target) {
      super(number, 0777, time);
      this.target = target;
    }

    String target() {
      return target;
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects files; folders above them are made as needed. Not thread-safe. */
  public static final class Builder {
    // The oldest moment a zip archive can hold, so that packing such a file works.
    private Timestamp time =
        new Timestamp(Instant.parse("1980-01-01T00:00:00Z").getEpochSecond(), 0);
    private long next = 1;
    private final Folder root = new Folder(next++, 0755, time);

    private Builder() {}

    /** Sets the times of what is added from now on; at first 1980-01-01. */
    public Builder time(Timestamp value) {
      time = value;
      return this;
    }

    /** Adds a folder, and those above it. */
    public Builder folder(String path, int permissions) {
      descend(path, permissions);
      return this;
    }

    public Builder file(String path, Content content) {
      return file(path, 0644, content);
    }

    /** Adds a file; one of the same path is replaced. */
    public Builder file(String path, int permissions, Content content) {
      int slash = path.lastIndexOf('/');
      descend(path.substring(0, slash), 0755)
          .add(
              FileName.wire(path.substring(slash + 1)),
              new File(next++, permissions, time, content));
      return this;
    }

    public Builder link(String path, String target) {
      int slash = path.lastIndexOf('/');
      descend(path.substring(0, slash), 0755)
          .add(
              FileName.wire(path.substring(slash + 1)),
              new Link(next++, time, FileName.wire(target)));
      return this;
    }

    private Folder descend(String path, int permissions) {
      Folder folder = root;
      for (String part : path.split("/", -1)) {
        if (part.isEmpty()) {
          continue;
        }
        String name = FileName.wire(part);
        Node child = folder.child(name);
        if (child == null) {
          child = new Folder(next++, permissions, time);
          folder.add(name, child);
        } else if (!(child instanceof Folder)) {
          throw new IllegalArgumentException(path + ": " + part + " is a file, not a folder");
        }
        folder = (Folder) child;
      }
      return folder;
    }

    public BaseLayer build() {
      return new BaseLayer(root, next - 1);
    }
  }
}
