package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.TransportCounters;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the JDK Flight Recorder records of a connection, without any option of ours. */
class FlightRecorderTest {
  @TempDir private Path directory;

  /** Refuses what has the tag 2, and waits with what has the tag 3. */
  private static final class Handler implements ArrayHandler {
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public void onArray(Connection from, ReceivedArray array) throws Exception {
      if (array.tag() == 2) {
        throw new IllegalStateException("not today");
      } else if (array.tag() == 3) {
        goOn.await();
      }
    }
  }

  /** Takes its time on the event loop. */
  private static void handleSlowly() {
    long end = System.nanoTime() + Duration.ofMillis(15).toNanos();
    while (end - System.nanoTime() > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aHandlerThatHoldsUpTheEventLoopIsRecorded() throws Exception {
    Path file = directory.resolve("held.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("io.arraywire.LoopHeld").withoutThreshold();
      recording.start();
      try (InMemoryTransport transport = InMemoryTransport.create(TransportOptions.defaults());
          Listener listener =
              transport.listen(
                  MemoryAddress.free(),
                  Handlers.ofArrays((from, array) -> handleSlowly()).onLoop());
          Connection connection = transport.connect(listener.address())) {
        connection.send(new float[1], SendOptions.processed());
      }
      recording.dump(file);
    }
    List<RecordedEvent> held = named(RecordingFile.readAllEvents(file), "LoopHeld");
    assertThat(held).hasSize(1);
    assertThat(held.get(0).getDuration("held")).isGreaterThan(Duration.ofMillis(14));
    assertThat(held.get(0).getString("code")).contains("FlightRecorderTest").contains("channel 0");
  }

  @Test
  void aTransferIsRecorded() throws Exception {
    Path file = directory.resolve("arraywire.jfr");
    TransportCounters there = TransportCounters.create();
    try (Recording recording = new Recording()) {
      for (String event :
          List.of(
              "Connection",
              "ArraySent",
              "ArrayReceived",
              "ArrayAcknowledged",
              "ArrayRejected",
              "BackPressure",
              "Error")) {
        recording.enable("io.arraywire." + event).withoutThreshold();
      }
      recording.start();
      transfer(there);
      recording.dump(file);
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);

    assertThat(named(events, "ArraySent")).hasSize(4);
    RecordedEvent sent = named(events, "ArraySent").get(0);
    assertThat(sent.getLong("tag")).isEqualTo(1);
    assertThat(sent.getInt("channel")).isEqualTo(5);
    assertThat(sent.getLong("sequence")).isEqualTo(1);
    assertThat(sent.getString("elementType")).isEqualTo("float");
    assertThat(sent.getInt("elements")).isEqualTo(100);
    assertThat(sent.getLong("wireBytes")).isGreaterThan(400);
    assertThat(sent.getString("peer")).startsWith("memory:");

    // The other ends' observer is not what records.
    assertThat(named(events, "ArrayReceived")).extracting(each -> each.getLong("tag")).contains(1L);
    assertThat(named(events, "ArrayAcknowledged"))
        .extracting(each -> each.getLong("tag"))
        .contains(1L)
        .doesNotContain(2L);
    assertThat(named(events, "ArrayAcknowledged"))
        .allMatch(each -> each.getDuration("acknowledgedAfter").toNanos() > 0);
    assertThat(named(events, "ArrayRejected"))
        .extracting(each -> each.getBoolean("byPeer"))
        .containsExactlyInAnyOrder(true, false);
    assertThat(named(events, "ArrayRejected").get(0).getString("reason")).contains("not today");
    assertThat(named(events, "BackPressure"))
        .isNotEmpty()
        .allMatch(each -> each.getInt("channel") == 5)
        .allMatch(each -> each.getString("cause").equals("CREDIT"))
        .allMatch(each -> each.getDuration().toNanos() > 0);
    assertThat(named(events, "Connection"))
        .hasSize(2)
        .allMatch(each -> each.getDuration().toNanos() > 0)
        .allMatch(each -> each.getString("cause") == null)
        .allMatch(each -> each.getString("encoding").equals("raw-le"));
    assertThat(named(events, "Error")).isEmpty();
  }

  private static void transfer(TransportCounters there) throws Exception {
    Handler handler = new Handler();
    try (InMemoryTransport receiver =
            InMemoryTransport.create(
                TransportOptions.builder().observer(there).inboxBytes(8 << 10).build());
        InMemoryTransport sender = InMemoryTransport.create(TransportOptions.defaults());
        Listener listener = receiver.listen(MemoryAddress.free(), handler)) {
      Connection connection = sender.connect(listener.address());
      var unused =
          connection.channel(5).send(ArraySlice.of(new float[100]), SendOptions.processed().tag(1));
      CompletionStage<?> refused =
          connection
              .channel(5)
              .sendAsync(ArraySlice.of(new float[100]), SendOptions.processed().tag(2));
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> refused.toCompletableFuture().isDone());
      connection.channel(5).sendAsync(ArraySlice.of(new byte[1]), SendOptions.processed().tag(3));
      CompletionStage<?> heldUp =
          connection
              .channel(5)
              .sendAsync(ArraySlice.of(new byte[1 << 20]), SendOptions.processed().tag(4));
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> connection.describe().contains("channel 5 waits for credit"));
      handler.goOn.countDown();
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> heldUp.toCompletableFuture().isDone());
      connection.close();
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> there.connections().isEmpty());
    }
  }

  private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
    return events.stream()
        .filter(each -> each.getEventType().getName().equals("io.arraywire." + name))
        .toList();
  }
}
