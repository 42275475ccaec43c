package io.arraywire.examples.file;

import io.arraywire.source.ElementReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * {@link SendTechnique#MAPPED}: the channel writes from the mapping itself, if the file fits one.
 *
 * <p>A page that the file no longer has is no danger while the kernel reads it, which is what
 * writing to a socket does: the call fails. Where elements are read here, their bytes are copied
 * first, by the one operation of which the JVM makes an error that can be caught; a checksum
 * computed over the mapping would end the process.
 */
final class MappedReader extends FileReader {
  /** Every element size divides it. */
  private static final long WINDOW_BYTES = 1 << 30;

  private final ArrayFile file;
  private final ByteBuffer[] windows;

  MappedReader(ArrayFile file, ElementReader direct) throws IOException {
    super(direct);
    this.file = file;
    windows = new ByteBuffer[(int) ((file.bytes() + WINDOW_BYTES - 1) / WINDOW_BYTES)];
    try (FileChannel channel = FileChannel.open(file.path())) {
      for (int i = 0; i < windows.length; i++) {
        long from = i * WINDOW_BYTES;
        long bytes = Math.min(WINDOW_BYTES, file.bytes() - from);
        windows[i] =
            channel
                .map(FileChannel.MapMode.READ_ONLY, file.position() + from, bytes)
                .order(file.order());
      }
    }
  }

  /** Where bytes must be swapped, they are read as {@link SendTechnique#DIRECT} does. */
  @Override
  public void read(long index, int count, ByteBuffer target) throws IOException {
    int width = file.type().bytes();
    if (target.order() != file.order() && width > 1) {
      super.read(index, count, target);
      return;
    }
    long at = index * width;
    for (int left = count * width; left > 0; ) {
      ByteBuffer window = windows[(int) (at / WINDOW_BYTES)];
      int from = (int) (at % WINDOW_BYTES);
      int some = Math.min(left, window.capacity() - from);
      try {
        target.put(target.position(), window, from, some);
      } catch (InternalError e) {
        throw new IOException("a page of the mapped file is gone", e);
      }
      target.position(target.position() + some);
      at += some;
      left -= some;
    }
  }

  @Override
  public @Nullable Region region(ByteOrder wanted) {
    boolean asItLies = wanted == file.order() || file.type().bytes() == 1;
    return asItLies && windows.length == 1 ? new Region.Memory(windows[0]) : null;
  }
}
