import org.jspecify.annotations.NullMarked;

/** The protocol without sockets, for authors of transports. */
@NullMarked
module io.arraywire.engine {
  requires static com.google.errorprone.annotations;
  requires com.google.protobuf;
  requires transitive io.arraywire;
  requires static jdk.jfr;
  requires static org.jspecify;

  exports io.arraywire.engine;
  exports io.arraywire.memory;
  exports io.arraywire.wire;
}
