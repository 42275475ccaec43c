package io.arraywire.examples.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** {@link SendTechnique#TRANSFER}. */
final class TransferSource extends ChannelSource {
  TransferSource(Path file, SocketChannel to, Transferred transferred) throws IOException {
    super(FileChannel.open(file, StandardOpenOption.READ), to, transferred);
  }

  @Override
  public void send(long position, long count) throws IOException {
    for (long at = position, left = count; left > 0; ) {
      // Piece by piece, so that it shows whether a slow peer takes anything.
      long moved = file.transferTo(at, Math.min(left, SendTechnique.PIECE_BYTES), to);
      if (moved == 0) {
        throw new EOFException("the file ends at " + file.size());
      }
      transferred.moved(moved);
      at += moved;
      left -= moved;
    }
  }

  /** A checksum needs the bytes here after all, so with checksums they are read twice. */
  @Override
  public void addTo(CRC32C checksum, long position, int count) throws IOException {
    FileBytes.addTo(checksum, file, position, count, ByteBuffer.allocate(CHECKED_BYTES));
  }
}
