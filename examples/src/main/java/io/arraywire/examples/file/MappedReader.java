package io.arraywire.examples.file;

import io.arraywire.source.ElementReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@link SendTechnique#MAPPED}: the channel writes from the mapping itself, or from several that
 * overlap if the file is larger than one can be.
 *
 * <p>A page that the file no longer has is no danger while the kernel reads it, as it does when it
 * writes to a socket. The call then fails. Where elements are read here, their bytes are copied
 * first, by the one operation of which the JVM makes an error that can be caught. A checksum
 * computed over the mapping would end the process.
 */
final class MappedReader extends FileReader {
  /** How far each window begins behind the one before. Every element size divides it. */
  private static final long STEP_BYTES = 512 << 20;

  /** The largest frame there is: 16 times the largest {@code chunkBytes}. */
  private static final long OVERLAP_BYTES = 1 << 30;

  private final ArrayFile file;
  private final long step;
  private final ByteBuffer[] windows;

  MappedReader(ArrayFile file, ElementReader direct) throws IOException {
    this(file, direct, STEP_BYTES, OVERLAP_BYTES);
  }

  /** With smaller windows, for tests. */
  MappedReader(ArrayFile file, ElementReader direct, long step, long overlap) throws IOException {
    super(direct);
    this.file = file;
    this.step = step;
    // Overlapping, so that each frame lies in one of them.
    long most = step + overlap;
    windows = new ByteBuffer[(int) ((file.bytes() + step - 1) / step)];
    try (FileChannel channel = FileChannel.open(file.path())) {
      for (int i = 0; i < windows.length; i++) {
        long from = i * step;
        long bytes = Math.min(most, file.bytes() - from);
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
      ByteBuffer window = windows[(int) (at / step)];
      int from = (int) (at % step);
      int some = Math.min(left, window.capacity() - from);
      try {
        target.put(target.position(), window, from, some);
      } catch (InternalError e) {
        throw new IOException(
            "a page of the mapped file cannot be read; the file became shorter,"
                + " or its disk failed",
            e);
      }
      target.position(target.position() + some);
      at += some;
      left -= some;
    }
  }

  @Override
  public @Nullable Region region(ByteOrder wanted) {
    boolean asItLies = wanted == file.order() || file.type().bytes() == 1;
    if (!asItLies || windows.length == 0) {
      return null;
    }
    return windows.length == 1
        ? new Region.Memory(windows[0])
        : new Region.Windows(List.of(windows), step);
  }
}
