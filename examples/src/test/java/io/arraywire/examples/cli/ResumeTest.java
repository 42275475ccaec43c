package io.arraywire.examples.cli;

import static io.arraywire.examples.cli.Outcome.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.chaos.proxy.Direction;
import io.arraywire.chaos.proxy.Fault;
import io.arraywire.chaos.proxy.FaultPlan;
import io.arraywire.chaos.proxy.FaultProxy;
import io.arraywire.examples.npy.NpyReader;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code send --resume} promises when a transfer breaks off. */
@Timeout(120)
@Tag("newest")
class ResumeTest {
  private static final int COUNT = 1 << 20;
  private static final long BYTES = 4L * COUNT;

  /** Where the network breaks, and what of it is in the file for certain by then. */
  private static final long BREAKS_AT = 2 << 20;

  private static final long KEPT = BREAKS_AT - (600 << 10);

  /** What is before the elements in the files of these tests. */
  private static final long HEADER = 128;

  @TempDir Path dir;

  private Path write(String file, long seed) throws IOException {
    return write(file, seed, ByteOrder.LITTLE_ENDIAN, List.of(2L, COUNT / 2L));
  }

  private Path write(String file, long seed, ByteOrder order, List<Long> shape) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    return FloatFiles.write(dir.resolve(file), order, shape, index -> random.nextInt(1 << 20));
  }

  private static String text(SocketAddress address) {
    return "localhost:" + ((InetSocketAddress) address).getPort();
  }

  private static Outcome send(FaultProxy to, Object... more) {
    return run(
        Stream.concat(
                Stream.of("send", "--resume", "--to", text(to.address())),
                Stream.of(more).map(Object::toString))
            .toArray(String[]::new));
  }

  private static FaultProxy breaking(SocketAddress to) throws IOException {
    return stalling(to, BREAKS_AT);
  }

  /** One that stops in the middle, so that it is the middle on every machine. */
  private static FaultProxy stalling(SocketAddress to, long bytes) throws IOException {
    return FaultProxy.to(to)
        .faults(Fault.stall(Direction.TO_TARGET, bytes, Duration.ofHours(1)))
        .start();
  }

  private static FaultProxy through(SocketAddress to) throws IOException {
    return FaultProxy.to(to).start();
  }

  private static void succeeded(Outcome outcome) {
    assertThat(outcome.status()).as(outcome.toString()).isZero();
    assertThat(outcome.err()).isEmpty();
  }

  /** Sends a file over a network that breaks, and waits until the receiver knows of it. */
  private static void breakOff(ResumeServer server, Object... arguments) throws Exception {
    try (FaultProxy proxy = breaking(server.address())) {
      breakOffAt(BREAKS_AT, server, proxy, arguments);
    }
  }

  /** Does so where the network stalls after some bytes. */
  private static void breakOffAt(
      long stallsAt, ResumeServer server, FaultProxy proxy, Object... arguments) throws Exception {
    int before = server.complaints().size();
    CompletableFuture<Outcome> sender = CompletableFuture.supplyAsync(() -> send(proxy, arguments));
    // Files before the one that is to break are long for a while, too.
    Awaitility.await().until(() -> proxy.bytes(Direction.TO_TARGET) >= stallsAt && isLong(server));
    proxy.cutAll();
    Outcome broken = sender.get(60, TimeUnit.SECONDS);
    assertThat(broken.status()).isEqualTo(1);
    assertThat(broken.err()).endsWith("; the same command sends the rest\n");
    Awaitility.await().until(() -> server.complaints().size() > before);
    assertThat(isLong(server)).isTrue();
    saysWhatIsKept(server.complaints().get(before), server.parts().get(0));
  }

  /** How much is kept, where, and what the operator does next. */
  private static void saysWhatIsKept(IOException complaint, Path part) throws IOException {
    String name =
        part.getFileName().toString().replaceFirst("^\\.(.*)\\.[0-9a-f]{8}\\.part$", "$1");
    assertThat(Complaints.words(complaint))
        .endsWith(
            Files.size(part)
                - HEADER
                + " of "
                + BYTES
                + " bytes of "
                + name
                + " are kept; the same 'arraywire send --resume' sends the rest (part="
                + part
                + ")")
        .doesNotContain("no part of it");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    ReceiveReport.failed(
        new Console(print, print, false), new InetSocketAddress("localhost", 1), complaint);
    assertThat(complaint.getCause()).isInstanceOf(ArraywireException.class);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("\"code\":\"" + ((ArraywireException) complaint.getCause()).code() + "\"")
        .contains(" are kept; ");
  }

  private static boolean isLong(ResumeServer server) throws IOException {
    List<Path> parts = server.parts();
    return parts.size() == 1 && Files.size(parts.get(0)) >= KEPT;
  }

  @ParameterizedTest
  @CsvSource({"nio, nio, false", "stream, stream, false", "nio, stream, true", "stream, nio, true"})
  void onlyTheRestIsSent(String from, String to, boolean restarted) throws Exception {
    Path file = write("a.npy", 1);
    Path got = dir.resolve("got");
    ResumeServer server = new ResumeServer(to, got);
    try {
      breakOff(server, "--transport", from, file);
      assertThat(got.resolve("a.npy")).doesNotExist();
      assertThat(server.parts().get(0).getFileName().toString())
          .matches("\\.a\\.npy\\.[0-7][0-9a-f]{7}\\.part");
      if (restarted) {
        server.close();
        server = new ResumeServer(to, got);
      }
      try (FaultProxy proxy = through(server.address())) {
        Outcome sent = send(proxy, "--transport", from, file);
        succeeded(sent);
        assertThat(sent.out())
            .containsPattern(", 4194304 bytes \\(\\d+ were there\\) in .* until acknowledged");
        assertThat(proxy.bytes(Direction.TO_TARGET)).isLessThan(BYTES - KEPT + 10_000);
      }
      assertThat(server.lines())
          .containsPattern(": float \\(2, 524288\\), 4194304 bytes \\(\\d+ were there\\) in ");
      assertThat(got.resolve("a.npy")).hasSameBinaryContentAs(file);
      assertThat(server.parts()).isEmpty();
    } finally {
      server.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--verify",
        "--technique array --verify",
        "--technique transfer",
        "--codec data-output-buffered",
        "--codec protobuf",
        "--compress --verify",
        "--compress=shuffle-lz4 --technique array"
      })
  void whateverItsElementsTravelIn(String options) throws Exception {
    Path file = write("a.npy", 1);
    Path got = dir.resolve("got");
    try (ResumeServer server = new ResumeServer("nio", got)) {
      breakOff(server, file);
      try (FaultProxy proxy = through(server.address())) {
        Outcome sent = send(proxy, (Object[]) (options + " " + file).split(" ", -1));
        succeeded(sent);
        assertThat(sent.out()).contains(" were there)");
        assertThat(proxy.bytes(Direction.TO_TARGET)).isLessThan(BYTES - KEPT + 10_000);
      }
      assertThat(got.resolve("a.npy")).hasSameBinaryContentAs(file);
    }
  }

  @Test
  void aBigEndianFileAndOneWithoutAHeader() throws Exception {
    Path big = write("a.npy", 1, ByteOrder.BIG_ENDIAN, List.of((long) COUNT));
    Path little = write("in/little.npy", 1, ByteOrder.LITTLE_ENDIAN, List.of((long) COUNT));
    byte[] bytes = Files.readAllBytes(little);
    Path bare =
        Files.write(
            dir.resolve("a.bin"),
            Arrays.copyOfRange(bytes, bytes.length - (int) BYTES, bytes.length));
    Path got = dir.resolve("got");
    try (ResumeServer server = new ResumeServer("nio", got)) {
      breakOff(server, big);
      try (FaultProxy proxy = through(server.address())) {
        Outcome sent = send(proxy, big);
        succeeded(sent);
        assertThat(sent.out()).contains(" were there)");
      }
      assertThat(got.resolve("a.npy")).hasSameBinaryContentAs(little);

      breakOff(server, "--raw", "float", bare);
      try (FaultProxy proxy = through(server.address())) {
        Outcome sent = send(proxy, "--raw", "float", bare);
        succeeded(sent);
        assertThat(sent.out()).contains(" were there)");
      }
      assertThat(got.resolve("a.bin.npy")).hasSameBinaryContentAs(little);
    }
  }

  /** Of one file, whose name is the receiver's, too. */
  @Test
  void aReceiverOfOneFile() throws Exception {
    Path file = write("a.npy", 1);
    Path got = Files.createDirectories(dir.resolve("got")).resolve("mine.npy");
    try (ResumeServer server = new ResumeServer("nio", got)) {
      breakOff(server, file);
    }
    try (ResumeServer server = new ResumeServer("nio", got);
        FaultProxy proxy = through(server.address())) {
      Outcome sent = send(proxy, file);
      succeeded(sent);
      assertThat(sent.out()).contains(" were there)");
      assertThat(got).hasSameBinaryContentAs(file);
      assertThat(server.parts()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"content", "shape"})
  void aFileThatChangedIsSentAnew(String what) throws Exception {
    Path file = write("a.npy", 1);
    Path got = dir.resolve("got");
    try (ResumeServer server = new ResumeServer("nio", got)) {
      breakOff(server, file);
      if (what.equals("content")) {
        write("a.npy", 2);
      } else {
        write("a.npy", 1, ByteOrder.LITTLE_ENDIAN, List.of((long) COUNT));
      }
      try (FaultProxy proxy = through(server.address())) {
        Outcome sent = send(proxy, "--verify", file);
        assertThat(sent.status()).as(sent.toString()).isZero();
        assertThat(sent.err())
            .isEqualTo(
                "arraywire send: all of "
                    + file
                    + " is sent: what the receiver has is not its beginning\n");
        assertThat(sent.out()).doesNotContain("were there");
        assertThat(proxy.bytes(Direction.TO_TARGET)).isGreaterThan(BYTES);
      }
      assertThat(got.resolve("a.npy")).hasSameBinaryContentAs(file);
      assertThat(server.parts()).isEmpty();
    }
  }

  @Test
  void aDirectoryGoesOnFileByFile() throws Exception {
    Path first = write("model/a.npy", 1);
    Path second = write("model/sub/b.npy", 2);
    Path third = write("model/sub/c.npy", 3);
    Path got = dir.resolve("got");
    try (ResumeServer server = new ResumeServer("nio", got)) {
      try (FaultProxy proxy = stalling(server.address(), BYTES + BREAKS_AT)) {
        breakOffAt(BYTES + BREAKS_AT, server, proxy, dir.resolve("model"));
      }
      assertThat(server.parts())
          .as("in the nearest directory that is there")
          .singleElement()
          .extracting(Path::getParent)
          .isEqualTo(got.resolve("model"));
      // So that the nearest is another one now.
      Files.createDirectories(got.resolve("model/sub"));
      try (FaultProxy proxy = through(server.address())) {
        Outcome sent = send(proxy, dir.resolve("model"));
        succeeded(sent);
        assertThat(sent.out().lines().map(line -> line.replaceFirst("\\d+ were", "some were")))
            .satisfiesExactly(
                line ->
                    assertThat(line)
                        .isEqualTo("skipped " + first + ": the receiver has it, bit for bit"),
                line -> assertThat(line).startsWith("sent " + second).contains("(some were there)"),
                line -> assertThat(line).startsWith("sent " + third).doesNotContain("there"));
        assertThat(proxy.bytes(Direction.TO_TARGET)).isLessThan(2 * BYTES - KEPT + 20_000);
      }
      assertThat(got.resolve("model/a.npy")).hasSameBinaryContentAs(first);
      assertThat(got.resolve("model/sub/b.npy")).hasSameBinaryContentAs(second);
      assertThat(got.resolve("model/sub/c.npy")).hasSameBinaryContentAs(third);
      assertThat(server.parts()).isEmpty();
    }
  }

  /** Before a byte of it is sent. */
  @Test
  void anotherFileOfThatNameIsNotReplaced() throws Exception {
    Path file = write("a.npy", 1);
    Path there = write("got/a.npy", 2);
    byte[] before = Files.readAllBytes(there);
    try (ResumeServer server = new ResumeServer("nio", dir.resolve("got"));
        FaultProxy proxy = through(server.address())) {
      Outcome refused = send(proxy, file);
      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.err())
          .isEqualTo(
              "arraywire send: the far side refused the array: the receiver has a file of that name"
                  + " (name=a.npy)\n");
      Outcome skipped = send(proxy, "--skip-existing", file);
      succeeded(skipped);
      assertThat(skipped.out())
          .isEqualTo("skipped " + file + ": the receiver has a file of that name\n");
      assertThat(proxy.bytes(Direction.TO_TARGET)).isLessThan(10_000);
    }
    assertThat(there).hasBinaryContent(before);
  }

  /** The second waits, then goes on where the first broke off, if the bytes are its own. */
  @Test
  void aSecondSenderWaitsForTheFirst() throws Exception {
    Path file = write("a.npy", 1);
    Path got = dir.resolve("got");
    try (ResumeServer server = new ResumeServer("nio", got);
        FaultProxy first = breaking(server.address());
        FaultProxy second = through(server.address())) {
      CompletableFuture<Outcome> stuck = CompletableFuture.supplyAsync(() -> send(first, file));
      Awaitility.await().until(() -> isLong(server));
      CompletableFuture<Outcome> waiting = CompletableFuture.supplyAsync(() -> send(second, file));
      // It has asked more than once.
      Awaitility.await().until(() -> second.bytes(Direction.TO_CLIENT) > 1_000);
      assertThat(waiting).isNotDone();
      first.cutAll();
      assertThat(stuck.get(60, TimeUnit.SECONDS).status()).isEqualTo(1);
      Outcome sent = waiting.get(60, TimeUnit.SECONDS);
      succeeded(sent);
      assertThat(sent.out()).contains(" were there)");
      assertThat(got.resolve("a.npy")).hasSameBinaryContentAs(file);
    }
  }

  /** It waits until others have theirs compared, or have gone, and nothing is sent anew. */
  @Test
  void aReceiverThatComparesForOthersIsWaitedFor() throws Exception {
    Path file = write("a.npy", 1);
    Path got = dir.resolve("got");
    try (ResumeServer server = new ResumeServer("nio", got);
        FaultProxy proxy = through(server.address())) {
      breakOff(server, file);
      Path kept = server.parts().get(0);
      List<Connection> others = new ArrayList<>();
      for (int i = 0; i < ResumeDesk.MOST; i++) {
        others.add(server.connect());
        CompletableFuture<ReceivedArray> unused =
            others.get(i).request(server.huge("huge" + i + ".npy"));
      }
      Message question = ResumeServer.question("a.npy", 1, "0".repeat(64), 2, COUNT / 2L);
      try (Connection probe = server.connect()) {
        Awaitility.await().until(() -> ResumeServer.state(probe, question).equals("busy"));
      }
      CompletableFuture<Outcome> waiting = CompletableFuture.supplyAsync(() -> send(proxy, file));
      // It was told twice to wait: a handshake has 325 bytes, and each answer 112.
      Awaitility.await()
          .atMost(Duration.ofSeconds(40))
          .until(() -> proxy.bytes(Direction.TO_CLIENT) > 325 + 2 * 112);
      assertThat(waiting).isNotDone();
      assertThat(Files.size(kept)).isGreaterThanOrEqualTo(KEPT);
      for (Connection other : others) {
        other.closeNow();
      }
      Outcome sent = waiting.get(60, TimeUnit.SECONDS);
      succeeded(sent);
      assertThat(sent.out()).contains(" were there)");
      assertThat(got.resolve("a.npy")).hasSameBinaryContentAs(file);
    }
  }

  /** One that does not ask gets a hidden file of its own. */
  @Test
  void twoSendersOfOneNameDoNotMixTheirBytes() throws Exception {
    Path got = dir.resolve("got");
    SendOptions named =
        SendOptions.processed()
            .metadata(TravelName.KEY, "a.npy")
            .metadata(ResumeQuestion.FROM, "0");
    float[] ones = new float[COUNT];
    Arrays.fill(ones, 1);
    HalfSource zeros = new HalfSource(COUNT);
    try (ResumeServer server = new ResumeServer("nio", got);
        // Of another event loop: that of the first waits for its source.
        Transport other = NioTransport.create(TransportOptions.defaults());
        Connection first = server.connect();
        Connection second = other.connect(server.address())) {
      CompletableFuture<Receipt> slow = first.sendAsync(zeros, named).toCompletableFuture();
      Awaitility.await().until(() -> server.parts().size() == 1);
      second.send(ones, named);
      zeros.rest().countDown();
      assertThat(slow)
          .failsWithin(60, TimeUnit.SECONDS)
          .withThrowableOfType(ExecutionException.class)
          .withMessageContaining(ArrayStore.TAKEN);
      assertThat((float[]) NpyReader.read(got.resolve("a.npy")).elements().array()).isEqualTo(ones);
      assertThat(server.parts()).isEmpty();
    }
  }

  /** Room that somebody makes is enough to go on. */
  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void aDiskThatWasFull(String name) throws Exception {
    Path small = SmallDisk.mount(dir.resolve("got"), 8 << 20);
    Path file = FloatFiles.write(dir.resolve("zeros.npy"), COUNT, index -> 0);
    HalfSource source = new HalfSource(COUNT);
    SendOptions named =
        SendOptions.processed()
            .metadata(TravelName.KEY, "zeros.npy")
            .metadata(ResumeQuestion.FROM, "0");
    try (ResumeServer server = new ResumeServer(name, small);
        FaultProxy proxy = through(server.address());
        Connection peer = server.connect()) {
      CompletableFuture<Receipt> sent = peer.sendAsync(source, named).toCompletableFuture();
      Awaitility.await()
          .until(() -> server.parts().size() == 1 && Files.size(server.parts().get(0)) > 1 << 20);
      Path other = SmallDisk.fill(small, 0);
      source.rest().countDown();
      assertThat(sent)
          .failsWithin(60, TimeUnit.SECONDS)
          .withThrowableOfType(ExecutionException.class)
          .withMessageContaining(
              "the receiver's disk is full; what has come of the array is kept (");
      assertThat(server.parts()).hasSize(1);
      Outcome full = send(proxy, file);
      assertThat(full.status()).isEqualTo(1);
      assertThat(full.err()).contains("disk is full; what has come of the array is kept (");
      Files.delete(other);
      long before = proxy.bytes(Direction.TO_TARGET);
      Outcome rest = send(proxy, file);
      succeeded(rest);
      assertThat(rest.out()).contains(" were there)");
      assertThat(proxy.bytes(Direction.TO_TARGET) - before).isLessThan(BYTES - (1 << 20) + 10_000);
      assertThat(small.resolve("zeros.npy")).hasSameBinaryContentAs(file);
      assertThat(server.parts()).isEmpty();
    } finally {
      SmallDisk.unmount(small);
    }
  }

  /** The same broken off again and again; each time it has more of it. */
  @Test
  void asOftenAsItTakes() throws Exception {
    Path file = write("a.npy", 1);
    Path got = dir.resolve("got");
    try (ResumeServer server = new ResumeServer("nio", got);
        FaultProxy proxy =
            FaultProxy.to(server.address())
                .faults(Fault.cut(Direction.TO_TARGET, 1 << 20))
                .start()) {
      int tries = 1;
      while (send(proxy, file).status() != 0) {
        tries++;
        assertThat(tries).isLessThan(100);
      }
      assertThat(tries).isGreaterThanOrEqualTo(4);
      assertThat(got.resolve("a.npy")).hasSameBinaryContentAs(file);
      proxy.plan(FaultPlan.none());
      assertThat(send(proxy, file).out()).startsWith("skipped ");
    }
  }

  /** Without --resume, and below 1 MiB, nothing is kept. */
  @Test
  void onlyWhatItsSenderWantsIsKept() throws Exception {
    Path file = write("a.npy", 1);
    try (ResumeServer server = new ResumeServer("nio", dir.resolve("got"));
        FaultProxy proxy = breaking(server.address())) {
      CompletableFuture<Outcome> sender =
          CompletableFuture.supplyAsync(
              () -> run("send", "--to", text(proxy.address()), file.toString()));
      Awaitility.await().until(() -> isLong(server));
      proxy.cutAll();
      Outcome broken = sender.get(60, TimeUnit.SECONDS);
      assertThat(broken.status()).isEqualTo(1);
      assertThat(broken.err()).doesNotContain("the same command");
      Awaitility.await().until(() -> server.parts().isEmpty());
      Awaitility.await().until(() -> !server.complaints().isEmpty());
      assertThat(Complaints.words(server.complaints().get(0))).doesNotContain("kept", "--resume");
    }
  }

  /** It says so, and how to have it otherwise, before a byte is sent. */
  @ParameterizedTest
  @CsvSource({
    "--discard --count 1, the receiver writes no files",
    "--into FILE, 'the receiver has --into: it takes one sent array, no requests, and keeps no part'"
  })
  void aReceiverThatKeepsNothingIsSentNothing(String options, String why) throws Exception {
    Path file = write("a.npy", 1);
    Path got = dir.resolve("got.npy");
    String address = "unix:" + dir.resolve("s");
    CompletableFuture<Outcome> receiver =
        CompletableFuture.supplyAsync(() ->
            run(
                ("receive --listen " + address + " " + options.replace("FILE", got.toString()))
                    .split(" ", -1)));
    Outcome refused = run("send", "--wait", "60", "--resume", "--to", address, file.toString());
    assertThat(refused.status()).as(refused.toString()).isEqualTo(1);
    assertThat(refused.err())
        .isEqualTo(
            "arraywire send: the receiver keeps nothing of a transfer that breaks off; start"
                + " 'arraywire receive --out DIR' or '--out FILE.npy' there, or leave out"
                + " --resume (file="
                + file
                + ", receiver="
                + why
                + ")\n");
    assertThat(receiver).isNotDone();
    succeeded(run("send", "--to", address, file.toString()));
    assertThat(receiver.get(60, TimeUnit.SECONDS).status()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--plain a.npy | plain mode cannot ask what the receiver has; leave out --resume",
        "--repeat 2 a.npy | leave out --resume (repeat=2)",
        "- | standard input has no name to find it again by; leave out --resume",
        "--compress=bf16 a.npy | --resume compares what is there bit by bit, and the encoding loses"
      })
  void whatDoesNotGoWithIt(String options, String words) {
    Outcome outcome = run(("send --resume --to localhost:1 " + options).split(" ", -1));
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains(words);
  }
}
