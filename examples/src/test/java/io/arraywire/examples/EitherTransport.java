package io.arraywire.examples;

import java.util.stream.Stream;

/**
 * Transports for tests whose processes are what is tested: one for each change, and both where
 * {@code arraywire.test.thorough} is set, as nightly. The contract of transports tests the rest.
 */
final class EitherTransport {
  private static final boolean THOROUGH = Boolean.getBoolean("arraywire.test.thorough");

  private EitherTransport() {}

  static Stream<String> nio() {
    return first("nio", "stream");
  }

  static Stream<String> stream() {
    return first("stream", "nio");
  }

  private static Stream<String> first(String always, String nightly) {
    return THOROUGH ? Stream.of(always, nightly) : Stream.of(always);
  }
}
