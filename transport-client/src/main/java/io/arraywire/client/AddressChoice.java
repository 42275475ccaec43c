package io.arraywire.client;

/** Which address a call of a client goes to. */
public enum AddressChoice {
  /**
   * The first address, in the order of the builder, that answers. The client connects to later ones
   * when those before them fail, or have not answered for 250 ms. Once an earlier address answers
   * again, new calls go to it.
   */
  FAILOVER,
  /**
   * The one with the fewest calls of this client in flight; those with as many take turns. All
   * addresses are connected to with the first call.
   */
  LEAST_LOADED;

  AddressOrder order() {
    return this == FAILOVER ? new FailoverOrder() : new LeastLoadedOrder();
  }
}
