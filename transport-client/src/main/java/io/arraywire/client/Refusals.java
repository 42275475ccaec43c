package io.arraywire.client;

import io.arraywire.ArraywireException;

/** Failures to connect that trying again does not cure. Stateless. */
final class Refusals {
  private Refusals() {}

  static boolean isForGood(ArraywireException failure) {
    return switch (failure.code()) {
      case BAD_MAGIC,
          UNSUPPORTED_VERSION,
          NEGOTIATION_FAILED,
          AUTHENTICATION_FAILED,
          TLS_MISMATCH,
          CERTIFICATE_REFUSED ->
          true;
      default -> false;
    };
  }
}
