package io.arraywire.examples.file;

import io.arraywire.source.ElementWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import org.jspecify.annotations.Nullable;

/**
 * {@link ReceiveTechnique#MAPPED}: a window moves over the file, which grows with it.
 *
 * <p>Only the kernel writes into the mapping, from a pipe. Where it finds no room on the disk, or
 * somebody has made the file shorter, the call fails, and the process goes on. A copy by the JVM
 * would fail some time later, wherever the thread is by then.
 */
final class MappedWriter implements ElementWriter {
  /** Every element size divides it. */
  private static final long WINDOW_BYTES = 64 << 20;

  private final FileChannel file;
  private final long first;
  private final long bytes;
  private final int width;
  private @Nullable Pipe pipe;
  private ByteBuffer window = ByteBuffer.allocate(0);

  /** Where the window begins, counted from the first element. */
  private long start;

  MappedWriter(FileChannel file, long first, long bytes, int width) {
    this.file = file;
    this.first = first;
    this.bytes = bytes;
    this.width = width;
  }

  @Override
  public void write(long index, int count, ByteBuffer source) throws IOException {
    int limit = source.limit();
    long at = index * width;
    while (source.hasRemaining()) {
      if (at >= start + window.capacity()) {
        start = at;
        long some = Math.min(WINDOW_BYTES, bytes - at);
        window = file.map(FileChannel.MapMode.READ_WRITE, first + at, some);
      }
      int offset = (int) (at - start);
      int some = Math.min(source.remaining(), window.capacity() - offset);
      source.limit(source.position() + some);
      copy(source, window.limit(offset + some).position(offset));
      source.limit(limit);
      at += some;
    }
  }

  /** As many bytes as both have. */
  private void copy(ByteBuffer from, ByteBuffer to) throws IOException {
    Pipe through = pipe;
    if (through == null) {
      through = Pipe.open();
      // It takes what it has room for, since nobody else empties it.
      through.sink().configureBlocking(false);
      pipe = through;
    }
    int end = to.limit();
    while (from.hasRemaining()) {
      to.limit(to.position() + through.sink().write(from));
      while (to.hasRemaining()) {
        read(through, to);
      }
      to.limit(end);
    }
  }

  private static void read(Pipe pipe, ByteBuffer to) throws IOException {
    try {
      pipe.source().read(to);
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains("Bad address")) {
        throw new IOException(
            "the disk is full, or another program has made the file shorter; free space and send again",
            e);
      }
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    Pipe through = pipe;
    if (through != null) {
      try {
        through.sink().close();
      } finally {
        through.source().close();
      }
    }
  }
}
