package io.arraywire.examples.cli;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionResetException;
import io.arraywire.ReceivedArray;
import io.arraywire.TargetingArrayHandler;
import io.arraywire.examples.npy.NpyAttributes;
import io.arraywire.examples.npy.NpyHeader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes each array that comes before it is acknowledged, so that its sender knows it to be
 * written.
 *
 * <p>Arrays of several connections, and of several channels of one, come at the same time.
 *
 * <p>Arrays are put into memory of the full size from the start, out of a {@link TargetPool}, so
 * that they do not have to be copied while they grow.
 */
final class ReceivingHandler implements TargetingArrayHandler {

  /** Arrays of different channels come at the same time, so each channel has one of its own. */
  private record Source(Connection connection, int channel) {}

  /** An array that is being filled. */
  private record Arrival(Object array, long startNanos) {}

  private final TargetPool pool;
  private final ArrayStore store;
  private final ReceiveReport report;
  private final long limit;
  private final BiConsumer<Connection, Throwable> complain;
  private final Map<Source, Arrival> arrivals = new ConcurrentHashMap<>();
  private final Set<Connection> senders = ConcurrentHashMap.newKeySet();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong done = new AtomicLong();
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
  private volatile boolean stopping;

  /**
   * Makes a handler.
   *
   * @param pool where memory comes from
   * @param store where arrays go
   * @param report where lines go
   * @param limit after how many arrays to end, {@link Long#MAX_VALUE} for never
   * @param complain told of each connection that failed
   */
  ReceivingHandler(
      TargetPool pool,
      ArrayStore store,
      ReceiveReport report,
      long limit,
      BiConsumer<Connection, Throwable> complain) {
    this.pool = pool;
    this.store = store;
    this.report = report;
    this.limit = limit;
    this.complain = complain;
  }

  @Override
  public ArraySlice target(Connection connection, ArrayHeader header) throws IOException {
    Source source = new Source(connection, header.channel());
    // What the sender withdrew half-way is not filled any more once the channel's next array
    // begins.
    giveBack(arrivals.remove(source));
    senders.add(connection);
    if (begun.get() >= limit) {
      throw refusal();
    }
    Object array = pool.take(header.type(), header.count());
    arrivals.put(source, new Arrival(array, System.nanoTime()));
    return ArraySlice.ofArray(array, 0, header.count());
  }

  @Override
  public void onArray(Connection connection, ReceivedArray array) throws IOException {
    Arrival arrival = arrivals.remove(new Source(connection, array.header().channel()));
    long nanos = arrival == null ? 0 : System.nanoTime() - arrival.startNanos();
    try {
      if (begun.incrementAndGet() > limit) {
        begun.decrementAndGet();
        throw refusal();
      }
      long number = numbers.incrementAndGet();
      NpyHeader header = NpyAttributes.header(array.header());
      Path file = write(connection, number, header, array.slice());
      report.received(number, connection, array, header, nanos, file);
      if (done.incrementAndGet() == limit) {
        end.complete(null);
      }
    } finally {
      giveBack(arrival);
    }
  }

  private @Nullable Path write(
      Connection connection, long number, NpyHeader header, ArraySlice elements)
      throws IOException {
    try {
      return store.write(number, header, elements);
    } catch (IOException | RuntimeException e) {
      begun.decrementAndGet();
      if (e instanceof UnwritableException unwritable && unwritable.isForWantOfRoom()) {
        // One that is too large for the disk ends nothing for others.
        complain.accept(connection, e);
      } else {
        // The directory is gone, or the name taken: nothing that comes after would fare better.
        end.completeExceptionally(e);
      }
      throw e;
    }
  }

  private IOException refusal() {
    return new IOException(
        "the receiver has all the arrays it was asked for (count=" + limit + ")");
  }

  private void giveBack(@Nullable Arrival arrival) {
    if (arrival != null) {
      pool.give(arrival.array());
    }
  }

  @Override
  public void onClosed(Connection connection, @Nullable ArraywireException cause) {
    boolean sender = senders.remove(connection);
    for (Source source : arrivals.keySet()) {
      if (source.connection().equals(connection)) {
        giveBack(arrivals.remove(source));
      }
    }
    if (cause == null || stopping || end.isDone()) {
      return;
    }
    if (limit != Long.MAX_VALUE && (sender || isWrongPlainStream(connection, cause))) {
      // Of a number of arrays that was asked for, one will not come. A stranger who never began one
      // had none to send.
      end.completeExceptionally(cause);
    } else {
      complain.accept(connection, cause);
    }
  }

  /** In plain mode there is no handshake by which strangers show themselves. */
  private static boolean isWrongPlainStream(Connection connection, ArraywireException cause) {
    try {
      return connection.agreement().plain() && !(cause instanceof ConnectionResetException);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** From now on connections may fail without anybody being told. */
  void stop() {
    stopping = true;
  }

  /**
   * Waits until as many arrays as were asked for are written.
   *
   * @throws ExecutionException if one of them cannot be had, or not be written
   * @throws InterruptedException if the caller is interrupted
   */
  void await() throws ExecutionException, InterruptedException {
    end.get();
  }
}
