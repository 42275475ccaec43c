package io.arraywire.client;

import java.util.List;

/**
 * A client at one moment, for a health check. Immutable.
 *
 * @param ready whether a call made now would find a connection
 * @param closed whether the client was closed
 * @param addresses its addresses, in the order of the builder
 */
public record ClientStatus(boolean ready, boolean closed, List<AddressStatus> addresses) {

  /** Copies the list. */
  public ClientStatus {
    addresses = List.copyOf(addresses);
  }

  static ClientStatus of(List<AddressStatus> addresses, boolean closed) {
    boolean ready = !closed && addresses.stream().anyMatch(each -> each.connections() > 0);
    return new ClientStatus(ready, closed, addresses);
  }

  /**
   * Connections that take calls.
   *
   * @return the sum over all addresses
   */
  public int connections() {
    return addresses.stream().mapToInt(AddressStatus::connections).sum();
  }

  /**
   * Calls that are not over.
   *
   * @return the sum over all addresses
   */
  public int inFlight() {
    return addresses.stream().mapToInt(AddressStatus::inFlight).sum();
  }
}
