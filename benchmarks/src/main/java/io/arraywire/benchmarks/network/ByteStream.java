package io.arraywire.benchmarks.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * What one thread writes and another reads. Unlike with the JDK's pipes, any thread may be either,
 * and the writer may have ended. A writer never waits, so this is for streams that are read as they
 * come.
 */
final class ByteStream {
  private static final byte[] END = {};

  private final BlockingQueue<byte[]> portions = new LinkedBlockingQueue<>();
  private final InputStream in = new Reading();
  private final OutputStream out = new Writing();

  InputStream in() {
    return in;
  }

  OutputStream out() {
    return out;
  }

  /**
   * Adds bytes, if there are any.
   *
   * @param bytes copied: docker-java reads the next ones into an array that it has handed out
   */
  void add(byte[] bytes) {
    if (bytes.length > 0) {
      portions.add(bytes.clone());
    }
  }

  /** Nothing more comes. */
  void end() {
    portions.add(END);
  }

  private final class Writing extends OutputStream {
    @Override
    public void write(int single) {
      portions.add(new byte[] {(byte) single});
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      if (length > 0) {
        portions.add(Arrays.copyOfRange(bytes, offset, offset + length));
      }
    }

    @Override
    public void close() {
      end();
    }
  }

  private final class Reading extends InputStream {
    private byte[] portion = END;
    private int position;
    private boolean ended;

    @Override
    public int read() throws IOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (position == portion.length && !next()) {
        return -1;
      }
      int some = Math.min(length, portion.length - position);
      System.arraycopy(portion, position, target, offset, some);
      position += some;
      return some;
    }

    private boolean next() throws IOException {
      if (ended) {
        return false;
      }
      try {
        portion = portions.take();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for bytes");
      }
      position = 0;
      ended = portion.length == 0;
      return !ended;
    }

    @Override
    public int available() {
      return portion.length - position;
    }
  }
}
