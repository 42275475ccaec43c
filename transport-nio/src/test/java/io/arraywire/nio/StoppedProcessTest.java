package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that stand still in the middle of a stream and go on: SIGSTOP for what a long pause of
 * the garbage collector, a debugger or a suspended machine does.
 */
@Tag("slow")
class StoppedProcessTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** How long a process stands still at least: longer than its peer waits for a heartbeat. */
  private static final Duration STOPPED = Duration.ofSeconds(20);

  private static final Duration HEARTBEATS = Duration.ofSeconds(6);

  private static final List<String> HERE = List.of();
  private static final String LOOPBACK = "address=127.0.0.1:0";
  private static final String SESSION = "sessionMillis=" + PATIENCE.toMillis();

  /** Said of connections without a session, too. */
  private static final String BLAME = "connection failed: nothing was heard of the peer";

  private static final String GOES_ON = "a session goes on over another connection";

  @TempDir Path directory;

  @Test
  void whatAStoppedReceiverGetsAgainIsNotDeliveredAgain() throws Exception {
    assertNothingComesAgain(DeliveryPrograms.of(directory, SESSION));
  }

  @Test
  @Tag("variant")
  void overTlsWhatAStoppedReceiverGetsAgainIsNotDeliveredAgain() throws Exception {
    assertNothingComesAgain(DeliveryPrograms.of(directory, SESSION).overTls());
  }

  private static void assertNothingComesAgain(DeliveryPrograms started) throws Exception {
    try (DeliveryPrograms programs = started) {
      DeliveryProgram receiver = programs.receiver(HERE, LOOPBACK);
      DeliveryProgram sender = sender(programs, receiver, Duration.ofSeconds(30));
      standStill(receiver, sender);
      programs.assertEverythingArrived(sender, receiver, PATIENCE);
      assertThat(sender.words()).content().contains(BLAME, GOES_ON);
      assertThat(receiver.words()).content().contains(GOES_ON).doesNotContain(BLAME);
    }
  }

  @Test
  void aStoppedSenderGoesOnWhereItWas() throws Exception {
    try (DeliveryPrograms programs = DeliveryPrograms.of(directory, SESSION)) {
      DeliveryProgram receiver = programs.receiver(HERE, LOOPBACK);
      DeliveryProgram sender = sender(programs, receiver, Duration.ofSeconds(30));
      standStill(sender, receiver);
      programs.assertEverythingArrived(sender, receiver, PATIENCE);
      assertThat(receiver.words()).content().contains(BLAME, GOES_ON);
      assertThat(sender.words()).content().contains(GOES_ON).doesNotContain(BLAME);
    }
  }

  @Test
  void aSenderDoesNotBlameItsPeerForItsOwnPause() throws Exception {
    assertItDoesNotBlameItsPeer(DeliveryPrograms.of(directory, "heartbeatMillis=1000"));
  }

  @Test
  @Tag("variant")
  void overTlsASenderDoesNotBlameItsPeerForItsOwnPause() throws Exception {
    assertItDoesNotBlameItsPeer(DeliveryPrograms.of(directory, "heartbeatMillis=1000").overTls());
  }

  private static void assertItDoesNotBlameItsPeer(DeliveryPrograms started) throws Exception {
    // No session: were the connection lost, the sender would have made another and said so.
    try (DeliveryPrograms programs = started) {
      DeliveryProgram receiver =
          programs.receiver(HERE, LOOPBACK, "heartbeatTimeoutMillis=" + PATIENCE.toMillis());
      DeliveryProgram sender =
          sender(
              programs,
              receiver,
              Duration.ofSeconds(19),
              "heartbeatTimeoutMillis=" + HEARTBEATS.toMillis());
      // The peer falls silent before, so that nothing was heard when the sender last looked, and
      // what comes meanwhile lies in the socket, not yet read, when it looks again.
      receiver.stop();
      sender.awaitStandstill(HEARTBEATS);
      sender.stop();
      receiver.goOn();
      // How long it stands still is the fault, not a wait for something.
      TimeUnit.NANOSECONDS.sleep(HEARTBEATS.multipliedBy(2).toNanos());
      sender.goOn();
      String summary = programs.assertEverythingArrived(sender, receiver, PATIENCE);
      assertThat(summary).contains("sessions=1,", "lastFailure=null");
      assertThat(sender.words()).content().doesNotContain(BLAME);
    }
  }

  /** Stops one until its peer has noticed, and for {@link #STOPPED} at least. */
  private static void standStill(DeliveryProgram stopped, DeliveryProgram peer) throws Exception {
    stopped.stop();
    long begin = System.nanoTime();
    await().atMost(PATIENCE).until(() -> Files.readString(peer.words()).contains(BLAME));
    // How long it stands still is the fault, not a wait for something.
    TimeUnit.NANOSECONDS.sleep(STOPPED.toNanos() - (System.nanoTime() - begin));
    stopped.goOn();
  }

  /** A sender that has sent for a while. */
  private static DeliveryProgram sender(
      DeliveryPrograms programs, DeliveryProgram receiver, Duration time, String... more)
      throws Exception {
    String[] arguments = new String[more.length + 5];
    arguments[0] = "address=" + receiver.listening();
    arguments[1] = "sender=0";
    arguments[2] = "millis=" + time.toMillis();
    // Neither may be what ends a send: what is stopped goes on.
    arguments[3] = "sendTimeoutMillis=" + PATIENCE.toMillis();
    arguments[4] = "patienceMillis=" + PATIENCE.toMillis();
    System.arraycopy(more, 0, arguments, 5, more.length);
    DeliveryProgram sender = programs.sender(HERE, arguments);
    await().atMost(PATIENCE).until(() -> sender.acknowledged() > 500);
    return sender;
  }
}
