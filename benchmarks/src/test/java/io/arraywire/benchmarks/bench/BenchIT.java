package io.arraywire.benchmarks.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.examples.cli.ArraywireCommand;
import io.arraywire.examples.cli.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole run, small; nothing is asserted of how long anything takes. */
class BenchIT {
  @TempDir private Path directory;

  @Test
  void aRunPrintsTablesAndWritesJson() throws Exception {
    Path json = directory.resolve("bench.json");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        new Console(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
    int status =
        ArraywireCommand.execute(
            console,
            List.of(new BenchCommand(console)),
            "bench",
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
}
