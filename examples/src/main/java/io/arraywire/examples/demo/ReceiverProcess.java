package io.arraywire.examples.demo;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.examples.process.CommandLoop;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The child process that receives.
 *
 * <pre>
 * allocate TYPE COUNT            makes the array that everything is received into
 * listen ID TRANSPORT CODEC MAX  answers with the port
 * receive ID COUNT VERIFY        says "armed", then answers with the receipt and, if asked, the digest
 * </pre>
 */
final class ReceiverProcess implements CommandLoop.Commands {
  private final CommandLoop loop;
  private final Map<String, Listener> listeners = new HashMap<>();
  private final Map<String, Connection> connections = new HashMap<>();
  private @Nullable Object target;

  private ReceiverProcess(CommandLoop loop) {
    this.loop = loop;
  }

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    CommandLoop loop = new CommandLoop();
    loop.serve(new ReceiverProcess(loop));
  }

  @Override
  public String[] run(String[] words) throws Exception {
    switch (words[0]) {
      case "allocate" -> {
        target = ElementType.named(words[1]).newArray(Integer.parseInt(words[2]));
        return new String[0];
      }
      case "listen" -> {
        Transport transport =
            Transports.create(
                words[2],
                TransportOptions.builder()
                    .codecs(Codecs.named(words[3]))
                    .maxArrayBytes(Long.parseLong(words[4]))
                    .build());
        Listener listener =
            transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listeners.put(words[1], listener);
        int port = ((InetSocketAddress) listener.address()).getPort();
        return new String[] {Integer.toString(port)};
      }
      case "receive" -> {
        return receive(words[1], Integer.parseInt(words[2]), Boolean.parseBoolean(words[3]));
      }
      default -> throw new IllegalArgumentException("unknown command (command=" + words[0] + ")");
    }
  }

  private String[] receive(String id, int count, boolean verify) throws Exception {
    Connection connection = connections.get(id);
    if (connection == null) {
      connection = listener(id).accept();
      connections.put(id, connection);
    }
    if (target == null) {
      throw new IllegalStateException("nothing was allocated");
    }
    ArraySlice slice = ArraySlice.ofArray(target, 0, count);
    Elements.spoil(slice);
    loop.say("armed");
    ReceivedArray received = connection.receiveInto(slice);
    if (received.count() != count) {
      throw new IllegalStateException(
          "another array came (expected=" + count + ", count=" + received.count() + ")");
    }
    return new String[] {
      ReceiptWords.of(received.receipt()), verify ? Elements.digest(received.slice()) : ""
    };
  }

  private Listener listener(String id) {
    Listener listener = listeners.get(id);
    if (listener == null) {
      throw new IllegalStateException("nothing listens (id=" + id + ")");
    }
    return listener;
  }
}
