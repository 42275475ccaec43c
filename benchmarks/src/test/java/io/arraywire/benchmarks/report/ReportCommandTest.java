package io.arraywire.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.arraywire.benchmarks.RecordedConsole;
import io.arraywire.benchmarks.result.JmhSamples;
import io.arraywire.benchmarks.result.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

@Tag("newest")
class ReportCommandTest {
  private static final Set<String> VOID = Set.of("meta", "br", "hr", "img", "link", "input");

  @TempDir private Path directory;

  private final RecordedConsole console = new RecordedConsole();

  private int run(Object... arguments) {
    return console.run(new ReportCommand(console.console()), "report", arguments);
  }

  private static Map<String, @Nullable Object> workload(
      String label, long bytes, int connections, boolean percentiles) {
    return Samples.workload(
        label,
        bytes,
        connections,
        List.of(
            Samples.contender("raw-sleep", Samples.ROUNDS, Samples.ROUNDS, percentiles),
            Samples.contender("nio", Samples.ROUNDS, Samples.times(0.5), percentiles),
            Samples.contender("a<&\"b", Samples.ROUNDS, Samples.times(30), percentiles)));
  }

  private Path loopback() throws IOException {
    return Samples.write(
        directory.resolve("loopback.json"),
        List.of(
            Samples.run(
                "raw-sleep",
                List.of(workload("64 bytes", 64, 0, true), workload("1 MiB", 1 << 20, 0, true)))));
  }

  private Path connections() throws IOException {
    return Samples.write(
        directory.resolve("connections.json"),
        List.of(
            Samples.run("raw-sleep", List.of(workload("64 bytes, 1 connection", 64, 1, true))),
            Samples.run("raw-sleep", List.of(workload("64 bytes, 10 connections", 64, 10, true)))));
  }

