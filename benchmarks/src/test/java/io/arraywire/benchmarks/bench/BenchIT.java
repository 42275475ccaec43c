package io.arraywire.benchmarks.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.examples.cli.ArraywireCommand;
import io.arraywire.examples.cli.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole run, small; nothing is asserted of how long anything takes. */
class BenchIT {
  @TempDir private Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    Console console =
        new Console(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
    List<String> all = new ArrayList<>(List.of("bench"));
    all.addAll(List.of(arguments));
    return ArraywireCommand.execute(
        console, List.of(new BenchCommand(console)), all.toArray(String[]::new));
  }

  @Test
  void aRunOverUnixDomainSocketsLeavesNoSocketsBehind() throws Exception {
    // Of its own, for others may run such processes at the same time.
    Path sockets = Files.createDirectory(directory.resolve("sockets"));
    int status =
        run(
            "--contenders=raw-ceiling-unix,nio-unix",
            "--sizes=64,8K",
            "--rounds=2",
            "--burst=10",
            "--jvm-option=-Djava.io.tmpdir=" + sockets);
    assertThat(err.toString(UTF_8)).doesNotContain("Exception");
    assertThat(status).isZero();
    assertThat(out.toString(UTF_8)).contains("\nraw-ceiling-unix ", "\nnio-unix ");
    assertThat(sockets).isEmptyDirectory();
  }

  @Test
  void aRunThatFailsLeavesTheFiguresOfAnEarlierOne() throws Exception {
    Path json = Files.writeString(directory.resolve("bench.json"), "figures");
    int status = run("--contenders=nio", "--jvm-option=-XX:NoSuchOption", "--json=" + json);
    assertThat(status).isEqualTo(1);
    assertThat(err.toString(UTF_8)).doesNotContain("Exception");
    assertThat(json).hasContent("figures");
  }

  @Test
  void aRunPrintsTablesAndWritesJson() throws Exception {
    Path json = directory.resolve("bench.json");
    int status =
        run(
            "--contenders=nio",
            "--sizes=64,8K",
            "--window=4",
            "--rounds=2",
            "--burst=10",
            "--json=" + json);
    assertThat(err.toString(UTF_8)).contains("bench: round 2 of 2").doesNotContain("Exception");
    assertThat(status).isZero();
    assertThat(out.toString(UTF_8))
        .contains("float[] of 64 bytes, medians of 2 rounds")
        .contains("float[] of 8 KiB, medians of 2 rounds")
        .contains("float[] of 64 bytes, 4 on their way, medians of 2 rounds")
        .contains("raw-ceiling", "nio");
    String text = Files.readString(json);
    String number = "[0-9.E-]+";
    String row =
        "\\{\"contender\":\"%s\",\"ratio\":%s,\"nanos\":#,\"spread\":#,\"gigabytesPerSecond\":#,"
            + "\"slowQuarterGigabytesPerSecond\":#,\"arraysPerSecond\":#,\"cpuSecondsPerGigabyte\":#,"
            + "\"p50\":(#|null),\"p99\":(#|null),\"p99.9\":(#|null),\"arrays\":[1-9][0-9]*,"
            + "\"roundNanos\":\\[#,#\\]\\}";
    String rows =
        "\"contenders\":\\["
            + String.format(row, "raw-ceiling", "1.0")
            + ","
            + String.format(row, "nio", "#")
            + "\\]\\}";
    String workload = "\\{\"bytes\":%d,\"window\":%d,";
    assertThat(text)
        .startsWith("{\"baseline\":\"raw-ceiling\",\"rounds\":2,\"burstMillis\":10,")
        .containsPattern(
            ("\"workloads\":\\["
                    + String.format(workload, 64, 1)
                    + rows
                    + ","
                    + String.format(workload, 8192, 1)
                    + rows
                    + ","
                    + String.format(workload, 64, 4)
                    + rows
                    + "\\]\\}\\n$")
                .replace("#", number));
  }

  @Test
  void manyConnectionsHaveTheirTablesAndJson() throws Exception {
    Path json = directory.resolve("connections.json");
    int status =
        run(
            "--connections=3,1",
            "--contenders=nio-2-loops,stream",
            "--sizes=8K",
            "--rounds=2",
            "--burst=10",
            "--json=" + json);
    assertThat(err.toString(UTF_8))
        .contains("bench: 3 connections: round 2 of 2", "bench: 1 connection: round 2 of 2")
        .doesNotContain("Exception");
    assertThat(status).isZero();
    List<String> names = List.of("raw-selector", "nio-2-loops", "stream");
    assertThat(out.toString(UTF_8))
        .contains("float[] of 8 KiB, 3 connections, medians of 2 rounds")
        .contains("float[] of 8 KiB, 1 connection, medians of 2 rounds")
        .contains("x raw-selector", "least/mean", "Jain")
        .contains("arrays/s, float[] of 8 KiB, by number of connections")
        .contains(names);
    String rows =
        names.stream()
            .map(name ->
                "\\{\"contender\":\""
                    + name
                    + "\",\"ratio\":[0-9][^{}]*\"arrays\":[1-9][0-9]*,\"roundNanos\":\\[[^{}]*\\],"
                    + "\"leastShare\":[01]\\.[0-9E-]+,\"jainIndex\":[01]\\.[0-9]+\\}")
            .collect(Collectors.joining(","));
    String run =
        "\\{\"baseline\":\"raw-selector\",\"rounds\":2,[^{}]*\"workloads\":\\[\\{\"bytes\":8192,"
            + "\"window\":1,\"connections\":%d,\"contenders\":\\["
            + rows.replace("%", "%%")
            + "\\]\\}\\]\\}";
    assertThat(Files.readString(json))
        .matches(
            "\\{\"runs\":\\[" + String.format(run, 3) + "," + String.format(run, 1) + "\\]\\}\\n");
  }
}
