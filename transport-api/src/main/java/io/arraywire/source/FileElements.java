package io.arraywire.source;

import io.arraywire.ElementType;
import io.arraywire.spi.BulkElements;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The elements of a region of a file. Immutable; the file is shared. */
final class FileElements implements ArraySource {
  /** The file, if the caller has opened it; else its path. */
  private final @Nullable FileChannel given;

  private final @Nullable Path path;
  private final @Nullable FileTime modified;
  private final long position;
  private final ElementType type;
  private final ByteOrder order;
  private final long count;

  private FileElements(
      @Nullable FileChannel given,
      @Nullable Path path,
      @Nullable FileTime modified,
      long position,
      ElementType type,
      ByteOrder order,
      long count) {
    this.given = given;
    this.path = path;
    this.modified = modified;
    this.position = position;
    this.type = BufferElements.checked(type);
    this.order = Objects.requireNonNull(order, "order");
    this.count = count;
  }

  static ArraySource of(Path path, ElementType type, ByteOrder order) throws IOException {
    BufferElements.checked(type);
    long bytes = Files.size(path);
    BufferElements.checkWhole(bytes, type, "file", path);
    return new FileElements(
        null, path, Files.getLastModifiedTime(path), 0, type, order, bytes / type.bytes());
  }

  static ArraySource of(Path path, long position, ElementType type, ByteOrder order, long count)
      throws IOException {
    checkRegion(position, type, count);
    return new FileElements(
        null, path, Files.getLastModifiedTime(path), position, type, order, count);
  }

  static ArraySource of(
      FileChannel channel, long position, ElementType type, ByteOrder order, long count) {
    Objects.requireNonNull(channel, "channel");
    checkRegion(position, type, count);
    return new FileElements(channel, null, null, position, type, order, count);
  }

  private static void checkRegion(long position, ElementType type, long count) {
    if (position < 0 || count < 0 || count > (Long.MAX_VALUE - position) / type.bytes()) {
      throw new IllegalArgumentException(
          "not a region of a file; position and count must be 0 or more (position="
              + position
              + ", count="
              + count
              + ")");
    }
  }

  @Override
  public ElementType type() {
    return type;
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public ElementReader open() throws IOException {
    Reader reader;
    if (given != null) {
      reader = new Reader(given, false);
    } else {
      reader = new Reader(FileChannel.open(Objects.requireNonNull(path)), true);
    }
    boolean kept = false;
    try {
      reader.check();
      kept = true;
      return reader;
    } finally {
      if (!kept) {
        reader.close();
      }
    }
  }

  @Override
  public String toString() {
    return (path == null ? "a file" : path.toString())
        + " ("
        + count
        + " elements, "
        + type.typeName()
        + ", "
        + order
        + ")";
  }

  private final class Reader implements ElementReader {
    private final FileChannel channel;
    private final boolean own;

    Reader(FileChannel channel, boolean own) {
      this.channel = channel;
      this.own = own;
    }

    @Override
    public void read(long index, int count, ByteBuffer target) throws IOException {
      int begin = target.position();
      int limit = target.limit();
      int end = begin + count * type.bytes();
      target.limit(end);
      try {
        long at = position + index * type.bytes();
        while (target.hasRemaining()) {
          int read = channel.read(target, at + (target.position() - begin));
          if (read < 0) {
            throw shorter();
          }
        }
      } finally {
        target.limit(limit);
      }
      if (target.order() != order) {
        BulkElements.swap(type, target, begin, end);
      }
    }

    private IOException shorter() throws IOException {
      return new EOFException(
          "the file is shorter than its elements (bytes="
              + channel.size()
              + ", needed="
              + (position + bytes())
              + ")");
    }

    @Override
    public @Nullable Region region(ByteOrder wanted) {
      return wanted == order || type.bytes() == 1 ? new Region.InFile(channel, position) : null;
    }

    @Override
    public void check() throws IOException {
      if (channel.size() < position + bytes()) {
        throw shorter();
      }
      if (path != null && !Files.getLastModifiedTime(path).equals(modified)) {
        throw new IOException(
            "the file was changed since the source was made; make a new one (modified="
                + Files.getLastModifiedTime(path)
                + ", before="
                + modified
                + ")");
      }
    }

    @Override
    public void close() {
      if (own) {
        try {
          channel.close();
        } catch (IOException e) {
          // It was read only, so nothing is lost.
        }
      }
    }
  }
}
