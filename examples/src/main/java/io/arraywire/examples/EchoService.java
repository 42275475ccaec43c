package io.arraywire.examples;

import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;

/**
 * A server that stays up and goes down politely: SIGTERM drains its connections, says goodbye to
 * the peers and ends the process.
 */
public final class EchoService {
  private EchoService() {}

  /**
   * Answers each request with the array that it came with.
   *
   * @param arguments where to listen, for example {@code :4711}
   * @throws Exception if it cannot listen there
   */
  public static void main(String[] arguments) throws Exception {
    try (Listener server =
        NioTransport.listen(arguments[0], Handlers.answering(query -> Message.of(query.slice())))) {
      System.out.println("listening on " + server.address());
      server.closeOnShutdown().awaitClosed();
    }
  }
}
