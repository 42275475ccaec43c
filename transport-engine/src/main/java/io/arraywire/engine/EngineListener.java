package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArrayAttributes;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.PublishReceipt;
import io.arraywire.source.ArraySource;
import io.arraywire.spi.MessageText;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A listener of any transport: what becomes of peers that an {@link Acceptor} has accepted, and how
 * all of it ends. Any thread.
 */
public final class EngineListener implements Listener {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

  private final EngineTransport transport;
  private final Acceptor acceptor;
  private final @Nullable Handlers handlers;
  private final AcceptQueue queue = new AcceptQueue(this::address);
  private final Subjects subjects;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Completes when the listener is closed and the connections of its handler have ended. */
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** Why it stopped listening though nobody closed it. */
  private volatile @Nullable ConnectionClosedException failure;

  private final Hook hook = new Hook();

  /**
   * What closes the listener when the JVM shuts down. A class of its own, as everywhere in a public
   * one: code that is compiled against a field with the annotation would need it, too.
   */
  private static final class Hook {
    final ReentrantLock lock = new ReentrantLock();

    /** Null without one. */
    @GuardedBy("lock")
    @Nullable Thread thread;
  }

  EngineListener(EngineTransport transport, Acceptor acceptor, @Nullable Handlers handlers) {
    this.transport = transport;
    this.acceptor = acceptor;
    this.handlers = handlers;
    subjects = new Subjects(transport.engine());
    var unused = ended.thenRun(this::removeHook);
  }

  // For acceptors.

  /**
   * Makes the connection of a peer that was accepted; see {@link Opening#open}. If the listener is
   * closed, so is the connection.
   *
   * @param link the channel
   * @return the connection, which the acceptor has to start
   */
  public EngineConnection open(Link link) {
    EngineConnection peer =
        transport
            .engine()
            .accepted(
                link,
                handlers,
                subjects::publishOver,
                (connection, notOpened) -> {
                  if (notOpened == null && handlers == null) {
                    queue.add(connection);
                  } else if (notOpened != null && !isClosed()) {
                    logNotAccepted(connection, link.remoteAddress(), notOpened);
                  }
                });
    if (isClosed()) {
      // The thread that closes the listener may not have found this one.
      peer.closeNow();
    }
    return peer;
  }

  private void logNotAccepted(EngineConnection peer, SocketAddress from, Throwable failure) {
    if (Log.logsNotAccepted()) {
      long before = transport.engine().context().admission().before(from);
      if (before != LogThrottle.HELD_BACK) {
        peer.logNotAccepted(address(), failure, before);
      }
    }
  }

  /**
   * Whether nobody is to be accepted any more.
   *
   * @return true from the beginning of the end
   */
  public boolean isClosed() {
    return closed.get();
  }

  /**
   * Stops an acceptor that cannot go on. Callers of accept fail with the cause.
   *
   * @param cause what they are told
   */
  public void failed(ConnectionClosedException cause) {
    failure = cause;
    if (stop()) {
      endAfter(ofHandler());
    }
  }

  // For users.

  @Override
  public SocketAddress address() {
    return acceptor.address();
  }

  @Override
  public @Nullable Connection accept(Duration timeout)
      throws ArraywireException, InterruptedException {
    if (handlers != null) {
      throw new IllegalStateException(
          MessageText.brief(
              "this listener's connections go to its handler; to call accept, listen without a"
                  + " handler",
              "address",
              address(),
              "handler",
              handlers));
    }
    try {
      return queue.take(timeout);
    } catch (ConnectionClosedException e) {
      ConnectionClosedException cause = failure;
      throw cause == null ? e : cause.forCaller();
    }
  }

  @Override
  public PublishReceipt publish(String subject, ArraySource source, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    return subjects.publish(subject, source, attributes);
  }

  @Override
  public int subscribers(String subject) {
    return subjects.subscribers(subject);
  }

  // The end.

  @Override
  public void close() throws ArraywireException {
    LoopTurn.checkMayWait("close of a listener");
    try {
      List<EngineConnection> draining = new ArrayList<>(queue.takeSubscribed());
      stop();
      awaitStopped(transport.closeDeadline());
      List<EngineConnection> opened = EngineConnection.closeUnopened(accepted());
      if (handlers != null) {
        draining.addAll(opened);
      }
      Drain.closeAll(draining);
    } finally {
      // Also where a connection could not be drained.
      endAfter(List.of());
    }
  }