  private static Document parse(Path file) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    return factory.newDocumentBuilder().parse(file.toFile());
  }

  private static List<Element> elements(Document document) {
    NodeList nodes = document.getElementsByTagName("*");
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  private static List<Element> elements(Document document, String name) {
    return elements(document).stream().filter(each -> each.getTagName().equals(name)).toList();
  }

  private Document report(Object... files) throws Exception {
    Path into = directory.resolve("new/report");
    List<Object> arguments = new ArrayList<>(List.of(files));
    arguments.addAll(List.of("--out", into));
    assertThat(run(arguments.toArray())).as(console.err()).isZero();
    assertThat(console.err()).isEmpty();
    return parse(into.resolve("report.html"));
  }

  private static List<String> texts(Document document, String name) {
    return elements(document, name).stream().map(Element::getTextContent).toList();
  }

  /** What the script draws. */
  private static JsonObject figures(Document page) {
    Element script =
        elements(page, "script").stream()
            .filter(each -> each.getAttribute("id").equals("figures"))
            .findFirst()
            .orElseThrow();
    return JsonParser.parseString(script.getTextContent()).getAsJsonObject();
  }

  @Test
  void thePageHasEveryContenderAndWhereItWasMeasured() throws Exception {
    Document page = report(loopback());
    assertThat(texts(page, "label")).contains(" raw-sleep", " nio", " a<&\"b");
    assertThat(texts(page, "td"))
        .contains("A <Processor> & Co, 2 processors, 8 GiB, amd64", "loopback.json")
        .contains("./arraywire bench --json 'it'\\''s <b>.json'", "-Xms98m");
    assertThat(texts(page, "option")).containsExactly("all questions", "64 bytes", "1 MiB");
    JsonObject figures = figures(page);
    assertThat(figures.toString()).contains("\"2.00\"", "0.50 us", "1,235");
    // Of each size a chart of ratios and one of percentiles, and one of all sizes.
    assertThat(figures.getAsJsonArray("charts")).hasSize(5);
    assertThat(elements(page, "figure").stream().map(each -> each.getAttribute("data-chart")))
        .containsExactly("0", "1", "2", "3", "4");
  }

  @Test
  void everyChartHasAConclusion() throws Exception {
    Document page = report(loopback());
    List<String> conclusions =
        elements(page, "p").stream()
            .filter(each -> each.getAttribute("class").equals("conclusion"))
            .map(Element::getTextContent)
            .toList();
    assertThat(conclusions).hasSize(5);
    assertThat(conclusions.get(0)).startsWith("At 1 MiB, nio has the highest of 3: ");
    assertThat(conclusions.get(1))
        .startsWith("nio is the fastest of 3: 0.50 us, 2.00 times as fast as raw-sleep. ")
        .contains("raw-sleep follows with 1.00 us, the one that others are compared with");
    assertThat(conclusions.get(2)).startsWith("One transfer of a hundred takes longer than ");
  }

  /** Rounds that differ by a factor of a hundred; the published ones of one size once did so. */
  private static final double[] WILD = {100, 10_000, 200, 9_000, 150, 8_000, 120};

  private Path wild(String... contenders) throws IOException {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    rows.add(Samples.contender("raw-sleep", Samples.ROUNDS, Samples.ROUNDS, false));
    for (String each : contenders) {
      double[] nanos = each.startsWith("wild") ? WILD : Samples.times(0.5);
      rows.add(Samples.contender(each, Samples.ROUNDS, nanos, false));
    }
    return Samples.write(
        directory.resolve("wild.json"),
        List.of(Samples.run("raw-sleep", List.of(Samples.workload("64 bytes", 64, 0, rows)))));
  }

  private static List<String> drawn(Document page) {
    JsonObject figures = figures(page);
    List<String> drawn = new ArrayList<>();
    figures
        .getAsJsonArray("charts")
        .get(0)
        .getAsJsonObject()
        .getAsJsonArray("rows")
        .forEach(row -> {
          JsonObject bar = row.getAsJsonObject();
          if (bar.get("drawn").getAsBoolean()) {
            int number = bar.get("c").getAsInt();
            drawn.add(
                figures
                    .getAsJsonArray("contenders")
                    .get(number)
                    .getAsJsonObject()
                    .get("name")
                    .getAsString());
          }
        });
    return drawn;
  }

  @Test
  void aBarWhoseIntervalSaysNothingIsLeftOutInWords() throws Exception {
    Document page = report("--png", wild("nio", "wild"));
    assertThat(drawn(page)).containsExactly("raw-sleep", "nio");
    assertThat(texts(page, "p"))
        .anyMatch(text ->
            text.matches(
                "Not drawn, since the interval spans more than a factor of three: wild"
                    + " \\([0-9.]+ to > 100\\)\\."))
        .anyMatch(text ->
            text.startsWith("nio is the fastest of 2 whose intervals say something: 0.50 us, "));
    assertThat(directory.resolve("new/report/loopback-64B-ratio.png")).exists();
    assertThat(figures(page).toString()).contains("\"wild\"");
  }

  @Test
  void aBarAloneIsNoChart() throws Exception {
    Document page = report("--png", wild("wild", "wilder"));
    assertThat(drawn(page)).isEmpty();
    assertThat(texts(page, "p"))
        .anyMatch(text ->
            text.startsWith(
                    "No chart is drawn, since the interval spans more than a factor of"
                        + " three: wild (")
                && text.contains(", wilder ("))
        .contains("Rounds differ too much to say which of 3 is the fastest.");
    assertThat(directory.resolve("new/report/loopback-64B-ratio.png")).doesNotExist();
  }

  @Test
  void headingsSayWhatWasMeasuredAndTheContentsLeadThere() throws Exception {
    Document page = report(loopback(), connections());
    assertThat(texts(page, "h2").get(1)).startsWith("Loopback").endsWith("3 contenders");
    assertThat(texts(page, "h4"))
        .contains("Rate by size", "float[] of 1 MiB", "Rate by connections");
    Set<String> ids = new HashSet<>();
    for (Element each : elements(page)) {
      if (each.hasAttribute("id")) {
        assertThat(ids.add(each.getAttribute("id"))).as(each.getAttribute("id")).isTrue();
      }
    }
    List<Element> links = elements(page, "a");
    assertThat(links).hasSizeGreaterThan(8);
    assertThat(links)
        .allSatisfy(each -> assertThat(ids).contains(each.getAttribute("href").substring(1)));
  }

  @Test
  void aDirectoryOfTheMachineIsNotInTheCommand() throws Exception {
    Path figures =
        Path.of("..", "docs", "reports", "loopback.json.gz").toAbsolutePath().normalize();
    Document page = report(figures);
    assertThat(texts(page, "td"))
        .contains("./arraywire bench --peers --full --rounds 9 --json loopback.json");
  }

  @Test
  void thePageNeedsNoOtherFile() throws Exception {
    Document page = report(loopback(), connections());
    for (Element each : elements(page)) {
      for (String attribute : List.of("src", "xlink:href", "data", "srcset", "action")) {
        assertThat(each.hasAttribute(attribute)).as(attribute).isFalse();
      }
      assertThat(each.getAttribute("href")).matches("(#h\\d+)?");
      assertThat(each.getTagName()).isNotIn("link", "img", "iframe", "object", "use");
    }
    String text = Files.readString(directory.resolve("new/report/report.html"));
    assertThat(text).doesNotContainPattern("url\\((?!#)").doesNotContain("@import");
    assertThat(text.replaceAll("xmlns(:[a-z]+)?=\"[^\"]*\"", ""))
        .doesNotContain("http:", "https:")
        .contains("The MIT License");
  }

  @Test
  void thePageIsHtmlToo() throws Exception {
    Document page = report(loopback(), connections());
    String text = Files.readString(directory.resolve("new/report/report.html"));
    assertThat(text).startsWith("<!DOCTYPE html>\n<html ");
    for (Element each : elements(page)) {
      // A browser would take <td/> for the beginning of a cell.
      if (!each.hasChildNodes()) {
        assertThat(VOID).contains(each.getTagName());
      }
    }
    // HTML does not undo what XML escapes there.
    for (String name : List.of("style", "script")) {
      Matcher raw =
          Pattern.compile("<" + name + "[^>]*>(.*?)</" + name + ">", Pattern.DOTALL).matcher(text);
      List<String> found = raw.results().map(each -> each.group(1)).toList();
      assertThat(found).hasSameSizeAs(elements(page, name));
      for (int i = 0; i < found.size(); i++) {
        assertThat(found.get(i).replace("<![CDATA[", "").replace("]]>", ""))
            .isEqualTo(elements(page, name).get(i).getTextContent());
      }
    }
  }

  @Test
  void picturesAreThereIfAsked() throws Exception {
    report(loopback(), connections());
    assertThat(directory.resolve("new/report")).isDirectoryNotContaining("glob:**.{png,svg}");
    report("--png", loopback(), connections());
    Set<String> names = new HashSet<>();
    try (Stream<Path> files = Files.list(directory.resolve("new/report"))) {
      for (Path each : files.toList()) {
        String name = each.getFileName().toString();
        names.add(name);
        if (name.endsWith(".png")) {
          assertThat(ImageIO.read(each.toFile()).getWidth()).isGreaterThan(500);
        }
      }
    }
    assertThat(names)
        .contains(
            "report.html",
            "loopback-loopback-64B-percentiles.png",
            "loopback-loopback-1MiB-ratio.png",
            "loopback-loopback-sizes.png",
            "connections-loopback-64B-by-connections.png")
        .hasSize(1 + 10);
  }

  /** Networks between hosts have titles of several words. */
  @Test
  void namesOfFilesAreWordsOfLettersAndDigits() throws Exception {
    List<Map<String, @Nullable Object>> runs = new ArrayList<>();
    for (int connections : new int[] {0, 1, 10}) {
      Map<String, @Nullable Object> run =
          Samples.run(
              "raw-sleep",
              List.of(
                  workload("64 bytes", 64, connections, true),
                  workload("1 MiB", 1 << 20, connections, true)));
      run.put("network", "100mbit between containers");
      runs.add(run);
    }
    report("--png", Samples.write(directory.resolve("with blanks_& more.json"), runs), loopback());
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory.resolve("new/report"))) {
      files.map(each -> each.getFileName().toString()).forEach(names::add);
    }
    String prefix = "with-blanks-more-100mbit-between-containers-";
    assertThat(names)
        .allMatch(each -> each.matches("[A-Za-z0-9.-]+"), "letters, digits, points, hyphens")
        .contains(
            prefix + "sizes.png", prefix + "64B-by-connections.png", prefix + "64B-ratio.png");
  }

  @Test
  void theLookOfAContenderIsThatOfItsName() {
    assertThat(Look.of("nio")).isEqualTo(Look.of("nio"));
    Set<Object> colors = new HashSet<>();
    for (String each :
        List.of(
            "raw-sleep",
            "raw-spin",
            "raw-staged",
            "raw-staged-spin",
            "nio",
            "nio-staged",
            "stream",
            "netty-nio",
            "netty-epoll",
            "netty-io_uring")) {
      assertThat(colors.add(Look.of(each).color())).as(each).isTrue();
    }
    assertThat(Look.of("nio-direct")).isNotEqualTo(Look.of("nio-heap"));
  }

  private Path jmh(String name, String... results) throws IOException {
    return Files.writeString(directory.resolve(name), "[" + String.join(",", results) + "]\n");
  }

  @Test
  void whatJmhMeasuredHasAChartForWhatWasComparedAndATable() throws Exception {
    Path codecs =
        jmh(
            "codecs.json",
            JmhSamples.result("a.b.CodecBenchmark.encode", "direct", 16, 0.5),
            JmhSamples.result("a.b.CodecBenchmark.encode", "object<&>", 16, 4),
            JmhSamples.result("a.b.CodecBenchmark.encode", "direct", 1024, 8),
            JmhSamples.result("a.b.CodecBenchmark.encode", "object<&>", 1024, 999),
            JmhSamples.result("a.b.CodecBenchmark.decode", "direct", 16, 0.25));
    Document page = report(codecs);
    assertThat(texts(page, "h4"))
        .containsExactly(
            "CodecBenchmark.encode, elements 16",
            "CodecBenchmark.encode, elements 1024",
            "CodecBenchmark.decode, elements 16");
    assertThat(texts(page, "p"))
        .contains("The best of 2 is direct: 0.5 us/op. object<&> follows, 8.00 times behind.");
    JsonObject figures = figures(page);
    assertThat(figures.getAsJsonArray("charts")).hasSize(3);
    assertThat(figures.toString())
        .contains("codec", "score, us/op", "99.9 % CI", "spread", "bytes allocated/op")
        .contains("\"0.5\"", "\"999\"", "\"24\"");
    assertThat(texts(page, "td"))
        .contains("1.37, mode avgt", "2, each with 3 of 1 s to warm up and 5 of 2 s")
        .contains("-Xms1g -Da=<b>");
  }

  @Test
  void jmhAndBenchOnOnePage() throws Exception {
    Document page =
        report(
            "--png",
            loopback(),
            jmh("one.json", JmhSamples.result("a.b.C.m", "direct", 16, 0.5)),
            jmh("two.json", JmhSamples.result("a.b.C.m", "direct", 16, 0.5)));
    assertThat(texts(page, "h2").subList(2, 5))
        .containsExactly("JMH: C", "JMH: C", "How to read this");
    assertThat(directory.resolve("new/report/one-C.m-elements-16.png")).exists();
    assertThat(directory.resolve("new/report/two-C.m-elements-16.png")).exists();
  }

  private void fails(int status, String complaint, Object... arguments) {
    assertThat(run(arguments)).isEqualTo(status);
    assertThat(console.err()).contains("arraywire report: ", complaint).hasLineCount(1);
    assertThat(console.out()).isEmpty();
  }

  @Test
  void whatCannotBeIsSaidInOneLine() throws IOException {
    Path file = Files.writeString(directory.resolve("x.json"), "no");
    fails(1, "no such file", directory.resolve("missing.json"), "--out", directory);
    console.clear();
    fails(1, "not JSON", file, "--out", directory);
    console.clear();
    fails(1, "a directory, where a file of figures is needed", directory, "--out", directory);
    console.clear();
    fails(1, "no benchmark has run", jmh("none.json"), "--out", directory);
    console.clear();
    fails(
        1,
        "not as JMH writes it (member=[1].primaryMetric",
        jmh("half.json", JmhSamples.result("a.C.m", "x", 1, 1), "{}"),
        "--out",
        directory);
    console.clear();
    fails(1, "exists already", loopback(), "--out", file);
    console.clear();
    fails(2, "--out", loopback());
    console.clear();
    fails(2, "FILE", "--out", directory);
  }
}
