package io.arraywire.examples.cli;

import io.arraywire.ArrayHandler;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.ReceivedArray;
import io.arraywire.TargetHandler;
import io.arraywire.TransportOptions;
import io.arraywire.examples.cli.StraightToFile.Filled;
import io.arraywire.examples.file.FullDiskException;
import io.arraywire.examples.npy.NpyAttributes;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.message.PartTable;
import io.arraywire.source.ArraySink;
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
 * <p>A large one goes into its file as it arrives, and has its name when this is done. What it
 * keeps of another is when that began: memory is the transport's, and grows with what has come.
 */
final class ReceivingHandler implements ArrayHandler, TargetHandler {

  private final long memory;
  private final ArrayStore store;
  private final ReceiveReport report;
  private final long limit;
  private final BiConsumer<Connection, IOException> complain;
  private final ResumeDesk desk;
  private final StraightToFile straight;
  private final Map<ChannelOf, Long> starts = new ConcurrentHashMap<>();
  private final Set<Connection> senders = ConcurrentHashMap.newKeySet();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong done = new AtomicLong();
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
  private volatile boolean stopping;

  /**
   * Makes a handler.
   *
   * @param memory what one array may take; {@link TransportOptions#arrivalBytes()} limits all
   * @param maxBytes the largest array that is taken
   * @param store where arrays go
   * @param report where lines go
   * @param limit after how many arrays to end, {@link Long#MAX_VALUE} for never
   * @param complain told of each connection that failed; also by a thread that reads, so it must
   *     not wait
   */
  ReceivingHandler(
      long memory,
      long maxBytes,
      ArrayStore store,
      ReceiveReport report,
      long limit,
      BiConsumer<Connection, IOException> complain) {
    this.memory = memory;
    this.store = store;
    this.report = report;
    this.limit = limit;
    this.complain = complain;
    desk = new ResumeDesk(store, maxBytes);
    straight = new StraightToFile(store, desk, () -> numbers.get() + 1, this::failed);
  }

  /** All that a listener needs. */
  Handlers handlers() {
    return Handlers.ofArrays(this).withTargets(this).withRequests(desk);
  }

  /**
   * Names no memory: a peer that declares an array has sent nothing of it yet. A file takes what
   * has come, and no more.
   */
  @Override
  public @Nullable ArraySink target(Connection connection, ArrayHeader header) throws IOException {
    ChannelOf from = new ChannelOf(connection, header);
    starts.put(from, System.nanoTime());
    straight.drop(from);
    if (begun.get() >= limit) {
      throw refusal();
    }
    PartTable parts = header.attributes().parts();
    if (parts != null && store.writes()) {
      // Its bytes in one file would be no array that anybody sent.
      throw failed(
          connection,
          new RefusedNameException(
              "a .npy file holds one array, and this is a message of parts; send each by itself",
              "parts",
              parts.names()));
    }
    senders.add(connection);
    ArraySink file = straight.sink(connection, header);
    if (file != null) {
      return file;
    }
    long bytes = (long) header.count() * header.type().bytes();
    // While it grows from half to all of it, both are there.
    if (bytes + bytes / 2 > memory) {
      throw ArraywireException.refusal(
          straight.wants(header) ? noPlace(connection) : noMemory(bytes + bytes / 2),
          "arrayBytes",
          bytes,
          "limitBytes",
          memory / 3 * 2);
    }
    return null;
  }

  private static String noMemory(long bytes) {
    return "the receiver has not enough memory for this array; "
        + Complaints.moreHeap((long) (bytes / ReceiveCommand.HEAP_SHARE))
        + " there, or use --into";
  }

  private String noPlace(Connection connection) {
    return (straight.hasItsShare(connection)
            ? "this connection fills all its places for large arrays (places="
                + StraightToFile.SHARE
                + "); send fewer at a time: "
            : "all places for large arrays are taken (places="
                + StraightToFile.MOST
                + "); send it again later: ")
        + "the receiver has not enough memory for one more";
  }

  @Override
  public void onArray(Connection connection, ReceivedArray array) throws IOException {
    ChannelOf from = new ChannelOf(connection, array.header());
    Filled filled = straight.take(from);
    try {
      onArray(connection, array, filled, starts.remove(from));
    } finally {
      if (filled != null) {
        straight.end(filled);
      }
    }
  }

  private void onArray(
      Connection connection, ReceivedArray array, @Nullable Filled filled, @Nullable Long start)
      throws IOException {
    long nanos = start == null ? 0 : System.nanoTime() - start;
    if (begun.incrementAndGet() > limit) {
      begun.decrementAndGet();
      throw refusal();
    }
    long number = numbers.incrementAndGet();
    NpyHeader header = filled == null ? NpyAttributes.header(array.header()) : filled.header();
    Path file;
    try {
      file = write(number, array, header, filled);
    } catch (IOException | RuntimeException e) {
      begun.decrementAndGet();
      throw failed(connection, e);
    }
    report.received(
        number,
        connection,
        array,
        header,
        filled == null ? 0 : filled.already(),
        nanos,
        file,
        store.withoutFile());
    if (done.incrementAndGet() == limit) {
      end.complete(null);
    }
  }

  private @Nullable Path write(
      long number, ReceivedArray array, NpyHeader header, @Nullable Filled filled)
      throws IOException {
    Map<String, String> metadata = array.header().attributes().metadata();
    String sha256 = metadata.get(ElementDigest.KEY);
    return filled != null
        ? store.finish(filled.writing(), number, sha256)
        : store.write(number, store.nameIn(metadata), sha256, header, array.slice());
  }

  /** A failure to write a file, as its sender is told. */
  private ArraywireException failed(Connection connection, Exception e) {
    if (e instanceof RefusedNameException refused) {
      // A peer's choice of name ends nothing for others.
      complain.accept(connection, refused);
      return refused.forPeer();
    }
    if (e instanceof FullDiskException full) {
      // One that is too large for the disk ends nothing for others.
      complain.accept(connection, full);
      return ArraywireException.refusal(full.wordsForPeer());
    }
    if (e instanceof UnwritableException unwritable && unwritable.isForLongName()) {
      // A peer's choice, too: others are short, or were tried before anybody could connect.
      complain.accept(connection, unwritable);
      return unwritable.forPeer();
    }
    if (!stopping) {
      // The directory is gone, or the name taken: nothing that comes after would fare better.
      end.completeExceptionally(e);
    }
    return e instanceof UnwritableException unwritable
        ? unwritable.forPeer()
        : ArraywireException.refusal("the receiver cannot write the array");
  }

  private ArraywireException refusal() {
    return ArraywireException.refusal(
        "the receiver has all the arrays it was asked for", "count", limit);
  }

  @Override
  public void onClosed(Connection connection, @Nullable ArraywireException cause) {
    boolean sender = senders.remove(connection);
    starts.keySet().removeIf(from -> from.connection().equals(connection));
    IOException why = cause == null ? null : straight.explain(connection, cause);
    straight.drop(connection);
    desk.drop(connection);
    if (cause == null || why == null || stopping || end.isDone()) {
      return;
    }
    if (limit != Long.MAX_VALUE && (sender || isWrongPlainStream(connection, cause))) {
      // One of the arrays that were asked for will not come. A stranger that began none had none.
      end.completeExceptionally(why);
    } else {
      complain.accept(connection, why);
    }
  }

  /** In plain mode there is no handshake by which strangers show themselves. */
  private static boolean isWrongPlainStream(Connection connection, ArraywireException cause) {
    try {
      return connection.agreement().plain() && !ErrorCode.CONNECTION_RESET.isOf(cause);
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
