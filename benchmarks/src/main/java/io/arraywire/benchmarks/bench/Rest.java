package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Sees to it that pairs which are not at work leave the processors alone, before anything is
 * measured. With one that does not, the figures of all others would say more of it than of them.
 */
final class Rest {
  /** What a pair may take, of one processor. */
  static final double MOST = 0.1;

  private static final Duration LOOK = Duration.ofMillis(500);

  private Rest() {}

  /**
   * Returns when all rest. Compilers and collectors may still be at work when arrays no longer are.
   *
   * @param participants who they are, in the order of their pairs
   * @param pairs started, and not at work
   * @param patience for how long it may take
   * @throws IOException if one does not rest by then
   */
  static void await(
      List<? extends Participant> participants, List<? extends Pair> pairs, Duration patience)
      throws IOException {
    long deadline = System.nanoTime() + patience.toNanos();
    List<Expense> before = expenses(pairs);
    long then = System.nanoTime();
    while (true) {
      pause();
      List<Expense> after = expenses(pairs);
      long now = System.nanoTime();
      int busiest = 0;
      double most = 0;
      for (int i = 0; i < pairs.size(); i++) {
        double taken = (double) after.get(i).minus(before.get(i)).cpuNanos() / (now - then);
        if (taken > most) {
          busiest = i;
          most = taken;
        }
      }
      if (most <= MOST) {
        return;
      }
      if (now >= deadline) {
        throw new IOException(
            "a contender keeps processors busy while it is not its turn, so others cannot be"
                + " measured beside it (contender="
                + participants.get(busiest).name()
                + ", processors="
                + String.format(Locale.ROOT, "%.2f", most)
                + ", most="
                + MOST
                + ")");
      }
      before = after;
      then = now;
    }
  }

  private static List<Expense> expenses(List<? extends Pair> pairs) throws IOException {
    List<Expense> expenses = new ArrayList<>();
    for (Pair each : pairs) {
      expenses.add(each.expense());
    }
    return expenses;
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(LOOK.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
