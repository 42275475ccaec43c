package io.arraywire.testkit;

import io.arraywire.ElementType;
import io.arraywire.source.ArraySource;
import io.arraywire.source.ElementReader;
import java.io.IOException;

/**
 * Elements that are all 0, without memory for them.
 *
 * @param type their type
 * @param count how many there are
 * @param good how many can be read; to read a later one fails
 */
record ZeroSource(ElementType type, long count, long good) implements ArraySource {
  @Override
  public ElementReader open() {
    return (first, wanted, target) -> {
      if (first + wanted > good) {
        throw new IOException("the disk is gone");
      }
      target.put(new byte[wanted * type.bytes()]);
    };
  }
}
