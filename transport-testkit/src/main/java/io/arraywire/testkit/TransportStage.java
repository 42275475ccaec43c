package io.arraywire.testkit;

import io.arraywire.ArrayHandler;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.spi.TrackingMemoryPool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sets the stage for a test of a transport: makes transports, listeners and connections, and closes
 * them all at the end. Then it checks that no pooled memory is out and no thread is left.
 *
 * <p>For one test, and its thread.
 */
public final class TransportStage {
  /** Threads that transports share, or that the JDK makes for itself; each ends when it is idle. */
  private static final List<String> SHARED_THREADS =
      List.of(
          "arraywire-handler",
          "arraywire-stage",
          "arraywire-tls-handshake",
          "arraywire-authenticator",
          "arraywire-deadlines",
          "ForkJoinPool",
          "CompletableFutureDelayScheduler",
          "Common-Cleaner",
          "Cleaner-",
          "VirtualThread-un", // -unparker, and -unblocker on JDK 24 and later
          "Read-Poller",
          "Write-Poller",
          "MasterPoller",
          "JFR ",
          "process reaper",
          "junit-",
          "surefire");

  private final Function<TransportOptions, Transport> transports;
  private final Supplier<SocketAddress> addresses;
  private final Supplier<@Nullable SSLContext> peersTls;
  private final TrackingMemoryPool pool = TrackingMemoryPool.around(TestMemoryPool.create());
  private final Set<Thread> threadsBefore = threads();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final List<Transport> made = new ArrayList<>();

  private TransportStage(
      Function<TransportOptions, Transport> transports,
      Supplier<SocketAddress> addresses,
      Supplier<@Nullable SSLContext> peersTls) {
    this.transports = transports;
    this.addresses = addresses;
    this.peersTls = peersTls;
  }

  /**
   * A stage for a transport.
   *
   * @param transports makes the transport
   * @param addresses gives an address to listen on, each time one that is free
   * @return the stage, to be closed when the test is over
   */
  public static TransportStage of(
      Function<TransportOptions, Transport> transports, Supplier<SocketAddress> addresses) {
    return of(transports, addresses, () -> null);
  }

  /** The same where peers that are plain sockets speak TLS. */
  static TransportStage of(
      Function<TransportOptions, Transport> transports,
      Supplier<SocketAddress> addresses,
      Supplier<@Nullable SSLContext> peersTls) {
    return new TransportStage(transports, addresses, peersTls);
  }

  /** A plain socket that is connected to a listener. */
  RawPeer rawPeer(SocketAddress listener) throws IOException {
    return RawPeer.connect(listener, peersTls.get());
  }

  /** The same from another address of this host. */
  RawPeer rawPeerFrom(InetAddress source, SocketAddress listener) throws IOException {
    return RawPeer.connectFrom(source, listener, peersTls.get());
  }

  /** A plain socket that listens. */
  RawPeer.Server rawServer() throws IOException {
    return RawPeer.Server.listen(address(), peersTls.get());
  }

  /**
   * Two connected ends, each of a transport of its own.
   *
   * @param here the end that connected
   * @param there the end that was accepted
   */
  public record Ends(Connection here, Connection there) {}

  /**
   * Options with the stage's memory pool and a close timeout that no busy machine exceeds.
   *
   * @return a new builder
   */
  public TransportOptions.Builder options() {
    return TransportOptions.builder().memoryPool(pool).closeTimeout(Eventually.LONG);
  }

  /**
   * The memory pool of {@link #options()}.
   *
   * @return the pool, which tells where leaked memory was acquired
   */
  public TrackingMemoryPool pool() {
    return pool;
  }

  /**
   * A transport with the stage's options.
   *
   * @return the transport, which the stage closes
   */
  public Transport transport() {
    return transport(UnaryOperator.identity());
  }

  /**
   * A transport with other options than the stage's.
   *
   * @param change what is different
   * @return the transport, which the stage closes
   */
  public Transport transport(UnaryOperator<TransportOptions.Builder> change) {
    Transport transport = transports.apply(change.apply(options()).build());
    made.add(transport);
    return transport;
  }

  /**
   * A free address to listen on.
   *
   * @return the address
   */
  public SocketAddress address() {
    return addresses.get();
  }

