package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Row 36: the garbage collector stops a process for longer than the process waits for a sign of its
 * peer. The heap holds a chain of millions of objects, and the serial collector goes from each to
 * the next.
 */
@Tag("slow")
@Tag("alone")
class CollectorPauseTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration HEARTBEATS = Duration.ofMillis(1500);

  /** How long the peer may be silent before, so that nobody has a reason to blame it. */
  private static final Duration SILENT = Duration.ofMillis(700);

  private static final Duration SENDING = Duration.ofSeconds(60);
  private static final int BALLAST = Integer.getInteger("arraywire.ballast", 45_000_000);
  private static final int COLLECTIONS = 6;

  /** Long enough for the collector to have begun, and far shorter than it takes. */
  private static final long BEGINS_MILLIS = 200;

  private static final Pattern PAUSE = Pattern.compile("Pause Full \\(System.gc.*? ([0-9.]+)ms");
  private static final String BLAME = "connection failed: nothing was heard of the peer";

  @TempDir Path directory;

  @Test
  void aSenderDoesNotBlameItsPeerForItsOwnCollector() throws Exception {
    Path log = directory.resolve("gc.log");
    // No session: were the connection lost, the sender would have made another and said so.
    try (DeliveryPrograms programs = DeliveryPrograms.of(directory, "heartbeatMillis=100");
        DeliveryPrograms ballasted = programs.with("-Xmx1800m", "-Xlog:gc:file=" + log)) {
      DeliveryProgram receiver =
          programs.receiver(
              List.of(), "address=127.0.0.1:0", "heartbeatTimeoutMillis=" + PATIENCE.toMillis());
      DeliveryProgram sender =
          ballasted.sender(
              BallastedSender.class,
              "ballast=" + BALLAST,
              "address=" + receiver.listening(),
              "sender=0",
              "millis=" + SENDING.toMillis(),
              "heartbeatTimeoutMillis=" + HEARTBEATS.toMillis(),
              "sendTimeoutMillis=" + PATIENCE.toMillis(),
              "patienceMillis=" + PATIENCE.toMillis());
      await().atMost(PATIENCE).until(() -> sender.acknowledged() > 500);
      int collections = 0;
      while (collections < COLLECTIONS) {
        long before = sender.acknowledged();
        // The peer falls silent, so that nothing was heard when the sender last looked; and what
        // comes meanwhile lies in the socket, not yet read, when it looks again.
        receiver.stop();
        if (standsStill(sender)) {
          sender.process().getOutputStream().write('\n');
          sender.process().getOutputStream().flush();
          TimeUnit.MILLISECONDS.sleep(BEGINS_MILLIS);
          collections++;
        }
        receiver.goOn();
        await().atMost(PATIENCE).until(() -> sender.acknowledged() > before);
      }
      sender.awaitEnd(PATIENCE);
      String summary = sender.line();
      receiver.end();
      System.out.println(summary + ", pauses of " + pauses(log));
      assertThat(pauses(log))
          .as("pauses; if they are not longer than heartbeatTimeout, raise -Darraywire.ballast")
          .hasSizeGreaterThanOrEqualTo(COLLECTIONS)
          .allMatch(pause -> pause.compareTo(HEARTBEATS) > 0);
      assertThat(summary).contains("sessions=1,", "lastFailure=null");
      assertThat(sender.words()).content().doesNotContain(BLAME);
    }
  }

  /** Whether all that was in flight is done with soon; on a busy machine perhaps the next time. */
  private static boolean standsStill(DeliveryProgram sender) {
    try {
      sender.awaitStandstill(SILENT);
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  /** How long all threads stood still, each time. */
  private static List<Duration> pauses(Path log) throws IOException {
    Matcher found = PAUSE.matcher(Files.readString(log));
    List<Duration> all = new ArrayList<>();
    while (found.find()) {
      double millis = Double.parseDouble(found.group(1));
      all.add(Duration.ofNanos((long) (millis * TimeUnit.MILLISECONDS.toNanos(1))));
    }
    return all;
  }
}