  /** Its transport has closed the connections, too. */
  void closeNow(long deadline) {
    stop();
    awaitStopped(deadline);
    endAfter(List.of());
  }

  /** Begins to stop listening; returns whether nobody had. */
  boolean stop() {
    boolean first = closed.compareAndSet(false, true);
    if (first) {
      transport.forget(this);
      acceptor.stop();
      queue.close();
      subjects.close();
    }
    return first;
  }

  /** The address must be free again when close returns, unless something keeps its thread. */
  private void awaitStopped(long deadline) {
    if (!EngineTransport.await(acceptor::awaitStopped, deadline)) {
      transport.logKept(toString());
    }
  }

  /** The connections that were accepted here and have not ended. */
  private List<EngineConnection> accepted() {
    return transport.engine().connections().stream()
        .filter(this::hasAccepted)
        .map(EngineConnection.class::cast)
        .toList();
  }

  @SuppressWarnings("ReferenceEquality") // Each listener has its own.
  private boolean hasAccepted(ConnectionScope connection) {
    return connection instanceof ConnectionCore core
        && core.subscribers() == subjects.subscribers();
  }

  private List<EngineConnection> ofHandler() {
    return handlers == null ? List.of() : accepted();
  }

  /** Lets callers that wait for the end go on when these connections have ended. */
  private void endAfter(Collection<EngineConnection> draining) {
    CompletableFuture<?>[] ends =
        draining.stream()
            .map(connection -> connection.ended().toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new);
    var unused = CompletableFuture.allOf(ends).thenRun(() -> ended.complete(null));
  }

  @Override
  public void awaitClosed() throws InterruptedException {
    if (ofHandler().stream().anyMatch(EngineConnection::isHandlerThread)) {
      throw new IllegalStateException(
          MessageText.brief(
              "a handler cannot wait until its own listener is closed, which waits until the"
                  + " handler has returned; wait on another thread",
              "address",
              address()));
    }
    try {
      ended.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the end of a listener never fails", e);
    }
  }

  @Override
  public Listener closeOnShutdown() {
    boolean shuttingDown = false;
    hook.lock.lock();
    try {
      if (hook.thread != null || ended.isDone()) {
        return this;
      }
      // A thread that has not started holds nothing but its name.
      Thread closing = new Thread(this::closeInShutdown, "arraywire-shutdown " + address());
      try {
        Runtime.getRuntime().addShutdownHook(closing);
        hook.thread = closing;
      } catch (IllegalStateException e) {
        shuttingDown = true;
      }
    } finally {
      hook.lock.unlock();
    }
    if (shuttingDown) {
      closeInShutdown();
    } else if (ended.isDone()) {
      // It was closed before the hook was known.
      removeHook();
    }
    return this;
  }

  private void closeInShutdown() {
    try {
      close();
    } catch (ArraywireException | RuntimeException | Error e) {
      LOGGER.log(
          Level.WARNING,
          "a listener could not be drained while the JVM shuts down (address=" + address() + ")",
          e);
    }
    awaitHandlers();
  }

  /** The JVM ends behind this, and with it the handlers: they still get what has come. */
  private void awaitHandlers() {
    EngineContext context = transport.engine().context();
    CompletableFuture<?>[] handlersOver =
        context.lateHandlers().of(this::hasAccepted).toArray(CompletableFuture<?>[]::new);
    Duration longest = context.options().closeTimeout();
    try {
      CompletableFuture.allOf(handlersOver)
          .get(SystemDeadlines.nanos(longest), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      long left = Stream.of(handlersOver).filter(each -> !each.isDone()).count();
      LOGGER.log(
          Level.WARNING,
          "the JVM ends before a handler has had all the arrays that came; raise closeTimeout if it"
              + " needs longer (address="
              + address()
              + ", connections="
              + left
              + ", closeTimeout="
              + longest
              + ")");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a handler's last call never fails", e);
    }
  }

  private void removeHook() {
    hook.lock.lock();
    try {
      Thread closing = hook.thread;
      hook.thread = null;
      if (closing != null) {
        Runtime.getRuntime().removeShutdownHook(closing);
      }
    } catch (IllegalStateException e) {
      // The JVM shuts down: the hook runs, or has run.
    } finally {
      hook.lock.unlock();
    }
  }

  @Override
  public String toString() {
    return transport.name() + " listener at " + address();
  }
}
