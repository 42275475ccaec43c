package io.arraywire.benchmarks.bench;

import io.arraywire.examples.process.CommandLoop;
import java.time.Duration;

/**
 * The child process that answers requests.
 *
 * <pre>
 * listen NAME COUNT CLIENTS REQUESTS EVERY MILLIS    answers with the port
 * expense                                            answers with its {@link Expense}
 * </pre>
 */
final class AnswersServerProcess implements CommandLoop.Commands {
  private AnswersServerProcess() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    new CommandLoop().serve(new AnswersServerProcess());
  }

  /** What the words from REQUESTS on say. */
  static SlowAnswers slowAnswers(String[] words, int from) {
    return new SlowAnswers(
        Integer.parseInt(words[from]),
        Integer.parseInt(words[from + 1]),
        Duration.ofMillis(Long.parseLong(words[from + 2])));
  }

  @Override
  public String[] run(String[] words) throws Exception {
    return switch (words[0]) {
      case "listen" -> {
        int port =
            AnswersContenders.named(words[1])
                .listen(slowAnswers(words, 4), Integer.parseInt(words[2]));
        yield new String[] {Integer.toString(port)};
      }
      case "expense" -> Expense.now().words();
      default -> throw new IllegalArgumentException("unknown command (command=" + words[0] + ")");
    };
  }
}
