package io.arraywire.examples.cli;

import static io.arraywire.examples.cli.Outcome.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The members of each event of {@code --json} are those that docs/cli.md names. */
class JsonPageTest {
  private static final Pattern MEMBER = Pattern.compile("[{,]\"([a-zA-Z]+)\":");

  @TempDir Path dir;

  private static Set<String> onPage(String event) throws IOException {
    String row =
        Files.readAllLines(Path.of("..", "docs", "cli.md")).stream()
            .filter(line -> line.startsWith("| `" + event + "` |"))
            .findFirst()
            .orElseThrow();
    // What is in parentheses is values, and what follows a semicolon holds for --into.
    String members =
        row.substring(row.lastIndexOf("| ", row.length() - 3)).replaceAll("\\([^)]*\\)", "");
    return Pattern.compile("`([a-zA-Z]+)`")
        .matcher(members)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The members of an object, without its name for the event and what is in its facts. */
  private static Set<String> members(String line) {
    Set<String> members = new TreeSet<>();
    for (MatchResult each :
        MEMBER
            .matcher(line.replaceAll("\"facts\":\\{.*\\}\\}$", "\"facts\":0}"))
            .results()
            .toList()) {
      members.add(each.group(1));
    }
    assertThat(members.remove("event")).as(line).isTrue();
    return members;
  }

  private static String line(Outcome outcome, String event) {
    return outcome
        .out()
        .lines()
        .filter(each -> each.startsWith("{\"event\":\"" + event + "\""))
        .findFirst()
        .orElseThrow(() -> new AssertionError(outcome.toString()));
  }

  @Test
  void thePageNamesTheMembersOfEveryEvent() throws Exception {
    Path file = dir.resolve("a.npy");
    NpyWriter.write(
        file,
        new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of(3L)),
        ArraySlice.of(new float[3]));
    Set<String> ofArrays = new TreeSet<>();
    for (String how : List.of("--out", "--into")) {
      String address = "unix:" + dir.resolve("s" + how);
      String got = dir.resolve("got" + how + ".npy").toString();
      CompletableFuture<Outcome> receiver =
          CompletableFuture.supplyAsync(
              () -> run("receive", "--json", "--listen", address, how, got));
      Outcome sender = run("send", "--json", "--wait", "60", "--to", address, file.toString());
      assertThat(members(line(sender, "sent"))).isEqualTo(onPage("sent"));
      assertThat(members(line(receiver.get(), "listening"))).isEqualTo(onPage("listening"));
      ofArrays.addAll(members(line(receiver.get(), "array")));
    }
    assertThat(ofArrays).isEqualTo(onPage("array"));
    assertThat(members(line(sendingAgain(file), "skipped"))).isEqualTo(onPage("skipped"));
    Outcome failed = run("send", "--json", "--to", "unix:" + dir.resolve("none"), file.toString());
    assertThat(members(line(failed, "failed"))).isEqualTo(onPage("failed"));
    assertThat(members(line(run("doctor", "--json"), "finding"))).isEqualTo(onPage("finding"));
  }

  /** No broker is asked before somebody sends. */
  @ParameterizedTest
  @ValueSource(strings = {"to-kafka", "from-kafka"})
  void aBridgeBeginsWithTheSameEvent(String command) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    // Clients of Kafka warn of a broker that is not there, before or after that event.
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream warnings = new PrintStream(err, true, StandardCharsets.UTF_8);
    String[] words = {
      command, "--json", "--listen", "localhost:0", "--brokers", "localhost:1", "--topic", "t"
    };
    Thread serving =
        new Thread(() -> ArraywireCommand.execute(new Console(print, warnings, false), words));
    serving.start();
    Awaitility.await().until(() -> out.toString(StandardCharsets.UTF_8).endsWith("\n"));
    serving.interrupt();
    serving.join();
    assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("{");
    String line = out.toString(StandardCharsets.UTF_8).lines().findFirst().orElseThrow();
    assertThat(line).startsWith("{\"event\":\"listening\",");
    assertThat(members(line)).isEqualTo(onPage("listening"));
  }

  /** Sends a directory of which the receiver has one of two files. */
  private Outcome sendingAgain(Path file) throws Exception {
    Path model = Files.createDirectories(dir.resolve("model"));
    Path got = Files.createDirectories(dir.resolve("got/model"));
    Files.copy(file, model.resolve("a.npy"));
    Files.copy(file, model.resolve("b.npy"));
    Files.copy(file, got.resolve("a.npy"));
    String address = "unix:" + dir.resolve("again");
    CompletableFuture<Outcome> receiver =
        CompletableFuture.supplyAsync(() ->
            run(
                "receive",
                "--count",
                "1",
                "--listen",
                address,
                "--out",
                dir.resolve("got").toString()));
    Outcome sent =
        run("send", "--json", "--skip-existing", "--wait", "60", "--to", address, model.toString());
    receiver.get();
    return sent;
  }
}
