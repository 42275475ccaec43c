package io.arraywire.engine;

import java.io.IOException;
import java.net.SocketAddress;

/** Accepts the peers of a transport at one address. One per {@link EngineListener}. */
public interface Acceptor {

  /**
   * Where it listens, with the real port where 0 was asked for.
   *
   * @return the address, also after the end
   */
  SocketAddress address();

  /**
   * Begins to accept peers. Each one's connection comes from {@link EngineListener#open}. Called
   * once.
   *
   * @param listener whose peers they are
   * @throws IOException if the address cannot be had; {@link #stop()} follows
   */
  void start(EngineListener listener) throws IOException;

  /**
   * Stops listening, at once or soon. Also called if {@link #start} has failed. Must not block and
   * must not throw. Idempotent; any thread.
   */
  void stop();

  /**
   * Waits after {@link #stop()} until the address is free.
   *
   * @param nanos how long to wait at most, in nanoseconds; may be negative
   * @return false if the address is not free, which is logged; true where the calling thread itself
   *     is in the way
   * @throws InterruptedException if the caller is interrupted
   */
  boolean awaitStopped(long nanos) throws InterruptedException;
}
