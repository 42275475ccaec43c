package io.arraywire.benchmarks.bench;

import io.arraywire.Connection;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.examples.file.ArrayFile;
import io.arraywire.examples.file.FileSender;
import io.arraywire.examples.file.SendTechnique;
import io.arraywire.examples.process.CommandLoop;
import io.arraywire.nio.NioTransport;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The child process that sends files.
 *
 * <pre>
 * send TECHNIQUE FILE PORT    answers with the time from the file to the acknowledgement, and the
 *                             processor time of it
 * checksum FILE               answers with that of the file's elements
 * </pre>
 *
 * The technique {@code array} reads the file into an array, which the library sends.
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
    SocketAddress to = Loopback.TCP.numbered(port);
    return technique.equals(FileBench.ARRAY)
        ? sendArray(file, to)
        : send(SendTechnique.valueOf(technique.toUpperCase(Locale.ROOT)), file, to);
  }

  private static String[] send(SendTechnique technique, Path file, SocketAddress to)
      throws Exception {
    try (FileSender sender = FileSender.connect(to)) {
      Expense before = Expense.now();
      long begin = System.nanoTime();
      sender.awaitAcknowledged(
          sender.send(ArrayFile.npy(file), technique, Long.MAX_VALUE, bytes -> {}));
      String[] answer = since(begin, before);
      sender.goodbye();
      return answer;
    }
  }

  private static String[] sendArray(Path file, SocketAddress to) throws Exception {
    TransportOptions options = TransportOptions.builder().maxArrayBytes(4L << 30).build();
    try (Transport transport = NioTransport.create(options);
        Connection connection = transport.connect(to)) {
      Expense before = Expense.now();
      long begin = System.nanoTime();
      connection.send(ArrayFile.npy(file).read(), SendOptions.processed());
      return since(begin, before);
    }
  }

  private static String[] since(long begin, Expense before) {
    return new String[] {
      Long.toString(System.nanoTime() - begin), Long.toString(Expense.since(before).cpuNanos())
    };
  }
}
