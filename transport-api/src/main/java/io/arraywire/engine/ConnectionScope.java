package io.arraywire.engine;

import io.arraywire.ArraywireException;
import java.net.SocketAddress;
import java.util.concurrent.locks.ReentrantLock;

/** What every part of a connection may ask of the connection that it is a part of. Any thread. */
interface ConnectionScope {
  /** What all connections of the transport share. */
  EngineContext context();

  /** The channel beneath the connection. */
  Link link();

  /** Guards the state of all parts of the connection. */
  ReentrantLock lock();

  /** Tells observers. */
  EventDispatcher events();

  /** The peer's address. */
  SocketAddress remoteAddress();

  /** Counts and logs what handlers fail with. */
  HandlerLog handlerLog();

  /** Ends the connection on another thread, for callers that hold a lock. */
  void failLater(ArraywireException cause);
}
