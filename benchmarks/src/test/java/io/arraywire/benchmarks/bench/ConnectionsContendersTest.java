package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every contender moves every bit over every connection, at sizes that no buffer is a multiple of.
 */
class ConnectionsContendersTest {
  private static final int CONNECTIONS = 3;
  private static final int[] COUNTS = {1, 16, 16_381, 65_535, 300_001};

  /** Not virtual threads where there are none, which {@code bench} says. */
  static List<String> names() {
    return ConnectionsContenders.all().stream()
        .filter(each -> each.unavailable(CONNECTIONS) == null)
        .map(Participant::name)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("names")
  void arraysArriveBitByBit(String name) throws Exception {
    ConnectionsContender contender = ConnectionsContenders.named(name);
    float[][] sources = ConnectionsSenderProcess.sources(CONNECTIONS, 300_001);
    Targets targets = new Targets(CONNECTIONS, 300_001);
    long sent = 0;
    try (ConnectionsContender.Receiver receiver = contender.listen(targets);
        ConnectionsContender.Sender sender = contender.connect(receiver.port(), sources)) {
      for (int count : COUNTS) {
        targets.spoil();
        ClosedLoops loops = new ClosedLoops(CONNECTIONS, System::nanoTime, 1_000_000);
        run(sender, count, loops);
        sent += loops.burst(Expense.NONE).sent();
        assertThat(targets.await(sent)).isEqualTo(sent);
        assertThat(targets.checksums(count)).isEqualTo(Elements.checksums(sources, count));
      }
    }
  }

  private static void run(ConnectionsContender.Sender sender, int count, ClosedLoops loops)
      throws Exception {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread thread =
        new Thread(() -> {
          try {
            sender.run(count, loops);
            end.complete(null);
          } catch (Exception e) {
            end.completeExceptionally(e);
          }
        });
    thread.setDaemon(true);
    thread.start();
    end.get(60, TimeUnit.SECONDS);
  }

  @Test
  void connectionsSendDifferentArrays() {
    float[][] sources = ConnectionsSenderProcess.sources(CONNECTIONS, 1);
    assertThat(Elements.checksums(sources, 1)).doesNotHaveDuplicates();
  }

  @Test
  void aThreadForEachOfManyConnectionsWantsVirtualThreads() {
    assertThat(ThreadPerConnection.unavailable(100, false)).isNull();
    assertThat(ThreadPerConnection.unavailable(101, false)).contains("connections=101", "most=100");
    assertThat(ThreadPerConnection.unavailable(1000, true)).isNull();
    assertThat(ConnectionThreads.virtual()).isEqualTo(Runtime.version().feature() >= 21);
  }

  @Test
  void plainSocketsHaveThreadsForAThousandConnections() {
    JdkThreadPerConnection threads = new JdkThreadPerConnection(false);
    assertThat(threads.unavailable(1000)).isNull();
    assertThat(threads.unavailable(1001)).contains("connections=1001", "most=1000");
    assertThat(new JdkThreadPerConnection(true).unavailable(1) == null)
        .isEqualTo(Runtime.version().feature() >= 21);
  }
}
