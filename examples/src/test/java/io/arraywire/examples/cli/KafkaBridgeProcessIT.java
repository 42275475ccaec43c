package io.arraywire.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.Subscription;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.chaos.broker.TestBroker;
import io.arraywire.examples.CliProcess;
import io.arraywire.nio.NioTransport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both bridges and the broker, each a process of its own, as an operator runs them. */
@Timeout(180)
@Tag("ci")
@Tag("newest")
class KafkaBridgeProcessIT {
  private static final int BEFORE = 20;
  private static final int MEANWHILE = 220;
  private static final int ALL = 260;

  /** What a process that SIGTERM ended exits with. */
  private static final int TERMINATED = 128 + 15;

  private static CliProcess bridge(String command, TestBroker broker) throws Exception {
    return CliProcess.arraywire(
        command, "--listen", "localhost:0", "--brokers", broker.address(), "--topic", "features");
  }

  /** Notes how a connection ended: empty after a goodbye. */
  private static final class Ending implements ArrayHandler {
    private final CompletableFuture<Optional<ArraywireException>> ended = new CompletableFuture<>();

    @Override
    public void onArray(Connection from, ReceivedArray array) {}

    @Override
    public void onClosed(Connection from, @Nullable ArraywireException cause) {
      ended.complete(Optional.ofNullable(cause));
    }
  }

  @Test
  void bothBridgesOutliveABrokerThatIsKilledAndSayGoodbyeToTheirPeers(@TempDir Path dir)
      throws Exception {
    try (TestBroker broker = TestBroker.startProcess(dir)) {
      broker.create("features");
      try (CliProcess sink = bridge("to-kafka", broker);
          CliProcess source = bridge("from-kafka", broker);
          Transport transport = NioTransport.create(TransportOptions.defaults())) {
        Ending ofSender = new Ending();
        Ending ofReader = new Ending();
        Connection sender = transport.connect(Transport.address(sink.awaitListening()), ofSender);
        Connection reader = transport.connect(Transport.address(source.awaitListening()), ofReader);
        Subscription all = reader.subscribe("all");
        assertThat(KafkaBridgeIT.from(reader, "all", "beginning")).isZero();
        acknowledged(KafkaBridgeIT.send(sender, 0, BEFORE));
        inOrder(all, 0, BEFORE);
        List<CompletableFuture<Receipt>> sent =
            new ArrayList<>(KafkaBridgeIT.send(sender, BEFORE, MEANWHILE));
        broker.kill();
        assertThat(sent.get(sent.size() - 1)).as("some were in flight").isNotDone();
        sent.addAll(KafkaBridgeIT.send(sender, MEANWHILE, ALL));
        broker.startAgain();
        acknowledged(sent);
        // The same subscription, which nobody has begun again.
        inOrder(all, BEFORE, ALL);
        ended(sink, ofSender);
        ended(source, ofReader);
      }
    }
  }

  private static void acknowledged(List<CompletableFuture<Receipt>> sent) throws Exception {
    for (CompletableFuture<Receipt> each : sent) {
      each.get(90, TimeUnit.SECONDS);
    }
  }

  private static void inOrder(Subscription subscription, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      ReceivedArray next = subscription.receive(Duration.ofSeconds(60));
      assertThat(next).isNotNull();
      assertThat(next.tag()).as("once each, in order").isEqualTo(i);
    }
  }

  private static void ended(CliProcess bridge, Ending peer) throws Exception {
    bridge.signal("TERM");
    assertThat(peer.ended.get(60, TimeUnit.SECONDS)).as("a goodbye").isEmpty();
    assertThat(bridge.awaitExit()).as("%s", bridge).isEqualTo(TERMINATED);
  }
}
