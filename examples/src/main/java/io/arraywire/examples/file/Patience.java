package io.arraywire.examples.file;

import java.time.Duration;

/**
 * How long a peer is waited for.
 *
 * @param handshake until its handshake is over
 * @param idle until it begins an array, and until it goes after its last one
 * @param stall until the next {@value Pace#LEAST_BYTES} bytes of an array have come
 * @param crowded how long these bytes may take where every place is taken and others wait for one
 */
record Patience(Duration handshake, Duration idle, Duration stall, Duration crowded) {
  static final Patience DEFAULT =
      new Patience(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofSeconds(1));
}
