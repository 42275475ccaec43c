package io.arraywire.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.benchmarks.result.FiguresFile;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of the published figures, and what a browser makes of it. */
@Tag("ci")
@Tag("newest")
class ReportInBrowserTest {
  private static final Path REPORTS = Path.of("..", "docs", "reports");
  private static final int MOST_BYTES = 1_000_000;

  /** Of a phone, in pixels of CSS: headless Chromium makes no window narrower than 500. */
  private static final int NARROW = 500;

  /** Of each canvas, whether something is painted on it; asked when all is drawn. */
  private static final String PROBE =
      """
      <script>
      window.addEventListener("load", () => setTimeout(() => {
        const canvases = Array.from(document.querySelectorAll("canvas"));
        const painted = canvases.filter(each =>
          each.getContext("2d").getImageData(0, 0, each.width, each.height).data.some(b => b !== 0));
        const root = document.documentElement;
        root.dataset.canvases = canvases.length;
        root.dataset.painted = painted.length;
        root.dataset.overflow = root.scrollWidth - root.clientWidth;
        PLAY
        root.dataset.probed = "yes";
      }, 500));
      </script>
      """;

  /** What a reader does: chooses a question and one contender, and points at a bar. */
  private static final String PLAY =
      """
      document.getElementById("none").click();
      const box = document.querySelector(".names input");
      box.click();
      const question = document.getElementById("question");
      question.value = "1 MiB";
      question.dispatchEvent(new Event("change"));
      const shown = Array.from(document.querySelectorAll("section.question")).filter(each => !each.hidden);
      root.dataset.shown = Array.from(new Set(shown.map(each => each.dataset.question))).join("|");
      const bars = shown.flatMap(each => Array.from(each.querySelectorAll(".bar .name")));
      root.dataset.bars = Array.from(new Set(bars.map(each => each.textContent))).join("|");
      shown[0].querySelector(".bar").dispatchEvent(new MouseEvent("mousemove", { clientX: 9, clientY: 9 }));
      root.dataset.tip = document.querySelector(".tip").textContent;
      const leads = link => document.getElementById(link.hash.slice(1)).closest("section[hidden]") === null;
      const links = Array.from(document.querySelectorAll(".contents a"));
      root.dataset.links = links.length;
      root.dataset.kept = links.filter(each => !each.parentElement.hidden).length;
      root.dataset.astray = links.filter(each => leads(each) === each.parentElement.hidden).length;
      """;

  private static List<FiguresFile> published = List.of();
  private static Path full = REPORTS;

  @TempDir private Path directory;

  private static List<Path> published() throws IOException {
    try (Stream<Path> files = Files.list(REPORTS)) {
      return files.filter(each -> each.toString().endsWith(".json.gz")).sorted().toList();
    }
  }

  private HeadlessBrowser browser() {
    return new HeadlessBrowser(directory);
  }

  /** Reads all figures and writes their page, which takes seconds, once. */
  @BeforeAll
  static void writeAll(@TempDir Path folder) throws IOException {
    published = read(published());
    full = Report.write(published, folder, false).get(0);
  }

  private static List<FiguresFile> read(List<Path> figures) throws IOException {
    List<FiguresFile> files = new ArrayList<>();
    for (Path each : figures) {
      files.add(FiguresFile.read(each));
    }
    return files;
  }

  private Path page(Path figures) throws IOException {
    return Report.write(read(List.of(figures)), directory, false).get(0);
  }

  @Test
  void allPublishedFiguresTogetherAreAPageBelowOneMegabyte() throws IOException {
    assertThat(Files.size(full)).isLessThan(MOST_BYTES);
  }

  private static String fact(String dom, String name) {
    Matcher found = Pattern.compile("<html[^>]* data-" + name + "=\"([^\"]*)\"").matcher(dom);
    assertThat(found.find()).as("the script has said " + name).isTrue();
    return found.group(1);
  }

  private Path probed(Path page, String play) throws IOException {
    String html = Files.readString(page);
    return Files.writeString(
        directory.resolve("probed.html"),
        html.replace("</body>", PROBE.replace("PLAY", play) + "</body>"));
  }

  @Test
  void aBrowserDrawsEveryChartOfThePublishedFigures() throws Exception {
    String html = Files.readString(full);
    String dom = browser().open(probed(full, ""), "--window-size=1200,900", "--dump-dom");
    assertThat(fact(dom, "probed")).isEqualTo("yes");
    int charts = html.split("data-chart=", -1).length - 1;
    assertThat(Integer.parseInt(fact(dom, "drawn"))).isEqualTo(charts).isGreaterThan(100);
    assertThat(fact(dom, "painted")).isEqualTo(fact(dom, "canvases"));
    assertThat(Integer.parseInt(fact(dom, "canvases"))).isGreaterThan(30);
    // What a reader may look for is text.
    Set<String> words = new HashSet<>();
    for (FiguresFile each : published) {
      if (each instanceof io.arraywire.benchmarks.result.BenchFile file) {
        file.runs().stream()
            .flatMap(run -> run.questions().stream())
            .forEach(question -> {
              words.add("float[] of " + question.label());
              question.rows().forEach(row -> words.add(">" + row.contender() + "</td>"));
              question.rows().forEach(row -> words.add("> " + row.contender() + "</label>"));
            });
      }
    }
    assertThat(words).hasSizeGreaterThan(50);
    assertThat(dom).contains(words);
  }

  @Test
  void aReaderChoosesAQuestionAndAContender() throws Exception {
    Path page = page(REPORTS.resolve("loopback.json.gz"));
    String dom = browser().open(probed(page, PLAY), "--window-size=1200,900", "--dump-dom");
    assertThat(fact(dom, "probed")).isEqualTo("yes");
    assertThat(fact(dom, "shown")).isEqualTo("1 MiB");
    String chosen = fact(dom, "bars");
    assertThat(chosen).isNotEmpty().doesNotContain("|");
    assertThat(fact(dom, "tip")).startsWith(chosen).contains("time: ", "p99: ");
    // The contents have links to what is shown, and to nothing else.
    assertThat(fact(dom, "astray")).isEqualTo("0");
    assertThat(Integer.parseInt(fact(dom, "kept")))
        .isPositive()
        .isLessThan(Integer.parseInt(fact(dom, "links")));
  }

  @Test
  void aNarrowWindowDoesNotScrollSideways() throws Exception {
    String dom = browser().open(probed(full, ""), "--window-size=" + NARROW + ",900", "--dump-dom");
    assertThat(Integer.parseInt(fact(dom, "overflow"))).isZero();
    assertThat(fact(dom, "painted")).isEqualTo(fact(dom, "canvases"));
  }

  @Test
  void aPictureOfThePageHasTheColoursOfTheContenders() throws Exception {
    Path page = page(REPORTS.resolve("loopback.json.gz"));
    Path picture = directory.resolve("page.png");
    browser().open(page, "--window-size=1000,6000", "--screenshot=" + picture);
    BufferedImage image = ImageIO.read(picture.toFile());
    for (String each : List.of("nio", "raw-spin", "stream")) {
      int color = Look.of(each).color().getRGB();
      int seen = 0;
      for (int y = 0; y < image.getHeight(); y++) {
        for (int x = 0; x < image.getWidth(); x++) {
          seen += image.getRGB(x, y) == color ? 1 : 0;
        }
      }
      assertThat(seen).as(each).isGreaterThan(500);
    }
  }
}
