package io.arraywire.client;

import java.util.List;

/** The first address that can be had, in the order of the builder. */
final class FailoverOrder implements AddressOrder {
  @Override
  public List<Endpoint> of(List<Endpoint> all) {
    return all;
  }

  @Override
  public boolean spreads() {
    return false;
  }
}
