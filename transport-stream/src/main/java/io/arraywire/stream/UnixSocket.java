package io.arraywire.stream;

import io.arraywire.TransportOptions;
import io.arraywire.engine.PeerAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A Unix domain socket, for which the JDK has channels only. The streams are our own: those of
 * {@code Channels} share one lock on JDK 17, so that a blocked read would keep writes waiting.
 */
final class UnixSocket implements StreamSocket {
  private static final SocketAddress UNNAMED = UnixDomainSocketAddress.of("");

  private final SocketChannel channel;

  UnixSocket(SocketChannel channel) {
    this.channel = channel;
  }

  static UnixSocket unconnected() throws IOException {
    return new UnixSocket(SocketChannel.open(StandardProtocolFamily.UNIX));
  }

  @Override
  public void setBuffers(TransportOptions options) throws IOException {
    if (options.sendBufferBytes() > 0) {
      channel.setOption(StandardSocketOptions.SO_SNDBUF, options.sendBufferBytes());
    }
    if (options.receiveBufferBytes() > 0) {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveBufferBytes());
    }
  }

  @Override
  public void connect(SocketAddress address) throws IOException {
    channel.connect(address);
  }

  @Override
  public InputStream input() {
    return new Input();
  }

  @Override
  public OutputStream output() {
    return new Output();
  }

  @Override
  public void endOutput() throws IOException {
    channel.shutdownOutput();
  }

  @Override
  public SocketAddress localAddress() {
    try {
      SocketAddress address = channel.getLocalAddress();
      return address == null ? UNNAMED : address;
    } catch (IOException e) {
      return UNNAMED;
    }
  }

  @Override
  public SocketAddress remoteAddress() {
    try {
      SocketAddress address = channel.getRemoteAddress();
      return address == null ? UNNAMED : PeerAddress.of(address);
    } catch (IOException e) {
      return UNNAMED;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The descriptor is gone all the same, and nobody could do anything about it.
    }
  }

  private final class Input extends InputStream {
    private final Around around = new Around();

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return channel.read(around.part(bytes, offset, length));
    }
  }

  private final class Output extends OutputStream {
    private final Around around = new Around();

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      ByteBuffer part = around.part(bytes, offset, length);
      while (part.hasRemaining()) {
        channel.write(part);
      }
    }
  }

  /** A buffer around an array, the same one as long as the array is, so that no read allocates. */
  private static final class Around {
    private byte[] array = new byte[0];
    private ByteBuffer buffer = ByteBuffer.wrap(array);

    @SuppressWarnings("ReferenceEquality") // It is the very same array that is meant.
    ByteBuffer part(byte[] bytes, int offset, int length) {
      if (bytes != array) {
        array = bytes;
        buffer = ByteBuffer.wrap(bytes);
      }
      return buffer.limit(offset + length).position(offset);
    }
  }
}
