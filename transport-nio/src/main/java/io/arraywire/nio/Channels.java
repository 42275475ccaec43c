package io.arraywire.nio;

import io.arraywire.TransportOptions;
import io.arraywire.engine.TcpKeepAlive;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What depends on the kind of an address. */
final class Channels {
  private Channels() {}

  /** The family to open a channel with: null lets the JDK choose between IPv4 and IPv6. */
  static @Nullable ProtocolFamily family(SocketAddress address) {
    return address instanceof UnixDomainSocketAddress ? StandardProtocolFamily.UNIX : null;
  }

  /** What a failure says, for a user: its text, or else its name in words. */
  static String words(Throwable failure) {
    if (failure instanceof UnresolvedAddressException) {
      return "the host is not known";
    }
    String text = failure.getMessage();
    if (text != null && !text.isBlank()) {
      return text;
    }
    return failure
        .getClass()
        .getSimpleName()
        .replaceFirst("(?<=.)(Exception|Error)$", "")
        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
        .toLowerCase(Locale.ROOT);
  }

  /** Opens a nonblocking channel for an address. */
  static SocketChannel open(SocketAddress address, TransportOptions options) throws IOException {
    ProtocolFamily family = family(address);
    SocketChannel channel = family == null ? SocketChannel.open() : SocketChannel.open(family);
    try {
      prepare(channel, options);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return channel;
  }

  /** Has closing a channel reset it, if it is one of TCP. */
  static void resetOnClose(SocketChannel channel) {
    try {
      if (channel.supportedOptions().contains(StandardSocketOptions.SO_LINGER)
          && channel.getLocalAddress() instanceof InetSocketAddress) {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      }
    } catch (IOException e) {
      // It is closed already.
    }
  }

  /** Makes a channel nonblocking, has it send at once, and gives it the buffers asked for. */
  static void prepare(SocketChannel channel, TransportOptions options) throws IOException {
    channel.configureBlocking(false);
    if (channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
    TcpKeepAlive.set(channel.supportedOptions(), channel::setOption);
    if (options.sendBufferBytes() > 0) {
      channel.setOption(StandardSocketOptions.SO_SNDBUF, options.sendBufferBytes());
    }
    if (options.receiveBufferBytes() > 0) {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveBufferBytes());
    }
  }
}