  /**
   * Two connected ends.
   *
   * @return the ends, which the stage closes
   * @throws Exception if they cannot be connected
   */
  public Ends ends() throws Exception {
    return ends(UnaryOperator.identity());
  }

  /**
   * Two connected ends with the same options.
   *
   * @param change how the options differ from the stage's
   * @return the ends, which the stage closes
   * @throws Exception if they cannot be connected
   */
  public Ends ends(UnaryOperator<TransportOptions.Builder> change) throws Exception {
    return ends(change, change);
  }

  /**
   * Two connected ends.
   *
   * @param here how the connecting end's options differ from the stage's
   * @param there how the accepted end's do
   * @return the ends, which the stage closes
   * @throws Exception if they cannot be connected
   */
  public Ends ends(
      UnaryOperator<TransportOptions.Builder> here, UnaryOperator<TransportOptions.Builder> there)
      throws Exception {
    Listener listener = transport(there).listen(address());
    Connection connection = transport(here).connect(listener.address());
    return new Ends(connection, listener.accept());
  }

  /**
   * A connection to a listener whose arrays go to a handler.
   *
   * @param handler takes them
   * @return the end that connected, which the stage closes
   * @throws Exception if the ends cannot be connected
   */
  public Connection connectionTo(ArrayHandler handler) throws Exception {
    return connectionTo(Handlers.ofArrays(handler));
  }

  /**
   * A connection to a listener that has handlers.
   *
   * @param handlers take what comes
   * @return the end that connected, which the stage closes
   * @throws Exception if the ends cannot be connected
   */
  public Connection connectionTo(Handlers handlers) throws Exception {
    return connectionTo(UnaryOperator.identity(), handlers);
  }

  /**
   * A connection to a listener whose arrays go to a handler.
   *
   * @param change how both ends' options differ from the stage's
   * @param handler takes the arrays
   * @return the end that connected, which the stage closes
   * @throws Exception if the ends cannot be connected
   */
  public Connection connectionTo(
      UnaryOperator<TransportOptions.Builder> change, ArrayHandler handler) throws Exception {
    return connectionTo(change, Handlers.ofArrays(handler));
  }

  /**
   * A connection to a listener that has handlers.
   *
   * @param change how both ends' options differ from the stage's
   * @param handlers take what comes
   * @return the end that connected, which the stage closes
   * @throws Exception if the ends cannot be connected
   */
  public Connection connectionTo(UnaryOperator<TransportOptions.Builder> change, Handlers handlers)
      throws Exception {
    Listener listener = transport(change).listen(address(), handlers);
    return transport(change).connect(listener.address());
  }

  /**
   * Has something closed at the end, before the transports.
   *
   * @param closeable what to close
   * @param <T> its type
   * @return the same
   */
  public <T extends AutoCloseable> T closing(T closeable) {
    open.push(closeable);
    return closeable;
  }

  /**
   * Closes everything.
   *
   * @throws AssertionError if pooled memory stays out, with the place where it was acquired, or if
   *     a thread is left
   * @throws Exception if something cannot be closed
   */
  public void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    made.forEach(Transport::close);
    // What a user's sink had is given back on a user's thread.
    Eventually.until(
        () -> "all memory is given back: " + pool.leaks(), () -> pool.leaks().isEmpty());
    Eventually.until(
        () -> "the threads of the transport have ended: " + left(), () -> left().isEmpty());
  }

  private Set<Thread> left() {
    Set<Thread> left = threads();
    left.removeAll(threadsBefore);
    left.removeIf(
        thread -> SHARED_THREADS.stream().anyMatch(name -> thread.getName().startsWith(name)));
    return left;
  }

  /** Those that live; asked again and again, so without their stacks, which would stop them all. */
  private static Set<Thread> threads() {
    ThreadGroup all = Thread.currentThread().getThreadGroup();
    while (all.getParent() != null) {
      all = all.getParent();
    }
    Thread[] found = new Thread[all.activeCount() + 64];
    int count = all.enumerate(found);
    // It leaves out silently what the array has no room for.
    while (count == found.length) {
      found = new Thread[2 * count];
      count = all.enumerate(found);
    }
    return new HashSet<>(Arrays.asList(found).subList(0, count));
  }
}
