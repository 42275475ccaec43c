package io.arraywire.security;

import io.arraywire.spi.MessageText;

/** What numbers a limit may be. */
final class Least {
  private Least() {}

  static <T extends Comparable<T>> void check(String name, T value, T least) {
    if (value.compareTo(least) < 0) {
      throw new IllegalArgumentException(MessageText.tooSmall(name, value, least));
    }
  }
}
