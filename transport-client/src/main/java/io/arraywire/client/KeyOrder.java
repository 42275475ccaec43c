package io.arraywire.client;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;

/**
 * The addresses in an order that a key makes, by rendezvous hashing. Each address has a number that
 * depends on the key and its own name, and the highest comes first. So all clients with the same
 * addresses agree, whatever their order. An address that is added or removed moves only the keys
 * that are its own. (D. Thaler, C. Ravishankar, Using Name-Based Mappings to Increase Hit Rates,
 * IEEE/ACM Transactions on Networking 6(1), 1998.)
 */
final class KeyOrder implements AddressOrder {
  private final long key;

  KeyOrder(String key) {
    this.key = hash(key);
  }

  @Override
  public List<Endpoint> of(List<Endpoint> all) {
    return all.stream()
        .map(endpoint -> new Weighed(endpoint, mixed(key ^ hash(endpoint.name))))
        .sorted(Comparator.comparingLong(Weighed::weight).reversed())
        .map(Weighed::endpoint)
        .toList();
  }

  @Override
  public boolean spreads() {
    return false;
  }

  @Override
  public boolean insists() {
    return true;
  }

  /** FNV-1a over UTF-8, then mixed. The same in every version: peers shall agree on it. */
  static long hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
    }
    return mixed(hash);
  }

  /** The finalizer of SplitMix64. */
  private static long mixed(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  private record Weighed(Endpoint endpoint, long weight) {}
}
