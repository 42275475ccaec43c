package io.arraywire.benchmarks.bench;

import io.arraywire.Connection;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.examples.file.ArrayFile;
import io.arraywire.examples.file.SendTechnique;
import io.arraywire.examples.process.CommandLoop;
import io.arraywire.nio.NioTransport;
import io.arraywire.source.ArraySource;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The child process that sends files.
 *
 * <pre>
 * send TECHNIQUE FILE PORT    answers with the time from the file to the acknowledgement, and the
 *                             CPU time of it
 * checksum FILE               answers with that of the file's elements
 * </pre>
 *
 * The technique {@code array} reads the file into an array first.
 */
final class FileSenderProcess implements CommandLoop.Commands {
  FileSenderProcess() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    new CommandLoop().serve(new FileSenderProcess());
  }

  @Override
  public String[] run(String[] words) throws Exception {
    return switch (words[0]) {
      case "send" -> send(words[1], Path.of(words[2]), Integer.parseInt(words[3]));
      case "checksum" -> {
        float[] elements = (float[]) ArrayFile.npy(Path.of(words[1])).read().array();
        yield new String[] {Elements.checksum(elements, elements.length)};
      }
      default -> throw new IllegalArgumentException("unknown command (command=" + words[0] + ")");
    };
  }

  private static String[] send(String technique, Path file, int port) throws Exception {
    TransportOptions options = TransportOptions.builder().maxArrayBytes(4L << 30).build();
    try (Transport transport = NioTransport.create(options);
        Connection connection = transport.connect(Loopback.TCP.numbered(port))) {
      Expense before = Expense.now();
      long begin = System.nanoTime();
      ArrayFile array = ArrayFile.npy(file);
      ArraySource source =
          technique.equals(FileBench.ARRAY)
              ? array.read()
              : SendTechnique.valueOf(technique.toUpperCase(Locale.ROOT)).source(array);
      connection.send(source, SendOptions.processed());
      return since(begin, before);
    }
  }

  private static String[] since(long begin, Expense before) {
    return new String[] {
      Long.toString(System.nanoTime() - begin), Long.toString(Expense.since(before).cpuNanos())
    };
  }
}
