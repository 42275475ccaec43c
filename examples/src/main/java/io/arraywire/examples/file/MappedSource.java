package io.arraywire.examples.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * {@link SendTechnique#MAPPED}: a window moves over the file.
 *
 * <p>A page that the file no longer has is no danger while the kernel reads it, which is what
 * writing to a socket does: the call fails. Bytes are therefore copied before they are looked at
 * here, by the one operation of which the JVM makes an error that can be caught; a checksum
 * computed over the mapping would end the process.
 */
final class MappedSource extends ChannelSource {
  /** Windows that were left are unmapped by the collector, so there should be few of them. */
  private static final long WINDOW_BYTES = 64 << 20;

  private final byte[] copy = new byte[CHECKED_BYTES];
  private ByteBuffer window = ByteBuffer.allocate(0);
  private long start;

  MappedSource(Path file, SocketChannel to, Transferred transferred) throws IOException {
    super(FileChannel.open(file, StandardOpenOption.READ), to, transferred);
  }

  @Override
  public void send(long position, long count) throws IOException {
    for (long at = position, left = count; left > 0; ) {
      int from = offset(at);
      int some = (int) Math.min(Math.min(left, window.capacity() - from), CHECKED_BYTES);
      window.limit(from + some).position(from);
      while (window.hasRemaining()) {
        transferred.moved(to.write(window));
      }
      at += some;
      left -= some;
    }
  }

  @Override
  public void addTo(CRC32C checksum, long position, int count) throws IOException {
    for (int done = 0; done < count; ) {
      int from = offset(position + done);
      int some = Math.min(count - done, window.capacity() - from);
      try {
        window.clear().get(from, copy, done, some);
      } catch (InternalError e) {
        throw new IOException("a page of the mapped file is gone", e);
      }
      done += some;
    }
    checksum.update(copy, 0, count);
  }

  /** Where a byte of the file lies in the window, which is moved there if need be. */
  private int offset(long position) throws IOException {
    if (position < start || position >= start + window.capacity()) {
      start = position;
      long bytes = Math.min(WINDOW_BYTES, file.size() - position);
      if (bytes <= 0) {
        throw new IOException("the file ends at " + file.size());
      }
      MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, position, bytes);
      window = mapped;
    }
    return (int) (position - start);
  }
}
