package io.arraywire.examples;

import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.nio.NioTransport;
import java.util.Arrays;

/**
 * The seven lines of the README, with three types of the library. An array of any size goes from
 * one end of a connection to the other. {@code sendAsync} does not wait for the other end, which in
 * this program is the same thread.
 */
public final class HelloArrays {
  private HelloArrays() {}

  /**
   * Sends an array to the other end of a connection, which prints it.
   *
   * @param arguments none
   * @throws Exception if that fails
   */
  public static void main(String[] arguments) throws Exception {
    float[] array = {1, 2, 3};
    try (Listener listener = NioTransport.listen("localhost:0");
        Connection client = NioTransport.connect(listener.address());
        Connection server = listener.accept()) {
      client.sendAsync(array);
      System.out.println(Arrays.toString(server.receive().floats()));
    }
  }
}
