package io.arraywire.examples;

import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.nio.NioTransport;
import java.net.InetSocketAddress;
import java.util.Arrays;

/** The eight lines of the README: an array goes from one end of a connection to the other. */
public final class HelloArrays {
  private HelloArrays() {}

  /**
   * Sends an array to itself and prints it.
   *
   * @param arguments none
   * @throws Exception if that fails
   */
  public static void main(String[] arguments) throws Exception {
    float[] array = {1, 2, 3};
    try (Listener listener = NioTransport.listen(new InetSocketAddress("localhost", 0));
        Connection sender = NioTransport.connect(listener.address());
        Connection receiver = listener.accept()) {
      sender.send(array);
      float[] received = receiver.receive().floats();
      System.out.println(Arrays.toString(received));
    }
  }
}
