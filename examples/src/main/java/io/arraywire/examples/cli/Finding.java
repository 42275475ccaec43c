package io.arraywire.examples.cli;

import org.jspecify.annotations.Nullable;

/**
 * What {@code doctor} has found out about one thing.
 *
 * @param name the thing, such as {@code native access}
 * @param grade whether it can be better
 * @param found how it is
 * @param cure what would make it better; null where nothing has to be done
 */
record Finding(String name, Grade grade, String found, @Nullable String cure) {
  /** How good it is. */
  enum Grade {
    /** As it should be. */
    OK,
    /** Something can be faster or safer. */
    BETTER,
    /** This system does not tell. */
    UNKNOWN;

    /** The word on the screen and in JSON. */
    String word() {
      return switch (this) {
        case OK -> "ok";
        case BETTER -> "can be better";
        case UNKNOWN -> "unknown";
      };
    }
  }

  static Finding ok(String name, String found) {
    return new Finding(name, Grade.OK, found, null);
  }

  static Finding better(String name, String found, String cure) {
    return new Finding(name, Grade.BETTER, found, cure);
  }

  static Finding unknown(String name, String found) {
    return new Finding(name, Grade.UNKNOWN, found, null);
  }
}
