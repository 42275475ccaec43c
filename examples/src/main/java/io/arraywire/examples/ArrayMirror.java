package io.arraywire.examples;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
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
   * @param arguments where to listen, for example {@code localhost:0}
   * @throws Exception if it cannot listen there
   */
  public static void main(String[] arguments) throws Exception {
    try (Listener server =
        NioTransport.listen(
            arguments[0],
            Handlers.ofArrays(ArrayMirror::sendBack).withRequests(ArrayMirror::answer))) {
      System.out.println("listening on " + server.address());
      server.closeOnShutdown().awaitClosed();
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
