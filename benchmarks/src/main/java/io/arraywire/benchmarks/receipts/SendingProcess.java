package io.arraywire.benchmarks.receipts;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.TransportObserver;
import io.arraywire.benchmarks.HeapAllocations;
import io.arraywire.examples.process.CommandLoop;
import io.arraywire.source.ArraySource;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
  private float[] array = {};
  private ByteBuffer direct = ByteBuffer.allocate(0);
  private @Nullable FileChannel file;
  private Route.Memory memory = Route.Memory.ARRAY;

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
    array = ReceivingProcess.elements(most);
    memory = route.memory();
    direct = ByteBuffer.allocateDirect(4 * most).order(ByteOrder.LITTLE_ENDIAN);
    direct.asFloatBuffer().put(array);
    if (memory == Route.Memory.FILE) {
      Path path = Files.createTempFile("arraywire-receipts", ".bin");
      FileChannel channel =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      // Lives as long as the process.
      file = channel;
      while (direct.hasRemaining()) {
        channel.write(direct);
      }
      direct.clear();
    }
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
    ArraySource source = source(workload.elements());
    boolean isObserved = way == Way.OFFER && which == OBSERVED;
    observed.clear();
    with.await();
    // Not counted: what the first arrays leave behind is about what the last ones do.
    burst(connection, way, source, workload.burst());
    with.await();
    if (isObserved) {
      awaitObserved(workload.burst());
    }
    tally.clear();
    observed.clear();
    long before = HeapAllocations.bytes();
    for (int i = 0; i < workload.bursts(); i++) {
      burst(connection, way, source, workload.burst());
      with.await();
    }
    long allocated = HeapAllocations.bytes() - before;
    if (isObserved) {
      awaitObserved(workload.arrays());
      return observed.words(allocated);
    }
    return tally.words(allocated);
  }

  private ArraySource source(int elements) {
    FileChannel channel = file;
    if (channel != null) {
      return ArraySource.file(channel, 0, ElementType.FLOAT, ByteOrder.LITTLE_ENDIAN, elements);
    }
    return memory == Route.Memory.DIRECT_BUFFER
        ? ArraySource.of(direct.limit(4 * elements), ElementType.FLOAT)
        : ArraySlice.of(array, 0, elements);
  }

  /** The observer may hear of an array after the far side has it. */
  private void awaitObserved(int arrays) {
    while (observed.arrays() < arrays) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void burst(Connection connection, Way way, ArraySource source, int arrays)
      throws Exception {
    SendOptions options =
        connection.agreement().plain() ? SendOptions.handedOff() : SendOptions.processed();
    for (int i = 0; i < arrays; i++) {
      switch (way) {
        case SEND -> tally.add(connection.send(source));
        case SEND_ASYNC -> stages[i] = connection.sendAsync(source, options).toCompletableFuture();
        case OFFER -> {
          OfferStatus status = connection.offer(source);
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
