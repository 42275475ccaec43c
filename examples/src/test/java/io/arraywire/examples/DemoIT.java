package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.examples.cli.Arraywire;
import io.arraywire.examples.demo.LyingCodecProvider;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecProvider;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.Transports;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The demo with three processes of its own, on small arrays. */
@Tag("ci")
@Tag("newest")
class DemoIT {
  @TempDir Path dir;

  private CliProcess demo(int rounds, Object... arguments) throws IOException {
    List<Object> all = new ArrayList<>(List.of("demo", "--size", "500K", "--small-size", "4K"));
    all.addAll(List.of("--warmups", 1, "--rounds", rounds, "--out", dir.resolve("charts")));
    all.addAll(List.of(arguments));
    // One that is killed leaves its copy of the built-in array behind.
    return CliProcess.arraywireIn(dir, all.toArray());
  }

  /** Those that do not compress. */
  private static Stream<Codec> compared() {
    return Codecs.installed().stream().filter(each -> !each.encoding().isInBlocks());
  }

  private static int ways(ElementType type) {
    return (int) compared().filter(each -> each.encoding().supports(type)).count()
        * Transports.names().size();
  }

  @Test
  void everyRowIsVerified() throws Exception {
    try (CliProcess demo = demo(3)) {
      assertThat(demo.awaitExit()).as(demo.toString()).isZero();
      assertThat(demo.err()).isEmpty();
      assertThat(demo.out().get(0)).startsWith("digits.npy (built in): float (1797, 64)");
      assertThat(demo.out().get(2).split("  +"))
          .containsExactly(
              "transport",
              "codec",
              "encoding",
              "bytes",
              "median time",
              "MB/s",
              "copies/byte",
              "syscalls/MiB",
              "verified");
      List<String> rows = demo.out().stream().filter(line -> line.endsWith("  yes")).toList();
      assertThat(rows).hasSize(ways(ElementType.FLOAT));
      for (String transport : Transports.names()) {
        for (Codec codec : compared().toList()) {
          assertThat(rows)
              .filteredOn(row -> row.matches(transport + " +" + codec.name() + " .*"))
              .hasSize(1);
        }
      }
      assertThat(demo.out())
          .anyMatch(line -> line.contains("smaller piece (4 KiB)"))
          .anyMatch(line -> line.startsWith("This is a demo, not a benchmark"));
      int ways = ways(ElementType.FLOAT);
      assertThat(demo.out().get(0))
          .contains(
              ways + " ways (a codec on a transport), each sent once to warm up and 3 times to",
              "measure: " + 4 * ways + " transfers");
    }
    BufferedImage png = ImageIO.read(dir.resolve("charts/demo.png").toFile());
    assertThat(png.getWidth()).isEqualTo(1280);
    String svg = Files.readString(dir.resolve("charts/demo.svg"));
    assertThat(svg).startsWith("<svg ").endsWith("</svg>\n");
  }

  /**
   * A system call for each element is slower than any way that moves elements in bulk, by orders of
   * magnitude; a tenth of what is measured on a quiet machine would still pass. How the others
   * follow each other is for the table to say: on a busy machine neighbours change places.
   */
  @Test
  void theUnbufferedLoopIsByFarTheSlowest() throws Exception {
    try (CliProcess demo = demo(5, "--json")) {
      assertThat(demo.awaitExit()).as(demo.toString()).isZero();
      String json = demo.out().get(0);
      for (String transport : Transports.names()) {
        Map<String, Double> rates = rates(json, transport);
        assertThat(rates).hasSizeGreaterThanOrEqualTo(8);
        double loop = rates.get("data-output");
        for (String bulk :
            List.of(
                "object-stream",
                "buffer-view",
                "buffer-view-le",
                "direct",
                "direct-be",
                "protobuf")) {
          assertThat(rates.get(bulk) / loop)
              .as("%s beside the loop on %s: %s", bulk, transport, rates)
              .isGreaterThan(10);
        }
      }
    }
  }

