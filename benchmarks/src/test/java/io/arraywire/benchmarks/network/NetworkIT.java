package io.arraywire.benchmarks.network;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.benchmarks.SaidLines;
import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import java.io.BufferedReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code bench --network} as users run it, from the jar of the benchmarks: arrays between real
 * containers of an image that it builds, and between network namespaces. What it prints, which
 * names the containers and what was measured, is in this test's output.
 *
 * <p>It does so only where {@code ARRAYWIRE_NETWORKS} is {@code true}; else a loud line is printed
 * and the tests are skipped. Containers take an engine, and shaping root; without, a loud line is
 * printed, and the test is skipped, but where {@code CI} is {@code true} it fails. Only a kernel
 * that cannot have an engine is excused, which {@code .ci/run} says in {@code ARRAYWIRE_NO_ENGINE};
 * then namespaces, which take root and iproute2, still have to do.
 */
@Timeout(600)
@Tag("ci")
@Tag("newest")
class NetworkIT {
  private static final String ASKED = "ARRAYWIRE_NETWORKS";

  /** Those of the JVMs that a run starts. */
  private static final String CHILD_OPTIONS = "arraywire.test.childOptions";

  /** Each array once in each round, and not for long, in JVMs that compile in a hurry. */
  private static final List<String> SMALL =
      List.of(
          "--contenders=nio,stream",
          "--sizes=64,256K",
          "--burst=50",
          "--jvm-option=-XX:TieredStopAtLevel=1");

  private static final String SHORT = "--rounds=2";

  /** It is ended long before. */
  private static final String LONG = "--rounds=200";

  /** What a JVM ends with on SIGTERM. */
  private static final int TERMINATED = 143;

  private static final Pattern MEASURED = Pattern.compile("measured: (\\d+) Mbit/s of payload");

  @TempDir private Path directory;

  @Test
  void arraysGoBetweenContainersOverOneLinkAndThenASlowOne() throws Exception {
    requireContainers();
    Path report = directory.resolve("report");
    // Containers do not see this machine's files.
    String said = bench("unshaped,100mbit", "--report=" + report, "--data=" + data());
    assertContainers(said, "unshaped");
    assertThat(said).contains("built an image from scratch");
    String slow = said.substring(said.indexOf("network: 100mbit"));
    assertContainers(slow, "100mbit");
    assertThat(slow).contains("tbf rate 100mbit");
    assertThat(measured(slow)).isBetween(20, 110);
    assertThat(report.resolve("report.html"))
        .content()
        .contains("unshaped between containers", "100mbit between containers", "data some.npy");
  }

  @Test
  @Tag("variant")
  void arraysGoBetweenNamespacesThatLosePackets() throws Exception {
    requireNamespaces();
    String said = bench("loss1", "--namespaces");
    assertThat(said)
        .contains("network: loss1 between network namespaces;", "address 192.0.2.1")
        .containsPattern("[1-9]\\d* of \\d+ packets lost \\(")
        .contains("float[] of 256 KiB, loss1 between network namespaces, medians of 2 rounds");
  }

  @Test
  @Tag("variant")
  void arraysGoBetweenNamespacesThatAreFarApart() throws Exception {
    requireNamespaces();
    String said = bench("delay", "--namespaces");
    assertThat(said)
        .containsPattern(
            "network: delay between network namespaces; .* netem delay 5ms"
                + "|network: delay by a relay between network namespaces;"
                + " .* a relay that holds what it reads for 5 ms, each way")
        // Two delays, and what a busy machine adds.
        .containsPattern("round trip (\\d{2,}(\\.\\d+)? ms|[\\d.]+ s),");
  }

  private static void assertContainers(String said, String profile) {
    assertThat(said)
        .containsPattern("nio receiver: container [0-9a-f]{12}, address \\d+(\\.\\d+){3}")
        .containsPattern("nio sender: container [0-9a-f]{12}, address \\d+(\\.\\d+){3}")
        .contains("network: " + profile + " between containers;")
        .contains(
            "float[] of 256 KiB, data some.npy, "
                + profile
                + " between containers, medians of 2 rounds");
    assertThat(measured(said)).isPositive();
  }

