package io.arraywire.examples.file;

import io.arraywire.source.ArraySource;
import io.arraywire.source.ElementReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads a file through an array on the heap. */
abstract class StagedReader extends FileReader {
  /** Every element size divides it. */
  private static final int BUFFER_BYTES = 256 << 10;

  private final ArrayFile file;
  private final Closeable opened;
  private final byte[] bytes;

  /** The same as elements, in the byte order of the file. */
  private final ElementReader elements;

  /**
   * Begins.
   *
   * @param opened closed with this
   */
  private StagedReader(ArrayFile file, Closeable opened, ElementReader direct) throws IOException {
    super(direct);
    this.file = file;
    this.opened = opened;
    // All of the elements, or a number of whole ones.
    bytes = new byte[(int) Math.min(BUFFER_BYTES, file.bytes())];
    elements = ArraySource.of(ByteBuffer.wrap(bytes).order(file.order()), file.type()).open();
  }

  /** {@link SendTechnique#STREAM}. */
  static StagedReader ofStream(ArrayFile file, ElementReader direct) throws IOException {
    FileInputStream in = new FileInputStream(file.path().toFile());
    return new StagedReader(file, in, direct) {
      // Where the next byte of the stream lies in the file.
      private long next;

      @Override
      void fill(byte[] into, int count, long position) throws IOException {
        if (position != next) {
          in.getChannel().position(position);
        }
        next = position + count;
        for (int done = 0; done < count; ) {
          done += checked(in.read(into, done, count - done));
        }
      }
    };
  }

  /** {@link SendTechnique#HEAP}. */
  static StagedReader ofChannel(ArrayFile file, ElementReader direct) throws IOException {
    FileChannel channel = FileChannel.open(file.path());
    return new StagedReader(file, channel, direct) {
      @Override
      void fill(byte[] into, int count, long position) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(into, 0, count);
        while (buffer.hasRemaining()) {
          checked(channel.read(buffer, position + buffer.position()));
        }
      }
    };
  }

  private static int checked(int read) throws EOFException {
    if (read < 0) {
      throw new EOFException("the file ends too early");
    }
    return read;
  }

  /** Reads bytes of the file from a position on, all of them. */
  abstract void fill(byte[] into, int count, long position) throws IOException;

  @Override
  public final void read(long index, int count, ByteBuffer target) throws IOException {
    int width = file.type().bytes();
    int most = bytes.length / width;
    for (int done = 0; done < count; done += most) {
      int some = Math.min(most, count - done);
      fill(bytes, some * width, file.position() + (index + done) * width);
      elements.read(0, some, target);
    }
  }

  @Override
  public final void close() {
    super.close();
    try {
      opened.close();
    } catch (IOException e) {
      // It was read only, so nothing is lost.
    }
  }
}
