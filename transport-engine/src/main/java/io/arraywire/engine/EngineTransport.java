package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.HandshakeException;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.security.Tls;
import io.arraywire.spi.MessageText;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Everything of a transport except its channels: checks addresses, connects, listens, knows what is
 * open and closes it in order. A subclass says how to {@linkplain #dial dial} and to {@linkplain
 * #bind listen}, and brings a {@link Link} for each channel. Any thread.
 */
public abstract class EngineTransport implements Transport {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");
  private static final List<Class<? extends SocketAddress>> SOCKETS =
      List.of(InetSocketAddress.class, UnixDomainSocketAddress.class);

  private final Engine engine;
  private final boolean ownsPool;
  private final long closeNanos;
  private final Set<EngineListener> listeners = ConcurrentHashMap.newKeySet();
  private final Set<CompletableFuture<EngineConnection>> attempts = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Makes a transport that has nothing open.
   *
   * @param engine makes its connections
   * @param ownsPool whether the engine's pool is to be closed with the transport
   */
  protected EngineTransport(Engine engine, boolean ownsPool) {
    this.engine = engine;
    this.ownsPool = ownsPool;
    closeNanos = SystemDeadlines.nanos(engine.options().closeTimeout());
  }

  // What a transport brings.

  /**
   * Begins to connect a channel, on a thread that is not the caller's if that may take long.
   *
   * @param address where to
   * @param opening makes the connection
   * @param connected is to be completed with the connection once that is {@linkplain
   *     WireEnd#start() started}, or with what failed. A connection that it does not take, because
   *     no call waits any more, is to be closed
   * @return gives the attempt up: closes the channel unless it is a connection's. Any thread
   * @throws IOException if the attempt cannot begin; no channel stays open
   */
  protected abstract Runnable dial(
      SocketAddress address, Opening opening, CompletableFuture<EngineConnection> connected)
      throws IOException;

  /**
   * Begins to listen; {@link Acceptor#start} follows.
   *
   * @param address where
   * @return what accepts there
   * @throws IOException if the address cannot be had; nothing stays open
   */
  protected abstract Acceptor bind(SocketAddress address) throws IOException;

  /**
   * The classes of addresses that this transport connects to and listens at: unless overridden,
   * those of TCP and of Unix domain sockets. Users who give another address are told these.
   *
   * @return the classes, at least one
   */
  protected List<Class<? extends SocketAddress>> addressTypes() {
    return SOCKETS;
  }

  /**
   * Ends the transport's threads. Listeners have been told to stop and connections to close; this
   * waits for them, and unless overridden does nothing else.
   *
   * @param deadline until when, by {@link System#nanoTime()}
   * @return whether everything has ended; if not, a pool with memory out would be reported wrongly
   */
  protected boolean awaitEnd(long deadline) {
    boolean ended = true;
    for (EngineConnection connection : engine.connections()) {
      ended &=
          await(
              nanos -> {
                try {
                  connection.ended().toCompletableFuture().get(nanos, TimeUnit.NANOSECONDS);
                  return true;
                } catch (ExecutionException | TimeoutException e) {
                  return false;
                }
              },
              deadline);
    }
    return ended;
  }

  private void check(SocketAddress address) {
    List<Class<? extends SocketAddress>> types = addressTypes();
    if (types.stream().noneMatch(type -> type.isInstance(address))) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "this transport cannot use an address of this type; give one of types",
              "address",
              address,
              "type",
              MessageText.kind(address),
              "transport",
              name(),
              "types",
              types.stream().map(Class::getSimpleName).toList()));
    }
  }

  // For transports.

  /**
   * What makes the connections.
   *
   * @return the engine
   */
  protected final Engine engine() {
    return engine;
  }

  /**
   * Whether {@link #close()} was called.
   *
   * @return true from the beginning of the end
   */
  protected final boolean isClosed() {
    return closed.get();
  }

  /** Something that can be waited for. */
  @FunctionalInterface
  protected interface Wait {
    /**
     * Waits.
     *
     * @param nanos for how long at most
     * @return whether it is over
     * @throws InterruptedException if the caller is interrupted
     */
    boolean await(long nanos) throws InterruptedException;
  }

  /**
   * Waits even if the calling thread is interrupted, and restores its interrupt status afterwards.
   *
   * @param wait what for
   * @param deadline until when, by {@link System#nanoTime()}
   * @return what the wait returned
   */
  protected static boolean await(Wait wait, long deadline) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return wait.await(deadline - System.nanoTime());
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Until when what closes now may take. */
  final long closeDeadline() {
    return System.nanoTime() + closeNanos;
  }

  // For users.

  @Override
  public final String name() {
    return engine.context().transport();
  }

  @Override
  public final TransportOptions options() {
    return engine.options();
  }

  @Override
  public final Connection connect(SocketAddress address)
      throws ArraywireException, InterruptedException {
    return connectTo(address, null);
  }

  @Override
  public final Connection connect(SocketAddress address, Handlers handlers)
      throws ArraywireException, InterruptedException {
    return connectTo(address, Objects.requireNonNull(handlers, "handler"));
  }

  private Connection connectTo(SocketAddress address, @Nullable Handlers handlers)
      throws ArraywireException, InterruptedException {
    LoopTurn.checkMayWait("connect");
    check(Objects.requireNonNull(address, "address"));
    checkToken(address);
    return engine.connect(
        (unstarted, connectTimeout) -> {
          checkOpen();
          Opening opening =
              link -> {
                EngineConnection made = engine.connection(Role.CONNECTOR, address, link, handlers);
                unstarted.accept(made);
                return made;
              };
          try {
            EngineConnection connection = connected(address, opening, connectTimeout);
            connection.awaitOpened();
            return connection;
          } catch (ArraywireException e) {
            throw isClosed() && !(e instanceof ConnectionClosedException)
                ? closedHere().because(e)
                : e;
          }
        },
        handlers);
  }

  /** An eavesdropper on the way to another host must not read the token. */
  private void checkToken(SocketAddress address) throws HandshakeException {
    TransportOptions options = engine.options();
    if (options.authToken() != null
        && options.tls() == null
        && !options.tokenWithoutTls()
        && !SameHost.isHere(address)) {
      throw new HandshakeException(
          ErrorCode.TOKEN_IN_CLEAR,
          "authToken would cross the network in clear, so nothing was sent; set tls on both sides, or"
              + " tokenWithoutTls if the network is yours alone",
          "address",
          address,
          "tokenWithoutTls",
          false);
    }
  }

  /** Waits until a channel is connected and its handshake begun. */
  @SuppressWarnings("CollectionUndefinedEquality") // It is this very attempt that is meant.
  private EngineConnection connected(
      SocketAddress address, Opening opening, Duration connectTimeout)
      throws ArraywireException, InterruptedException {
    CompletableFuture<EngineConnection> connected = new CompletableFuture<>();
    Runnable giveUp = () -> {};
    boolean done = false;
    attempts.add(connected);
    try {
      checkOpen();
      giveUp = dial(address, opening, connected);
      EngineConnection connection =
          connected.get(SystemDeadlines.nanos(connectTimeout), TimeUnit.NANOSECONDS);
      done = true;
      return connection;
    } catch (TimeoutException e) {
      throw ConnectErrors.connectTimeout(address, connectTimeout);
    } catch (ExecutionException e) {
      throw notConnected(address, Objects.requireNonNullElse(e.getCause(), e));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      throw notConnected(address, e);
    } finally {
      attempts.remove(connected);
      if (!done) {
        if (!connected.cancel(false) && !connected.isCompletedExceptionally()) {
          connected.join().closeNow();
        }
        giveUp.run();
      }
    }
  }

  private static ArraywireException notConnected(SocketAddress address, Throwable cause) {
    return cause instanceof ArraywireException typed && !ErrorCode.ALLOCATION_FAILED.isOf(cause)
        ? typed.forCaller()
        : ConnectErrors.connect(address, cause);
  }

  @Override
  public final Listener listen(SocketAddress address) throws ArraywireException {
    return listenAt(address, null);
  }

  @Override
  public final Listener listen(SocketAddress address, Handlers handlers) throws ArraywireException {
    return listenAt(address, Objects.requireNonNull(handlers, "handler"));
  }

  private Listener listenAt(SocketAddress address, @Nullable Handlers handlers)
      throws ArraywireException {
    check(Objects.requireNonNull(address, "address"));
    Tls tls = engine.options().tls();
    if (tls != null && !tls.canListen()) {
      throw new IllegalStateException(
          MessageText.brief(
              "a listener needs a certificate; set tls to Tls.server(certificateChain, key)",
              "tls",
              tls,
              "address",
              address));
    }
    checkOpen();
    Acceptor acceptor = null;
    EngineListener listener;
    try {
      acceptor = bind(address);
      listener = new EngineListener(this, acceptor, handlers);
      acceptor.start(listener);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      if (acceptor != null) {
        acceptor.stop();
      }
      throw e instanceof ArraywireException typed ? typed : ConnectErrors.bind(address, e);
    }
    listeners.add(listener);
    if (isClosed()) {
      listener.closeNow(closeDeadline());
      throw closedHere();
    }
    if (listener.isClosed()) {
      // It failed, and was removed before it was added.
      listeners.remove(listener);
    }
    return listener;
  }

  private void checkOpen() throws ConnectionClosedException {
    if (isClosed()) {
      throw closedHere();
    }
  }

  private ConnectionClosedException closedHere() {
    return new ConnectionClosedException("the transport is closed", "transport", name());
  }

  void forget(EngineListener listener) {
    listeners.remove(listener);
  }

  @Override
  public final void close() {
    LoopTurn.checkMayWait("close of a transport");
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    long deadline = closeDeadline();
    List<EngineListener> open = List.copyOf(listeners);
    // Where threads end with the transport, they free the addresses before.
    open.forEach(EngineListener::stop);
    boolean ended;
    try {
      attempts.forEach(attempt -> attempt.completeExceptionally(closedHere()));
      closeConnections();
    } finally {
      ended = awaitEnd(deadline);
      open.forEach(listener -> listener.closeNow(deadline));
    }
    if (ended && ownsPool && await(engine::awaitSinks, deadline)) {
      engine.pool().close();
    }
  }

  /**
   * Closes all connections before any thread of the transport ends, so that none takes the end of
   * another for that of its peer. On a thread of its own, since a codec that does not return keeps
   * the array that its connection withdraws; {@link #awaitEnd} has the other half of the time.
   */
  private void closeConnections() {
    if (engine.connections().isEmpty()) {
      engine.closeNow();
      return;
    }
    Thread closer = new Thread(engine::closeNow, "arraywire-" + name() + "-close");
    closer.setDaemon(true);
    closer.start();
    await(
        nanos -> {
          TimeUnit.NANOSECONDS.timedJoin(closer, nanos);
          return true;
        },
        System.nanoTime() + closeNanos / 2);
  }

  /**
   * Logs that a part of this transport has not ended in time.
   *
   * @param what has not ended, with its name
   */
  protected final void logKept(String what) {
    LOGGER.log(
        Level.WARNING,
        what
            + " has not ended in time; a codec, a pool or a wait strategy keeps its thread"
            + " (transport="
            + name()
            + ", closeTimeout="
            + options().closeTimeout()
            + ")");
  }

  @Override
  public String toString() {
    return name() + " transport";
  }
}
