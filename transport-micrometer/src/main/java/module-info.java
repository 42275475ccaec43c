import org.jspecify.annotations.NullMarked;

/** Counters and gauges for Micrometer. */
@NullMarked
module io.arraywire.micrometer {
  requires transitive io.arraywire;
  requires transitive micrometer.core;
  requires static org.jspecify;

  exports io.arraywire.micrometer;
}
