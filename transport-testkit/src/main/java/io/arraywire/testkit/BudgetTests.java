package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.OfferStatus;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportCounters;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What slow receivers and fast senders may take of memory, measured. */
interface BudgetTests {
  int SLOW_CONNECTIONS = 8;
  int CHANNELS = 4;
  int ELEMENTS = 10_000;

  /** What such an array costs of a budget. */
  long COST = (long) ELEMENTS * Float.BYTES + FrameLayout.ARRAY_COST;

  int CHUNK = 16 << 10;
  int SEND_QUEUE = 256 << 10;
  int INBOX = 256 << 10;
  int CONNECTION_INBOX = 512 << 10;

  /** Arrays that a handler has in hand, one for each channel, are beside the budget. */
  long MOST_WAITING = CONNECTION_INBOX + CHANNELS * COST;

  /** The queues of the sender, and what the receiver takes before its handlers are done. */
  long MOST_ACCEPTED = CHANNELS * SEND_QUEUE + MOST_WAITING;

  /** What a connection moves bytes with: a batch with its headers, and a window it has kept. */
  long MOST_STAGING = (512 << 10) + (4 << 10) + (256 << 10);

  /** What belongs to the threads of a transport and not to its connections. */
  long MOST_OF_TRANSPORT = 2 << 20;

  /** What the JVM, the test and the pools beneath keep. */
  long MARGIN = 8 << 20;

  long SLOW = 1;

  TransportStage stage();

  @Test
  default void slowHandlersStopTheirSendersWithinTheBudgetsAndNobodyElse() throws Exception {
    PeakPool herePool = PeakPool.over(stage().pool());
    PeakPool therePool = PeakPool.over(stage().pool());
    TransportCounters counters = TransportCounters.create();
    CountDownLatch letGo = new CountDownLatch(1);
    AtomicInteger handled = new AtomicInteger();
    ArrayHandler handler =
        (from, array) -> {
          if (array.tag() == SLOW) {
            letGo.await();
            handled.incrementAndGet();
          }
        };
    Listener listener =
        stage()
            .transport(options -> budgets(options).memoryPool(therePool).observer(counters))
            .listen(stage().address(), handler);
    Transport here = stage().transport(options -> budgets(options).memoryPool(herePool));
    Connection lively = here.connect(listener.address());
    List<Connection> slow = new ArrayList<>();
    for (int i = 0; i < SLOW_CONNECTIONS; i++) {
      slow.add(here.connect(listener.address()));
    }
    exchange(lively);
    long heapBefore = liveHeap();

    AtomicBoolean over = new AtomicBoolean();
    stage()
        .closing(() -> {
          over.set(true);
          letGo.countDown();
        });
    MostWaiting mostWaiting = new MostWaiting();
    Running<Void> watch =
        Running.start(() -> {
          while (!over.get()) {
            mostWaiting.look(counters);
            LockSupport.parkNanos(100_000);
          }
          return null;
        });
    List<FastSender> senders = slow.stream().map(each -> new FastSender(each, over)).toList();
    List<Running<Void>> sending = senders.stream().map(each -> Running.start(each::run)).toList();
    Eventually.until(
        () -> "all senders are refused: " + senders,
        () -> senders.stream().allMatch(FastSender::isRefused));
    Eventually.until(
        () -> "the budgets are used: " + counters.connections(),
        () ->
            counters.connections().stream()
                    .filter(each -> each.load().waitingBytes() >= CONNECTION_INBOX / 2)
                    .count()
                == SLOW_CONNECTIONS);
    exchange(lively);
    long heapBudget =
        SLOW_CONNECTIONS * (MOST_WAITING + CHANNELS * COST)
            + herePool.peak()
            + therePool.peak()
            + MARGIN;
    assertAll(
        () ->
            assertThat(senders)
                .as("what each sender got rid of")
                .allMatch(each -> each.accepted.get() * COST <= MOST_ACCEPTED),
        () ->
            assertThat(mostWaiting.ofOne)
                .as("bytes that waited for a handler of one connection")
                .isLessThanOrEqualTo(MOST_WAITING),
        () ->
            assertThat(mostWaiting.ofAll)
                .as("bytes that waited for handlers of all connections")
                .isLessThanOrEqualTo((SLOW_CONNECTIONS + 1) * MOST_WAITING),
        () ->
            assertThat(herePool.peak())
                .as("pooled memory of the senders")
                .isLessThanOrEqualTo(
                    (SLOW_CONNECTIONS + 1) * (MOST_STAGING + (long) CHANNELS * SEND_QUEUE)
                        + MOST_OF_TRANSPORT),
        () ->
            assertThat(therePool.peak())
                .as("pooled memory of the receivers")
                .isLessThanOrEqualTo((SLOW_CONNECTIONS + 1) * MOST_STAGING + MOST_OF_TRANSPORT),
        // The senders go on making garbage, and the collector need not find all of it.
        () ->
            Eventually.until(
                "the heap that is in use beside what was before is at most " + heapBudget,
                () -> liveHeap() - heapBefore <= heapBudget));

    over.set(true);
    for (Running<Void> each : sending) {
      each.get();
    }
    watch.get();
    letGo.countDown();
    int accepted = senders.stream().mapToInt(each -> each.accepted.get()).sum();
    Eventually.until(
        () -> "all that was accepted is handled: " + handled + " of " + accepted,
        () -> handled.get() == accepted);
  }

