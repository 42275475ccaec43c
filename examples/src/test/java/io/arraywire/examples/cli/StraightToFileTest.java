package io.arraywire.examples.cli;

import static io.arraywire.examples.cli.Outcome.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Receipt;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyReader;
import io.arraywire.examples.npy.NpyWriter;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code receive --out} promises, for arrays that go straight into their files. */
@Timeout(60)
@Tag("newest")
class StraightToFileTest {
  private static final int COUNT = 1 << 20;
  private static final Pattern COPIED = Pattern.compile("\"copiedBytes\":(\\d+)");

  /** That Linux opens. */
  private static final int LONGEST_PATH = 4_095;

  @TempDir Path dir;

  private Path write(String file, ByteOrder order, float first) throws IOException {
    return write(file, order, first, COUNT);
  }

  private Path write(String file, ByteOrder order, float first, int count) throws IOException {
    float[] elements = new float[count];
    for (int i = 0; i < count; i++) {
      // Halves and quarters, which bf16 and fp16 keep.
      elements[i] = i % 64 / 4f;
    }
    elements[0] = first;
    Path path = dir.resolve(file);
    Files.createDirectories(path.getParent());
    NpyWriter.write(
        path,
        new NpyHeader(NpyDtype.of(ElementType.FLOAT, order), List.of(2L, count / 2L)),
        ArraySlice.of(elements));
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
    Awaitility.await().until(() -> receiver.isDone() || Files.exists(dir.resolve("s")));
    return receiver;
  }

  private Outcome send(String... more) {
    return run(
        Stream.concat(Stream.of("send", "--to", address()), Stream.of(more))
            .toArray(String[]::new));
  }

  private static void succeeded(Outcome outcome) {
    assertThat(outcome.status()).as(outcome.toString()).isZero();
    assertThat(outcome.err()).isEmpty();
  }

