package io.arraywire.benchmarks.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * How a contender looks in every chart: by its name alone, so that who else took part does not
 * matter.
 *
 * <p>The usual contenders have colours of their own, after M. Okabe and K. Ito ("Color Universal
 * Design", 2008), which people who see colours differently can tell apart. Here they are all of
 * middle lightness, because they stand on white and on black. There are more contenders than
 * colours, so the others get a shade of their family's. Markers and dashes differ, too, and tell
 * lines apart in grey.
 *
 * @param color of bars, lines and markers
 * @param marker of points on a line
 * @param line such as solid or dashed
 */
record Look(Color color, Marker marker, BasicStroke line) {
  private static final Map<String, Color> OWN = own();

  /** Degrees on the wheel of colours. */
  private static final Map<String, Integer> FAMILIES =
      Map.of("raw", 35, "nio", 205, "stream", 20, "netty", 140, "grpc", 320, "aeron", 275);

  private static final List<Marker> MARKERS =
      List.of(
          SeriesMarkers.CIRCLE,
          SeriesMarkers.SQUARE,
          SeriesMarkers.DIAMOND,
          SeriesMarkers.TRIANGLE_UP,
          SeriesMarkers.TRIANGLE_DOWN,
          SeriesMarkers.CROSS);

  private static final List<BasicStroke> LINES =
      List.of(stroke(), stroke(7, 4), stroke(2, 3), stroke(9, 3, 2, 3));

  /** In this order they get markers and dashes. */
  private static Map<String, Color> own() {
    Map<String, Color> own = new LinkedHashMap<>();
    own.put("nio", new Color(0x1f83c9));
    own.put("stream", new Color(0xd55e00));
    own.put("raw-sleep", new Color(0x808080));
    own.put("raw-spin", new Color(0xc56ba0));
    own.put("raw-staged", new Color(0xa6765b));
    own.put("raw-staged-spin", new Color(0xdd9700));
    own.put("nio-staged", new Color(0x56b4e9));
    own.put("nio-paced", new Color(0x2f4b9c));
    own.put("raw-selector", new Color(0x808080));
    own.put("nio-on-loop", new Color(0x0b3d91));
    own.put("nio-1-loop", new Color(0x56b4e9));
    own.put("nio-2-loops", new Color(0x6a6fd4));
    own.put("netty-nio", new Color(0x009e73));
    own.put("netty-nio-busy", new Color(0x6fb98f));
    own.put("netty-epoll", new Color(0x4d8f2b));
    own.put("netty-io_uring", new Color(0x8fae1b));
    own.put("jdk-threads", new Color(0x7a5195));
    own.put("jdk-virtual", new Color(0x2a9d8f));
    return own;
  }

  private static BasicStroke stroke(float... dashes) {
    return dashes.length == 0
        ? new BasicStroke(2, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND)
        : new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0);
  }

  /** The look of the contender of that name. */
  static Look of(String contender) {
    Color color = OWN.get(contender);
    if (color != null) {
      return at(color, List.copyOf(OWN.keySet()).indexOf(contender));
    }
    CRC32 crc = new CRC32();
    crc.update(contender.getBytes(StandardCharsets.UTF_8));
    int hash = (int) (crc.getValue() >>> 4);
    return at(shade(contender, hash), hash);
  }

  private static Look at(Color color, int number) {
    return new Look(color, MARKERS.get(number % MARKERS.size()), LINES.get(number % LINES.size()));
  }

  private static Color shade(String contender, int hash) {
    int dash = contender.indexOf('-');
    String family = dash < 0 ? contender : contender.substring(0, dash);
    Integer hue = FAMILIES.get(family);
    if (hue == null) {
      return Color.getHSBColor(hash % 360 / 360f, 0.7f, 0.75f);
    }
    return Color.getHSBColor(
        (hue + hash % 31 - 15) / 360f, 0.45f + hash / 31 % 5 * 0.1f, 0.6f + hash / 155 % 4 * 0.08f);
  }
}
