package io.arraywire.nio;

import io.arraywire.TransportOptions;
import io.arraywire.engine.Opening;
import io.arraywire.spi.MemoryKind;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.function.Function;

/** Makes channels and links as a transport's options ask. Immutable; any thread. */
record LinkFactory(
    TransportOptions options,
    NioOptions nioOptions,
    Function<SocketChannel, SocketIo> socketIo,
    MemoryKind readingMemory) {

  /** Opens a nonblocking channel for an address. */
  SocketChannel channel(SocketAddress address) throws IOException {
    return Channels.open(address, options);
  }

  /** Prepares a channel that was accepted. */
  void prepare(SocketChannel channel) throws IOException {
    Channels.prepare(channel, options);
  }

  /** Makes the link of a connected channel, on its loop. */
  NioLink link(EventLoop loop, SocketChannel channel, Opening opening) throws IOException {
    return new NioLink(loop, channel, socketIo.apply(channel), nioOptions, readingMemory, opening);
  }
}
