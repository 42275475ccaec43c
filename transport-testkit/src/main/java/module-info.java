import org.jspecify.annotations.NullMarked;

/** Contracts that codecs and transports must hold, and what tests of them need. */
@NullMarked
module io.arraywire.testkit {
  requires static com.google.errorprone.annotations;
  requires transitive io.arraywire;
  requires transitive org.assertj.core;
  requires transitive org.junit.jupiter.api;
  requires jdk.jfr;
  requires jdk.management;
  requires static org.jspecify;

  exports io.arraywire.testkit;
}
