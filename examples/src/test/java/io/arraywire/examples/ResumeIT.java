package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.chaos.proxy.Direction;
import io.arraywire.chaos.proxy.Fault;
import io.arraywire.chaos.proxy.FaultProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code send --resume} after one of the two processes was killed. */
@Timeout(300)
@Tag("ci")
@Tag("newest")
class ResumeIT {
  private static final int COUNT = 4 << 20;
  private static final long BYTES = 4L * COUNT;

  /** Where the network stalls, so that the kill is in the middle on every machine. */
  private static final long STALLS_AT = 6 << 20;

  private static final long KEPT = STALLS_AT - (600 << 10);

  @TempDir Path dir;

  private CliProcess receiver(String transport) throws IOException {
    return CliProcess.arraywire(
        "receive",
        "--transport",
        transport,
        "--listen",
        "localhost:0",
        "--out",
        dir.resolve("got"));
  }

  private static InetSocketAddress address(String listening) {
    return new InetSocketAddress(
        InetAddress.getLoopbackAddress(),
        Integer.parseInt(listening.substring(listening.lastIndexOf(':') + 1)));
  }

  private static FaultProxy stalling(InetSocketAddress to) throws IOException {
    return FaultProxy.to(to)
        .faults(Fault.stall(Direction.TO_TARGET, STALLS_AT, Duration.ofHours(1)))
        .start();
  }

  private static CliProcess sender(FaultProxy to, String transport, Path file) throws IOException {
    return CliProcess.arraywire(
        "send",
        "--resume",
        "--transport",
        transport,
        "--to",
        "localhost:" + to.address().getPort(),
        file);
  }

  private List<Path> parts() throws IOException {
    try (Stream<Path> files = Files.list(dir.resolve("got"))) {
      return files.filter(each -> each.toString().endsWith(".part")).toList();
    }
  }

  private void awaitTheMiddle() {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> parts().size() == 1 && Files.size(parts().get(0)) >= KEPT);
  }

  private void assertTheRestComes(String listening, String transport, Path file) throws Exception {
    try (FaultProxy proxy = FaultProxy.to(address(listening)).start();
        CliProcess again = sender(proxy, transport, file)) {
      assertThat(again.awaitExit()).as(again.toString()).isZero();
      assertThat(again.err()).as(again.toString()).isEmpty();
      assertThat(again.out()).singleElement().asString().contains(" were there) in ");
      assertThat(proxy.bytes(Direction.TO_TARGET)).isLessThan(BYTES - KEPT + 10_000);
    }
    assertThat(dir.resolve("got/big.npy")).hasSameBinaryContentAs(file);
    assertThat(parts()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#nio")
  void killedSender(String transport) throws Exception {
    Path file = NpyFiles.random(dir.resolve("big.npy"), "<f4", COUNT);
    try (CliProcess receiver = receiver(transport)) {
      String listening = receiver.awaitListening();
      try (FaultProxy proxy = stalling(address(listening));
          CliProcess sender = sender(proxy, transport, file)) {
        awaitTheMiddle();
        sender.signal("KILL");
        assertThat(sender.awaitExit()).isEqualTo(137);
      }
      assertTheRestComes(listening, transport, file);
    }
  }

  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#stream")
  void killedReceiver(String transport) throws Exception {
    Path file = NpyFiles.random(dir.resolve("big.npy"), "<f4", COUNT);
    try (CliProcess receiver = receiver(transport);
        FaultProxy proxy = stalling(address(receiver.awaitListening()));
        CliProcess sender = sender(proxy, transport, file)) {
      awaitTheMiddle();
      receiver.signal("KILL");
      assertThat(receiver.awaitExit()).isEqualTo(137);
      // The proxy passes that on once it no longer stalls.
      proxy.resetAll();
      assertThat(sender.awaitExit()).as(sender.toString()).isEqualTo(1);
    }
    try (CliProcess receiver = receiver(transport)) {
      assertTheRestComes(receiver.awaitListening(), transport, file);
    }
  }

  /** Ctrl-C keeps it, too. */
  @Test
  void interruptedReceiver() throws Exception {
    Path file = NpyFiles.random(dir.resolve("big.npy"), "<f4", COUNT);
    try (CliProcess receiver = receiver("nio");
        FaultProxy proxy = stalling(address(receiver.awaitListening()));
        CliProcess sender = sender(proxy, "nio", file)) {
      awaitTheMiddle();
      boolean deaf = CliProcess.deafToInterrupts();
      receiver.signal(deaf ? "TERM" : "INT");
      assertThat(receiver.awaitExit()).as(receiver.toString()).isEqualTo(deaf ? 143 : 130);
      proxy.resetAll();
      assertThat(sender.awaitExit()).as(sender.toString()).isEqualTo(1);
    }
    try (CliProcess receiver = receiver("nio")) {
      assertTheRestComes(receiver.awaitListening(), "nio", file);
    }
  }

  /** Two receivers of one directory: one has what is kept, and the other one says so. */
  @Test
  void anotherProcessDoesNotTakeWhatIsBeingWritten() throws Exception {
    Path file = NpyFiles.random(dir.resolve("big.npy"), "<f4", COUNT);
    try (CliProcess first = receiver("nio");
        CliProcess second = receiver("nio")) {
      String listening = second.awaitListening();
      try (FaultProxy proxy = stalling(address(first.awaitListening()));
          CliProcess slow = sender(proxy, "nio", file);
          FaultProxy free = FaultProxy.to(address(listening)).start()) {
        awaitTheMiddle();
        try (CliProcess waiting = sender(free, "nio", file)) {
          Awaitility.await()
              .atMost(Duration.ofMinutes(1))
              .until(() -> free.bytes(Direction.TO_CLIENT) > 1_000);
          assertThat(waiting.process().isAlive()).as(waiting.toString()).isTrue();
          slow.signal("KILL");
          proxy.resetAll();
          assertThat(waiting.awaitExit()).as(waiting.toString()).isZero();
          assertThat(waiting.out()).singleElement().asString().contains(" were there) in ");
        }
      }
    }
    assertThat(dir.resolve("got/big.npy")).hasSameBinaryContentAs(file);
    assertThat(parts()).isEmpty();
  }

  /** A receiver in Python keeps what came, too, and the command of Java sends it the rest. */
  @Test
  void aReceiverInPython() throws Exception {
    Python.require();
    Path file = NpyFiles.random(dir.resolve("big.npy"), "<f4", COUNT);
    Path source = Path.of("..", "python", "src").toAbsolutePath().normalize();
    try (CliProcess python =
        CliProcess.start(
            Map.of("PYTHONPATH", source.toString(), "PYTHONUNBUFFERED", "1"),
            Python.interpreter(),
            "-m",
            "arraywire",
            "receive",
            "--listen",
            "127.0.0.1:0",
            "--out",
            dir.resolve("got"))) {
      String listening = python.awaitListening();
      try (FaultProxy proxy = stalling(address(listening));
          CliProcess sender = sender(proxy, "nio", file)) {
        awaitTheMiddle();
        sender.signal("KILL");
        assertThat(sender.awaitExit()).isEqualTo(137);
      }
      assertTheRestComes(listening, "nio", file);
    }
  }
}
