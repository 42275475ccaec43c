package io.arraywire.testkit.simulation;

import java.util.ArrayDeque;

/** What happened: always as a number, and as text where somebody wants to read it. */
final class Trace {
  private static final int MOST_LINES = 100_000;

  private final boolean kept;
  private final ArrayDeque<String> lines = new ArrayDeque<>();
  private long hash = 1;

  Trace(boolean kept) {
    this.kept = kept;
  }

  void event(long now, String what) {
    note(now, what, 0);
  }

  /** Something happened, to a thing with a number. */
  void note(long now, String what, long number) {
    hash = Choices.mixed(hash * 31 + now * 1_000_003 + what.hashCode() * 7L + number);
    if (kept) {
      if (lines.size() == MOST_LINES) {
        lines.remove();
      }
      lines.add(String.format("%,15d  %s%s", now / 1000, what, number == 0 ? "" : " " + number));
    }
  }

  /** More of what was noted last, for readers only. */
  void remark(String text) {
    if (kept) {
      lines.add(" ".repeat(17) + text);
    }
  }

  long hash() {
    return hash;
  }

  /** The lines, in microseconds. */
  String text() {
    return String.join(System.lineSeparator(), lines);
  }
}
