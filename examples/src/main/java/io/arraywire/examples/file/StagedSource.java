package io.arraywire.examples.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;

/** What the techniques share that read into a buffer and write from it. */
abstract class StagedSource extends ChannelSource {
  private final ByteBuffer buffer;

  /** Where the buffer's first byte lies in the file; what it holds ends at its limit. */
  private long start;

  StagedSource(FileChannel file, ByteBuffer buffer, SocketChannel to, Transferred transferred) {
    super(file, to, transferred);
    this.buffer = buffer.limit(0);
  }

  /** Reads from a position of the file into what remains of the buffer, at least one byte. */
  abstract int read(long position, ByteBuffer into) throws IOException;

  /** Writes what remains of the buffer. */
  abstract void write(ByteBuffer from) throws IOException;

  @Override
  public final void send(long position, long count) throws IOException {
    for (long at = position, left = count; left > 0; ) {
      if (at < start || at >= start + buffer.limit()) {
        start = at;
        fill(1, (int) Math.min(left, buffer.capacity()));
      }
      int from = (int) (at - start);
      int some = (int) Math.min(left, buffer.limit() - from);
      int limit = buffer.limit();
      write(buffer.limit(from + some).position(from));
      buffer.limit(limit);
      transferred.moved(some);
      at += some;
      left -= some;
    }
  }

  @Override
  public final void addTo(CRC32C checksum, long position, int count) throws IOException {
    start = position;
    fill(count, count);
    checksum.update(buffer.position(0));
  }

  private void fill(int atLeast, int atMost) throws IOException {
    buffer.clear().limit(atMost);
    while (buffer.position() < atLeast) {
      if (read(start + buffer.position(), buffer) < 0) {
        buffer.limit(0);
        throw new EOFException("the file ends at " + start);
      }
    }
    buffer.flip();
  }
}
