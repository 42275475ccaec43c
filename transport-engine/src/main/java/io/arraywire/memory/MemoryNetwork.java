package io.arraywire.memory;

import io.arraywire.BindFailedException;
import io.arraywire.ConnectFailedException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The listeners of this JVM. Any thread. */
final class MemoryNetwork {
  private static final ConcurrentHashMap<MemoryAddress, Consumer<MemorySocket>> LISTENERS =
      new ConcurrentHashMap<>();

  private MemoryNetwork() {}

  /** Has each peer's end given to a listener, in the peer's own thread. */
  static void listen(MemoryAddress address, Consumer<MemorySocket> listener)
      throws BindFailedException {
    if (LISTENERS.putIfAbsent(address, listener) != null) {
      throw new BindFailedException(
          "cannot listen: somebody listens at the address", "address", address);
    }
  }

  static void leave(MemoryAddress address, Consumer<MemorySocket> listener) {
    LISTENERS.remove(address, listener);
  }

  /** Has a peer's end given to another listener; returns whether there is one. */
  static boolean pass(MemorySocket accepting, MemoryAddress address) {
    Consumer<MemorySocket> listener = LISTENERS.get(address);
    if (listener == null) {
      return false;
    }
    listener.accept(accepting);
    return true;
  }

  static MemorySocket connect(MemoryAddress address, int pipeBytes) throws ConnectFailedException {
    Consumer<MemorySocket> listener = LISTENERS.get(address);
    if (listener == null) {
      throw new ConnectFailedException(
          "cannot connect: nobody listens at the address; start the listener first, or correct"
              + " the address",
          "address",
          address,
          "cause",
          "Connection refused");
    }
    MemorySocket.Pair pair = MemorySocket.pair(pipeBytes, address);
    listener.accept(pair.accepting());
    return pair.connecting();
  }
}
