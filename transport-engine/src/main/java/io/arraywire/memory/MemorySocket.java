package io.arraywire.memory;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** One end of two pipes. Any thread. */
final class MemorySocket implements AutoCloseable {
  final MemoryPipe in;
  final MemoryPipe out;
  final MemoryAddress localAddress;
  final MemoryAddress remoteAddress;

  private MemorySocket(
      MemoryPipe in, MemoryPipe out, MemoryAddress localAddress, MemoryAddress remoteAddress) {
    this.in = in;
    this.out = out;
    this.localAddress = localAddress;
    this.remoteAddress = remoteAddress;
  }

  record Pair(MemorySocket connecting, MemorySocket accepting) {}

  static Pair pair(int pipeBytes, MemoryAddress listener) {
    MemoryPipe there = new MemoryPipe(pipeBytes);
    MemoryPipe back = new MemoryPipe(pipeBytes);
    MemoryPipe.join(there, back);
    MemoryAddress connector = MemoryAddress.free();
    return new Pair(
        new MemorySocket(back, there, connector, listener),
        new MemorySocket(there, back, listener, connector));
  }

  void shutdownOutput() {
    out.end();
  }

  /** Closes as a socket does: without a word if everything was read, else with a reset. */
  @Override
  public void close() {
    if (in.closeReader()) {
      out.breakOff("Connection reset by peer");
    } else {
      out.end();
    }
  }

  /** Breaks both directions at once. */
  void reset() {
    in.closeReader();
    out.breakOff("Connection reset by peer");
    in.breakOff("Connection reset");
  }

  InputStream inputStream() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        ByteBuffer target = ByteBuffer.wrap(bytes, offset, length);
        while (length > 0) {
          int count = in.read(target);
          if (count != 0) {
            return count;
          }
          try {
            in.awaitReadable();
          } catch (InterruptedException e) {
            throw interrupted(e);
          }
        }
        return 0;
      }

      @Override
      public int available() {
        return in.available();
      }
    };
  }

  OutputStream outputStream() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        ByteBuffer source = ByteBuffer.wrap(bytes, offset, length);
        while (source.hasRemaining()) {
          if (out.write(source) == 0) {
            try {
              out.awaitWritable();
            } catch (InterruptedException e) {
              throw interrupted(e);
            }
          }
        }
      }
    };
  }

  private static InterruptedIOException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException failure = new InterruptedIOException("interrupted while waiting");
    failure.initCause(cause);
    return failure;
  }
}