  private static TransportOptions.Builder budgets(TransportOptions.Builder options) {
    return options
        .chunkBytes(CHUNK)
        .sendQueueBytes(SEND_QUEUE)
        .inboxBytes(INBOX)
        .connectionInboxBytes(CONNECTION_INBOX);
  }

  /** Somebody else's arrays, small ones and one of several chunks. */
  private static void exchange(Connection lively) throws Exception {
    for (int i = 0; i < 200; i++) {
      lively.send(ArraySlice.of(new int[i]), SendOptions.processed());
    }
    lively.send(ArraySlice.of(new int[ELEMENTS]), SendOptions.processed());
  }

  /** Heap in use when all that can be freed is. */
  private static long liveHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** The most that ever waited, of those times at which somebody looked. One thread. */
  final class MostWaiting {
    private volatile long ofOne;
    private volatile long ofAll;

    private void look(TransportCounters counters) {
      long all = 0;
      for (Connection connection : counters.connections()) {
        long one = connection.load().waitingBytes();
        ofOne = Math.max(ofOne, one);
        all += one;
      }
      ofAll = Math.max(ofAll, all);
    }
  }

  /** Offers arrays on all channels of a connection, without an end. */
  final class FastSender {
    /** Rounds in which no channel took an array: now it is the credit that is used up. */
    private static final int REFUSED_ROUNDS = 100;

    private final Connection connection;
    private final ArraySlice array = ArraySlice.of(new float[ELEMENTS]);
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger refusedRounds = new AtomicInteger();
    private final AtomicBoolean over;

    private FastSender(Connection connection, AtomicBoolean over) {
      this.connection = connection;
      this.over = over;
    }

    private Void run() throws Exception {
      while (!over.get()) {
        boolean any = false;
        for (int id = 0; id < CHANNELS; id++) {
          OfferStatus status =
              connection.channel(id).offer(array, SendOptions.handedOff().tag(SLOW));
          if (status == OfferStatus.ACCEPTED) {
            any = true;
            accepted.incrementAndGet();
          }
        }
        if (any) {
          refusedRounds.set(0);
        } else {
          refusedRounds.incrementAndGet();
          LockSupport.parkNanos(100_000);
        }
      }
      return null;
    }

    private boolean isRefused() {
      return refusedRounds.get() >= REFUSED_ROUNDS;
    }

    @Override
    public String toString() {
      return "accepted=" + accepted + ", bytes=" + accepted.get() * COST;
    }
  }
}
