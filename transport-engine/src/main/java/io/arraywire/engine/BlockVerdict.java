package io.arraywire.engine;

import java.util.Locale;

/**
 * What was decided last of the blocks of a connection, when that changed.
 *
 * @param codec the codec that pays, or would not
 * @param pays whether it does
 * @param link bytes in a second
 * @param arrives bytes of elements in a second
 * @param ratio bytes of elements for each that passes
 */
record BlockVerdict(String codec, boolean pays, double link, double arrives, double ratio) {
  static final double MEGA = 1e6;

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s: the link takes %.1f MB/s; with %s, ratio %.2f, elements arrive at %.1f MB/s",
        pays ? codec : "none",
        link / MEGA,
        codec,
        ratio,
        arrives / MEGA);
  }
}
