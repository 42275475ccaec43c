package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.examples.cli.Outcome;
import io.arraywire.examples.npy.NpyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code arraywire send} to {@code arraywire receive}. The receiver is a process of its own. So is
 * a sender where that matters; most run within this JVM.
 */
@Timeout(300)
@Tag("newest")
class SendReceiveIT {
  private static final List<String> CODECS =
      List.of(
          "data-output-buffered",
          "object-stream",
          "buffer-view",
          "buffer-view-le",
          "direct",
          "direct-be",
          "protobuf");

  @TempDir Path dir;

  private static List<String> succeeds(Object... arguments) {
    Outcome outcome =
        Outcome.run(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
    assertThat(outcome.status()).as(outcome.toString()).isZero();
    // On a busy machine the receiver of a plain sender ends late, and the sender says so.
    assertThat(outcome.err().lines().filter(each -> !each.contains("close waits for the peer")))
        .isEmpty();
    return outcome.outLines();
  }

  private static void processSucceeds(Object... arguments) throws Exception {
    try (CliProcess process = CliProcess.arraywire(arguments)) {
      assertThat(process.awaitExit()).as(process.toString()).isZero();
      assertThat(process.err()).isEmpty();
    }
  }

  /** Every codec, and the default; on the far side its bytes. */
  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void everyCodec(String transport) throws Exception {
    exchange(transport, transport, CODECS);
  }

  @ParameterizedTest
  @CsvSource({"nio, stream, direct-be", "stream, nio, buffer-view-le"})
  void fromEitherTransportToTheOther(String from, String to, String codec) throws Exception {
    exchange(from, to, List.of(codec));
  }

  /** The matrix of strategies has them within one JVM for each change. */
  @Tag("variant")
  @ParameterizedTest
  @CsvSource({"nio, stream", "stream, nio"})
  void everyCodecFromEitherTransportToTheOther(String from, String to) throws Exception {
    exchange(from, to, CODECS);
  }

  private void exchange(String from, String to, List<String> codecs) throws Exception {
    Path digits = NpyFiles.digits(dir.resolve("digits.npy"));
    Path odd = NpyFiles.random(dir.resolve("odd.npy"), "<i4", 7, 1, 613);
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive",
            "--listen",
            "localhost:0",
            "--transport",
            to,
            "--out",
            dir.resolve("got"),
            "--count",
            2 * codecs.size() + 3)) {
      String address = receiver.awaitListening();
      for (String codec : codecs) {
        List<String> out =
            succeeds("send", "--to", address, "--transport", from, "--codec", codec, digits, odd);
        assertThat(out).hasSize(2);
        assertThat(out.get(0))
            .startsWith("sent " + digits + " to " + address + ": float (1797, 64), 460032 bytes")
            .endsWith("acknowledged");
      }
      // The unbuffered loop makes a system call for each element: a small array will do.
      succeeds("send", "--to", address, "--transport", from, "--codec", "data-output", odd);
      succeeds("send", "--to", address, "--transport", from, "--repeat", 2, odd);

      assertThat(receiver.awaitExit()).as(receiver.toString()).isZero();
      assertThat(receiver.err()).isEmpty();
      assertThat(receiver.out()).hasSize(1 + 2 * codecs.size() + 3);
      assertThat(receiver.out().get(1))
          .startsWith("array 1 from 127.0.0.1:")
          .contains(": float (1797, 64), 460032 bytes in ")
          .endsWith(" -> " + dir.resolve("got/array-000001.npy"));
    }
    for (int i = 1; i <= 2 * codecs.size() + 3; i++) {
      Path sent = i % 2 == 1 && i <= 2 * codecs.size() ? digits : odd;
      Path got = dir.resolve(String.format("got/array-%06d.npy", i));
      assertThat(Files.mismatch(sent, got)).as("array %d", i).isEqualTo(-1);
    }
  }

  /**
   * The receiver's --codec decodes what comes in its encoding; other encodings come in all the
   * same.
   */
  @Test
  void theReceiversCodecIsAStrategyNotADemand() throws Exception {
    Path digits = NpyFiles.digits(dir.resolve("digits.npy"));
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive",
            "--listen",
            "localhost:0",
            "--codec",
            "data-output-buffered",
            "--out",
            dir,
            "--count",
            3)) {
      String address = receiver.awaitListening();
      processSucceeds("send", "--to", address, "--codec", "direct-be", digits);
      succeeds("send", "--to", address, "--codec", "protobuf", digits);
      succeeds("send", "--to", address, digits);
      assertThat(receiver.awaitExit()).as(receiver.toString()).isZero();
    }
    for (int i = 1; i <= 3; i++) {
      assertThat(dir.resolve("array-00000" + i + ".npy")).hasSameBinaryContentAs(digits);
    }
  }

  /** Types, shapes, emptiness: what is written is what was read, byte by byte. */
  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#stream")
  void everyTypeAndShape(String transport) throws Exception {
    List<Path> files = new ArrayList<>();
    for (String descr :
        List.of(
            "<f2", "<f4", "<f8", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "|b1",
            "<V2")) {
      files.add(
          NpyFiles.random(dir.resolve("sent-" + descr.substring(1) + ".npy"), descr, 3, 5, 1000));
    }
    files.add(NpyFiles.random(dir.resolve("sent-empty.npy"), "<f4", 3, 0, 2));
    files.add(NpyFiles.random(dir.resolve("sent-one.npy"), "<f8", 1));
    files.add(NpyFiles.random(dir.resolve("sent-many.npy"), "|i1", 1, 2, 1, 2, 1, 2, 1, 2, 1, 2));
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive",
            "--transport",
            transport,
            "--listen",
            "127.0.0.1:0",
            "--out",
            dir,
            "--count",
            files.size())) {
      List<Object> send =
          new ArrayList<>(
              List.of("send", "--transport", transport, "--to", receiver.awaitListening()));
      send.addAll(files);
      assertThat(succeeds(send.toArray())).hasSize(files.size());
      assertThat(receiver.awaitExit()).as(receiver.toString()).isZero();
    }
    for (int i = 0; i < files.size(); i++) {
      assertThat(dir.resolve(String.format("array-%06d.npy", i + 1)))
          .hasSameBinaryContentAs(files.get(i));
    }
  }

  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#nio")
  void unixSocketsAndIpv6(String transport) throws Exception {
    Path digits = NpyFiles.digits(dir.resolve("digits.npy"));
    Path socket = dir.resolve("s");
    for (String listen : List.of("unix:" + socket, "[::1]:0")) {
      try (CliProcess receiver =
          CliProcess.arraywire(
              "receive",
              "--transport",
              transport,
              "--listen",
              listen,
              "--out",
              dir.resolve("one.npy"))) {
        String address = receiver.awaitListening();
        assertThat(address).startsWith(listen.replaceFirst("0$", ""));
        processSucceeds("send", "--transport", transport, "--to", address, digits);
        assertThat(receiver.awaitExit()).as(receiver.toString()).isZero();
      }
      assertThat(dir.resolve("one.npy")).hasSameBinaryContentAs(digits);
      Files.delete(dir.resolve("one.npy"));
    }
    assertThat(socket).doesNotExist();
  }

  @Test
  void oneFileStandsForOneArray() throws Exception {
    Path digits = NpyFiles.digits(dir.resolve("digits.npy"));
    Path one = dir.resolve("one.npy");
    try (CliProcess receiver =
        CliProcess.arraywire("receive", "--listen", "localhost:0", "--out", one)) {
      try (CliProcess sender =
          CliProcess.arraywire("send", "--to", receiver.awaitListening(), "--repeat", 2, digits)) {
        assertThat(sender.awaitExit()).as(sender.toString()).isEqualTo(1);
        assertThat(sender.err()).hasSize(1);
      }
      assertThat(receiver.awaitExit()).as(receiver.toString()).isZero();
      assertThat(receiver.out()).hasSize(2);
    }
    assertThat(one).hasSameBinaryContentAs(digits);
  }

  @Test
  void numbersGoOnInADirectoryThatHasSome() throws Exception {
    Path digits = NpyFiles.digits(dir.resolve("digits.npy"));
    Path got = Files.createDirectory(dir.resolve("got"));
    Files.writeString(got.resolve("array-000041.npy"), "kept");
    try (CliProcess receiver =
        CliProcess.arraywire("receive", "--listen", "localhost:0", "--out", got, "--count", 1)) {
      succeeds("send", "--to", receiver.awaitListening(), digits);
      assertThat(receiver.awaitExit()).isZero();
    }
    assertThat(got.resolve("array-000041.npy")).hasContent("kept");
    assertThat(got.resolve("array-000042.npy")).hasSameBinaryContentAs(digits);
  }

  @Test
  void discardWritesNothing() throws Exception {
    Path digits = NpyFiles.digits(dir.resolve("digits.npy"));
    try (CliProcess receiver =
        CliProcess.arraywire("receive", "--listen", "localhost:0", "--discard", "--count", 20)) {
      succeeds("send", "--to", receiver.awaitListening(), "--repeat", 20, digits);
      assertThat(receiver.awaitExit()).isZero();
      assertThat(receiver.out().get(20)).endsWith("discarded");
    }
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files).containsExactly(digits);
    }
  }

  /** Arrays that together are larger than the send queue, and one that alone is. */
  @ParameterizedTest
  @ValueSource(ints = {5 << 20, 20 << 20})
  void manyLargeArrays(int bytes) throws Exception {
    Path large = NpyFiles.random(dir.resolve("large.npy"), "<f4", bytes / 4);
    try (CliProcess receiver =
        CliProcess.arraywire("receive", "--listen", "localhost:0", "--discard", "--count", 12)) {
      String address = receiver.awaitListening();
      assertThat(succeeds("send", "--to", address, "--repeat", 6, large, large)).hasSize(2);
      assertThat(receiver.awaitExit()).as(receiver.toString()).isZero();
    }
  }

  @Test
  void jsonLines() throws Exception {
    Path digits = NpyFiles.digits(dir.resolve("digits.npy"));
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive", "--listen", "localhost:0", "--out", dir, "--count", 1, "--json")) {
      String first =
          receiver.awaitOut("{\"event\":\"listening\",\"message\":\"listening on localhost:");
      String port = first.substring(0, first.indexOf('"'));
      assertThat(first).endsWith("\"host\":\"localhost\",\"port\":" + port + "}");

      List<String> sent = succeeds("send", "--json", "--to", "localhost:" + port, digits);
      assertThat(sent).hasSize(1);
      assertThat(sent.get(0))
          .startsWith("{\"event\":\"sent\",\"file\":\"" + digits + "\"")
          .contains("\"shape\":[1797,64]", "\"bytes\":460032", "\"delivery\":\"PROCESSED\"")
          .containsPattern("\"channelOperations\":[1-9]");
      assertThat(receiver.awaitExit()).isZero();
      assertThat(receiver.out().get(1))
          .startsWith("{\"event\":\"array\",\"number\":1,\"peer\":\"127.0.0.1:")
          .contains("\"type\":\"float\",\"elements\":115008,\"shape\":[1797,64],\"bytes\":460032")
          .endsWith("\"file\":\"" + dir.resolve("array-000001.npy") + "\"}");
    }
  }

  @ParameterizedTest
  @CsvSource({"nio, stream", "stream, nio"})
  void plainMode(String from, String to) throws Exception {
    exchangePlain(from, to);
  }

  @Tag("variant")
  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void plainModeOfOneTransport(String transport) throws Exception {
    exchangePlain(transport, transport);
  }

  private void exchangePlain(String from, String to) throws Exception {
    Path ints = NpyFiles.random(dir.resolve("ints.npy"), "<i4", 100_003);
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive",
            "--plain",
            "--type",
            "int",
            "--transport",
            to,
            "--listen",
            "localhost:0",
            "--out",
            dir.resolve("got"),
            "--count",
            3)) {
      List<String> out =
          succeeds(
              "send",
              "--plain",
              "--transport",
              from,
              "--to",
              receiver.awaitListening(),
              "--repeat",
              3,
              ints);
      assertThat(out.get(0)).endsWith("handed to the kernel");
      assertThat(receiver.awaitExit()).as(receiver.toString()).isZero();
    }
    for (int i = 1; i <= 3; i++) {
      assertThat(dir.resolve("got/array-00000" + i + ".npy")).hasSameBinaryContentAs(ints);
    }
  }

  /** The bare DataOutputStream and DataInputStream program, in a process of its own. */
  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#stream")
  void aLegacyProgramOnEitherSide(String transport) throws Exception {
    Path got = dir.resolve("got.npy");
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive",
            "--plain",
            "--type",
            "float",
            "--transport",
            transport,
            "--listen",
            "127.0.0.1:0",
            "--out",
            got)) {
      String port = receiver.awaitListening().split(":")[1];
      try (CliProcess legacy = legacy("send", "127.0.0.1", port, 100_000)) {
        assertThat(legacy.awaitExit()).as(legacy.toString()).isZero();
      }
      assertThat(receiver.awaitExit()).as(receiver.toString()).isZero();
    }
    float[] floats = (float[]) NpyReader.read(got).elements().array();
    assertThat(floats).hasSize(100_000);
    assertThat(floats[99_999]).isEqualTo(99_999f);

    try (CliProcess legacy = legacy("receive")) {
      String port = legacy.awaitOut("listening on port ");
      succeeds(
          "send",
          "--plain",
          "--transport",
          transport,
          "--to",
          "127.0.0.1:" + port,
          "--repeat",
          2,
          got);
      assertThat(legacy.awaitExit()).as(legacy.toString()).isZero();
      String line = "100000 floats, hash " + Integer.toHexString(java.util.Arrays.hashCode(floats));
      assertThat(legacy.out()).endsWith(line, line);
    }
  }

  private static CliProcess legacy(Object... arguments) throws IOException {
    List<Object> command =
        new ArrayList<>(
            List.of(CliProcess.java(), "-cp", CliProcess.jar(), LegacyPeer.class.getName()));
    command.addAll(List.of(arguments));
    return CliProcess.start(java.util.Map.of(), command.toArray());
  }

  /** Nothing but whole files, whatever happened in these tests. */
  @org.junit.jupiter.api.AfterEach
  void noHalfWrittenFiles() throws IOException {
    try (Stream<Path> files = Files.walk(dir)) {
      assertThat(files.filter(file -> file.toString().endsWith(".part"))).isEmpty();
    }
  }
}
