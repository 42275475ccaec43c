package io.arraywire.stream;

import io.arraywire.TransportOptions;
import io.arraywire.engine.PeerAddress;
import io.arraywire.engine.TcpKeepAlive;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A TCP or Unix domain socket, by way of the JDK's channel. */
final class ChannelSocket implements StreamSocket {
  private static final SocketAddress UNNAMED = UnixDomainSocketAddress.of("");
  private static final SocketAddress UNKNOWN = new InetSocketAddress(0);

  private final SocketChannel channel;
  private final boolean isTcp;

  private ChannelSocket(SocketChannel channel, boolean isTcp) {
    this.channel = channel;
    this.isTcp = isTcp;
  }

  static ChannelSocket unconnectedTcp() throws IOException {
    return new ChannelSocket(SocketChannel.open(), true);
  }

  static ChannelSocket unconnectedUnix() throws IOException {
    return unix(SocketChannel.open(StandardProtocolFamily.UNIX));
  }

  /** One of a Unix domain socket. */
  static ChannelSocket unix(SocketChannel channel) {
    return new ChannelSocket(channel, false);
  }

  /** One that was accepted at a TCP port. If this throws, the channel is closed. */
  static ChannelSocket acceptedTcp(SocketChannel channel) throws IOException {
    ChannelSocket accepted = new ChannelSocket(channel, true);
    try {
      accepted.prepare();
    } catch (IOException e) {
      accepted.close();
      throw e;
    }
    return accepted;
  }

  private void prepare() throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    TcpKeepAlive.set(channel.supportedOptions(), channel::setOption);
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
    if (isTcp) {
      prepare();
      channel.connect(resolved((InetSocketAddress) address));
    } else {
      channel.connect(address);
    }
  }

  /** An address that was made unresolved is looked up now; this may take long. */
  static InetSocketAddress resolved(InetSocketAddress address) throws UnknownHostException {
    InetSocketAddress resolved =
        address.isUnresolved()
            ? new InetSocketAddress(address.getHostString(), address.getPort())
            : address;
    if (resolved.isUnresolved()) {
      throw new UnknownHostException(address.getHostString());
    }
    return resolved;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return channel.read(into);
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    return channel.write(from);
  }

  @Override
  public void setBlocking(boolean on) throws IOException {
    channel.configureBlocking(on);
  }

  @Override
  public SelectionKey register(Selector selector) throws ClosedChannelException {
    return channel.register(selector, SelectionKey.OP_READ);
  }

  @Override
  public void endOutput() throws IOException {
    channel.shutdownOutput();
  }

  @Override
  public SocketAddress localAddress() {
    try {
      return known(channel.getLocalAddress());
    } catch (IOException e) {
      return known(null);
    }
  }

  @Override
  public SocketAddress remoteAddress() {
    try {
      SocketAddress address = channel.getRemoteAddress();
      return known(address == null ? null : PeerAddress.of(address));
    } catch (IOException e) {
      return known(null);
    }
  }

  private SocketAddress known(@Nullable SocketAddress address) {
    if (address != null) {
      return address;
    }
    return isTcp ? UNKNOWN : UNNAMED;
  }

  @Override
  public void reset() {
    if (isTcp) {
      try {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      } catch (IOException e) {
        // It is closed already.
      }
    }
    close();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The descriptor is gone all the same, and nobody could do anything about it.
    }
  }
}
