package io.arraywire.testkit;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ReceivedArray;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A handler that counts arrays and notes why connections ended. */
final class ClosedWatch implements ArrayHandler {
  /** Stands for no failure, which a queue cannot hold. */
  private static final Object ORDERLY = new Object();

  private final BlockingQueue<Object> ends = new LinkedBlockingQueue<>();
  private final AtomicInteger arrays = new AtomicInteger();

  @Override
  public void onArray(Connection connection, ReceivedArray array) {
    arrays.incrementAndGet();
  }

  @Override
  public void onClosed(Connection connection, @Nullable ArraywireException cause) {
    ends.add(cause == null ? ORDERLY : cause);
  }

  int arrays() {
    return arrays.get();
  }

  /** Whether another connection has ended. */
  boolean hasNext() {
    return !ends.isEmpty();
  }

  /** Waits for the next connection to end, and returns why it failed, or null if it did not. */
  @Nullable ArraywireException next() throws InterruptedException {
    Object end = Eventually.next("a connection ends", ends);
    return end instanceof ArraywireException cause ? cause : null;
  }
}
