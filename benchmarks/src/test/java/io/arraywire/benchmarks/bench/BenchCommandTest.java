package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.benchmarks.RecordedConsole;
import io.arraywire.examples.cli.Console;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchCommandTest {
  private final RecordedConsole console = new RecordedConsole();

  private int run(String... arguments) {
    return console.run(new BenchCommand(console.console()), "bench", (Object[]) arguments);
  }

  private static BenchSettings settings(String... arguments) {
    List<BenchSettings> runs = runs(arguments);
    assertThat(runs).hasSize(1);
    return runs.get(0);
  }

  private static List<BenchSettings> runs(String... arguments) {
    BenchCommand command = new BenchCommand(Console.system());
    new CommandLine(command).parseArgs(arguments);
    return command.runs();
  }

  /** The commands beside older figures run. */
  @Test
  void anOldNameIsGood() {
    assertThat(Contenders.named("raw-ceiling").name()).isEqualTo("raw-sleep");
    assertThat(Contenders.named("raw-ceiling-unix").name()).isEqualTo("raw-sleep-unix");
  }

  @Test
  void whatArraysHoldIsToldToTheJvmsOfAllContenders() {
    assertThat(settings("--data", "sensors", "--jvm-option=-Xint").allJvmOptions())
        .containsExactly("-Xint", "-Darraywire.bench.data=sensors");
    assertThat(settings("--data", "noise").allJvmOptions())
        .containsExactly("-Darraywire.bench.data=noise");
    assertThat(settings().allJvmOptions()).isEmpty();
  }

  @Test
  void aFileMayBeToldToTheJvmsInItsPlace(@TempDir Path directory) throws Exception {
    Path file = NpyFiles.write(directory.resolve("some.npy"), Elements.random(1 << 16));
    BenchSettings settings = settings("--data", file.toString());
    assertThat(settings.allJvmOptions()).containsExactly("-Darraywire.bench.data=" + file);
    assertThat(settings.label()).isEqualTo(", data some.npy");
    assertThat(settings("--data", "ticks").label()).isEqualTo(", data ticks");
    assertThat(settings().label()).isEmpty();
    Path small = NpyFiles.write(directory.resolve("small.npy"), 1, 2, 3);
    assertThat(settings("--data=" + small, "--sizes=12", "--pipeline-sizes=0").label())
        .contains("small.npy");
    assertThat(run("--data=" + small, "--sizes=16", "--pipeline-sizes=0")).isEqualTo(2);
    assertThat(console.err()).contains("too few elements", "elements=3, least=4");
    Path ints = NpyFiles.write(directory.resolve("ints.npy"), ArraySlice.of(new int[1]));
    assertThat(run("--data", ints.toString())).isEqualTo(2);
    assertThat(console.err()).contains("float32", "dtype=<i4");
    Path text = Files.writeString(directory.resolve("text.npy"), "text");
    assertThat(run("--data", text.toString())).isEqualTo(2);
    assertThat(console.err()).contains("not a .npy file");
  }

  @Test
  void theListNamesContenders() {
    assertThat(run("--list")).isZero();
    assertThat(console.out()).contains("raw-sleep", "raw-staged-spin", "nio-staged", "stream");
    assertThat(console.out()).contains("raw-selector", "jdk-threads", "nio-1-loop", "nio-2-loops");
    assertThat(console.out()).contains("With --python", "\nsocket ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--quick --full | mutually exclusive",
        "--sizes 3 | size=3",
        "--sizes 64X | size=64X",
        "--sizes 2G | from 4 bytes to 1 GiB",
        "--sizes 0 | from 4 bytes to 1 GiB (size=0)",
        "--pipeline-sizes 7 | size=7",
        "--contenders nio,bogus | contender=bogus",
        "--rounds 0 | rounds=0",
        "--rounds many | --rounds",
        "--burst 0 | burst=0",
        "--window 1 | window=1",
        "--data bogus | there are noise, sensors, ticks, weights, and a file's whose name ends in .npy (data=bogus)",
        "--data /no/such.npy | there is no such file (file=/no/such.npy)",
        "--connections 3 --data sensors | --data does not go with --connections",
        "--requests --data sensors | --data does not go with --requests",
        "--json /no/such/directory/x.json | /no/such/directory/x.json",
        "--json / | json=/",
        "--nonsense | --nonsense",
        "--connections 0 | connections=0",
        "--connections 3,20001 | connections=20001",
        "--connections many | --connections",
        "--connections 3 --burst 60001 | burst=60001",
        "--connections 3 --rounds 0 | rounds=0",
        "--connections 3 --sizes 3 | size=3",
        "--connections 3 --contenders raw-sleep | contender=raw-sleep",
        "--connections 3 --window 4 | --window does not go with --connections",
        "--connections 3 --pipeline-sizes 0 | --pipeline-sizes does not go with --connections",
        "--network bogus | there are unshaped, 10gbit, 1gbit, 100mbit, loss1, delay (network=bogus)",
        "--network 1gbit --contenders nio,nio-unix | nio-unix does not go with --network",
        "--network 1gbit --contenders raw-sleep-unix | raw-sleep-unix does not go with --network",
        "--base-image java:17 | do not go without --network",
        "--limit 3 | --limit does not go without --against",
        "--against HEAD --limit 0 | limit=0",
        "--against HEAD --full | --full does not go with --against",
        "--against HEAD --json x.json | --json does not go with --against",
        "--against HEAD --peers | --peers does not go with --against",
        "--namespaces | do not go without --network",
        "--network 1gbit --base-image java:17 --namespaces | --base-image does not go with",
        "--connections 3 --network bogus | network=bogus",
        "--network 1gbit,bogus | network=bogus",
        "--full --network 1gbit,100mbit | --full goes on after an interruption with one --network only",
        "--report pom.xml | report=pom.xml",
        "--report /proc/none | cannot make that directory (report=/proc/none)",
        "--report target/report-and-figures --json / | json=/",
        "--answers 100 | --answers does not go without --slow-answers",
        "--clients 8/1 | --clients does not go without --requests",
        "--requests --clients 8/9 | connections=9",
        "--requests --clients 8/0 | connections=0",
        "--requests --clients 1001 | threads=1001",
        "--requests --clients many | clients=many",
        "--requests --sizes 64,128 | sizes=2",
        "--requests --contenders raw-sleep | contender=raw-sleep",
        "--requests --window 4 | --window does not go with --requests",
        "--requests --connections 3 | --connections does not go with --requests",
        "--requests --network 1gbit | --network does not go with --requests",
        "--requests --slow-answers | --requests does not go with --slow-answers",
        "--rate fast | rate=fast",
        "--rate 0 | rate=0",
        "--rate 11M | rate=11000000",
        "--at-once 2 | --at-once does not go without --rate",
        "--rate 10k --at-once 257 | atOnce=257",
        "--rate 10k --sizes 64,128 | sizes=2",
        "--rate 10k --contenders raw-sleep | contender=raw-sleep",
        "--rate 10k --requests | --requests does not go with --rate",
        "--rate 10k --connections 3 | --connections does not go with --rate",
        "--rate 10k --slow-answers | --rate does not go with --slow-answers",
        "--rate 10k --network 1gbit | --network does not go with --rate",
        "--rate 10k --against HEAD | --rate does not go with --against",
        "--requests --against HEAD | --requests does not go with --against",
        "--python --sizes 3 | size=3",
        "--python --contenders raw-sleep | contender=raw-sleep",
        "--python --window 4 | --window does not go with --python",
        "--python --data sensors | --data does not go with --python",
        "--python --pipeline-sizes 0 | --pipeline-sizes does not go with --python",
        "--python --connections 3 | --connections does not go with --python",
        "--python --requests | --requests does not go with --python",
        "--python --rate 10k | --rate does not go with --python",
        "--python --network 1gbit | --network does not go with --python",
        "--python --slow-answers | --python does not go with --slow-answers",
        "--python --against HEAD | --python does not go with --against",
        "--delay 5 | --delay does not go without --slow-answers",
        "--slow-answers --answers 99 | answers=99",
        "--slow-answers --delay 60001 | delay=60001",
        "--slow-answers --rounds 0 | rounds=0",
        "--slow-answers --sizes 64,128 | sizes=2",
        "--slow-answers --contenders raw-sleep | contender=raw-sleep",
        "--slow-answers --burst 5 | --burst does not go with --slow-answers",
        "--slow-answers --connections 3 | --connections does not go with --slow-answers",
        "--slow-answers --network 1gbit | --network does not go with --slow-answers",
        "--connections 10000 --sizes 1G --contenders nio | not enough",
      })
  void whatCannotBeIsSaidInOneLine(String arguments, String complaint) {
    assertThat(run(arguments.split(" "))).isEqualTo(2);
    assertThat(console.err()).contains("arraywire bench: ", complaint).hasLineCount(1);
    assertThat(console.out()).isEmpty();
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
            Workload.pipelined(16, 256));
  }

  @Test
  void slowNetworksHaveSmallerArrays() {
    assertThat(settings("--network", "10gbit").workloads()).isEqualTo(settings().workloads());
    for (String network : List.of("1gbit", "100mbit", "loss1", "delay", "10gbit,1gbit")) {
      assertThat(settings("--network", network).mostElements()).isEqualTo(1 << 20);
    }
    assertThat(settings("--network", "100mbit", "--sizes", "64M").mostElements())
        .isEqualTo(1 << 24);
  }

  @Test
  void withoutANetworkTitlesDoNotNameOne() {
    assertThat(settings().hosts().label()).isEmpty();
    assertThat(settings().hosts().report()).isNull();
  }

  private static List<BenchSettings> connectionsSettings(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--connections", "10,1,10"));
    all.addAll(List.of(arguments));
    return runs(all.toArray(String[]::new));
  }

  @Test
  void numbersOfConnectionsShareTheTime() {
    List<BenchSettings> runs = connectionsSettings();
    assertThat(runs).extracting(BenchSettings::connections).containsExactly(10, 1);
    assertThat(runs).extracting(BenchSettings::budget).containsOnly(Duration.ofSeconds(135));
    assertThat(runs).extracting(BenchSettings::burst).containsOnly(Duration.ofMillis(500));
    assertThat(runs.get(0).workloads())
        .containsExactly(Workload.concurrent(16, 10), Workload.concurrent(1 << 14, 10));
    assertThat(runs.get(0).contenders())
        .extracting(Participant::name)
        // After these come those of other libraries, where they were built.
        .containsSubsequence(
            ConnectionThreads.virtual()
                ? List.of(
                    "raw-selector",
                    "jdk-threads",
                    "jdk-virtual",
                    "nio",
                    "nio-on-loop",
                    "nio-1-loop",
                    "nio-2-loops",
                    "stream")
                : List.of(
                    "raw-selector",
                    "jdk-threads",
                    "nio",
                    "nio-on-loop",
                    "nio-1-loop",
                    "nio-2-loops",
                    "stream"));
  }

  @Test
  void requestsAreOf128FloatsByThreadsOnFewConnections() {
    BenchSettings settings = settings("--requests");
    assertThat(settings.workloads())
        .containsExactly(
            Workload.requests(128, new Clients(8, 1)),
            Workload.requests(128, new Clients(8, 8)),
            Workload.requests(128, new Clients(1, 1)),
            Workload.requests(128, new Clients(10, 10)),
            Workload.requests(128, new Clients(100, 100)));
    assertThat(settings.workloads())
        .extracting(Workload::label)
        .startsWith(
            "512 bytes, 8 threads on 1 connection", "512 bytes, 8 threads on 8 connections");
    assertThat(settings.connections()).isEqualTo(100);
    assertThat(settings.baseline()).isEqualTo("jdk-threads");
    assertThat(settings.contenders())
        .extracting(Participant::name)
        .contains("nio", "stream")
        .doesNotContain("nio-later", "nio-pool-16");
  }

  @Test
  void ratesFollowEachOtherInOneRun() {
    BenchSettings settings = settings("--rate", "10k,50k,10k", "--at-once", "4");
    assertThat(settings.workloads())
        .containsExactly(
            Workload.paced(16, new Rate(10_000, 4)), Workload.paced(16, new Rate(50_000, 4)));
    assertThat(settings.workloads().get(0).label())
        .isEqualTo("64 bytes, 1 connection, 10,000 requests/s, 4 at once");
    assertThat(settings.contenders())
        .extracting(Participant::name)
        .startsWith("jdk-threads", "nio", "nio-on-loop", "stream")
        .doesNotContain("grpc-unary");
  }

  @Test
  void heapsHaveRoomForTheArraysOfAllConnections() {
    BenchSettings settings = connectionsSettings("--sizes", "64,1M").get(0);
    assertThat(settings.arrayBytes()).isEqualTo(10 << 20);
    assertThat(settings.heapBytes()).isGreaterThan(2 * 10 << 20);
  }

  @Test
  void aContenderThatMakesGarbageHasRoomForIt() {
    BenchSettings settings = settings("--sizes", "64M", "--contenders", "raw-spin,nio");
    Participant litters =
        new PairWithoutJvms("litters") {
          @Override
          public long garbageBytes() {
            return 3L << 30;
          }
        };
    assertThat(settings.heapBytes(settings.contenders().get(0))).isEqualTo(settings.heapBytes());
    assertThat(settings.heapBytes(litters)).isEqualTo(settings.heapBytes() + (3L << 30));
    long each = 2 * (settings.heapBytes() + (64L << 20));
    assertThat(settings.memoryBytes()).isEqualTo(3 * each);
    BenchSettings more =
        settings.with(List.of(settings.contenders().get(0), litters), settings.workloads());
    assertThat(more.memoryBytes()).isEqualTo(2 * each + (6L << 30));
  }

  @Test
  void theBaselineOfConnectionsAlwaysTakesPart() {
    assertThat(connectionsSettings("--contenders", "stream,raw-selector").get(0))
        .satisfies(settings -> assertThat(settings.baseline()).isEqualTo("raw-selector"))
        .satisfies(settings -> assertThat(settings.contenders()).hasSize(2));
  }

  @Test
  void theBaselineAlwaysTakesPart() {
    assertThat(settings("--contenders", "nio,raw-spin,nio").contenders())
        .extracting(Participant::name)
        .containsExactly("raw-sleep", "nio", "raw-spin");
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
