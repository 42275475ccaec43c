package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.benchmarks.RecordedConsole;
import io.arraywire.examples.cli.ArraywireCommand;
import io.arraywire.examples.cli.StoredCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lists all commands lists those of this module, too. */
class AllCommandsTest {
  private static final Path STORED =
      Path.of(System.getProperty("basedir", "."))
          .resolve("../examples/src/main/resources/io/arraywire/examples/cli/bench-command.txt");

  private final RecordedConsole console = new RecordedConsole();

  private String said(String... arguments) {
    console.clear();
    assertThat(Bench.execute(console.console(), arguments)).as(console.err()).isZero();
    return console.out();
  }

  /**
   * Completion and the manual page do not wait until this module is built: what they say of it is
   * stored beside them. {@code -Darraywire.bench.renew=true} writes it anew.
   */
  @Test
  void whatIsStoredOfBenchIsWhatItHas() throws IOException {
    String now = StoredCommand.describe(Bench.command(console.console()).getCommandSpec());
    if (Boolean.getBoolean("arraywire.bench.renew")) {
      Files.writeString(STORED, now);
    }
    assertThat(Files.readString(STORED))
        .as("run this test with -Darraywire.bench.renew=true, and commit " + STORED)
        .isEqualTo(now);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"generate-completion bash", "generate-completion fish", "generate-man-page"})
  void withoutThisModuleTheSameIsSaid(String line) throws IOException {
    String[] words = line.split(" ", -1);
    String here = said(words);
    assertThat(Files.readString(STORED)).isNotEmpty();
    console.clear();
    assertThat(ArraywireCommand.execute(console.console(), words)).as(console.err()).isZero();
    assertThat(console.out()).isEqualTo(here);
  }

  @Test
  void completionKnowsBenchAndItsOptions() {
    assertThat(said("generate-completion")).contains("bench", "--connections", "--against");
    assertThat(said("generate-completion", "fish").lines())
        .anyMatch(
            line -> line.startsWith("complete -c arraywire -n '__fish_use_subcommand' -a 'bench'"))
        .anyMatch(line ->
            line.contains("__fish_seen_subcommand_from bench") && line.contains("-l rounds "))
        .anyMatch(line -> line.contains("-l data -x -a 'noise sensors ticks weights'"))
        .anyMatch(line ->
            line.contains("__fish_seen_subcommand_from report") && line.contains("-l out "));
  }

  @Test
  void theManualPageHasBenchAndWhatIsBelowIt() {
    String page = said("generate-man-page");
    for (String command : List.of("BENCH", "BENCH REPORT", "BENCH COMPARE", "BENCH KEEP", "SEND")) {
      assertThat(page).contains(".SH \"COMMAND " + command + "\"");
    }
  }
}
