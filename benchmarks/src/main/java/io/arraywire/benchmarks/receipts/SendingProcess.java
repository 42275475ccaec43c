package io.arraywire.benchmarks.receipts;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.TransportObserver;
import io.arraywire.benchmarks.HeapAllocations;
import io.arraywire.examples.process.CommandLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The child process that sends.
 *
 * <pre>
 * connect PATH PORT MEETING              two connections, of which the second is observed
 * round WHICH WAY ELEMENTS BURST BURSTS  sends; answers with what that cost
 * </pre>
 */
final class SendingProcess implements CommandLoop.Commands {
  /** The connection without an observer, and the one with. */
  static final int UNOBSERVED = 0;

  static final int OBSERVED = 1;

  private static final int PAUSE_NANOS = 20_000;

  private final Tally tally = new Tally();
  private final Tally observed = new Tally();
  private final Connection[] connections = new Connection[2];
  private final CompletableFuture<?>[] stages = new CompletableFuture<?>[Workload.MOST];
  private @Nullable Rendezvous meeting;
  private float[] source = {};

  private SendingProcess() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    new CommandLoop().serve(new SendingProcess());
  }

  @Override
  public String[] run(String[] words) throws Exception {
    switch (words[0]) {
      case "connect" -> {
        connect(Route.named(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
        return new String[0];
      }
      case "round" -> {
        Workload workload =
            new Workload(
                Integer.parseInt(words[3]), Integer.parseInt(words[4]), Integer.parseInt(words[5]));
        return round(Integer.parseInt(words[1]), Way.of(words[2]), workload);
      }
      default -> throw new IllegalArgumentException("no such command (command=" + words[0] + ")");
    }
  }

  private void connect(Route route, int port, int meetingPort) throws Exception {
    int most = route.workloads().stream().mapToInt(Workload::elements).max().orElseThrow();
    source = ReceivingProcess.elements(most);
    TransportObserver observer =
        new TransportObserver() {
          @Override
          public void arraySent(Connection connection, ArrayHeader header, Receipt receipt) {
            observed.add(receipt);
          }
        };
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    connections[UNOBSERVED] = route.transport(null).connect(address);
    connections[OBSERVED] = route.transport(observer).connect(address);
    meeting = Rendezvous.connect(meetingPort);
  }

  private String[] round(int which, Way way, Workload workload) throws Exception {
    Connection connection = connections[which];
    Rendezvous with = meeting;
    if (with == null) {
      throw new IllegalStateException("not connected");
    }
    ArraySlice slice = ArraySlice.of(source, 0, workload.elements());
    boolean isObserved = way == Way.OFFER && which == OBSERVED;
    observed.clear();
    with.await();
    // Not counted: what the first arrays leave behind is about what the last ones do.
    burst(connection, way, slice, workload.burst());
    with.await();
    if (isObserved) {
      awaitObserved(workload.burst());
    }
    tally.clear();
    observed.clear();
    long before = HeapAllocations.bytes();
    for (int i = 0; i < workload.bursts(); i++) {
      burst(connection, way, slice, workload.burst());
      with.await();
    }
    long allocated = HeapAllocations.bytes() - before;
    if (isObserved) {
      awaitObserved(workload.arrays());
      return observed.words(allocated);
    }
    return tally.words(allocated);
  }

  /** The observer may hear of an array after the far side has it. */
  private void awaitObserved(int arrays) {
    while (observed.arrays() < arrays) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void burst(Connection connection, Way way, ArraySlice slice, int arrays)
      throws Exception {
    SendOptions options =
        connection.agreement().plain() ? SendOptions.handedOff() : SendOptions.processed();
    for (int i = 0; i < arrays; i++) {
      switch (way) {
        case SEND -> tally.add(connection.send(slice));
        case SEND_ASYNC -> stages[i] = connection.sendAsync(slice, options).toCompletableFuture();
        case OFFER -> {
          OfferStatus status = connection.offer(slice);
          if (status != OfferStatus.ACCEPTED) {
            throw new IllegalStateException("not accepted (status=" + status + ")");
          }
          tally.addUnknown();
        }
      }
    }
    if (way == Way.SEND_ASYNC) {
      for (int i = 0; i < arrays; i++) {
        while (!stages[i].isDone()) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
        tally.add((Receipt) stages[i].get());
      }
    }
  }
}
