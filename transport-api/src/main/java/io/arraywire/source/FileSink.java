package io.arraywire.source;

import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.spi.BulkElements;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A region of a file, or a new file, that takes elements. Immutable; the file is shared. */
final class FileSink implements ArraySink {
  /** The file, if the caller has opened it; else its path. */
  private final @Nullable FileChannel given;

  private final @Nullable Path path;
  private final long position;
  private final ElementType type;
  private final ByteOrder order;
  private final long room;

  FileSink(
      @Nullable FileChannel given,
      @Nullable Path path,
      long position,
      ElementType type,
      ByteOrder order,
      long room) {
    if (given == null) {
      Objects.requireNonNull(path, "path or channel");
    }
    if (position < 0 || room < 0) {
      throw new IllegalArgumentException(
          "not a region of a file; position and room must be 0 or more (position="
              + position
              + ", room="
              + room
              + ")");
    }
    this.given = given;
    this.path = path;
    this.position = position;
    this.type = Objects.requireNonNull(type, "type");
    this.order = Objects.requireNonNull(order, "order");
    this.room = room;
  }

  @Override
  public ElementType type() {
    return type;
  }

  @Override
  public ElementWriter open(long count, ByteOrder come) throws IOException {
    if (count > room) {
      throw ArraywireException.refusal(
          "the array has more elements than the receiver's file has room for",
          "count",
          count,
          "room",
          room);
    }
    FileChannel channel = given;
    if (channel != null) {
      return new Writer(channel, null, come);
    }
    Path wanted = Objects.requireNonNull(path);
    if (Files.exists(wanted, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(wanted.toString());
    }
    // An array that breaks off and comes again may find the first one's file still open.
    String name = ".arraywire-" + UUID.randomUUID() + ".part";
    Path made = wanted.resolveSibling(name);
    return new Writer(
        FileChannel.open(made, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
        made,
        come);
  }

  @Override
  public String toString() {
    return (path == null ? "a file" : path.toString())
        + " ("
        + type.typeName()
        + ", "
        + order
        + ")";
  }

  private final class Writer implements ElementWriter {
    private final FileChannel channel;

    /** The file if it was made here: it gets its own name when it is whole. */
    private final @Nullable Path made;

    private final boolean swaps;
    private boolean finished;

    Writer(FileChannel channel, @Nullable Path made, ByteOrder come) {
      this.channel = channel;
      this.made = made;
      swaps = come != order && type.bytes() > 1;
    }

    @Override
    public void write(long index, int count, ByteBuffer source) throws IOException {
      int limit = source.limit();
      int begin = source.position();
      int end = begin + count * type.bytes();
      if (swaps) {
        BulkElements.swap(type, source, begin, end);
      }
      source.limit(end);
      try {
        long at = position + index * type.bytes();
        while (source.hasRemaining()) {
          at += channel.write(source, at);
        }
      } finally {
        source.limit(limit);
      }
    }

    @Override
    public void finish() throws IOException {
      if (made != null) {
        channel.close();
        Files.move(made, Objects.requireNonNull(path));
      }
      finished = true;
    }

    @Override
    public void close() throws IOException {
      if (made == null) {
        return;
      }
      try {
        channel.close();
      } finally {
        if (!finished) {
          Files.deleteIfExists(made);
        }
      }
    }
  }
}
