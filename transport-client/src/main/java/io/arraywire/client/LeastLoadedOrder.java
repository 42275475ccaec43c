package io.arraywire.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The address with the fewest calls in flight; those with as many take turns. */
final class LeastLoadedOrder implements AddressOrder {
  private final AtomicInteger turn = new AtomicInteger();

  @Override
  public List<Endpoint> of(List<Endpoint> all) {
    int size = all.size();
    int from = Math.floorMod(turn.getAndIncrement(), size);
    List<Loaded> loaded = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      Endpoint endpoint = all.get((from + i) % size);
      loaded.add(new Loaded(endpoint, endpoint.inFlight()));
    }
    // The sort is stable, and sees each load once: it changes meanwhile.
    loaded.sort((a, b) -> Integer.compare(a.calls, b.calls));
    return loaded.stream().map(Loaded::endpoint).toList();
  }

  @Override
  public boolean spreads() {
    return true;
  }

  private record Loaded(Endpoint endpoint, int calls) {}
}
