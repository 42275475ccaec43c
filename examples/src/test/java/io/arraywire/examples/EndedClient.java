package io.arraywire.examples;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.client.ArraywireClient;
import io.arraywire.nio.NioTransport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** A service that is told to end while a request of its client is in flight. */
final class EndedClient {
  private EndedClient() {}

  /**
   * Asks, and says {@code closing} once the client takes no further calls, and the answer.
   *
   * @param arguments the address of the server
   */
  public static void main(String[] arguments) throws Exception {
    Transport transport = NioTransport.create(TransportOptions.defaults());
    ArraywireClient client = ArraywireClient.over(transport, arguments).build();
    PageSnippets.closedAtTheEnd(client);
    client.awaitReady(Duration.ofMinutes(1));
    CompletableFuture<Void> answered =
        client
            .request(new int[] {7})
            .thenAccept(reply -> System.out.println("answered " + reply.ints()[0]));
    // What a service does with its answers it waits for itself: the JVM ends when all hooks have.
    Runtime.getRuntime().addShutdownHook(new Thread(answered::join));
    while (!client.status().closed()) {
      LockSupport.parkNanos(1_000_000);
    }
    System.out.println("closing");
  }
}
