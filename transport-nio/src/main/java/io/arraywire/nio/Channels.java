package io.arraywire.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import org.jspecify.annotations.Nullable;

/** What depends on the kind of an address. */
final class Channels {
  private Channels() {}

  /** The family to open a channel with: null lets the JDK choose between IPv4 and IPv6. */
  static @Nullable ProtocolFamily family(SocketAddress address) {
    if (address instanceof UnixDomainSocketAddress) {
      return StandardProtocolFamily.UNIX;
    }
    if (address instanceof InetSocketAddress) {
      return null;
    }
    throw new UnsupportedAddressTypeException();
  }

  /** Opens a nonblocking channel for an address. */
  static SocketChannel open(SocketAddress address) throws IOException {
    ProtocolFamily family = family(address);
    SocketChannel channel = family == null ? SocketChannel.open() : SocketChannel.open(family);
    try {
      prepare(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return channel;
  }

  /** Makes a channel nonblocking and has it send at once. */
  static void prepare(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    if (channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
  }
}
