package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.Listener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets threads wait until a listener is closed, and closes it when the JVM shuts down. Each
 * listener of a transport has one. Any thread.
 */
public final class ListenerLifecycle {
  private static final Logger LOGGER = System.getLogger("io.arraywire");

  private final Listener listener;
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** Closes the listener when the JVM shuts down; null without one. Guarded by the lock. */
  private @Nullable Thread hook;

  /**
   * Makes the lifecycle of an open listener.
   *
   * @param listener the listener, which may still be under construction
   */
  public ListenerLifecycle(Listener listener) {
    this.listener = listener;
    var unused = closed.thenRun(this::removeHook);
  }

  /**
   * The listener has stopped listening; it is closed when its connections have ended. To be called
   * once the address is free. Calls after the first one count, too: the first set of connections
   * that has ended closes it.
   *
   * @param draining the connections that belong to its handler
   */
  public void stopped(Collection<ProtocolConnection> draining) {
    CompletableFuture<?>[] ends =
        draining.stream()
            .map(connection -> connection.ended().toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new);
    var unused = CompletableFuture.allOf(ends).thenRun(() -> closed.complete(null));
  }

  /**
   * Waits as {@link Listener#awaitClosed()} does.
   *
   * @param draining the connections that belong to its handler
   * @throws InterruptedException if the caller is interrupted; the listener stays as it is
   */
  public void awaitClosed(Collection<ProtocolConnection> draining) throws InterruptedException {
    if (draining.stream().anyMatch(ProtocolConnection::isHandlerThread)) {
      throw new IllegalStateException(
          "a handler cannot wait until its own listener is closed, which waits until the handler has"
              + " returned; wait on another thread (address="
              + listener.address()
              + ")");
    }
    try {
      closed.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the end of a listener never fails", e);
    }
  }

  /** Registers the shutdown hook of {@link Listener#closeOnShutdown()}. Idempotent. */
  public void closeOnShutdown() {
    boolean shuttingDown = false;
    lock.lock();
    try {
      if (hook != null || closed.isDone()) {
        return;
      }
      // A thread that has not started holds nothing but its name.
      Thread closing = new Thread(this::close, "arraywire-shutdown " + listener.address());
      try {
        Runtime.getRuntime().addShutdownHook(closing);
        hook = closing;
      } catch (IllegalStateException e) {
        shuttingDown = true;
      }
    } finally {
      lock.unlock();
    }
    if (shuttingDown) {
      close();
    } else if (closed.isDone()) {
      // It was closed before the hook was known.
      removeHook();
    }
  }

  private void close() {
    try {
      listener.close();
    } catch (ArraywireException | RuntimeException | Error e) {
      LOGGER.log(
          Level.WARNING,
          "a listener could not be drained while the JVM shuts down (address="
              + listener.address()
              + ")",
          e);
    }
  }

  private void removeHook() {
    lock.lock();
    try {
      if (hook != null) {
        Runtime.getRuntime().removeShutdownHook(hook);
      }
    } catch (IllegalStateException e) {
      // The JVM shuts down: the hook runs, or has run.
    } finally {
      hook = null;
      lock.unlock();
    }
  }
}
