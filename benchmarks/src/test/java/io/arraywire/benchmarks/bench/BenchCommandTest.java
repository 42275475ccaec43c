package io.arraywire.benchmarks.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.examples.cli.ArraywireCommand;
import io.arraywire.examples.cli.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchCommandTest {
  private record Run(int status, String out, String err) {}

  private static Run run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        new Console(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
    List<String> all = new ArrayList<>(List.of("bench"));
    all.addAll(List.of(arguments));
    int status =
        ArraywireCommand.execute(
            console, List.of(new BenchCommand(console)), all.toArray(String[]::new));
    return new Run(status, out.toString(UTF_8), err.toString(UTF_8));
  }

  private static BenchSettings settings(String... arguments) {
    BenchCommand command = new BenchCommand(Console.system());
    new CommandLine(command).parseArgs(arguments);
    return command.settings();
  }

  @Test
  void theListNamesContenders() {
    Run run = run("--list");
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("raw-ceiling", "raw-staged-spin", "nio-staged", "stream");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--quick --full | mutually exclusive",
        "--sizes 3 | size=3",
        "--sizes 64X | size=64X",
        "--sizes 2G | at most 1 GiB",
        "--pipeline-sizes 7 | size=7",
        "--contenders nio,bogus | contender=bogus",
        "--rounds 0 | rounds=0",
        "--rounds many | --rounds",
        "--burst 0 | burst=0",
        "--window 1 | window=1",
        "--json /no/such/directory/x.json | /no/such/directory/x.json",
        "--json / | json=/",
        "--nonsense | --nonsense",
      })
  void whatCannotBeIsSaidInOneLine(String arguments, String complaint) {
    Run run = run(arguments.split(" "));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("arraywire bench: ", complaint).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void withoutOptionsItIsQuick() {
    BenchSettings settings = settings();
    assertThat(settings).isEqualTo(settings("--quick"));
    assertThat(settings.rounds()).isEqualTo(7);
    assertThat(settings.budget()).hasSeconds(270);
    assertThat(settings.workloads())
        .containsExactly(
            Workload.oneByOne(16),
            Workload.oneByOne(1 << 18),
            Workload.oneByOne(1 << 24),
            new Workload(16, 256));
  }

  @Test
  void theBaselineAlwaysTakesPart() {
    assertThat(settings("--contenders", "nio,raw-spin,nio").contenders())
        .extracting(Contender::name)
        .containsExactly("raw-ceiling", "nio", "raw-spin");
  }

  @Test
  void optionsSayWhatIsMeasured() {
    BenchSettings settings =
        settings(
            "--full",
            "--sizes",
            "1K",
            "--pipeline-sizes",
            "0",
            "--rounds",
            "3",
            "--burst",
            "50",
            "--jvm-option=-XX:+UseSerialGC");
    assertThat(settings.workloads()).containsExactly(Workload.oneByOne(256));
    assertThat(settings.rounds()).isEqualTo(3);
    assertThat(settings.burst()).hasMillis(50);
    assertThat(settings.jvmOptions()).containsExactly("-XX:+UseSerialGC");
  }
}
