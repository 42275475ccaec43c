package io.arraywire.chaos.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was logged comes back, whatever became of the process that logged. */
final class FileDeliveryLogTest {
  private static final DeliveryStream STREAM = new DeliveryStream(-1, 7, 255);
  private static final List<String> EVENTS =
      List.of(
          "INVOKE sender=-1, session=7, channel=255 9223372036854775807 -1",
          "OK sender=-1, session=7, channel=255 9223372036854775807 0",
          "INVOKE sender=1, session=2, channel=3 4 5",
          "UNKNOWN sender=1, session=2, channel=3 4 0",
          "FAILED sender=1, session=2, channel=3 5 0",
          "DELIVERED sender=-1, session=7, channel=255 9223372036854775807 -9223372036854775808");

  @TempDir Path folder;
  private Path file;
  private byte[] whole;

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("log");
    DeliveryStream other = new DeliveryStream(1, 2, 3);
    try (FileDeliveryLog log = FileDeliveryLog.create(file)) {
      log.invoke(STREAM, Long.MAX_VALUE, -1);
      log.ok(STREAM, Long.MAX_VALUE);
      log.invoke(other, 4, 5);
      log.unknown(other, 4);
      log.failed(other, 5);
      log.delivered(STREAM, Long.MAX_VALUE, Long.MIN_VALUE);
      // Nothing waits to be flushed.
      whole = Files.readAllBytes(file);
    }
  }

  private List<String> replay() throws IOException {
    List<String> events = new ArrayList<>();
    long records =
        FileDeliveryLog.replay(
            file,
            (event, stream, sequence, hash) ->
                events.add(event + " " + stream + " " + sequence + " " + hash));
    assertThat(records).isEqualTo(events.size());
    return events;
  }

  @Test
  void everythingComesBackInOrder() throws IOException {
    assertThat(replay()).isEqualTo(EVENTS);
  }

  @Test
  void aLogCutAnywhereGivesItsWholeRecords() throws IOException {
    int recordBytes = whole.length / EVENTS.size();
    for (int length = 0; length <= whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThat(replay()).isEqualTo(EVENTS.subList(0, length / recordBytes));
    }
  }

  @Test
  void aFlippedBitIsSeen() throws IOException {
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, damaged);
      int record = bit / 8 / (whole.length / EVENTS.size());
      assertThatThrownBy(this::replay)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("a record is damaged")
          .hasMessageContaining("record=" + record + ",");
    }
  }

  @Test
  void aLogIsNotWrittenOver() {
    assertThatThrownBy(() -> FileDeliveryLog.create(file))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void logsOfTwoProcessesMakeOneVerdict() throws IOException {
    Path receiver = folder.resolve("receiver");
    Path sender = folder.resolve("sender");
    DeliveryStream stream = new DeliveryStream(1, 1, 0);
    try (FileDeliveryLog sent = FileDeliveryLog.create(sender);
        FileDeliveryLog received = FileDeliveryLog.create(receiver)) {
      sent.invoke(stream, 1, 10);
      sent.ok(stream, 1);
      sent.invoke(stream, 2, 20);
      received.delivered(stream, 1, 10);
    }
    DeliveryChecker checker = DeliveryChecker.create();
    assertThat(checker.add(receiver)).isEqualTo(1);
    assertThat(checker.add(sender)).isEqualTo(3);
    assertThat(checker.verdict().assertHolds().totals())
        .isEqualTo(new DeliveryTotals(2, 1, 0, 0, 1, 1));
  }

  @Test
  void aProcessThatIsKilledWhileItWritesLeavesALogThatCanBeRead() throws Exception {
    Path log = folder.resolve("killed");
    Process writer =
        new ProcessBuilder(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                log.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Files.exists(log) && Files.size(log) > 100_000);
    } finally {
      writer.destroyForcibly().waitFor();
    }
    DeliveryChecker checker = DeliveryChecker.create();
    long records = checker.add(log);
    DeliveryTotals totals = checker.verdict().totals();
    assertThat(records).isEqualTo(Files.size(log) / (whole.length / EVENTS.size()));
    assertThat(totals.invoked() + totals.unknown()).isEqualTo(records);
    assertThat(totals.withoutOutcome()).isBetween(0L, 1L);
  }

  /** Writes until it is killed. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] args) throws IOException {
      FileDeliveryLog log = FileDeliveryLog.create(Path.of(args[0]));
      for (long sequence = 1; ; sequence++) {
        log.invoke(STREAM, sequence, 0);
        log.unknown(STREAM, sequence);
      }
    }
  }
}
