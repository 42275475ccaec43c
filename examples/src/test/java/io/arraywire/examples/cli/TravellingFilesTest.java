package io.arraywire.examples.cli;

import static io.arraywire.examples.cli.Outcome.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyReader;
import io.arraywire.examples.npy.NpyWriter;
import io.arraywire.nio.NioTransport;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Directories, archives and pipes: {@code send DIR}, {@code send a.npz}, {@code -}. */
@Isolated("takes standard input")
@Tag("newest")
class TravellingFilesTest {
  /** 240 bytes of UTF-8, which leaves room for what its hidden file is called. */
  private static final String LONGEST = "\u00e9".repeat(118) + ".npy";

  @TempDir Path dir;

  private Path write(String file, float... elements) throws IOException {
    Path path = dir.resolve(file);
    Files.createDirectories(path.getParent());
    NpyHeader header =
        new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of((long) elements.length));
    NpyWriter.write(path, header, ArraySlice.of(elements));
    return path;
  }

  private String address() {
    return "unix:" + dir.resolve("s");
  }

  private CompletableFuture<Outcome> receiving(String... more) {
    String[] all =
        Stream.concat(Stream.of("receive", "--listen", address()), Stream.of(more))
            .toArray(String[]::new);
    CompletableFuture<Outcome> receiver = CompletableFuture.supplyAsync(() -> run(all));
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> receiver.isDone() || Files.exists(dir.resolve("s")));
    return receiver;
  }

  private Outcome send(String... more) {
    return run(
        Stream.concat(Stream.of("send", "--wait", "60", "--to", address()), Stream.of(more))
            .toArray(String[]::new));
  }

  private static List<String> below(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> directory.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void aDirectoryArrivesAsTheSameDirectory() throws Exception {
    Path weights = write("model/w.npy", 1, 2).getParent();
    write("model/layers/0.npy", 3);
    write("model/.hidden/no.npy", 9);
    Files.writeString(weights.resolve("notes.txt"), "no array");
    Files.createSymbolicLink(weights.resolve("link.npy"), write("outside.npy", 9));
    Path got = dir.resolve("got");
    CompletableFuture<Outcome> receiver = receiving("--out", got.toString(), "--count", "2");
    Outcome sender = send("--verify", weights.toString());

    assertThat(sender.status()).as(sender.toString()).isZero();
    assertThat(receiver.get().status()).as(receiver.get().toString()).isZero();
    assertThat(below(got)).containsExactly("model/layers/0.npy", "model/w.npy");
    assertThat(Files.mismatch(got.resolve("model/w.npy"), weights.resolve("w.npy"))).isEqualTo(-1);
    assertThat(sender.out()).contains("layers/0.npy", "acknowledged");
    assertThat(receiver.get().out().lines().skip(1))
        .hasSize(2)
        .allMatch(line -> line.contains(" MB/s, verified -> "));
  }

  /** Whatever the directory is called where its links end. */
  @ParameterizedTest
  @ValueSource(strings = {"bad.npy", "bad.npz"})
  void messagesNameAFileOfADirectoryAsTheUserDoes(String name) throws IOException {
    Path real = write("model/w.npy", 1, 2).getParent();
    Files.writeString(real.resolve(name), "no array");
    Path given = Files.createSymbolicLink(dir.resolve("short"), real);
    assertThat(run("send", "--to", "localhost:1", given.toString()).err())
        .contains("file=" + given.resolve(name));
  }

  @Test
  void membersOfAnArchiveArriveInADirectoryOfItsName() throws Exception {
    Path archive = dir.resolve("both.npz");
    try (OutputStream file = Files.newOutputStream(archive);
        ZipOutputStream zip = new ZipOutputStream(file)) {
      for (String member : List.of("a.npy", "b.npy")) {
        zip.putNextEntry(new ZipEntry(member));
        zip.write(Files.readAllBytes(write("members/" + member, 1, 2, 3)));
      }
    }
    Path got = dir.resolve("got");
    CompletableFuture<Outcome> receiver = receiving("--out", got.toString(), "--count", "2");
    Outcome sender = send(archive.toString());

    assertThat(sender.status()).as(sender.toString()).isZero();
    assertThat(receiver.get().status()).isZero();
    assertThat(below(got)).containsExactly("both/a.npy", "both/b.npy");
    assertThat(NpyReader.read(got.resolve("both/a.npy")).elements().array())
        .isEqualTo(new float[] {1, 2, 3});

    Files.write(archive, new byte[] {'P', 'K', 3, 4, 0});
    assertThat(run("send", "--to", address(), archive.toString()).err())
        .contains("not an archive of numpy.savez");
  }

  /** A peer writes where it says only below the directory, and never over a file. */
  @Test
  void namesThatLeadElsewhereAreRefusedAndTheReceiverGoesOn() throws Exception {
    Path got = Files.createDirectories(dir.resolve("got"));
    Path outside = Files.createDirectories(dir.resolve("outside"));
    Files.createSymbolicLink(got.resolve("link"), outside);
    Files.writeString(got.resolve("file"), "");
    byte[] kept = Files.readAllBytes(write("got/there.npy", 7));
    CompletableFuture<Outcome> receiver = receiving("--out", got.toString(), "--count", "2");
    try (Transport transport = NioTransport.create(io.arraywire.TransportOptions.defaults());
        Connection peer = transport.connect(Transport.address(address()))) {
      for (String name :
          List.of(
              "/etc/x.npy",
              "../x.npy",
              "a/../../x.npy",
              "./x.npy",
              "a//x.npy",
              ".ssh/x.npy",
              "a\\x.npy",
              "C:x.npy",
              "x.sh",
              "a\u001bb.npy",
              "link/x.npy",
              "file/x.npy",
              "there.npy",
              "x".repeat(237) + ".npy",
              "\u00e9".repeat(121) + "/x.npy",
              "d/".repeat(20) + "x.npy")) {
        assertThatThrownBy(() ->
                peer.send(new float[1], SendOptions.processed().metadata(TravelName.KEY, name)))
            .as(name)
            .isInstanceOf(RemoteRejectedException.class)
            .hasMessageContaining("name");
      }
      SendOptions wrong = SendOptions.processed().metadata(ElementDigest.KEY, "00");
      assertThatThrownBy(() -> peer.send(new float[1], wrong))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("not the one that was sent");
      for (String name : List.of("ok/x.npy", LONGEST)) {
        peer.send(new float[1], SendOptions.processed().metadata(TravelName.KEY, name));
      }
    }
    assertThat(receiver.get().status()).as(receiver.get().toString()).isZero();
    assertThat(below(got)).containsExactly("file", "ok/x.npy", "there.npy", LONGEST);
    assertThat(Files.readAllBytes(got.resolve("there.npy"))).isEqualTo(kept);
    assertThat(outside).isEmptyDirectory();
    assertThat(receiver.get().err().lines()).hasSize(17);
  }

  /** The size does not matter. */
  @ParameterizedTest
  @ValueSource(ints = {3, 1 << 20})
  void pipesAtBothEnds(int count) throws Exception {
    float[] elements = new float[count];
    elements[count - 1] = 7;
    Path file = write("one.npy", elements);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    CompletableFuture<Integer> receiver =
        CompletableFuture.supplyAsync(() ->
            ArraywireCommand.execute(
                new Console(
                    new PrintStream(out, true, StandardCharsets.UTF_8),
                    new PrintStream(err, true, StandardCharsets.UTF_8),
                    false),
                "receive",
                "--listen",
                address(),
                "--out",
                "-",
                "--count",
                "1"));
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(Files.readAllBytes(file)));
    try {
      Outcome sender = send("-");
      assertThat(sender.status()).as(sender.toString()).isZero();
      assertThat(sender.out()).startsWith("sent - to ");
    } finally {
      System.setIn(before);
    }
    assertThat(receiver.get()).isZero();
    assertThat(out.toByteArray()).isEqualTo(Files.readAllBytes(file));
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("listening on", "array 1 from", "written to standard output");
  }

  /** Failures of peers, and that of the command, are printed to standard error. */
  @Test
  void eventsDoNotMixWithFilesOnStandardOutput() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false);
    String[] words = "receive --listen localhost:0 --out - --count 1 --json".split(" ", -1);
    CompletableFuture<Integer> receiver =
        CompletableFuture.supplyAsync(() -> ArraywireCommand.execute(console, words));
    Pattern port = Pattern.compile("\"port\":(\\d+)");
    Awaitility.await().until(() -> port.matcher(err.toString(StandardCharsets.UTF_8)).find());
    Matcher listening = port.matcher(err.toString(StandardCharsets.UTF_8));
    assertThat(listening.find()).isTrue();
    int at = Integer.parseInt(listening.group(1));
    Strangers.shakeHandsAndReset(new InetSocketAddress(InetAddress.getLoopbackAddress(), at));
    Awaitility.await().until(() -> err.toString(StandardCharsets.UTF_8).contains(" failed: "));
    Path file = write("one.npy", 1, 2, 3);
    assertThat(run("send", "--to", "localhost:" + at, file.toString()).status()).isZero();

    assertThat(receiver.get()).isZero();
    assertThat(out.toByteArray()).isEqualTo(Files.readAllBytes(file));
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("\"event\":\"connectionFailed\"");
    Outcome failed = run("receive", "--listen", "192.0.2.1:0", "--out", "-", "--json");
    assertThat(failed.status()).isEqualTo(1);
    assertThat(failed.out()).isEmpty();
    assertThat(failed.err()).contains("\"event\":\"failed\"");
  }

  /** A receiver that compares nothing does not say that it has. */
  @ParameterizedTest
  @CsvSource({"--discard, --verify, false", "--out, --verify, true", "--out, , false"})
  void onlyAReceiverThatComparesSaysVerified(String how, @Nullable String asked, boolean says)
      throws Exception {
    Path file = write("a.npy", 1, 2);
    List<String> options = new ArrayList<>(List.of("--json", "--count", "1", how));
    if (how.equals("--out")) {
      options.add(dir.resolve("got").toString());
    }
    CompletableFuture<Outcome> receiver = receiving(options.toArray(String[]::new));
    Outcome sender = asked == null ? send(file.toString()) : send(asked, file.toString());
    assertThat(sender.status()).as(sender.toString()).isZero();
    assertThat(receiver.get().out()).contains("\"verified\":" + says + ",");
  }

  /** One digest for the elements, however they lie in the file. */
  @Test
  void verifiesABigEndianFile() throws Exception {
    Path big = dir.resolve("big.npy");
    NpyWriter.write(
        big,
        new NpyHeader(NpyDtype.of(ElementType.DOUBLE, ByteOrder.BIG_ENDIAN), List.of(3L)),
        ArraySlice.of(new double[] {1, -2, 0.1}));
    CompletableFuture<Outcome> receiver = receiving("--out", dir.resolve("little.npy").toString());
    Outcome sender = send("--verify", big.toString());
    assertThat(sender.status()).as(sender.toString()).isZero();
    assertThat(receiver.get().status()).isZero();
    assertThat(NpyReader.read(dir.resolve("little.npy")).elements().array())
        .isEqualTo(new double[] {1, -2, 0.1});
  }

  @ParameterizedTest
  @ValueSource(strings = {"--raw float", "--plain --verify"})
  void whatDoesNotGoTogether(String options) throws IOException {
    Path empty = Files.createDirectories(dir.resolve("empty"));
    String[] words = ("send --to localhost:1 " + options + " " + empty).split(" ", -1);
    Outcome outcome = run(words);
    assertThat(outcome.status()).isPositive();
    assertThat(outcome.err()).containsAnyOf("name the files", "leave out --verify");
    assertThat(run("send", "--to", "localhost:1", empty.toString()).err())
        .contains("there is no .npy or .npz file below it");
  }
}
