package io.arraywire.benchmarks.bench;

import io.arraywire.examples.process.CommandLoop;
import org.jspecify.annotations.Nullable;

/**
 * The child process that sends over many connections.
 *
 * <pre>
 * connect NAME COUNT CONNECTIONS PORT    fills arrays of that many elements
 * checksums COUNT                        answers with those of the arrays' first elements, sorted
 * transfer COUNT MILLIS                  each connection sends for that long, each array when the
 *                                        one before is acknowledged; at least one
 * </pre>
 */
final class ConnectionsSenderProcess implements CommandLoop.Commands {
  private float[][] sources = {};
  private ConnectionsContender.@Nullable Sender sender;

  private ConnectionsSenderProcess() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    new CommandLoop().serve(new ConnectionsSenderProcess());
  }

  @Override
  public String[] run(String[] words) throws Exception {
    return switch (words[0]) {
      case "connect" -> {
        sources = sources(Integer.parseInt(words[3]), Integer.parseInt(words[2]));
        sender = ConnectionsContenders.named(words[1]).connect(Integer.parseInt(words[4]), sources);
        yield new String[0];
      }
      case "checksums" -> Elements.checksums(sources, Integer.parseInt(words[1]));
      case "transfer" ->
          transfer(Integer.parseInt(words[1]), Long.parseLong(words[2]) * SenderProcess.MILLION)
              .words();
      case "expense" -> Expense.now().words();
      default -> throw new IllegalArgumentException("unknown command (command=" + words[0] + ")");
    };
  }

  /** Different ones, so that an array that came to the wrong connection is noticed. */
  static float[][] sources(int connections, int count) {
    float[][] sources = new float[connections][];
    for (int i = 0; i < connections; i++) {
      sources[i] = Elements.random(count, i);
    }
    return sources;
  }

  private Burst transfer(int count, long nanos) throws Exception {
    ConnectionsContender.Sender connected = sender;
    if (connected == null) {
      throw new IllegalStateException("not connected");
    }
    Expense before = Expense.now();
    ClosedLoops loops = new ClosedLoops(sources.length, System::nanoTime, nanos);
    connected.run(count, loops);
    return loops.burst(Expense.since(before));
  }
}
