import org.jspecify.annotations.NullMarked;

/** Codecs, and the blocking transport, made of java.io streams. */
@NullMarked
module io.arraywire.stream {
  requires transitive io.arraywire;
  requires io.arraywire.engine;
  requires static org.jspecify;

  exports io.arraywire.stream;

  provides io.arraywire.spi.CodecProvider with
      io.arraywire.stream.StreamCodecProvider;
  provides io.arraywire.spi.TransportProvider with
      io.arraywire.stream.StreamTransportProvider;
}
