package io.arraywire.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.benchmarks.result.FiguresFile;
import io.arraywire.benchmarks.result.Samples;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page of made-up figures looks as it looked: its mean colours, block by block, are those that
 * are stored, and so is how much of each column of blocks is coloured, which only charts are. Fonts
 * and versions of the browser change edges of letters and where lines end, so the blocks are
 * coarse, some may differ, and columns do not see what moves up or down.
 */
@Tag("newest")
class ReportPictureTest {
  private static final Path STORED =
      Path.of(System.getProperty("basedir", "."))
          .resolve("src/test/resources/io/arraywire/benchmarks/report/picture.txt");

  private static final int WIDTH = 1000;
  private static final int HEIGHT = 1400;
  private static final int BLOCK = 50;

  /** Of 255, in any channel. */
  private static final int NEAR = 32;

  /** Blocks that may be of another colour. */
  private static final double MOST_OTHERS = 0.06;

  /** From here on the channels of a pixel are so far apart that it is no grey. */
  private static final int COLOURED = 40;

  /** Of all coloured pixels, those that may be in other columns, or missing. */
  private static final double MOST_MOVED = 0.25;

  @TempDir private Path directory;

  private Path page() throws IOException {
    List<Object> contenders = new ArrayList<>();
    contenders.add(Samples.contender("raw-sleep", Samples.ROUNDS, Samples.ROUNDS, true));
    contenders.add(Samples.contender("nio", Samples.ROUNDS, Samples.times(0.5), true));
    contenders.add(Samples.contender("stream", Samples.ROUNDS, Samples.times(2), true));
    Path figures =
        Samples.write(
            directory.resolve("figures.json"),
            List.of(
                Samples.run(
                    "raw-sleep", List.of(Samples.workload("64 bytes", 64, 0, contenders)))));
    return Report.write(List.of(FiguresFile.read(figures)), directory, false).get(0);
  }

  /**
   * The mean colour of each block, a line for each row; then a line with the number of coloured
   * pixels in each column.
   */
  private List<String> look(Path page) throws Exception {
    Path picture = directory.resolve("page.png");
    Files.deleteIfExists(picture);
    new HeadlessBrowser(directory)
        .open(page, "--window-size=" + WIDTH + "," + HEIGHT, "--screenshot=" + picture);
    BufferedImage image = ImageIO.read(picture.toFile());
    List<String> rows = new ArrayList<>();
    for (int y = 0; y + BLOCK <= HEIGHT; y += BLOCK) {
      List<String> row = new ArrayList<>();
      for (int x = 0; x + BLOCK <= WIDTH; x += BLOCK) {
        row.add(String.format("%06x", mean(image, x, y)));
      }
      rows.add(String.join(" ", row));
    }
    List<String> columns = new ArrayList<>();
    for (int x = 0; x + BLOCK <= WIDTH; x += BLOCK) {
      columns.add(Integer.toString(coloured(image, x)));
    }
    rows.add(String.join(" ", columns));
    return rows;
  }

  private static int coloured(BufferedImage image, int left) {
    int coloured = 0;
    for (int x = left; x < left + BLOCK; x++) {
      for (int y = 0; y < HEIGHT; y++) {
        int color = image.getRGB(x, y);
        int red = color >> 16 & 0xff;
        int green = color >> 8 & 0xff;
        int blue = color & 0xff;
        int most = Math.max(red, Math.max(green, blue));
        int least = Math.min(red, Math.min(green, blue));
        coloured += most - least >= COLOURED ? 1 : 0;
      }
    }
    return coloured;
  }

  /** The share of the stored coloured pixels that are not where they were. */
  private static double moved(List<String> seen, List<String> stored) {
    String[] a = seen.get(seen.size() - 1).split(" ", -1);
    String[] b = stored.get(stored.size() - 1).split(" ", -1);
    assertThat(a).hasSameSizeAs(b);
    double moved = 0;
    double all = 0;
    for (int i = 0; i < a.length; i++) {
      moved += Math.abs(Integer.parseInt(a[i]) - Integer.parseInt(b[i]));
      all += Integer.parseInt(b[i]);
    }
    assertThat(all).isGreaterThan(5_000);
    return moved / all;
  }

  private static int mean(BufferedImage image, int left, int top) {
    long red = 0;
    long green = 0;
    long blue = 0;
    for (int y = top; y < top + BLOCK; y++) {
      for (int x = left; x < left + BLOCK; x++) {
        int color = image.getRGB(x, y);
        red += color >> 16 & 0xff;
        green += color >> 8 & 0xff;
        blue += color & 0xff;
      }
    }
    long pixels = (long) BLOCK * BLOCK;
    return (int) (red / pixels << 16 | green / pixels << 8 | blue / pixels);
  }

  /** The share of blocks that are of another colour. */
  private static double others(List<String> one, List<String> other) {
    String[] a = String.join(" ", one.subList(0, one.size() - 1)).split(" ", -1);
    String[] b = String.join(" ", other.subList(0, other.size() - 1)).split(" ", -1);
    assertThat(a).hasSameSizeAs(b);
    int others = 0;
    for (int i = 0; i < a.length; i++) {
      int x = Integer.parseInt(a[i], 16);
      int y = Integer.parseInt(b[i], 16);
      for (int shift = 0; shift <= 16; shift += 8) {
        if (Math.abs((x >> shift & 0xff) - (y >> shift & 0xff)) > NEAR) {
          others++;
          break;
        }
      }
    }
    return (double) others / a.length;
  }

  @Test
  void thePageLooksAsItLooked() throws Exception {
    List<String> seen = look(page());
    if (Boolean.getBoolean("arraywire.picture.renew")) {
      Files.createDirectories(STORED.getParent());
      Files.write(STORED, seen);
    }
    List<String> stored = Files.readAllLines(STORED);
    String advice = "look at the page; if it is as wanted, run with -Darraywire.picture.renew=true";
    assertThat(others(seen, stored)).as(advice).isLessThan(MOST_OTHERS);
    assertThat(moved(seen, stored)).as(advice).isLessThan(MOST_MOVED);
  }

  /** So the comparison means something: without its script the page has no charts. */
  @Test
  void aPageWithoutItsChartsLooksOtherwise() throws Exception {
    Path page = page();
    String html = Files.readString(page);
    Path bare = directory.resolve("bare.html");
    Files.writeString(bare, html.replaceAll("(?s)<script.*?</script>", ""));
    assertThat(moved(look(bare), Files.readAllLines(STORED))).isGreaterThan(2 * MOST_MOVED);
  }
}
