package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ReceivedArray;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A handler that keeps what it is told, and looks that nothing comes after an end. */
class Collector implements ArrayHandler {
  private final BlockingQueue<ReceivedArray> arrays = new LinkedBlockingQueue<>();
  private final BlockingQueue<End> ends = new LinkedBlockingQueue<>();
  private final List<ReceivedArray> all = new ArrayList<>();
  private final Set<Connection> ended = Collections.newSetFromMap(new IdentityHashMap<>());
  private @Nullable String surprise;

  private record End(@Nullable ArraywireException cause) {}

  @Override
  public void onArray(Connection connection, ReceivedArray array) throws Exception {
    synchronized (all) {
      if (ended.contains(connection)) {
        surprise = "an array after the end of " + connection.describe();
      }
      all.add(array);
    }
    arrays.add(array);
  }

  @Override
  public void onClosed(Connection connection, @Nullable ArraywireException cause) {
    synchronized (all) {
      if (!ended.add(connection)) {
        surprise = "told twice of the end of " + connection.describe();
      }
    }
    ends.add(new End(cause));
  }

  /** The next array. */
  ReceivedArray next() throws InterruptedException {
    ReceivedArray next = arrays.poll(60, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("no array came; there were " + size() + " before");
    }
    return next;
  }

  /** Everything that has come. */
  List<ReceivedArray> all() {
    synchronized (all) {
      return new ArrayList<>(all);
    }
  }

  int size() {
    synchronized (all) {
      return all.size();
    }
  }

  /** Waits for the end of the next connection, which must be orderly. */
  void awaitOrderlyEnd() throws InterruptedException {
    assertThat(nextEnd().cause).as("cause of the end").isNull();
  }

  /** Waits for the end of the next connection, and returns why it failed. */
  ArraywireException awaitFailure() throws InterruptedException {
    ArraywireException cause = nextEnd().cause;
    if (cause == null) {
      throw new AssertionError("an orderly end");
    }
    return cause;
  }

  private End nextEnd() throws InterruptedException {
    End end = ends.poll(60, TimeUnit.SECONDS);
    if (end == null) {
      throw new AssertionError("no connection ended; " + size() + " arrays came");
    }
    synchronized (all) {
      assertThat(surprise).isNull();
    }
    return end;
  }
}
