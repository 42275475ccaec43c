package io.arraywire.examples.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;

/**
 * {@link ReceiveTechnique#MAPPED}: a window moves over the file, which grows with it.
 *
 * <p>Only the kernel writes into the mapping. Where it finds no room on the disk, or somebody has
 * made the file shorter, the call fails, and the process goes on.
 */
final class MappedSink implements FileSink {
  private static final long WINDOW_BYTES = 64 << 20;

  private final FileChannel file;
  private final long end;
  private final SocketChannel from;
  private final Transferred transferred;
  private final ByteBuffer buffer = ByteBuffer.allocate(FileSink.PIECE_BYTES);
  private ByteBuffer window = ByteBuffer.allocate(0);
  private long start;

  MappedSink(FileChannel file, long end, SocketChannel from, Transferred transferred) {
    this.file = file;
    this.end = end;
    this.from = from;
    this.transferred = transferred;
  }

  @Override
  public void receive(long position, long count) throws IOException {
    for (long at = position, left = count; left > 0; ) {
      if (at < start || at >= start + window.capacity()) {
        start = at;
        window =
            file.map(FileChannel.MapMode.READ_WRITE, start, Math.min(WINDOW_BYTES, end - start));
      }
      int offset = (int) (at - start);
      int some = (int) Math.min(Math.min(left, window.capacity() - offset), buffer.capacity());
      int read = read(window.limit(offset + some).position(offset));
      transferred.moved(read);
      at += read;
      left -= read;
    }
  }

  private int read(ByteBuffer into) throws IOException {
    int read;
    try {
      read = from.read(into);
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains("Bad address")) {
        throw new IOException(
            "the disk is full, or the file was made shorter: the mapping takes no more", e);
      }
      throw e;
    }
    if (read < 0) {
      throw new EOFException("the stream ended");
    }
    return read;
  }

  /** Read, not looked at in the mapping: see {@link MappedReader}. */
  @Override
  public void addTo(CRC32C checksum, long position, long count) throws IOException {
    FileBytes.addTo(checksum, file, position, count, buffer);
  }

  @Override
  public void close() {}
}
