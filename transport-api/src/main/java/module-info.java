import org.jspecify.annotations.NullMarked;

/** Primitive arrays from one JVM to another: what users and authors of codecs meet. */
@NullMarked
module io.arraywire {
  requires static com.google.errorprone.annotations;
  requires static org.jspecify;

  exports io.arraywire;
  exports io.arraywire.codec;
  exports io.arraywire.frame;
  exports io.arraywire.message;
  exports io.arraywire.security;
  exports io.arraywire.source;
  exports io.arraywire.spi;

  uses io.arraywire.spi.CodecProvider;
  uses io.arraywire.spi.TransportProvider;

  provides io.arraywire.spi.CodecProvider with
      io.arraywire.codec.StandardCodecProvider;
}
