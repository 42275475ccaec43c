package io.arraywire.benchmarks.bench;

import io.arraywire.examples.process.CommandLoop;

/**
 * The child process that receives over many connections. It takes what comes at any time.
 *
 * <pre>
 * listen NAME COUNT CONNECTIONS    makes arrays of that many elements; answers with the port
 * expense                          answers with its {@link Expense}
 * await TOTAL                      waits until so many arrays have come in all; answers with how
 *                                  many there are
 * spoil                            overwrites the arrays
 * checksums COUNT                  answers with those of the arrays' first elements, sorted
 * </pre>
 */
final class ConnectionsReceiverProcess implements CommandLoop.Commands {
  private Targets targets = new Targets(0, 0);

  private ConnectionsReceiverProcess() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    new CommandLoop().serve(new ConnectionsReceiverProcess());
  }

  @Override
  public String[] run(String[] words) throws Exception {
    return switch (words[0]) {
      case "listen" -> {
        targets = new Targets(Integer.parseInt(words[3]), Integer.parseInt(words[2]));
        // Lives as long as the process.
        int port = ConnectionsContenders.named(words[1]).listen(targets).port();
        yield new String[] {Integer.toString(port)};
      }
      case "expense" -> Expense.now().words();
      case "await" -> new String[] {Long.toString(targets.await(Long.parseLong(words[1])))};
      case "spoil" -> {
        targets.spoil();
        yield new String[0];
      }
      case "checksums" -> targets.checksums(Integer.parseInt(words[1]));
      default -> throw new IllegalArgumentException("unknown command (command=" + words[0] + ")");
    };
  }
}
