package io.arraywire.examples.file;

import io.arraywire.source.ElementWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;

/** Writers that need no memory of their own: {@code buffer} and {@code transfer}. */
final class FileWriters {
  private FileWriters() {}

  /** {@link ReceiveTechnique#BUFFER}. */
  static ElementWriter buffer(FileChannel file, long first, int width) {
    return (index, count, source) -> FileBytes.write(file, source, first + index * width);
  }

  /** {@link ReceiveTechnique#TRANSFER}. */
  static ElementWriter transfer(FileChannel file, long first, int width) {
    return (index, count, source) -> {
      for (long at = first + index * width; source.hasRemaining(); ) {
        int from = source.position();
        long moved = file.transferFrom(new Bytes(source), at, source.remaining());
        if (moved == 0) {
          throw new IOException("the file takes no more, or was made shorter");
        }
        // On a disk that becomes full it has taken more than it wrote; the next call says why.
        source.position(from + (int) moved);
        at += moved;
      }
    };
  }

  /** The bytes that have come, as the channel that {@code transferFrom} wants. */
  private record Bytes(ByteBuffer source) implements ReadableByteChannel {
    @Override
    public int read(ByteBuffer into) {
      if (!source.hasRemaining()) {
        return -1;
      }
      int some = Math.min(source.remaining(), into.remaining());
      into.put(into.position(), source, source.position(), some);
      into.position(into.position() + some);
      source.position(source.position() + some);
      return some;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
