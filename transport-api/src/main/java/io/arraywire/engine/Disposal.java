package io.arraywire.engine;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Waits until neither the thread that reads nor the one that writes uses the memory of a connection
 * that ends; then it has ended. Any thread.
 */
final class Disposal {
  private final ConnectionCore connection;
  private final ReentrantLock lock;

  // Guarded by the connection's lock.
  private boolean inputDisposed;
  private boolean outputDisposed;

  Disposal(ConnectionCore connection) {
    this.connection = connection;
    lock = connection.lock;
  }

  /** One of the threads is done. */
  void disposed(WireEnd.Direction direction) {
    int reserved;
    lock.lock();
    try {
      inputDisposed |= direction == WireEnd.Direction.INPUT;
      outputDisposed |= direction == WireEnd.Direction.OUTPUT;
      if (!inputDisposed || !outputDisposed) {
        return;
      }
      reserved = connection.takeReserved();
    } finally {
      lock.unlock();
    }
    EngineContext context = connection.context;
    context.budget().unreserve(reserved);
    context.connections().remove(connection);
    connection.ended.complete(null);
    context.handlerLogs().ended(connection);
  }
}
