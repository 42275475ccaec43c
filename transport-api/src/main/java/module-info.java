import org.jspecify.annotations.NullMarked;

/**
 * Primitive arrays from one JVM to another: what a user meets, the wire, and the protocol engine.
 */
@NullMarked
module io.arraywire {
  requires static com.google.errorprone.annotations;
  requires com.google.protobuf;
  requires static jdk.jfr;
  requires static transitive org.jspecify;

  exports io.arraywire;
  exports io.arraywire.codec;
  exports io.arraywire.engine;
  exports io.arraywire.message;
  exports io.arraywire.spi;
  exports io.arraywire.wire;

  uses io.arraywire.spi.CodecProvider;
  uses io.arraywire.spi.TransportProvider;

  provides io.arraywire.spi.CodecProvider with
      io.arraywire.codec.StandardCodecProvider;
}
