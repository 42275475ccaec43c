package io.arraywire.examples;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.client.AddressStatus;
import io.arraywire.client.ArraywireClient;
import io.arraywire.nio.NioTransport;
import java.time.Duration;

/**
 * Asks a service that runs at several addresses, {@link EchoService} for example, and goes on while
 * its servers restart one after the other.
 */
public final class FailoverClient {
  private FailoverClient() {}

  /**
   * Asks so often, then prints what it knows of each address.
   *
   * @param arguments how often, and the addresses, the preferred one first
   * @throws Exception if no address answers in time
   */
  public static void main(String[] arguments) throws Exception {
    int times = Integer.parseInt(arguments[0]);
    String[] addresses = new String[arguments.length - 1];
    System.arraycopy(arguments, 1, addresses, 0, addresses.length);
    try (Transport transport = NioTransport.create(TransportOptions.defaults());
        ArraywireClient client = ArraywireClient.over(transport, addresses).build()) {
      int sum = 0;
      for (int i = 1; i <= times; i++) {
        // An echo may be asked twice: what was in flight when a server died is asked again.
        sum += client.idempotent().call(new int[] {i}, Duration.ofSeconds(10)).ints()[0];
      }
      System.out.println("sum " + sum);
      for (AddressStatus address : client.status().addresses()) {
        System.out.println(address.address() + " " + address.state());
      }
    }
  }
}
