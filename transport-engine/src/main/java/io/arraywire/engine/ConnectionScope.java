package io.arraywire.engine;

import io.arraywire.ArraywireException;
import java.net.SocketAddress;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What every part of a connection may ask of the connection that it is a part of. Any thread. */
interface ConnectionScope extends WaitScope {
  /** What all connections of the transport share. */
  EngineContext context();

  /** Guards the state of all parts of the connection. */
  ReentrantLock lock();

  /** Tells observers. */
  EventDispatcher events();

  /** The peer's address. */
  SocketAddress remoteAddress();

  /** Counts and logs what handlers fail with. */
  HandlerLog handlerLog();

  /** A handler that waits for the far side while arrays wait for it; null if none is known. */
  @Nullable HandlerWait waitingHandler();

  /** Ends the connection on another thread, for callers that hold a lock. */
  void failLater(ArraywireException cause);
}
