package io.arraywire.examples.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** {@link SendTechnique#HEAP} and {@link SendTechnique#DIRECT}. */
final class BufferSource extends StagedSource {
  BufferSource(Path file, SocketChannel to, ByteBuffer buffer, Transferred transferred)
      throws IOException {
    super(FileChannel.open(file, StandardOpenOption.READ), buffer, to, transferred);
  }

  @Override
  int read(long position, ByteBuffer into) throws IOException {
    return file.read(into, position);
  }

  @Override
  void write(ByteBuffer from) throws IOException {
    while (from.hasRemaining()) {
      to.write(from);
    }
  }
}
