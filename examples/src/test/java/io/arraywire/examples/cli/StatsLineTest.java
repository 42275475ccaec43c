package io.arraywire.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.TransportCounters;
import io.arraywire.TransportCounters.Snapshot;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The line of {@code receive --stats}, at times that the test names. */
class StatsLineTest {
  private static final long SECOND = 1_000_000_000;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final TransportCounters counters = TransportCounters.create();

  private StatsLine line(boolean terminal) {
    PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    return new StatsLine(new Console(stream, stream, terminal), counters, 0);
  }

  private String drawn() {
    String all = err.toString(StandardCharsets.UTF_8);
    err.reset();
    return all;
  }

  /** Two arrays of 4 MB come. */
  private void receive() throws Exception {
    receive(2);
  }

  private void receive(int arrays) throws Exception {
    try (InMemoryTransport receiver =
            InMemoryTransport.create(TransportOptions.builder().observer(counters).build());
        InMemoryTransport sender = InMemoryTransport.create(TransportOptions.defaults());
        Listener listener =
            receiver.listen(MemoryAddress.free(), (ArrayHandler) (from, array) -> {})) {
      long before = counters.counts().arraysReceived();
      Connection connection = sender.connect(listener.address());
      for (int i = 0; i < arrays; i++) {
        var unused = connection.send(ArraySlice.of(new float[1_000_000]), SendOptions.processed());
      }
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> counters.counts().arraysReceived() == before + arrays);
      connection.close();
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> counters.connections().isEmpty());
    }
  }

  @Test
  void throughAPipeThereIsALineEachTime() throws Exception {
    StatsLine line = line(false);
    receive();
    line.show(2 * SECOND);
    assertThat(drawn())
        .isEqualTo(
            "1.00 arrays/s, 4.00 MB/s, 2 arrays, connections 0, waiting 0 (0 bytes)"
                + System.lineSeparator());
    line.show(12 * SECOND);
    assertThat(drawn()).startsWith("0.00 arrays/s, 0.00 MB/s, 2 arrays, ").doesNotContain("\r");
  }

  @Test
  void oneArrayIsOne() throws Exception {
    Snapshot before = counters.snapshot();
    receive(1);
    assertThat(StatsLine.words(before, counters.snapshot(), SECOND)).contains(" MB/s, 1 array, ");
  }

  @Test
  void onATerminalItIsDrawnWhereItStood() throws Exception {
    StatsLine line = line(true);
    receive();
    line.show(SECOND);
    String first = drawn();
    assertThat(first).startsWith("\r2.00 arrays/s, 8.00 MB/s").doesNotContain("\n");
    line.wipe();
    assertThat(drawn()).isEqualTo("\r" + " ".repeat(first.length() - 1) + "\r");
    line.wipe();
    assertThat(drawn()).isEmpty();
    line.close();
    assertThat(drawn()).isEmpty();
    line.start(3600);
    line.close();
    assertThat(drawn()).startsWith("\r").endsWith(System.lineSeparator());
  }
}
