package io.arraywire.benchmarks.bench;

import io.arraywire.examples.process.CommandLoop;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The child process that receives. Between {@code stopped} and the next {@code serve} it does
 * nothing.
 *
 * <pre>
 * listen NAME COUNT    makes an array of that many elements; answers with the port
 * serve COUNT          begins to take arrays of that many elements; answers with its {@link Expense}
 * stop TOTAL           it ends when so many have come; answers with its {@link Expense}
 * stopped              waits until they have come
 * spoil                overwrites the array
 * checksum COUNT       answers with that of the first elements
 * compare COUNT        answers whether the first elements are what was sent, but for what the
 *                      contender may lose: with "none", or with an index and both elements
 * expense              answers with its {@link Expense}
 * </pre>
 */
final class ReceiverProcess implements CommandLoop.Commands {
  /** No element is further off than it may be. */
  static final String NONE_WRONG = "none";

  private float[] target = {};
  private boolean nans;
  private @Nullable Rounding rounding;
  private Contender.@Nullable Receiver receiver;
  private CompletableFuture<@Nullable Void> served = CompletableFuture.completedFuture(null);
  private volatile long total;

  private ReceiverProcess() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    new CommandLoop().serve(new ReceiverProcess());
  }

  @Override
  public String[] run(String[] words) throws Exception {
    switch (words[0]) {
      case "listen" -> {
        target = new float[Integer.parseInt(words[2])];
        Contender contender = Contenders.named(words[1]);
        nans = contender.keepsNans();
        rounding = contender.rounding();
        Contender.Receiver listening = contender.listen(target);
        receiver = listening;
        return new String[] {Integer.toString(listening.port())};
      }
      case "serve" -> {
        Turn.begin();
        serve(Integer.parseInt(words[1]));
        return Expense.now().words();
      }
      case "stop" -> {
        total = Long.parseLong(words[1]);
        return Expense.now().words();
      }
      case "stopped" -> {
        served.get();
        Turn.end();
        return new String[0];
      }
      case "spoil" -> {
        Elements.spoil(target);
        return new String[0];
      }
      case "checksum" -> {
        return new String[] {Elements.checksum(target, Integer.parseInt(words[1]), nans)};
      }
      case "compare" -> {
        return compare(Integer.parseInt(words[1]));
      }
      case "expense" -> {
        return Expense.now().words();
      }
      default -> throw new IllegalArgumentException("unknown command (command=" + words[0] + ")");
    }
  }

  /** The sender's arrays hold what this JVM was told of, too. */
  private String[] compare(int count) throws IOException {
    Rounding allowed = rounding;
    if (allowed == null) {
      throw new IllegalStateException(
          "elements are compared of contenders that may round them; this one must deliver every bit");
    }
    float[] sent = ArrayData.here().elements(target.length);
    int wrong = allowed.firstWrong(sent, target, count);
    return wrong < 0
        ? new String[] {NONE_WRONG}
        : new String[] {
          Integer.toString(wrong), Float.toString(sent[wrong]), Float.toString(target[wrong])
        };
  }

  private void serve(int count) {
    Contender.Receiver listening = receiver;
    if (listening == null) {
      throw new IllegalStateException("nothing listens");
    }
    total = Long.MAX_VALUE;
    Counting counting = new Counting();
    CompletableFuture<@Nullable Void> outcome = new CompletableFuture<>();
    served = outcome;
    Thread thread =
        new Thread(
            () -> {
              try {
                listening.serve(count, counting);
                outcome.complete(null);
              } catch (Throwable e) {
                outcome.completeExceptionally(e);
                e.printStackTrace();
                // The sender would wait for ever.
                Runtime.getRuntime().halt(1);
              }
            },
            "serve");
    thread.setDaemon(true);
    thread.start();
  }

  /** For the thread that serves. */
  private final class Counting implements Contender.Tally {
    private long taken;

    @Override
    public boolean add(int arrays) {
      taken += arrays;
      return taken < total;
    }
  }
}
