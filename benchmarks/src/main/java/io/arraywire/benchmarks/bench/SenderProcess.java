package io.arraywire.benchmarks.bench;

import io.arraywire.examples.process.CommandLoop;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The child process that sends.
 *
 * <pre>
 * connect NAME COUNT PORT          fills an array of that many elements
 * checksum COUNT                   answers with that of the first elements
 * transfer COUNT MILLIS            sends for that long, each when the one before is acknowledged
 * pipeline COUNT WINDOW MILLIS     sends for that long without waiting for each
 * last COUNT                       sends once
 * expense                          answers with its {@link Expense}
 * </pre>
 */
final class SenderProcess implements CommandLoop.Commands {
  /** However slow: a median needs three. */
  private static final int LEAST_ARRAYS = 3;

  static final long MILLION = 1_000_000;

  /** What comes first after a pause is not counted, for this part of the time. */
  static final int LEAD_IN = 10;

  private final Histogram times = Burst.emptyTimes();
  private Contender.@Nullable Sender sender;
  private float[] source = {};
  private boolean nans;

  private SenderProcess() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    new CommandLoop().serve(new SenderProcess());
  }

  @Override
  public String[] run(String[] words) throws Exception {
    Turn.begin();
    try {
      return answer(words);
    } finally {
      Turn.end();
    }
  }

  private String[] answer(String[] words) throws Exception {
    switch (words[0]) {
      case "connect" -> {
        source = ArrayData.here().elements(Integer.parseInt(words[2]));
        Contender contender = Contenders.named(words[1]);
        nans = contender.keepsNans();
        sender = contender.connect(Integer.parseInt(words[3]), source);
        return new String[0];
      }
      case "checksum" -> {
        return new String[] {Elements.checksum(source, Integer.parseInt(words[1]), nans)};
      }
      case "transfer" -> {
        return transfer(Integer.parseInt(words[1]), Long.parseLong(words[2]) * MILLION).words();
      }
      case "pipeline" -> {
        return pipeline(
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                Long.parseLong(words[3]) * MILLION)
            .words();
      }
      case "last" -> {
        sender().send(Integer.parseInt(words[1]));
        return new String[0];
      }
      case "expense" -> {
        return Expense.now().words();
      }
      default -> throw new IllegalArgumentException("unknown command (command=" + words[0] + ")");
    }
  }

  private Burst transfer(int count, long nanos) throws Exception {
    Contender.Sender to = sender();
    long leadIn = System.nanoTime() + nanos / LEAD_IN;
    long before = 0;
    do {
      to.send(count);
      before++;
    } while (System.nanoTime() < leadIn);
    times.reset();
    Expense spent = Expense.now();
    long begin = System.nanoTime();
    long arrays = 0;
    long then = begin;
    while (then - begin < nanos || arrays < LEAST_ARRAYS) {
      to.send(count);
      long after = System.nanoTime();
      times.recordValue(after - then);
      arrays++;
      then = System.nanoTime();
    }
    return new Burst(before + arrays, arrays, then - begin, Expense.since(spent), times);
  }

  private Burst pipeline(int count, int window, long nanos) throws Exception {
    Contender.Sender to = sender();
    long leadIn = System.nanoTime() + nanos / LEAD_IN;
    long before = to.stream(count, window, () -> System.nanoTime() < leadIn);
    times.reset();
    Expense spent = Expense.now();
    long begin = System.nanoTime();
    long arrays = to.stream(count, window, () -> System.nanoTime() - begin < nanos);
    return new Burst(
        before + arrays, arrays, System.nanoTime() - begin, Expense.since(spent), times);
  }

  private Contender.Sender sender() {
    Contender.Sender connected = sender;
    if (connected == null) {
      throw new IllegalStateException("not connected");
    }
    return connected;
  }
}
