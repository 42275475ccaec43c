package io.arraywire.benchmarks;

import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.examples.process.CommandLoop;
import io.arraywire.spi.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The receiving process of {@link PartsPairs}: takes every array, or every part of a message, in an
 * array of its own.
 *
 * <pre>
 * listen TRANSPORT     answers with the port
 * </pre>
 */
final class PartsReceiver implements CommandLoop.Commands {
  private final AtomicLong parts = new AtomicLong();

  private PartsReceiver() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    new CommandLoop().serve(new PartsReceiver());
  }

  @Override
  public String[] run(String[] words) throws Exception {
    if (!words[0].equals("listen")) {
      throw new IllegalArgumentException("no such command: " + words[0]);
    }
    Transport transport = Transports.create(words[1], ArrayReceiver.options(false, 0));
    Listener listener =
        transport.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            (from, array) -> parts.addAndGet(array.message().parts().size()));
    return new String[] {Integer.toString(((InetSocketAddress) listener.address()).getPort())};
  }
}
