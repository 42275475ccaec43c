package io.arraywire.examples;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.SendOptions;
import io.arraywire.nio.NioTransport;

/**
 * Sends arrays back to their senders, and answers requests with their own elements: the Java end of
 * {@code python/benchmarks/loopback.py --java}.
 */
public final class ArrayMirror {
  private ArrayMirror() {}

  /**
   * Listens until the process ends.
   *
   * @param arguments where to listen, for example {@code localhost:0}. Optionally the length of a
   *     {@code float[]} that is kept: a second listener then sends back what one peer sends there.
   *     No array is allocated for it
   * @throws Exception if it cannot listen there
   */
  public static void main(String[] arguments) throws Exception {
    try (Listener server =
        NioTransport.listen(
            arguments[0],
            Handlers.ofArrays(ArrayMirror::sendBack).withRequests(ArrayMirror::answer))) {
      System.out.println("listening on " + server.address());
      if (arguments.length > 1) {
        sendBackTo(arguments[0], new float[Integer.parseInt(arguments[1])]);
      }
      server.closeOnShutdown().awaitClosed();
    }
  }

  private static void sendBackTo(String address, float[] kept)
      throws ArraywireException, InterruptedException {
    try (Listener listener = NioTransport.listen(address)) {
      System.out.println("receiving into one array on " + listener.address());
      try (Connection connection = listener.accept()) {
        while (true) {
          connection.send(connection.receiveInto(kept).slice(), SendOptions.handedOff());
        }
      } catch (ConnectionClosedException end) {
        System.out.println("the peer has said goodbye");
      }
    }
  }

  private static void sendBack(Connection connection, ReceivedArray array)
      throws ArraywireException, InterruptedException {
    connection.send(array.slice(), SendOptions.handedOff().attributes(array.header().attributes()));
  }

  private static void answer(Connection connection, ReceivedArray request, Reply reply) {
    reply.send(request.slice());
  }
}
