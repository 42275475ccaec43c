import org.jspecify.annotations.NullMarked;

/** The nonblocking transport, and the codecs of direct memory. */
@NullMarked
module io.arraywire.nio {
  requires transitive io.arraywire;
  requires io.arraywire.engine;
  requires io.netty.buffer;
  requires io.netty.common;
  requires static org.jspecify;

  exports io.arraywire.nio;

  provides io.arraywire.spi.CodecProvider with
      io.arraywire.nio.NioCodecProvider;
  provides io.arraywire.spi.TransportProvider with
      io.arraywire.nio.NioTransportProvider;
}
