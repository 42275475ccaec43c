package io.arraywire.examples.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;

/** {@link ReceiveTechnique#TRANSFER}. */
final class TransferSink implements FileSink {
  private final FileChannel file;
  private final SocketChannel from;
  private final Transferred transferred;

  TransferSink(FileChannel file, SocketChannel from, Transferred transferred) {
    this.file = file;
    this.from = from;
    this.transferred = transferred;
  }

  @Override
  public void receive(long position, long count) throws IOException {
    for (long at = position, left = count; left > 0; ) {
      long moved = file.transferFrom(from, at, Math.min(left, FileSink.PIECE_BYTES));
      if (moved == 0) {
        throw new EOFException("the stream ended");
      }
      transferred.moved(moved);
      at += moved;
      left -= moved;
    }
  }

  @Override
  public void addTo(CRC32C checksum, long position, long count) throws IOException {
    FileBytes.addTo(checksum, file, position, count, ByteBuffer.allocate(FileSink.PIECE_BYTES));
  }

  @Override
  public void close() {}
}
