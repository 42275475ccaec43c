package io.arraywire.examples;

import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.nio.NioTransport;
import java.time.Duration;
import java.util.Arrays;

/**
 * The eight lines of the README: a client sends an array of any size to a server, whose handler has
 * printed it when {@code send} returns. Without the timeout {@code send} would wait for that
 * handler for as long as the connection lives.
 */
public final class HelloArrays {
  private HelloArrays() {}

  /**
   * Sends an array to a server in the same process, which prints it.
   *
   * @param arguments none
   * @throws Exception if that fails
   */
  public static void main(String[] arguments) throws Exception {
    float[] array = {1, 2, 3};
    try (Listener server =
            NioTransport.listen(
                "localhost:0",
                (from, received) -> System.out.println(Arrays.toString(received.floats())));
        Connection client = NioTransport.connect(server.address())) {
      client.send(array, SendOptions.processed().timeout(Duration.ofSeconds(5)));
    }
  }
}
