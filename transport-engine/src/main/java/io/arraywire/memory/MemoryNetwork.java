package io.arraywire.memory;

import java.net.BindException;
import java.net.ConnectException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The listeners of this JVM. Any thread. */
final class MemoryNetwork {
  private static final ConcurrentHashMap<MemoryAddress, Consumer<MemorySocket>> LISTENERS =
      new ConcurrentHashMap<>();

  private MemoryNetwork() {}

  /** Has each peer's end given to a listener, in the peer's own thread. */
  static void listen(MemoryAddress address, Consumer<MemorySocket> listener) throws BindException {
    if (LISTENERS.putIfAbsent(address, listener) != null) {
      throw new BindException("address already in use");
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

  static MemorySocket connect(MemoryAddress address, int pipeBytes) throws ConnectException {
    Consumer<MemorySocket> listener = LISTENERS.get(address);
    if (listener == null) {
      throw new ConnectException("connection refused");
    }
    MemorySocket.Pair pair = MemorySocket.pair(pipeBytes, address);
    listener.accept(pair.accepting());
    return pair.connecting();
  }
}
