package io.arraywire.testkit;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One end of a connection as two streams, whatever it is made of. */
interface RawSocket extends Closeable {

  InputStream inputStream();

  OutputStream outputStream();

  void shutdownOutput() throws IOException;

  /** Breaks the connection, so that the other side loses what it has not read, if that can be. */
  void reset() throws IOException;

  static RawSocket of(MemorySocket socket) {
    return new RawSocket() {
      @Override
      public InputStream inputStream() {
        return socket.inputStream();
      }

      @Override
      public OutputStream outputStream() {
        return socket.outputStream();
      }

      @Override
      public void shutdownOutput() {
        socket.shutdownOutput();
      }

      @Override
      public void reset() {
        socket.reset();
      }

      @Override
      public void close() {
        socket.close();
      }
    };
  }

  /** Streams of the JDK's own would lock the channel before JDK 19: no reading while writing. */
  static RawSocket of(SocketChannel channel) {
    return new RawSocket() {
      @Override
      public InputStream inputStream() {
        return new InputStream() {
          @Override
          public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
          }

          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            return length == 0 ? 0 : channel.read(ByteBuffer.wrap(bytes, offset, length));
          }
        };
      }

      @Override
      public OutputStream outputStream() {
        return new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
          }

          @Override
          public void write(byte[] bytes, int offset, int length) throws IOException {
            ByteBuffer source = ByteBuffer.wrap(bytes, offset, length);
            while (source.hasRemaining()) {
              int unused = channel.write(source);
            }
          }
        };
      }

      @Override
      public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
      }

      @Override
      public void reset() throws IOException {
        if (channel.getRemoteAddress() instanceof InetSocketAddress) {
          channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        }
        channel.close();
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }
}
