package io.arraywire.examples.cli;

import org.jspecify.annotations.Nullable;

/**
 * What {@code doctor} has found out about one thing.
 *
 * @param name the thing, such as {@code native access}
 * @param grade whether something can be changed for the better
 * @param found how it is
 * @param cure what to do, as a command, a flag or a sentence; null where nothing has to be done
 */
record Finding(String name, Grade grade, String found, @Nullable String cure) {
  /** How good it is. */
  enum Grade {
    /** As it should be. */
    OK,
    /** Something makes transfers slower, or sets a low limit, and can be changed. */
    IMPROVABLE,
    /** This system does not tell. */
    UNKNOWN;

    /** The word on the screen and in JSON. */
    String word() {
      return switch (this) {
        case OK -> "ok";
        case IMPROVABLE -> "improve";
        case UNKNOWN -> "unknown";
      };
    }
  }

  static Finding ok(String name, String found) {
    return new Finding(name, Grade.OK, found, null);
  }

  static Finding improvable(String name, String found, String cure) {
    return new Finding(name, Grade.IMPROVABLE, found, cure);
  }

  static Finding unknown(String name, String found) {
    return new Finding(name, Grade.UNKNOWN, found, null);
  }
}
