package io.arraywire.examples.demo;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.examples.npy.NpyReader;
import io.arraywire.examples.process.CommandLoop;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The child process that sends.
 *
 * <pre>
 * load FILE COUNT                      reads the file and repeats its array up to that many elements
 * digest COUNT                         answers with the digest of the first elements
 * connect ID TRANSPORT CODEC MAX PORT
 * send ID COUNT                        answers with the nanoseconds from the call to the acknowledgement,
 *                                      and the receipt
 * </pre>
 */
final class SenderProcess implements CommandLoop.Commands {
  private final Map<String, Connection> connections = new HashMap<>();
  private @Nullable Object array;

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
    switch (words[0]) {
      case "load" -> {
        array =
            Elements.tile(NpyReader.read(Path.of(words[1])).elements(), Integer.parseInt(words[2]));
        return new String[0];
      }
      case "digest" -> {
        return new String[] {Elements.digest(first(Integer.parseInt(words[1])))};
      }
      case "connect" -> {
        TransportOptions options =
            TransportOptions.builder()
                .codecs(Codecs.named(words[3]))
                .maxArrayBytes(Long.parseLong(words[4]))
                .build();
        InetSocketAddress address =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(words[5]));
        connections.put(words[1], Transports.create(words[2], options).connect(address));
        return new String[0];
      }
      case "send" -> {
        return send(words[1], first(Integer.parseInt(words[2])));
      }
      default -> throw new IllegalArgumentException("unknown command (command=" + words[0] + ")");
    }
  }

  private String[] send(String id, ArraySlice slice) throws Exception {
    Connection connection = connections.get(id);
    if (connection == null) {
      throw new IllegalStateException("not connected (id=" + id + ")");
    }
    long start = System.nanoTime();
    Receipt receipt = connection.send(slice, SendOptions.processed());
    long nanos = System.nanoTime() - start;
    return new String[] {Long.toString(nanos), ReceiptWords.of(receipt)};
  }

  private ArraySlice first(int count) {
    if (array == null) {
      throw new IllegalStateException("nothing was loaded");
    }
    return ArraySlice.ofArray(array, 0, count);
  }
}