  /**
   * Bytes per second of each codec in the fastest round: the others met with the machine's load.
   */
  private static Map<String, Double> rates(String json, String transport) {
    Map<String, Double> rates = new HashMap<>();
    Pattern row =
        Pattern.compile(
            "\"transport\":\""
                + transport
                + "\",\"codec\":\"([^\"]+)\".*?\"bytes\":(\\d+).*?\"seconds\":\\[([^]]+)]");
    for (MatchResult each : row.matcher(json).results().toList()) {
      double seconds =
          Stream.of(each.group(3).split(",")).mapToDouble(Double::parseDouble).min().orElseThrow();
      rates.put(each.group(1), Long.parseLong(each.group(2)) / seconds);
    }
    return rates;
  }

  @ParameterizedTest
  @CsvSource({"<i4, INT", "|b1, BOOLEAN"})
  void aTypeOfFile(String descr, ElementType type) throws Exception {
    assertEveryWayIsVerified(descr, type);
  }

  @ParameterizedTest
  @CsvSource({">f4, FLOAT", "<f8, DOUBLE", "<i8, LONG", "<u2, UINT16"})
  @Tag("variant")
  void everyOtherTypeOfFile(String descr, ElementType type) throws Exception {
    assertEveryWayIsVerified(descr, type);
  }

  private void assertEveryWayIsVerified(String descr, ElementType type) throws Exception {
    Path file = NpyFiles.random(dir.resolve("a.npy"), descr, 1000, 3);
    try (CliProcess demo = demo(1, file, "--json")) {
      assertThat(demo.awaitExit()).as(demo.toString()).isZero();
      assertThat(demo.err()).isEmpty();
      assertThat(demo.out()).hasSize(1);
      assertThat(demo.out().get(0))
          .startsWith("{\"file\":\"" + file + "\",\"dtype\":\"" + descr + "\",\"shape\":[1000,3]")
          .endsWith("\"verified\":true}")
          .doesNotContain("\"verified\":false");
      assertThat(demo.out().get(0).split("\"transport\":")).hasSize(ways(type) + 1);
    }
  }

  @Test
  void aCodecThatGetsOneBitWrongIsNoticed() throws Exception {
    Path services = Files.createDirectories(dir.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(CodecProvider.class.getName()), LyingCodecProvider.class.getName());
    Path tests =
        Path.of(
            LyingCodecProvider.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Object> command =
        new ArrayList<>(
            CliProcess.javaCommand(
                "-cp",
                CliProcess.jar() + File.pathSeparator + dir + File.pathSeparator + tests,
                Arraywire.class.getName()));
    command.addAll(
        List.of("demo", "--size", "100K", "--small-size", "1K", "--warmups", 1, "--rounds", 1));
    command.addAll(List.of("--out", dir.resolve("charts")));
    try (CliProcess demo = CliProcess.start(Map.of(), command.toArray())) {
      assertThat(demo.awaitExit()).as(demo.toString()).isEqualTo(1);
      List<String> wrong = demo.out().stream().filter(line -> line.endsWith("  NO")).toList();
      assertThat(wrong).hasSize(Transports.names().size()).allMatch(line -> line.contains("lying"));
      assertThat(demo.out()).anyMatch(line -> line.startsWith("NOT every array arrived"));
    }
  }

  /** Even a parent that could say no goodbye leaves no children behind. */
  @Test
  void childrenDieWithTheirParent() throws Exception {
    try (CliProcess demo = demo(100_000)) {
      CliProcess.awaitTrue("there are two children", () -> demo.process().children().count() == 2);
      List<ProcessHandle> children = demo.process().children().toList();
      demo.signal("KILL");
      demo.awaitExit();

      CliProcess.awaitTrue(
          "the children are gone", () -> children.stream().noneMatch(ProcessHandle::isAlive));
    }
  }

  @Test
  void aChildThatDiesIsOneLine() throws Exception {
    try (CliProcess demo = demo(100_000)) {
      demo.awaitChild("SenderProcess").destroyForcibly();

      assertThat(demo.awaitExit()).as(demo.toString()).isEqualTo(1);
      assertThat(demo.err()).as(demo.toString()).hasSize(1);
      assertThat(demo.err().get(0)).startsWith("arraywire demo: ").contains("process");
    }
  }
}
