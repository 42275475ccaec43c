import org.jspecify.annotations.NullMarked;

/** A client that outlives its servers. */
@NullMarked
module io.arraywire.client {
  requires static com.google.errorprone.annotations;
  requires transitive io.arraywire;
  requires static org.jspecify;

  exports io.arraywire.client;
}
