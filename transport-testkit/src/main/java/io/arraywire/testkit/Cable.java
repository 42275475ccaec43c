package io.arraywire.testkit;

import java.net.SocketAddress;

/** What lies between a connecting side and a listener, to be broken by a test. Any thread. */
public interface Cable extends AutoCloseable {

  /**
   * Where to connect to.
   *
   * @return the address, the same for the life of the cable
   */
  SocketAddress address();

  /** Breaks every connection; new ones can be made at once. */
  void cut();

  /** Breaks every connection, and refuses new ones until {@link #plug()}. */
  void unplug();

  /** Ends what {@link #unplug()} began. */
  void plug();

  /**
   * Has new connections go to another listener.
   *
   * @param listener its address
   */
  void leadTo(SocketAddress listener);

  @Override
  void close();
}
