package io.arraywire.examples.cli;

import io.arraywire.ElementType;
import io.arraywire.source.ArraySource;
import io.arraywire.source.ElementReader;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/**
 * Zeros, of which the second half waits.
 *
 * @param whole whether it comes then
 */
record HalfSource(long count, boolean whole, CountDownLatch rest) implements ArraySource {
  HalfSource(long count) {
    this(count, true, new CountDownLatch(1));
  }

  /** One that breaks off. */
  static HalfSource only(long count) {
    return new HalfSource(count, false, new CountDownLatch(1));
  }

  @Override
  public ElementType type() {
    return ElementType.FLOAT;
  }

  @Override
  public ElementReader open() {
    return (index, some, target) -> {
      if (index + some > count / 2) {
        try {
          rest.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException(e);
        }
        if (!whole) {
          throw new IOException("broken off");
        }
      }
      target.put(new byte[4 * some]);
    };
  }
}
