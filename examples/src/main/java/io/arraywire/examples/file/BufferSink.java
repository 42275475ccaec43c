package io.arraywire.examples.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;

/** {@link ReceiveTechnique#BUFFER}. */
final class BufferSink implements FileSink {
  private final FileChannel file;
  private final SocketChannel from;
  private final Transferred transferred;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(FileSink.PIECE_BYTES);

  BufferSink(FileChannel file, SocketChannel from, Transferred transferred) {
    this.file = file;
    this.from = from;
    this.transferred = transferred;
  }

  @Override
  public void receive(long position, long count) throws IOException {
    for (long at = position, left = count; left > 0; ) {
      buffer.clear().limit((int) Math.min(left, buffer.capacity()));
      int read = from.read(buffer);
      if (read < 0) {
        throw new EOFException("the stream ended");
      }
      transferred.moved(read);
      FileBytes.write(file, buffer.flip(), at);
      at += read;
      left -= read;
    }
  }

  @Override
  public void addTo(CRC32C checksum, long position, long count) throws IOException {
    FileBytes.addTo(checksum, file, position, count, buffer);
  }

  @Override
  public void close() {}
}
