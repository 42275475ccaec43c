package io.arraywire.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.benchmarks.result.FiguresFile;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page of the published figures, and what a browser makes of it. */
@Tag("ci")
@Tag("newest")
class ReportInBrowserTest {
  private static final int MOST_BYTES = 1_000_000;

  /** Of a phone, in pixels of CSS: headless Chromium makes no window narrower than 500. */
  private static final int NARROW = 500;

  /** Of a sheet, between margins, in pixels of CSS. */
  private static final int A4 = 718;

  /** WCAG 2, level AA, for text of ordinary size. */
  private static final double LEAST_CONTRAST = 4.5;

  /** Pixels: labels of axes have some hundreds that are not mixed with the paper. */
  private static final int MUCH_INK = 100;

  /** Of each canvas, whether something is painted on it; asked when all is drawn. */
  private static final String PROBE =
      """
      <script>
      window.addEventListener("load", () => setTimeout(async () => {
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

  /**
   * How well the page can be read: the paper's colour, the least contrast of a text with what is
   * behind it (WCAG 2), and how many pixels of the charts have the colours of ink on dark and on
   * white paper.
   */
  private static final String READ =
      """
      const light = value => value <= 0.03928 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
      const parts = color => color.match(/[0-9.]+/g).map(Number);
      const luminance = color => {
        const [r, g, b] = parts(color).map(each => light(each / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const behind = each => {
        const color = getComputedStyle(each).backgroundColor;
        return each === root || (parts(color)[3] ?? 1) > 0 ? color : behind(each.parentElement);
      };
      const contrast = each => {
        const both = [luminance(getComputedStyle(each).color), luminance(behind(each))];
        return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
      };
      const near = (data, i, ink) => ink.every((each, part) => Math.abs(data[i + part] - each) < 8);
      const inked = ink => {
        let seen = 0;
        document.querySelectorAll("canvas").forEach(canvas => {
          const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
          for (let i = 0; i < data.length; i += 4) {
            if (data[i + 3] > 200 && near(data, i, ink)) { seen++; }
          }
        });
        return seen;
      };
      const read = name => {
        const written = Array.from(document.body.querySelectorAll("*")).filter(each =>
          each.checkVisibility() && Array.from(each.childNodes).some(node => node.nodeType === 3 && node.data.trim() !== ""));
        root.dataset[name + "Paper"] = getComputedStyle(document.body).backgroundColor;
        root.dataset[name + "Texts"] = written.length;
        root.dataset[name + "Contrast"] = Math.min(...written.map(contrast)).toFixed(2);
        root.dataset[name + "DarkInk"] = inked([26, 26, 26]);
        root.dataset[name + "LightInk"] = inked([232, 232, 232]);
      };
      """;

  /** Reads the page as it is on the screen, and then as it goes to a printer. */
  private static final String PRINT =
      READ
          + """
          read("screen");
          window.dispatchEvent(new Event("beforeprint"));
            await new Promise(drawn => setTimeout(drawn, 100));
          const all = rules => Array.from(rules).flatMap(rule => [rule].concat(rule.cssRules ? all(rule.cssRules) : []));
          const sheets = Array.from(document.styleSheets).flatMap(sheet => all(sheet.cssRules));
          sheets.filter(rule => rule.media).forEach(rule => {
            if (rule.media.mediaText === "print") { rule.media.mediaText = "all"; }
            else if (rule.media.mediaText.includes("screen")) { rule.media.mediaText = "not all"; }
          });
          read("print");
          root.dataset.printOverflow = root.scrollWidth - root.clientWidth;
          root.dataset.printControls = getComputedStyle(document.querySelector(".controls")).display;
          root.dataset.printClosed = document.querySelectorAll("details.all:not([open])").length;
          """;

  private static List<FiguresFile> published = List.of();
  private static Path full = PublishedReports.FOLDER;

  @TempDir private Path directory;

  private HeadlessBrowser browser() {
    return new HeadlessBrowser(directory);
  }

  /** Reads all figures and writes their page, which takes seconds, once. */
  @BeforeAll
  static void writeAll(@TempDir Path folder) throws IOException {
    published = PublishedReports.all();
    full = Report.write(published, folder, false).get(0);
  }

  private Path page(String figures) throws IOException {
    return Report.write(List.of(PublishedReports.bench(figures)), directory, false).get(0);
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
    Path page = page("loopback");
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

  /** Chromium's names for what a system prefers. */
  private enum Scheme {
    DARK("rgb(21, 24, 27)"),
    LIGHT("rgb(255, 255, 255)");

    final String paper;

    Scheme(String paper) {
      this.paper = paper;
    }
  }

  /** A system that is dark shows the page dark, and prints it on white paper all the same. */
  @ParameterizedTest
  @EnumSource(Scheme.class)
  void thePageIsReadableDarkAndLightAndPrinted(Scheme scheme) throws Exception {
    Path page = probed(page("rows"), PRINT);
    String dom =
        browser()
            .open(
                page,
                "--blink-settings=preferredColorScheme=" + scheme.ordinal(),
                "--window-size=" + A4 + ",1100",
                "--dump-dom");
    assertThat(fact(dom, "probed")).isEqualTo("yes");
    assertThat(fact(dom, "screen-paper")).isEqualTo(scheme.paper);
    assertThat(fact(dom, "print-paper")).isEqualTo(Scheme.LIGHT.paper);
    for (String view : List.of("screen", "print")) {
      boolean dark = view.equals("screen") && scheme == Scheme.DARK;
      assertThat(Integer.parseInt(fact(dom, view + "-texts"))).isGreaterThan(50);
      assertThat(Double.parseDouble(fact(dom, view + "-contrast")))
          .as("contrast, " + view)
          .isGreaterThanOrEqualTo(LEAST_CONTRAST);
      assertThat(Integer.parseInt(fact(dom, view + (dark ? "-light-ink" : "-dark-ink"))))
          .as("ink, " + view)
          .isGreaterThan(MUCH_INK);
      assertThat(Integer.parseInt(fact(dom, view + (dark ? "-dark-ink" : "-light-ink"))))
          .as("ink of the other paper, " + view)
          .isLessThan(MUCH_INK);
    }
    assertThat(fact(dom, "print-controls")).isEqualTo("none");
    assertThat(fact(dom, "print-closed")).isEqualTo("0");
    assertThat(fact(dom, "print-overflow")).isEqualTo("0");
  }

  @Test
  void aPictureOfThePageHasTheColoursOfTheContenders() throws Exception {
    Path page = page("loopback");
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