  /** The channel reads into the memory that is written: only what came early is copied. */
  @Test
  void itsBytesAreNotCopied() throws Exception {
    Path file = write("in/a.npy", ByteOrder.LITTLE_ENDIAN, 1, 8 * COUNT);
    Path got = dir.resolve("got.npy");
    CompletableFuture<Outcome> receiver = receiving("--out", got.toString(), "--json");
    succeeded(send(file.toString()));
    succeeded(receiver.get());

    assertThat(got).hasSameBinaryContentAs(file);
    Matcher copied = COPIED.matcher(receiver.get().out());
    assertThat(copied.find()).as(receiver.get().out()).isTrue();
    assertThat(Long.parseLong(copied.group(1))).isLessThan(8 * COUNT);
    assertThat(receiver.get().out())
        .contains("\"elements\":8388608,\"shape\":[2,4194304],\"bytes\":33554432,");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--verify",
        "--technique array --verify",
        "--codec data-output",
        "--codec protobuf",
        "--transport stream",
        "--compress",
        "--compress --verify",
        "--compress=shuffle-lz4 --technique array",
        "--compress=bf16",
        "--compress=fp16 --transport stream"
      })
  void whateverItsElementsTravelIn(String options) throws Exception {
    Path file = write("in/a.npy", ByteOrder.LITTLE_ENDIAN, 1);
    Path got = dir.resolve("got.npy");
    CompletableFuture<Outcome> receiver = receiving("--out", got.toString());
    succeeded(send((options + " " + file).split(" ", -1)));
    succeeded(receiver.get());
    assertThat(got).hasSameBinaryContentAs(file);
  }

  @Test
  void aBigEndianFileBecomesALittleEndianOne() throws Exception {
    Path file = write("in/a.npy", ByteOrder.BIG_ENDIAN, 1);
    Path got = dir.resolve("got.npy");
    CompletableFuture<Outcome> receiver = receiving("--out", got.toString());
    succeeded(send("--verify", file.toString()));
    succeeded(receiver.get());
    assertThat(got).hasSameBinaryContentAs(write("in/little.npy", ByteOrder.LITTLE_ENDIAN, 1));
  }

  /** What was written is read again before it has its name. */
  @Test
  void anotherDigestRefusesIt() throws Exception {
    Path got = dir.resolve("got.npy");
    CompletableFuture<Outcome> receiver = receiving("--out", got.toString());
    try (Transport transport = NioTransport.create(TransportOptions.defaults());
        Connection peer = transport.connect(Transport.address(address()))) {
      SendOptions wrong = SendOptions.processed().metadata(ElementDigest.KEY, "00");
      assertThatThrownBy(() -> peer.send(new float[COUNT], wrong))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("not the one that was sent; nothing of it was kept");
      assertThat(parts()).isEmpty();
      peer.send(new float[COUNT], SendOptions.processed());
    }
    assertThat(receiver.get().status()).isZero();
    assertThat(got).exists();
  }

  @Test
  void aNameThatIsTakenIsKept() throws Exception {
    Path taken = write("model/a.npy", ByteOrder.LITTLE_ENDIAN, 1);
    Path free = write("model/sub/b.npy", ByteOrder.LITTLE_ENDIAN, 2);
    Path there = write("got/model/a.npy", ByteOrder.LITTLE_ENDIAN, 7);
    String got = dir.resolve("got").toString();
    CompletableFuture<Outcome> receiver = receiving("--out", got, "--count", "1");
    Outcome stopped = send(taken.getParent().toString());
    assertThat(stopped.err())
        .contains("the receiver has a file of that name (name=model/a.npy); it was array 1 of 2")
        .endsWith(": 0 sent, 1 not tried; --skip-existing leaves out what the receiver has\n");
    Outcome sent = send("--skip-existing", taken.getParent().toString());
    succeeded(sent);
    assertThat(sent.out().lines().map(line -> line.split(" ", -1)[0]))
        .containsExactly("skipped", "sent");

    assertThat(receiver.get().status()).as(receiver.get().toString()).isZero();
    assertThat(receiver.get().err().lines()).hasSize(2);
    assertThat(((float[]) NpyReader.read(there).elements().array())[0]).isEqualTo(7);
    assertThat(dir.resolve("got/model/sub/b.npy")).hasSameBinaryContentAs(free);
    assertThat(parts()).isEmpty();
  }

  /** A peer that declares an array and breaks off leaves nothing. */
  @Test
  void noDirectoryIsMadeForAnArrayThatIsNotWhole() throws Exception {
    Path got = dir.resolve("got");
    Files.createDirectories(got.resolve("there"));
    CompletableFuture<Outcome> receiver = receiving("--out", got.toString(), "--count", "2");
    try (Transport transport = NioTransport.create(TransportOptions.defaults())) {
      for (String name : List.of("a/b/x.npy", "there/c/x.npy")) {
        HalfSource half = new HalfSource(COUNT);
        Connection peer = transport.connect(Transport.address(address()));
        CompletableFuture<Receipt> sent =
            peer.sendAsync(half, SendOptions.processed().metadata(TravelName.KEY, name))
                .toCompletableFuture();
        Awaitility.await().until(() -> parts().size() == 1);
        assertThat(parts().get(0).getParent())
            .as("the nearest directory that is there, so on the disk of its file")
            .isEqualTo(name.startsWith("a") ? got : got.resolve("there"));
        half.rest().countDown();
        sent.get(30, TimeUnit.SECONDS);
        peer.close();
      }
    }
    assertThat(receiver.get().status()).as(receiver.get().toString()).isZero();
    assertThat(got.resolve("a/b/x.npy")).exists();
    assertThat(got.resolve("there/c/x.npy")).exists();

    CompletableFuture<Outcome> again = receiving("--out", got.toString(), "--count", "1");
    HalfSource half = HalfSource.only(COUNT);
    try (Transport transport = NioTransport.create(TransportOptions.defaults());
        Connection peer = transport.connect(Transport.address(address()))) {
      CompletableFuture<Receipt> sent =
          peer.sendAsync(half, SendOptions.processed().metadata(TravelName.KEY, "d/e/x.npy"))
              .toCompletableFuture();
      Awaitility.await().until(() -> parts().size() == 1);
      half.rest().countDown();
      assertThatThrownBy(() -> sent.get(30, TimeUnit.SECONDS)).hasMessageContaining("broken off");
      Awaitility.await().until(() -> parts().isEmpty());
      peer.send(new float[1], SendOptions.processed());
    }
    assertThat(again.get().status()).as(again.get().toString()).isZero();
    assertThat(got.resolve("array-000001.npy")).exists();
    assertThat(got.resolve("d")).doesNotExist();
  }

  /** Systems limit paths as well as names: Linux to 4095 bytes. */
  @ParameterizedTest
  @ValueSource(ints = {1, COUNT})
  void aNameThatIsTooLongForTheFileSystemEndsNothing(int count) throws Exception {
    Path got = dir;
    while (got.toString().length() < 3900) {
      int more = Math.min(200, 3900 - got.toString().length());
      got = Files.createDirectories(got.resolve("d".repeat(more)));
    }
    CompletableFuture<Outcome> receiver = receiving("--out", got.toString(), "--count", "1");
    try (Transport transport = NioTransport.create(TransportOptions.defaults());
        Connection peer = transport.connect(Transport.address(address()))) {
      for (String name : List.of("x".repeat(236) + ".npy", "x".repeat(236) + "/y.npy")) {
        SendOptions named = SendOptions.processed().metadata(TravelName.KEY, name);
        assertThatThrownBy(() -> peer.send(new float[count], named))
            .isInstanceOf(RemoteRejectedException.class)
            .hasMessageContaining("the array was not written: File name too long");
      }
      peer.send(new float[count], SendOptions.processed());
    }
    assertThat(receiver.get().status()).as(receiver.get().toString()).isZero();
    assertThat(receiver.get().err().lines())
        .hasSize(2)
        .allMatch(line -> line.contains("array from"));
    assertThat(got.toFile().list()).hasSize(1);
  }

  /** Only a directory has more than one name to choose. */
  @ParameterizedTest
  @ValueSource(strings = {"--out=FILE", "--discard --count 1"})
  void elsewhereNamesDoNotMatter(String options) throws Exception {
    Path got = dir.resolve("got.npy");
    for (int count : List.of(3, COUNT)) {
      CompletableFuture<Outcome> receiver =
          receiving(options.replace("FILE", got.toString()).split(" ", -1));
      try (Transport transport = NioTransport.create(TransportOptions.defaults());
          Connection peer = transport.connect(Transport.address(address()))) {
        peer.send(new float[count], SendOptions.processed().metadata(TravelName.KEY, "../no name"));
      }
      assertThat(receiver.get().status()).as(receiver.get().toString()).isZero();
      assertThat(Files.deleteIfExists(got)).isEqualTo(options.startsWith("--out"));
    }
  }

  /** No file holds them, and their bytes in one would be no array that anybody sent. */
  @Test
  void aMessageOfPartsIsRefusedAndTheNextArrayComes() throws Exception {
    Path got = dir.resolve("got");
    CompletableFuture<Outcome> receiver = receiving("--out", got.toString(), "--count", "1");
    try (Transport transport = NioTransport.create(TransportOptions.defaults());
        Connection peer = transport.connect(Transport.address(address()))) {
      Message message = Message.of("ids", new int[] {1}).with("scores", new float[] {2});
      assertThatThrownBy(() -> peer.send(message, SendOptions.processed()))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining(
              "this is a message of parts; send each by itself (parts=[ids, scores])");
      peer.send(new float[] {3}, SendOptions.processed());
    }
    assertThat(receiver.get().status()).as(receiver.get().toString()).isZero();
    assertThat(receiver.get().err())
        .contains("arraywire receive: array from", "this is a message of parts");
    try (Stream<Path> files = Files.list(got)) {
      assertThat(files).hasSize(1);
    }
  }

  /** What another peer had begun is gone when the command ends. */
  @Test
  void theFirstThatIsWholeIsTaken() throws Exception {
    Path file = write("in/a.npy", ByteOrder.LITTLE_ENDIAN, 1);
    Path got = Files.createDirectories(dir.resolve("got")).resolve("a.npy");
    HalfSource other = new HalfSource(COUNT);
    CompletableFuture<Outcome> receiver = receiving("--out", got.toString());
    try (Transport transport = NioTransport.create(TransportOptions.defaults());
        Connection peer = transport.connect(Transport.address(address()))) {
      CompletableFuture<Receipt> sent =
          peer.sendAsync(other, SendOptions.processed()).toCompletableFuture();
      Awaitility.await().until(() -> parts().size() == 1);
      succeeded(send(file.toString()));
      // It tells that the other peer, which waits, has not said goodbye.
      assertThat(receiver.get().status()).as(receiver.get().toString()).isZero();
      assertThat(parts()).isEmpty();
      assertThat(got).hasSameBinaryContentAs(file);
      other.rest().countDown();
      assertThatThrownBy(() -> sent.get(30, TimeUnit.SECONDS)).isNotNull();
      peer.closeNow();
    }
  }

  private List<Path> parts() throws IOException {
    try (Stream<Path> files = Files.walk(dir)) {
      return files.filter(file -> file.toString().endsWith(".part")).toList();
    }
  }

  /** The file could be stored, and its hidden file not, whose path is longer. */
  @Test
  void aHiddenFileThatCannotBeMadeEndsNothingForOthers() throws Exception {
    Path got = dir.resolve("got");
    for (int length = got.toString().length(); length < 3_900; length = got.toString().length()) {
      got = got.resolve("d".repeat(Math.min(200, 3_938 - length)));
    }
    String name = "x".repeat(LONGEST_PATH - got.toString().length() - "/.npy".length()) + ".npy";
    Path refused = write("in/" + name, ByteOrder.LITTLE_ENDIAN, 1);
    Path taken = write("in/a.npy", ByteOrder.LITTLE_ENDIAN, 2);
    CompletableFuture<Outcome> receiver = receiving("--out", got.toString(), "--count", "1");
    Outcome sent = send("--resume", refused.toString());
    assertThat(sent.status()).as(sent.toString()).isEqualTo(1);
    assertThat(sent.err()).contains("the array was not written: File name too long");
    assertThat(receiver).isNotDone();
    succeeded(send("--resume", taken.toString()));
    assertThat(receiver.get().status()).as(receiver.get().toString()).isZero();
    assertThat(got.resolve("a.npy")).hasSameBinaryContentAs(taken);
  }
}
