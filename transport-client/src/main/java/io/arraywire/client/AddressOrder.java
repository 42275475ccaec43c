package io.arraywire.client;

import java.util.List;

/** In which order a call looks for a connection. Any thread. */
interface AddressOrder {

  /** The addresses, the preferred one first. */
  List<Endpoint> of(List<Endpoint> all);

  /** Whether calls are meant for all addresses, so that all of them had better be connected. */
  boolean spreads();

  /**
   * Whether a call waits for an address that may soon be had, though a later one has a connection.
   */
  default boolean insists() {
    return false;
  }
}
