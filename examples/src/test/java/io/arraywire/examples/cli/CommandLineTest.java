package io.arraywire.examples.cli;

import static io.arraywire.examples.cli.Outcome.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.examples.file.ReceiveTechnique;
import io.arraywire.examples.file.SendTechnique;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exit status and the one line on standard error, for all that needs no second process. */
@Tag("newest")
class CommandLineTest {
  @TempDir Path dir;

  private Path floats;
  private Path shorts;
  private Path bytes;

  /** What a command line gave. */
  @BeforeEach
  void writeFiles() throws IOException {
    floats = dir.resolve("floats.npy");
    NpyWriter.write(
        floats,
        new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of(3L)),
        ArraySlice.of(new float[3]));
    shorts = dir.resolve("shorts.npy");
    NpyWriter.write(
        shorts,
        new NpyHeader(NpyDtype.of(ElementType.SHORT), List.of(3L)),
        ArraySlice.of(new short[3]));
    bytes = Files.write(dir.resolve("bytes"), new byte[3]);
  }

  private Outcome fails(int status, String... arguments) {
    Outcome outcome = run(arguments);
    assertThat(outcome.status()).as(outcome.toString()).isEqualTo(status);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines()).as(outcome.err()).hasSize(1);
    assertThat(outcome.err()).startsWith("arraywire").doesNotContain("\tat ", "java.lang.");
    return outcome;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "demo",
        "receive",
        "send",
        "to-kafka",
        "from-kafka",
        "doctor",
        "generate-completion",
        "generate-man-page"
      })
  void everyCommandHasHelp(String command) {
    Outcome outcome = command.isEmpty() ? run("--help") : run(command, "--help");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.out()).startsWith("Usage: arraywire").contains("--help");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void helpNamesCodecsTransportsAndExitStatus() {
    assertThat(run("receive", "--help").out().replaceAll("\\s+", " "))
        .contains(
            "nio, stream",
            "buffer-view, buffer-view-le, data-output",
            "char, byte, boolean, fp16, bf16, uint8")
        .contains("Exit status: 0 done 1 the transfer failed");
  }

  /** What each limit is, and what a sender may conclude from status 0. */
  @Test
  void helpTellsLimitsAndWhatDoneMeans() {
    assertThat(run("receive", "--help").out().replaceAll("\\s+", " "))
        .contains(
            "One of 1 MiB or more goes straight into its file, but not with --out - and --discard."
                + " Other arrays take heap as their bytes arrive, together at most four fifths of it.",
            "Default: 1G.",
            "Not together with --out.",
            "A peer that fails before it sends an array is only reported.",
            "No file is ever overwritten.");
    assertThat(run("send", "--help").out().replaceAll("\\s+", " "))
        .contains(
            "and waits until the receiver has written them (not with --plain)",
            "the receiver's limit holds too. Default: 16G.",
            "It does not mean that anybody read them",
            "shape (), arrives with shape (1,)");
  }

  /** A line for each technique, in the words that each has for itself. */
  @Test
  void helpListsTechniques() {
    assertThat(run("send", "--help").out().lines().map(String::strip))
        .containsAll(
            Stream.of(SendTechnique.values())
                .map(each -> String.format("%-9s %s", each, each.summary()))
                .toList());
    assertThat(run("receive", "--help").out().lines().map(String::strip))
        .containsAll(
            Stream.of(ReceiveTechnique.values())
                .map(each -> String.format("%-9s %s", each, each.summary()))
                .toList());
    assertThat(run("send", "--help").out().replaceAll("\\s+", " "))
        .contains("Default: " + SendTechnique.FASTEST + "; array for booleans");
    assertThat(run("receive", "--help").out())
        .contains("Default: " + ReceiveTechnique.FASTEST + ".");
  }

  /** What a newcomer needs stands there; what one measures with comes further below. */
  @ParameterizedTest
  @CsvSource({
    "send, 'Usage: arraywire send [OPTION]... --to=HOST:PORT FILE|DIR...', --to=HOST:PORT",
    "receive, 'Usage: arraywire receive [OPTION]... --listen=HOST:PORT', --out=FILE|DIR",
  })
  void theFirstScreenOfHelpIsForTransfers(String command, String usage, String needed) {
    List<String> screen = run(command, "--help").out().lines().limit(24).toList();
    assertThat(screen.get(0)).isEqualTo(usage);
    assertThat(String.join("\n", screen.subList(1, screen.size())))
        .contains(needed)
        .doesNotContain("--repeat", "--technique", "--transport", "--codec");
  }

  @Test
  void filesThatCannotBeSent() throws IOException {
    for (String technique : new SendCommand.TechniqueNames()) {
      byte[] whole = Files.readAllBytes(floats);
      Path cut = Files.write(dir.resolve("cut.npy"), Arrays.copyOf(whole, whole.length - 1));
      assertThat(sendFails(technique, cut)).contains("the file ends too early", "file=" + cut);
      String text = new String(whole, StandardCharsets.ISO_8859_1);
      Path half = dir.resolve("half.npy");
      Files.writeString(half, text.replace("<f4", "<c8"), StandardCharsets.ISO_8859_1);
      assertThat(sendFails(technique, half)).contains("<c8");
      assertThat(sendFails(technique, dir.resolve("none.npy"))).contains("no such file");
    }
  }

  /** Its header would arrive as elements, and nobody would notice. */
  @ParameterizedTest
  @ValueSource(strings = {"byte", "short", "float"})
  void aNpyFileIsNotRaw(String type) throws IOException {
    Path renamed = Files.copy(floats, dir.resolve("floats.bin"));
    for (String technique : new SendCommand.TechniqueNames()) {
      for (Path file : List.of(floats, renamed)) {
        assertThat(
                fails(
                        1,
                        "send",
                        "--raw",
                        type,
                        "--technique",
                        technique,
                        "--to",
                        "localhost:1",
                        file.toString())
                    .err())
            .isEqualTo(
                "arraywire send: the file is a .npy file, and its header would be sent as elements;"
                    + " send it without --raw (file="
                    + file
                    + ")\n");
      }
    }
    // The start of one, but too short to be one.
    Path start = Files.write(dir.resolve("short"), Arrays.copyOf(Files.readAllBytes(floats), 4));
    assertThat(fails(1, "send", "--raw", "byte", "--to", "localhost:1", start.toString()).err())
        .contains("Connection refused");
  }

  private String sendFails(String technique, Path file) {
    return fails(1, "send", "--technique", technique, "--to", "localhost:1", file.toString()).err();
  }

  @Test
  void aFileThatIsThereIsNoTarget() throws IOException {
    assertThat(fails(1, "receive", "--listen", "localhost:0", "--into", floats.toString()).err())
        .isEqualTo(
            "arraywire receive: the file exists already; remove it, or give another name (file="
                + floats
                + ")\n");
    assertThat(fails(1, "receive", "--listen", "localhost:0", "--out", floats.toString()).err())
        .isEqualTo(
            "arraywire receive: the file exists already; remove it, or give another name (file="
                + floats
                + ")\n");
    Path missing = dir.resolve("missing/one.npy");
    assertThat(fails(1, "receive", "--listen", "localhost:0", "--into", missing.toString()).err())
        .contains("no such file or directory; make the directory", "(file=" + missing + ")");
  }

  @Test
  void helpIsACommandToo() {
    assertThat(run("help").out()).isEqualTo(run("--help").out());
    assertThat(run("help", "send").out()).isEqualTo(run("send", "--help").out());
  }

  @Test
  void versionAndCompletion() {
    assertThat(run("--version").out())
        .startsWith("arraywire ")
        .contains("Java " + System.getProperty("java.version"));
    assertThat(run("generate-completion").out())
        .startsWith("#!/usr/bin/env bash")
        .contains("complete -F _complete_arraywire", "buffer-view-le", "--listen");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "                                                    | a command is missing",
        "fetch                                               | no such command: 'fetch'",
        "receive --listen localhost:0 now                    | one argument too many: 'now'",
        "sned --to localhost:1 FLOATS                        | no such command: 'sned'; did you mean"
            + " 'send'? (see 'arraywire --help')",
        "recieve                                             | did you mean 'receive'?",
        "bnech --quick                                       | did you mean 'bench'?",
        "--blub                                              | '--blub'",
        "receive                                             | '--listen=HOST:PORT'",
        "receive --listn localhost:0                         | no such option: '--listn'; did you"
            + " mean '--listen'? (see 'arraywire receive --help')",
        "receive --listn=localhost:0                         | did you mean '--listen'?",
        "receive --listen localhost:0 --disc                 | no such option: '--disc' (see",
        "send --too localhost:1 FLOATS                       | did you mean '--to'?",
        "send --to localhost:1 --technik heap FLOATS         | did you mean '--technique'?",
        "receive --listen localhost                          | address=localhost, forms=HOST:PORT",
        "send --to :4711 FLOATS                              | --to needs a host: ':PORT' is for"
            + " listening only (address=:4711)",
        "receive --listen localhost:70000                    | address=localhost:70000",
        "receive --listen ::1:0                              | brackets",
        "receive --listen localhost:0 --transport carrier    | transport=carrier, present=[nio,"
            + " stream]",
        "receive --listen localhost:0 --codec morse          | codec=morse, present=[buffer-view",
        "receive --listen localhost:0 --plain                | add --type",
        "receive --listen localhost:0 --type float           | --type is for --plain only",
        "receive --listen localhost:0 --plain --type half    | type=half, known=float int",
        "receive --listen localhost:0 --count 0              | count=0",
        "receive --listen localhost:0 --count many           | 'many'",
        "receive --listen localhost:0 --max-bytes 1T         | size=1T",
        "receive --listen localhost:0 --max-bytes 1          | maxArrayBytes=1, least=8",
        "receive --listen localhost:0 --out a.npy --count 2  | out=a.npy, count=2",
        "receive --listen localhost:0 --stats-every 5        | add --stats",
        "receive --listen localhost:0 --stats --stats-every 0 | must be at least 1 (seconds=0)",
        "receive --listen localhost:0 --discard --out x      | leave one out (out=x)",
        "receive --listen localhost:0 --plain --type int --codec protobuf | encoding=protobuf,"
            + " codecs=[",
        "send FLOATS                                         | '--to=HOST:PORT'",
        "send --to localhost:1                               | 'FILE'",
        "send --to localhost:0 FLOATS                        | port 0 is for listening",
        "send --to localhost:1 --repeat 0 FLOATS             | repeat=0",
        "send --to localhost:1 --wait 0 FLOATS               | --wait must be at least 1",
        "send --to localhost:1 --skip-existing --plain FLOATS | plain mode sends no names",
        "send --to localhost:1 --skip-existing --repeat 2 FLOATS | leave out --skip-existing (repeat=2)",
        "send --to localhost:1 --require-client-cert FLOATS  | no such option: '--require-client-cert'",
        "to-kafka --listen localhost:0 --brokers a:1 --topic t --plain | no such option: '--plain'",
        "from-kafka --listen localhost:0 --brokers a:1 --topic t --plain | no such option: '--plain'",
        "send --to localhost:1 --codec morse FLOATS          | codec=morse",
        "send --to localhost:1 --compress=gzip FLOATS        | compress=gzip, known=bf16 fp16"
            + " shuffle-lz4 shuffle-zstd",
        "send --to localhost:1 --compress=bf16 SHORTS        | compress=bf16, type=short, file=",
        "send --to localhost:1 --compress bf16 --verify FLOATS | compress=bf16, loss=",
        "send --to localhost:1 --compress --codec direct FLOATS | leave one out",
        "send --to localhost:1 --compress --plain FLOATS     | leave one out",
        "send --to localhost:1 --codec shuffle-lz4 FLOATS    | send with --compress=NAME",
        "receive --listen localhost:0 --codec bf16           | receive without an option",
        "send --to localhost:1 --codec protobuf SHORTS       | codec=protobuf, type=short, file=",
        "send --to localhost:1 --plain FLOATS SHORTS         | floats.npy=float",
        "send --to localhost:1 --technique rsync FLOATS      | technique=rsync, known=stream heap"
            + " direct mapped transfer array",
        "send --to localhost:1 --technique heap --raw boolean BYTES | file of booleans",
        "send --to localhost:1 --raw half FLOATS             | type=half, known=float int",
        "send --to localhost:1 --raw byte --order middle FLOATS | order=middle, known=little big",
        "send --to localhost:1 --order big FLOATS            | --order is for --raw only",
        "receive --listen localhost:0 --technique mapped     | --technique is for --into only",
        "receive --listen localhost:0 --into a --technique x | technique=x, known=buffer mapped"
            + " transfer",
        "receive --listen localhost:0 --into a --out b       | leave out --out",
        "receive --listen localhost:0 --into a --plain       | use --out (into=a)",
        "receive --listen localhost:0 --tls                  | give --cert and --key",
        "receive --listen localhost:0 --tls --cert a         | give --cert and --key",
        "receive --listen localhost:0 --cert a --key b       | go with --tls; add it",
        "receive --listen localhost:0 --tls --cert a --key b --require-client-cert | needs --ca",
        "receive --listen localhost:0 --require-client-cert  | is for TLS; add --tls, --cert and"
            + " --key, and --ca",
        "receive --listen localhost:0 --require-client-cert --cert a --key b | is for TLS; add",
        "receive --listen localhost:0 --tls --cert a --key b | no such file (file=a)",
        "receive --listen localhost:0 --into a --tls         | use --out (into=a)",
        "receive --listen localhost:0 --token-file a         | no such file (token-file=a)",
        "receive --listen localhost:0 --into a --token-file b | use --out (into=a)",
        "receive --listen localhost:0 --plain --type float --token-file FLOATS | no handshake",
        "send --to localhost:1 --token-file . FLOATS         | cannot be read (token-file=.)",
        "send --to localhost:1 --tls --key b FLOATS          | cert=null, key=b",
        "send --to localhost:1 --ca a FLOATS                 | go with --tls; add it",
        "send --to localhost:1 --tls --ca FLOATS FLOATS      | has no certificate",
        "demo --rounds 0                                     | rounds=0",
        "demo --size 1                                       | --size must be at least 8 bytes",
        "demo --small-size 1                                 | --small-size must be at least 8",
        "demo --size big                                     | size=big",
        "demo a.npy b.npy                                    | 'b.npy'",
      })
  void wrongUsageIsStatus2AndOneLine(String line, String part) {
    Outcome outcome = fails(2, line == null ? new String[0] : words(line.strip()));

    assertThat(outcome.err()).contains(part).contains("--help')");
  }

  private String[] words(String line) {
    return line.replace("FLOATS", floats.toString())
        .replace("SHORTS", shorts.toString())
        .replace("BYTES", bytes.toString())
        .split(" ");
  }

  @Test
  void receiveShowsStatsOnStandardErrorOnly() throws Exception {
    Path socket = dir.resolve("s");
    String address = "unix:" + socket;
    CompletableFuture<Outcome> receiver =
        CompletableFuture.supplyAsync(
            () -> run("receive", "--listen", address, "--discard", "--count", "1", "--stats"));
    // The file is there a moment before anybody listens.
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() ->
            receiver.isDone()
                || Files.exists(socket)
                    && run("send", "--to", address, floats.toString()).status() == 0);

    Outcome outcome = receiver.get();
    assertThat(outcome.status()).as(outcome.toString()).isZero();
    assertThat(outcome.out()).contains("array 1 from").doesNotContain("arrays/s");
    // However long it took, the last line comes at the end; what is counted then is for StatsLine's
    // own test, since the observer may be told of the array later.
    assertThat(outcome.err())
        .containsPattern(" arrays/s, .* MB/s, \\d arrays?, connections \\d, waiting \\d \\(");
  }

  @Test
  void whereMemoryIsShortTheAdviceIsAHeapThatIsLargeEnough() {
    long mebibytes = ((2 * Runtime.getRuntime().maxMemory() - 1) >> 20) + 1;
    assertThat(Complaints.words(new OutOfMemoryError("Java heap space")))
        .startsWith("not enough memory; set ARRAYWIRE_JAVA_OPTS=-Xmx" + mebibytes + "m or more");
    assertThat(Complaints.moreHeap(1)).endsWith("-Xmx1m or more");
    assertThat(Complaints.moreHeap(240 << 20)).endsWith("-Xmx240m or more");
  }

  /** Both ends say it once, in a sentence; the receiver goes on. */
  @ParameterizedTest
  @CsvSource({"nio, --out", "stream, --out", ", --into"})
  void aFullDiskIsToldOnceAtEachEnd(@Nullable String transport, String option) throws Exception {
    Path large = dir.resolve("large.npy");
    NpyWriter.write(
        large,
        new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of(1L << 19)),
        ArraySlice.of(new float[1 << 19]));
    Path small = SmallDisk.mount(dir.resolve("small"), 1 << 20);
    try {
      Path socket = dir.resolve("socket");
      String address = "unix:" + socket;
      Path got = small.resolve("got.npy");
      List<String> receive =
          new ArrayList<>(List.of("receive", "--listen", address, option, got.toString()));
      if (transport != null) {
        receive.addAll(List.of("--transport", transport));
      }
      CompletableFuture<Outcome> receiver =
          CompletableFuture.supplyAsync(() -> run(receive.toArray(new String[0])));
      Awaitility.await().until(() -> receiver.isDone() || Files.exists(socket));
      String sender = fails(1, "send", "--to", address, large.toString()).err();
      assertThat(sender)
          .contains("the receiver's disk is full; nothing of the array was kept (bytes=2097152, us")
          .doesNotContain("handler", "logNumber", "INTERNAL", small.toString());
      assertThat(run("send", "--to", address, floats.toString()).status()).isZero();

      Outcome outcome = receiver.get();
      assertThat(outcome.status()).as(outcome.toString()).isZero();
      assertThat(got).exists();
      assertThat(outcome.err().lines()).as(outcome.err()).hasSize(1);
      assertThat(outcome.err())
          .startsWith("arraywire receive: array from ")
          .contains("the disk is full; nothing of the array was kept; make room, or give another")
          .contains("(file=" + got + ", disk=" + small + " (tmpfs), bytes=2097152, usableBytes=")
          .doesNotContain("handler", "logNumber");
    } finally {
      SmallDisk.unmount(small);
    }
  }

  @Test
  void missingAndForeignFiles() throws IOException {
    assertThat(fails(1, "send", "--to", "localhost:1", "none.npy").err())
        .isEqualTo("arraywire send: no such file or directory (file=none.npy)\n");
    assertThat(fails(1, "demo", "none.npy").err())
        .isEqualTo("arraywire demo: no such file or directory (file=none.npy)\n");

    Path text = Files.writeString(dir.resolve("text.npy"), "1,2,3\n");
    assertThat(fails(1, "send", "--to", "localhost:1", text.toString()).err())
        .startsWith("arraywire send: not a .npy file; make one with numpy.save (file=" + text);
    assertThat(fails(1, "demo", text.toString()).err()).contains("not a .npy file");
    Path empty = Files.createDirectory(dir.resolve("empty"));
    assertThat(fails(1, "send", "--to", "localhost:1", empty.toString()).err())
        .contains("there is no .npy or .npz file below it (directory=" + empty + ")");
  }

  @Test
  void anEmptyArrayIsNothingToDemonstrate() throws IOException {
    Path empty = dir.resolve("empty.npy");
    NpyWriter.write(
        empty,
        new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of(0L)),
        ArraySlice.of(new float[0]));

    assertThat(fails(1, "demo", empty.toString()).err()).contains("the array is empty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void refusedConnection(String transport) throws IOException {
    // Has the port and does not listen: nobody else gets it meanwhile.
    try (Socket silent = new Socket()) {
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String to = "127.0.0.1:" + silent.getLocalPort();

      assertThat(fails(1, "send", "--transport", transport, "--to", to, floats.toString()).err())
          .contains(
              "address=/" + to, "Connection refused", "is 'arraywire receive' running there?");
    }
  }

  @Test
  void unknownHost() {
    assertThat(fails(1, "send", "--to", "no-such-host.invalid:1", floats.toString()).err())
        .contains("unknown host (host=no-such-host.invalid");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void busyPort(String transport) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String listen = "127.0.0.1:" + server.getLocalPort();

      assertThat(fails(1, "receive", "--transport", transport, "--listen", listen).err())
          .contains(
              "address=/" + listen,
              "the port is in use",
              "listen on port 0, which takes a free one")
          .endsWith("cause=Address already in use)\n");
    }
  }

  @Test
  void unwritableOut() throws IOException {
    Path text = Files.writeString(dir.resolve("text"), "");

    assertThat(fails(1, "receive", "--listen", "localhost:0", "--out", text.toString()).err())
        .isEqualTo("arraywire receive: exists already and is no directory (file=" + text + ")\n");
    Path below = text.resolve("one.npy");
    assertThat(fails(1, "receive", "--listen", "localhost:0", "--out", below.toString()).err())
        .isEqualTo(
            "arraywire receive: cannot write there: Not a directory; give another place (file="
                + below
                + ")\n");
    Path deeper = text.resolve("a/b");
    assertThat(fails(1, "receive", "--listen", "localhost:0", "--out", deeper.toString()).err())
        .endsWith("; give another place (file=" + deeper + ")\n");
    Path missing = dir.resolve("missing/one.npy");
    assertThat(fails(1, "receive", "--listen", "localhost:0", "--out", missing.toString()).err())
        .isEqualTo(
            "arraywire receive: cannot write there: no such file or directory; make the directory,"
                + " or give another place (file="
                + missing
                + ")\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void anAddressThatIsNotOfThisHost(String transport) {
    // Kept for documentation, so no host has it.
    assertThat(fails(1, "receive", "--transport", transport, "--listen", "192.0.2.1:0").err())
        .contains("192.0.2.1", "take an address of this host, localhost, or 0.0.0.0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void unixSocketsThatCannotBe(String transport) throws IOException {
    String missing = "unix:" + dir.resolve("missing/s");
    assertThat(fails(1, "receive", "--transport", transport, "--listen", missing).err())
        .contains("missing/s", "take a path in a directory that is there");

    Path left = dir.resolve("left");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(left));
    }
    assertThat(left).as("the socket of a process that ended").exists();
    assertThat(fails(1, "receive", "--transport", transport, "--listen", "unix:" + left).err())
        .contains("the file exists; remove it if no process listens there");
  }

  @Test
  void verboseTellsWhere() {
    Outcome outcome = run("send", "--verbose", "--to", "localhost:1", "none.npy");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("arraywire send: no such file")
        .contains("NoSuchFileException", "\tat io.arraywire.examples.npy.NpyReader");
  }

  /** A program that reads standard output learns of the failure there; people read the other. */
  @Test
  void jsonTellsFailures() throws IOException {
    try (Socket silent = new Socket()) {
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String to = "127.0.0.1:" + silent.getLocalPort();

      Outcome refused = run("send", "--json", "--to", to, floats.toString());
      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.err().lines()).hasSize(1);
      assertThat(refused.out().lines()).hasSize(1);
      assertThat(refused.out())
          .startsWith(
              "{\"event\":\"failed\",\"command\":\"arraywire send\",\"status\":1,"
                  + "\"code\":\"CONNECT_FAILED\",\"message\":\"cannot connect: nobody listens")
          .contains("\"facts\":{\"address\":", to);
    }
    Outcome wrong = run("receive", "--json", "--listen", "localhost");
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.out())
        .startsWith("{\"event\":\"failed\",\"command\":\"arraywire receive\",\"status\":2,")
        .contains("\"code\":null", "the port is missing");
    assertThat(run("send", "--to", "localhost:1", "none.npy").out()).isEmpty();
  }

  /** What {@code --wait} is for: the two may be started in any order. */
  @Test
  void aReceiverMayComeLater() throws Exception {
    String address = "unix:" + dir.resolve("late");
    CompletableFuture<Outcome> sender =
        CompletableFuture.supplyAsync(
            () -> run("send", "--wait", "60", "--to", address, floats.toString()));
    Outcome atOnce = run("send", "--to", address, floats.toString());
    assertThat(atOnce.status()).isEqualTo(1);
    assertThat(sender).isNotDone();

    Outcome receiver = run("receive", "--listen", address, "--discard", "--count", "1");
    assertThat(receiver.status()).as(receiver.toString()).isZero();
    assertThat(sender.get().status()).as(sender.get().toString()).isZero();
    assertThat(fails(1, "send", "--wait", "1", "--to", address, floats.toString()).err())
        .contains("is 'arraywire receive' running there?");
  }

  /** Escapes in a pipe would be read by the program behind it. */
  @Test
  void coloursAreForTerminalsOnly() {
    for (String[] each : new String[][] {{"doctor"}, {"--help"}, {"send", "--help"}}) {
      assertThat(run(each).out()).doesNotContain("\u001b");
      assertThat(Outcome.inColours(each).out()).contains("\u001b");
    }
  }

  @Test
  void linesCannotBeForged() {
    Outcome outcome = fails(1, "send", "--to", "localhost:1", "a\nb\u001b[31m\u2028.npy");

    assertThat(outcome.err()).contains("a b [31m .npy");
  }
}
