package io.arraywire.nio;

import java.time.Duration;
import java.util.List;

/**
 * What is done to packets, each by itself.
 *
 * @param delay how much later they come
 * @param lostPercent how many never come
 * @param doubledPercent how many come twice
 * @param earlyPercent how many are not delayed, and overtake the others
 * @param seed of what is left to chance; netem of an older kernel has its own
 */
record BadLink(Duration delay, int lostPercent, int doubledPercent, int earlyPercent, long seed) {

  /** It in the words of {@code tc}. */
  List<String> netem() {
    return List.of(
        "delay",
        delay.toMillis() + "ms",
        "loss",
        lostPercent + "%",
        "duplicate",
        doubledPercent + "%",
        "reorder",
        earlyPercent + "%");
  }

  /** It in the words of the program that does without netem. */
  List<String> arguments() {
    return List.of(
        String.valueOf(delay.toMillis()),
        String.valueOf(lostPercent),
        String.valueOf(doubledPercent),
        String.valueOf(earlyPercent),
        String.valueOf(seed));
  }
}
