package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.examples.cli.Outcome;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What goes wrong between two processes: one line on standard error, the right status, whole files.
 */
@Tag("ci")
@Tag("newest")
class FaultsIT {
  @TempDir Path dir;

  private static Socket connect(String address) throws IOException {
    int colon = address.lastIndexOf(':');
    return new Socket(
        InetAddress.getLoopbackAddress(), Integer.parseInt(address.substring(colon + 1)));
  }

  /** A sender that no signal ends needs no JVM of its own. */
  private static Outcome send(Object... arguments) {
    return Outcome.run(
        Stream.concat(Stream.of("send"), Stream.of(arguments).map(Object::toString))
            .toArray(String[]::new));
  }

  private static void assertSent(Outcome sender) {
    assertThat(sender.status()).as(sender.toString()).isZero();
  }

  private static void assertFailed(Outcome sender, String... parts) {
    assertThat(sender.status()).as(sender.toString()).isEqualTo(1);
    assertOneLine(sender.errLines(), sender.toString(), parts);
  }

  private static void assertOneLine(CliProcess process, String... parts) {
    assertOneLine(process.err(), process.toString(), parts);
  }

  private static void assertOneLine(List<String> err, String all, String... parts) {
    assertThat(err).as(all).hasSize(1);
    String line = err.get(0);
    assertThat(line).startsWith("arraywire ").doesNotContain("\tat ", "java.lang.");
    for (String part : parts) {
      assertThat(line).contains(part);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#nio")
  void interruptedReceiverEndsCleanly(String transport) throws Exception {
    Path got = dir.resolve("got");
    try (CliProcess receiver =
            CliProcess.arraywire(
                "receive", "--transport", transport, "--listen", "localhost:0", "--out", got);
        CliProcess sender =
            CliProcess.arraywire(
                "send",
                "--transport",
                transport,
                "--to",
                receiver.awaitListening(),
                "--repeat",
                1_000_000,
                // Files until the signal comes: on a slow machine gigabytes, were they larger.
                NpyFiles.random(dir.resolve("big.npy"), "<f4", 1 << 14))) {
      receiver.awaitOut("array 3 ");
      boolean deaf = CliProcess.deafToInterrupts();
      receiver.signal(deaf ? "TERM" : "INT");

      assertThat(receiver.awaitExit()).as(receiver.toString()).isEqualTo(deaf ? 143 : 130);
      assertThat(receiver.err()).as(receiver.toString()).isEmpty();
      assertThat(sender.awaitExit()).as(sender.toString()).isEqualTo(1);
      assertOneLine(sender);
    }
    long written;
    try (Stream<Path> files = Files.list(got)) {
      List<Path> all = files.toList();
      assertThat(all).allSatisfy(each -> assertThat(each.toString()).endsWith(".npy"));
      for (Path each : all) {
        assertThat(each).hasSameBinaryContentAs(dir.resolve("big.npy"));
      }
      written = all.size();
    }
    assertThat(written).isGreaterThanOrEqualTo(3);
  }

  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#stream")
  void killedReceiver(String transport) throws Exception {
    try (CliProcess receiver =
            CliProcess.arraywire(
                "receive", "--transport", transport, "--listen", "localhost:0", "--discard");
        CliProcess sender =
            CliProcess.arraywire(
                "send",
                "--transport",
                transport,
                "--to",
                receiver.awaitListening(),
                "--repeat",
                1_000_000,
                NpyFiles.random(dir.resolve("big.npy"), "<f4", 1 << 22))) {
      receiver.awaitOut("array 2 ");
      receiver.signal("KILL");

      assertThat(sender.awaitExit()).as(sender.toString()).isEqualTo(1);
      assertOneLine(sender, "arraywire send: ");
      assertThat(sender.err().get(0)).doesNotContain("sendQueueBytes");
      assertThat(sender.out()).isEmpty();
    }
  }

  /** Without --count the receiver goes on with others; nothing of the broken array is kept. */
  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#nio")
  void killedSender(String transport) throws Exception {
    Path got = dir.resolve("got");
    Path digits = NpyFiles.digits(dir.resolve("digits.npy"));
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive", "--transport", transport, "--listen", "localhost:0", "--out", got)) {
      String address = receiver.awaitListening();
      try (CliProcess sender =
          CliProcess.arraywire(
              "send", "--transport", transport, "--to", address, "--repeat", 1_000_000, digits)) {
        receiver.awaitOut("array 2 ");
        sender.signal("KILL");
        sender.awaitExit();
      }
      receiver.awaitErr("connection from 127.0.0.1:");
      assertOneLine(receiver, "arraywire receive: connection from 127.0.0.1:", " failed: ");
      assertSent(send("--transport", transport, "--to", address, digits));
    }
    try (Stream<Path> files = Files.list(got)) {
      assertThat(files)
          .allSatisfy(each -> {
            if (each.toString().endsWith(".npy")) {
              assertThat(each).hasSameBinaryContentAs(digits);
            }
          });
    }
  }

  /** With --count an array that breaks off ends the receiver. */
  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#stream")
  void anArrayThatBreaksOff(String transport) throws Exception {
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive",
            "--transport",
            transport,
            "--plain",
            "--type",
            "float",
            "--listen",
            "localhost:0",
            "--out",
            dir,
            "--count",
            2)) {
      try (Socket socket = connect(receiver.awaitListening());
          DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
        out.writeInt(2);
        out.writeLong(0);
        out.writeInt(1_000_000);
        out.write(new byte[1_000_000]);
        receiver.awaitOut("array 1 ");
      }
      assertThat(receiver.awaitExit()).as(receiver.toString()).isEqualTo(1);
      assertOneLine(receiver, "received=1000000, expected=4000000");
    }
    assertThat(files()).containsExactly(dir.resolve("array-000001.npy"));
  }

  static Stream<Arguments> aPlainStreamThatIsWrongFromTheStart() {
    return Stream.of(
            over(EitherTransport.nio(), "FFFFFFFF", "count=-1"),
            over(EitherTransport.stream(), "0000", "received=2"),
            over(EitherTransport.nio(), "7FFFFFF0", "limit=1073741824"))
        .flatMap(each -> each);
  }

  private static Stream<Arguments> over(Stream<String> transports, String bytes, String part) {
    return transports.map(each -> Arguments.of(each, bytes, part));
  }

  /** With --count a stream that is wrong before its first array ends the receiver, too. */
  @ParameterizedTest
  @MethodSource
  void aPlainStreamThatIsWrongFromTheStart(String transport, String bytes, String part)
      throws Exception {
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive",
            "--transport",
            transport,
            "--plain",
            "--type",
            "float",
            "--listen",
            "localhost:0",
            "--out",
            dir,
            "--count",
            1)) {
      try (Socket socket = connect(receiver.awaitListening())) {
        socket.getOutputStream().write(HexFormat.of().parseHex(bytes));
      }
      assertThat(receiver.awaitExit()).as(receiver.toString()).isEqualTo(1);
      assertOneLine(receiver, part);
    }
    assertThat(files()).isEmpty();
  }

  /** With --count, so does a sender that dies between its arrays or inside of one. */
  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#stream")
  void killedSenderOfACountedNumber(String transport) throws Exception {
    try (CliProcess receiver =
            CliProcess.arraywire(
                "receive",
                "--transport",
                transport,
                "--listen",
                "localhost:0",
                "--discard",
                "--count",
                1_000_000);
        CliProcess sender =
            CliProcess.arraywire(
                "send",
                "--transport",
                transport,
                "--to",
                receiver.awaitListening(),
                "--repeat",
                1_000_000,
                NpyFiles.digits(dir.resolve("digits.npy")))) {
      receiver.awaitOut("array 2 ");
      sender.signal("KILL");

      assertThat(receiver.awaitExit()).as(receiver.toString()).isEqualTo(1);
      assertOneLine(receiver, "arraywire receive: ");
    }
  }

  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#nio")
  void anHttpClientAtTheReceiver(String transport) throws Exception {
    Path digits = NpyFiles.digits(dir.resolve("digits.npy"));
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive",
            "--transport",
            transport,
            "--listen",
            "localhost:0",
            "--discard",
            "--count",
            1)) {
      String address = receiver.awaitListening();
      try (Socket socket = connect(address)) {
        socket
            .getOutputStream()
            .write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        receiver.awaitErr("does not speak Arraywire");
        // Whatever is said to it before, the connection ends.
        InputStream in = socket.getInputStream();
        socket.setSoTimeout(30_000);
        try {
          in.readAllBytes();
        } catch (java.net.SocketException e) {
          // Reset, which ends it as well.
        }
      }
      assertSent(send("--transport", transport, "--to", address, digits));
      assertThat(receiver.awaitExit()).as(receiver.toString()).isZero();
      assertOneLine(receiver, "connection from 127.0.0.1:", "bytes=0x47455420", "HTTP");
    }
  }

  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#stream")
  void anHttpServerInPlaceOfAReceiver(String transport) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread http =
          new Thread(() -> {
            try (Socket socket = server.accept()) {
              socket
                  .getOutputStream()
                  .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
              socket.getInputStream().readAllBytes();
            } catch (IOException e) {
              // The sender has gone, as it should.
            }
          });
      http.start();
      Outcome sender =
          send(
              "--transport",
              transport,
              "--to",
              "127.0.0.1:" + server.getLocalPort(),
              NpyFiles.digits(dir.resolve("digits.npy")));
      assertFailed(sender, "does not speak Arraywire", "bytes=0x48545450", "like HTTP");
    }
  }

  /** Nobody answers: the handshake's ten seconds, then a line. */
  @Test
  void aSilentPeer() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Outcome sender =
          send(
              "--to",
              "127.0.0.1:" + server.getLocalPort(),
              NpyFiles.digits(dir.resolve("digits.npy")));
      assertFailed(sender, "--plain");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "100K, 16G, the limit is the peer's; for 'arraywire receive' that is its --max-bytes",
    "16G, 100K, that is --max-bytes of this command",
    "100K, 100K, that is --max-bytes of both 'arraywire send' and 'arraywire receive'"
  })
  void aLimitOfEitherSide(String receiverLimit, String senderLimit, String advice)
      throws Exception {
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive", "--listen", "localhost:0", "--discard", "--max-bytes", receiverLimit)) {
      Outcome sender =
          send(
              "--to",
              receiver.awaitListening(),
              "--max-bytes",
              senderLimit,
              NpyFiles.digits(dir.resolve("digits.npy")));
      assertFailed(sender, "bytes=460032", "102400", advice);
      assertThat(receiver.err()).isEmpty();
    }
  }

  /**
   * A peer that declares more than the heap has is refused where the array is not to become a file;
   * the receiver lives and others are served.
   */
  @Test
  void anArrayThatTheReceiversHeapDoesNotHold() throws Exception {
    Path digits = NpyFiles.digits(dir.resolve("digits.npy"));
    Path big = NpyFiles.zeros(dir.resolve("big.npy"), "|b1", 60 << 20);
    try (CliProcess receiver =
        CliProcess.start(
            java.util.Map.of(),
            CliProcess.java(),
            "-Xmx64m",
            "-jar",
            CliProcess.jar(),
            "receive",
            "--listen",
            "localhost:0",
            "--discard",
            "--count",
            1)) {
      String address = receiver.awaitListening();
      assertFailed(send("--to", address, big), "arrayBytes=62914560", "limitBytes=");
      assertSent(send("--to", address, digits));
      assertThat(receiver.awaitExit()).as(receiver.toString()).isZero();
    }
  }

  /** A file has room for what the heap does not hold. */
  @Test
  void aFileIsLargerThanTheReceiversHeap() throws Exception {
    Path big = NpyFiles.zeros(dir.resolve("big.npy"), "|b1", 60 << 20);
    Path got = dir.resolve("got.npy");
    try (CliProcess receiver =
        CliProcess.start(
            java.util.Map.of(),
            CliProcess.java(),
            "-Xmx32m",
            "-jar",
            CliProcess.jar(),
            "receive",
            "--listen",
            "localhost:0",
            "--out",
            got)) {
      assertSent(send("--to", receiver.awaitListening(), big));
      assertThat(receiver.awaitExit()).as(receiver.toString()).isZero();
    }
    assertThat(got).hasSameBinaryContentAs(big);
  }

  /** No part is left of an array that was arriving when the receiver was told to end. */
  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#stream")
  void aReceiverThatIsInterruptedInMidArray(String transport) throws Exception {
    Path got = Files.createDirectories(dir.resolve("got"));
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive",
            "--transport",
            transport,
            "--plain",
            "--type",
            "float",
            "--listen",
            "localhost:0",
            "--out",
            got)) {
      try (Socket socket = connect(receiver.awaitListening());
          DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
        out.writeInt(1_000_000);
        out.write(new byte[1_000_000]);
        Awaitility.await().until(() -> partsIn(got) == 1);
        boolean deaf = CliProcess.deafToInterrupts();
        receiver.signal(deaf ? "TERM" : "INT");
        assertThat(receiver.awaitExit()).as(receiver.toString()).isEqualTo(deaf ? 143 : 130);
        assertThat(receiver.err()).as(receiver.toString()).isEmpty();
      }
    }
    assertThat(got).isEmptyDirectory();
  }

  private static long partsIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".part")).count();
    }
  }

  /** The disk is full or gone: the receiver ends with status 1, and the sender knows. */
  @Test
  void aDirectoryThatGoesAway() throws Exception {
    Path got = dir.resolve("got");
    try (CliProcess receiver =
        CliProcess.arraywire("receive", "--listen", "localhost:0", "--out", got)) {
      String address = receiver.awaitListening();
      Files.delete(got);
      Outcome sender = send("--to", address, NpyFiles.digits(dir.resolve("digits.npy")));
      assertFailed(sender, "no such file or directory");
      assertThat(sender.err()).doesNotContain(dir.toString() + "/got");
      assertThat(receiver.awaitExit()).as(receiver.toString()).isEqualTo(1);
      assertThat(receiver.err().get(receiver.err().size() - 1))
          .isEqualTo(
              "arraywire receive: the array was not written: no such file or directory; make the"
                  + " directory, or give another place (file="
                  + got.resolve("array-000001.npy")
                  + ", bytes=460032)");
    }
  }

  /** Plain mode has no acknowledgement; the receiver takes no array, and resets the connection. */
  @Test
  void plainSenderAtAFramedReceiver() throws Exception {
    try (CliProcess receiver =
        CliProcess.arraywire("receive", "--listen", "localhost:0", "--out", dir)) {
      Outcome sender =
          send(
              "--plain",
              "--to",
              receiver.awaitListening(),
              NpyFiles.digits(dir.resolve("digits.npy")));
      receiver.awaitErr("does not speak Arraywire");
      assertOneLine(receiver, "--plain");
      assertFailed(sender);
    }
    assertThat(files()).containsExactly(dir.resolve("digits.npy"));
  }

  /** The other way round both sides see that it is wrong. */
  @Test
  void framedSenderAtAPlainReceiver() throws Exception {
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive", "--plain", "--type", "float", "--listen", "localhost:0", "--out", dir)) {
      assertFailed(
          send("--to", receiver.awaitListening(), NpyFiles.digits(dir.resolve("digits.npy"))));
      receiver.awaitErr("failed: ");
      assertOneLine(receiver, "the peer is in framed mode and this side in plain mode", "--plain");
    }
    assertThat(files()).containsExactly(dir.resolve("digits.npy"));
  }
}
