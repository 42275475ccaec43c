package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.benchmarks.RecordedConsole;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What lists all commands lists those of this module, too. */
class AllCommandsTest {
  private final RecordedConsole console = new RecordedConsole();

  private String said(String... arguments) {
    console.clear();
    assertThat(Bench.execute(console.console(), arguments)).as(console.err()).isZero();
    return console.out();
  }

  @Test
  void completionKnowsBenchAndItsOptions() {
    assertThat(said("generate-completion")).contains("bench", "--connections", "--against");
    assertThat(said("generate-completion", "fish").lines())
        .anyMatch(
            line -> line.startsWith("complete -c arraywire -n '__fish_use_subcommand' -a 'bench'"))
        .anyMatch(line ->
            line.contains("__fish_seen_subcommand_from bench") && line.contains("-l rounds "))
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