  /** A file of 256 KiB of elements. */
  private Path data() throws Exception {
    Path file = directory.resolve("some.npy");
    NpyHeader header = new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of(1L << 16));
    NpyWriter.write(file, header, ArraySlice.of(new float[1 << 16]));
    return file;
  }

  private static int measured(String said) {
    Matcher rate = MEASURED.matcher(said);
    assertThat(rate.find()).as(said).isTrue();
    return Integer.parseInt(rate.group(1));
  }

  /** Also while it makes what would be left. */
  @ParameterizedTest
  @ValueSource(strings = {"", "receiver: network namespace arraywire-", "bench: round 1 of 200"})
  void aRunThatIsToldToEndLeavesNoNamespaces(String said) throws Exception {
    requireNamespaces();
    Process process = start(directory.resolve("bench.json"), LONG, "unshaped", "--namespaces");
    awaitNamespaces(process);
    BufferedReader lines = process.inputReader(UTF_8);
    SaidLines.await(lines, said);
    List<ProcessHandle> children = process.descendants().toList();
    // That of the process itself would close the streams, too.
    process.toHandle().destroy();
    String more = lines.lines().collect(Collectors.joining("\n"));
    assertThat(process.waitFor()).as(more).isEqualTo(TERMINATED);
    assertThat(namespacesOf(process.pid())).as(more).isEmpty();
    assertThat(more).doesNotContain("Exception", "left behind");
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  @Tag("variant")
  void anInterruptedSecondNetworkSaysThatTheFirstIsKept() throws Exception {
    requireNamespaces();
    Path json = directory.resolve("bench.json");
    Process process = start(json, SHORT, "unshaped,loss1", "--namespaces");
    BufferedReader lines = process.inputReader(UTF_8);
    SaidLines.await(lines, "network: loss1");
    process.toHandle().destroy();
    String more = lines.lines().collect(Collectors.joining("\n"));
    assertThat(process.waitFor()).as(more).isEqualTo(TERMINATED);
    assertThat(more)
        .contains("bench: interrupted; the figures of what was done are kept (json=" + json + ")");
    assertThat(BenchFile.read(json).runs()).hasSize(1);
  }

  @Test
  @Tag("variant")
  void whatAKilledRunLeavesTheNextOneRemoves() throws Exception {
    requireNamespaces();
    try (NamespaceNetwork living = NamespaceNetwork.open()) {
      Process process = start(directory.resolve("bench.json"), LONG, "unshaped", "--namespaces");
      awaitNamespaces(process);
      SaidLines.await(process.inputReader(UTF_8), "bench: round 1 of 200");
      process.destroyForcibly().waitFor();
      assertThat(namespacesOf(process.pid())).isNotEmpty();
      NamespaceNetwork.open().close();
      assertThat(namespacesOf(process.pid())).isEmpty();
      assertThat(namespacesOf(ProcessHandle.current().pid()))
          .as("of %s, which lives", living.kind())
          .isNotEmpty();
    }
  }

  private static void awaitNamespaces(Process process) {
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> !namespacesOf(process.pid()).isEmpty());
  }

  private static List<String> namespacesOf(long pid) throws Exception {
    return HostCommand.run("ip", "netns", "list")
        .lines()
        .filter(each -> each.startsWith("arraywire-" + pid + "-"))
        .toList();
  }

  /** Runs it to its end; answers with all that it printed. */
  private String bench(String profile, String... more) throws Exception {
    Path json = directory.resolve("bench.json");
    Process process = start(json, SHORT, profile, more);
    // Line by line as they come, and beside: one that hangs is ended, and what it said is known.
    StringWriter lines = new StringWriter();
    Thread reader =
        DaemonThread.start(
            "output",
            () -> {
              BufferedReader output = process.inputReader(UTF_8);
              for (String line = output.readLine(); line != null; line = output.readLine()) {
                System.out.println(line);
                lines.append(line).append('\n');
              }
            });
    try {
      assertThat(process.waitFor(400, TimeUnit.SECONDS)).as(lines.toString()).isTrue();
      reader.join();
    } finally {
      process.toHandle().destroy();
    }
    String said = lines.toString();
    assertThat(process.exitValue()).as(said).isZero();
    assertThat(said).doesNotContain("Exception", "left behind", "SLF4J", "WARN");
    assertThat(said).containsPattern("\\nnio +\\d").containsPattern("\\nstream +\\d");
    for (String each : profile.split(",")) {
      assertThat(Files.readString(json))
          .contains("\"networkFindings\":{\"profile\":\"" + each + "\",\"hosts\":\"")
          .contains("\"measured\":{\"bitsPerSecond\":");
    }
    return said;
  }

  private static Process start(Path json, String rounds, String profile, String... more)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-D" + CHILD_OPTIONS + "=" + System.getProperty(CHILD_OPTIONS, ""),
                // As ./arraywire starts it: looking for codecs loads zstd's native part.
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("arraywire.benchmarks.jar"),
                "io.arraywire.benchmarks.bench.Bench",
                "bench",
                "--network=" + profile,
                "--json=" + json));
    command.addAll(SMALL);
    command.add(rounds);
    command.addAll(List.of(more));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    return process;
  }

  /** A build that happens to run as root leaves the networks of its machine alone. */
  private static void requireAsked() {
    if (!Boolean.parseBoolean(System.getenv(ASKED))) {
      String words = "!!! NETWORKS WERE NOT TESTED, nobody asked (" + ASKED + "=true asks) !!!";
      System.err.println(words);
      Assumptions.abort(words);
    }
  }

  private static void requireContainers() {
    requireAsked();
    String forbidden = System.getenv("ARRAYWIRE_NO_ENGINE");
    String missing = ContainerBridge.unavailable();
    if (missing != null) {
      skip(
          "CONTAINERS",
          "an engine such as Docker's",
          missing,
          forbidden == null || forbidden.isBlank() ? null : forbidden);
    }
  }

  private static void requireNamespaces() {
    requireAsked();
    try {
      NamespaceNetwork.open().close();
    } catch (java.io.IOException e) {
      skip("NETWORK NAMESPACES", "root, and ip of iproute2", String.valueOf(e.getMessage()), null);
    }
  }

  private static void skip(String what, String takes, String cause, @Nullable String excuse) {
    String words =
        "!!! "
            + what
            + " WERE NOT TESTED, which takes "
            + takes
            + " (cause="
            + cause
            + (excuse == null ? "" : ", excuse=" + excuse)
            + ") !!!";
    System.err.println(words);
    if (Boolean.parseBoolean(System.getenv("CI")) && excuse == null) {
      fail(words);
    }
    Assumptions.abort(words);
  }
}
