package io.arraywire.chaos.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Listens on a free port of the loopback, connects to a target for each connection that comes, and
 * forwards the bytes of both directions. A {@link FaultPlan} puts faults at exact places in the
 * stream, and the methods here cause them at any time.
 *
 * <pre>{@code
 * try (FaultProxy proxy =
 *     FaultProxy.to(listener.address())
 *         .faults(Fault.reset(Direction.TO_TARGET, 100_000))
 *         .start()) {
 *   Connection connection = transport.connect(proxy.address());
 *   ...
 *   proxy.partition();
 *   proxy.heal();
 * }
 * }</pre>
 *
 * <p><b>Limits.</b> It speaks TCP from user space, so the kernel at either side of it acknowledges
 * and buffers what it does not forward. A connection that comes during a {@linkplain #partition
 * partition} is established and hears nothing. For lost packets use network namespaces.
 *
 * <p>Any thread may call any method. Two daemon threads per connection and one for the listener;
 * {@link #close()} leaves neither a thread nor a socket. {@link #toString()} says what it would
 * take to have the faults again, and what was done.
 */
public final class FaultProxy implements AutoCloseable {
  private static final int BACKLOG = 1024;
  private static final long RETRY_NANOS = 1_000_000;
  private static final Duration REBIND = Duration.ofSeconds(10);
  private static final Duration JOIN = Duration.ofSeconds(20);

  private final InetSocketAddress address;
  private final Gate partition = new Gate();
  private final Gate refusal = new Gate();
  private final Map<FaultKind, LongAdder> done = counters(FaultKind.class);
  private final Map<Direction, LongAdder> bytes = counters(Direction.class);
  private final AtomicInteger accepted = new AtomicInteger();

  private volatile InetSocketAddress target;
  private volatile FaultPlan plan;
  private volatile boolean closed;

  // Guarded by this.
  private @Nullable ServerSocket server;
  private boolean accepting;
  private final Set<ProxiedConnection> connections = new HashSet<>();
  private final Set<Thread> threads = new HashSet<>();

  private FaultProxy(InetSocketAddress target, FaultPlan plan) throws IOException {
    this.target = target;
    this.plan = plan;
    ServerSocket first = bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    server = first;
    address = (InetSocketAddress) first.getLocalSocketAddress();
  }

  /**
   * Begins a proxy.
   *
   * @param target where connections go, an {@link InetSocketAddress}
   * @return a builder with no faults
   */
  public static Builder to(SocketAddress target) {
    return new Builder(checked(target));
  }

  /** What a proxy is made of. For one thread. */
  public static final class Builder {
    private final InetSocketAddress target;
    private FaultPlan plan = FaultPlan.none();

    private Builder(InetSocketAddress target) {
      this.target = target;
    }

    /**
     * The same faults for each connection.
     *
     * @param faults the faults
     * @return this
     */
    public Builder faults(Fault... faults) {
      return plan(FaultPlan.always(faults));
    }

    /**
     * Faults at random.
     *
     * @param seed any number
     * @param mix which
     * @return this
     */
    public Builder randomly(long seed, FaultMix mix) {
      return plan(FaultPlan.random(seed, mix));
    }

    /**
     * Any faults.
     *
     * @param faults which
     * @return this
     */
    public Builder plan(FaultPlan faults) {
      plan = faults;
      return this;
    }

    /**
     * Listens.
     *
     * @return the proxy, to be closed by the caller
     * @throws IOException if there is no free port
     */
    public FaultProxy start() throws IOException {
      FaultProxy proxy = new FaultProxy(target, plan);
      proxy.startThread("fault-proxy-accept", proxy::acceptAll);
      return proxy;
    }
  }

  private static <K extends Enum<K>> Map<K, LongAdder> counters(Class<K> type) {
    Map<K, LongAdder> counters = new EnumMap<>(type);
    for (K each : type.getEnumConstants()) {
      counters.put(each, new LongAdder());
    }
    return counters;
  }

  private static <K extends Enum<K>> LongAdder counter(Map<K, LongAdder> counters, K key) {
    return Objects.requireNonNull(counters.get(key));
  }

  private static InetSocketAddress checked(SocketAddress target) {
    if (target instanceof InetSocketAddress inet) {
      return inet;
    }
    throw new IllegalArgumentException("the proxy speaks TCP only (target=" + target + ")");
  }

  private static ServerSocket bind(InetSocketAddress where) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      // The port is to be had again while connections through it live on.
      socket.setReuseAddress(true);
      socket.bind(where, BACKLOG);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  // What a test may do.

  /**
   * Where to connect.
   *
   * @return an address of the loopback, the same for the life of the proxy
   */
  public InetSocketAddress address() {
    return address;
  }

  /**
   * Where connections go.
   *
   * @return the address
   */
  public InetSocketAddress target() {
    return target;
  }

  /**
   * Sends connections that come from now on somewhere else, for example to a restarted server.
   *
   * @param newTarget where, an {@link InetSocketAddress}
   */
  public void retarget(SocketAddress newTarget) {
    target = checked(newTarget);
  }

  /**
   * Gives connections that come from now on other faults.
   *
   * @param faults which
   */
  public void plan(FaultPlan faults) {
    plan = faults;
  }

  /**
   * Gives connections that come from now on faults at random.
   *
   * @param seed any number
   * @param mix which
   */
  public void randomly(long seed, FaultMix mix) {
    plan(FaultPlan.random(seed, mix));
  }

  /**
   * Stops all forwarding, in both directions, until {@link #heal()}. No byte is lost. Connections
   * that come are established and stall too.
   */
  public void partition() {
    did(FaultKind.PARTITION);
    partition.shut();
  }

  /**
   * As {@link #partition()}, for a while.
   *
   * @param time how long
   */
  public void partition(Duration time) {
    did(FaultKind.PARTITION);
    shutPartition(time.toNanos());
  }

  /** Refuses new connections until {@link #heal()}; those that there are live on. */
  public void refuse() {
    did(FaultKind.REFUSE);
    refusal.shut();
    stopListening();
  }

  /**
   * As {@link #refuse()}, for a while.
   *
   * @param time how long
   */
  public void refuse(Duration time) {
    did(FaultKind.REFUSE);
    shutListening(time.toNanos());
  }

  /**
   * Ends a partition and a refusal: when it returns, new connections are accepted.
   *
   * @throws UncheckedIOException if the port was taken meanwhile
   */
  public void heal() {
    partition.open();
    refusal.open();
    try {
      listening();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends every connection as {@link Fault#cut} does. */
  public void cutAll() {
    all(FaultKind.CUT, ProxiedConnection::cut);
  }

  /** Ends every connection as {@link Fault#reset} does. */
  public void resetAll() {
    all(FaultKind.RESET, ProxiedConnection::reset);
  }

  private void all(FaultKind kind, Consumer<ProxiedConnection> what) {
    for (ProxiedConnection connection : openConnections()) {
      did(kind);
      what.accept(connection);
    }
  }

  // What it did.

  /**
   * How many connections were accepted so far.
   *
   * @return the number of the next one
   */
  public int accepted() {
    return accepted.get();
  }

  /**
   * How many connections there are now.
   *
   * @return those of which a direction still lives
   */
  public synchronized int open() {
    return connections.size();
  }

  /**
   * How many bytes were forwarded.
   *
   * @param direction which way
   * @return bytes of all connections together
   */
  public long bytes(Direction direction) {
    return counter(bytes, direction).sum();
  }

  /**
   * How often something was done: a fault that changes what comes after it counts once.
   *
   * @param kind what
   * @return 0 or more
   */
  public long count(FaultKind kind) {
    return counter(done, kind).sum();
  }

  // For its own threads.

  Gate partitionGate() {
    return partition;
  }

  void did(FaultKind kind) {
    counter(done, kind).increment();
  }

  void forwarded(Direction direction, int length) {
    counter(bytes, direction).add(length);
  }

  void wake() {
    partition.wake();
  }

  void shutPartition(long nanos) {
    partition.shutFor(nanos);
  }

  void shutListening(long nanos) {
    refusal.shutFor(nanos);
    stopListening();
  }

  synchronized void forget(ProxiedConnection connection) {
    connections.remove(connection);
  }

  private synchronized List<ProxiedConnection> openConnections() {
    return new ArrayList<>(connections);
  }

  void startThread(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    synchronized (this) {
      threads.removeIf(ended -> !ended.isAlive());
      thread.start();
      threads.add(thread);
    }
  }

  private void acceptAll() {
    while (!closed) {
      refusal.await(() -> closed);
      try {
        ServerSocket open = beginToAccept();
        if (open != null) {
          begin(accept(open));
        }
      } catch (IOException e) {
        // Closed, by a refusal or for good, or out of descriptors; then not at full speed.
        refusal.pause(RETRY_NANOS, () -> closed);
      }
    }
  }

  private synchronized @Nullable ServerSocket beginToAccept() throws IOException {
    ServerSocket open = listening();
    accepting = open != null;
    return open;
  }

  private Socket accept(ServerSocket open) throws IOException {
    try {
      return open.accept();
    } finally {
      synchronized (this) {
        accepting = false;
        notifyAll();
      }
    }
  }

  private void begin(Socket client) throws IOException {
    partition.await(() -> closed);
    int number = accepted.getAndIncrement();
    ProxiedConnection connection = new ProxiedConnection(this, number, client, plan.faults(number));
    synchronized (this) {
      if (closed) {
        client.close();
        return;
      }
      connections.add(connection);
      connection.start();
    }
  }

  /** The listening socket, bound again if need be; null while connections are refused. */
  private synchronized @Nullable ServerSocket listening() throws IOException {
    long start = System.nanoTime();
    while (!closed && server == null && refusal.isOpen()) {
      try {
        server = bind(address);
      } catch (IOException e) {
        if (System.nanoTime() - start > REBIND.toNanos()) {
          throw e;
        }
        refusal.pause(RETRY_NANOS, () -> closed);
      }
    }
    return server;
  }

  private void stopListening() {
    synchronized (this) {
      ServerSocket old = server;
      server = null;
      if (old == null) {
        return;
      }
      try {
        old.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      awaitNoAccept();
    }
  }

  /** The kernel keeps a closed socket listening for as long as a thread is still in its accept. */
  private synchronized void awaitNoAccept() {
    boolean interrupted = false;
    while (accepting) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends everything: connections are closed, and no thread or socket is left. Idempotent.
   *
   * @throws IllegalStateException if a thread does not end
   */
  @Override
  public void close() {
    closed = true;
    stopListening();
    partition.open();
    refusal.open();
    for (ProxiedConnection connection : openConnections()) {
      connection.close();
    }
    long start = System.nanoTime();
    boolean interrupted = false;
    // A thread may have begun another one meanwhile.
    for (List<Thread> left = living(); !left.isEmpty(); left = living()) {
      for (Thread thread : left) {
        interrupted |= join(thread, start);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized List<Thread> living() {
    return threads.stream().filter(Thread::isAlive).toList();
  }

  private static boolean join(Thread thread, long start) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      long millis = (JOIN.toNanos() - (System.nanoTime() - start)) / 1_000_000;
      if (millis <= 0) {
        throw new IllegalStateException("a thread does not end (thread=" + thread + ")");
      }
      try {
        thread.join(millis);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }

  @Override
  public String toString() {
    Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
    for (FaultKind kind : FaultKind.values()) {
      if (count(kind) > 0) {
        counts.put(kind, count(kind));
      }
    }
    return "fault proxy (address="
        + address
        + ", target="
        + target
        + ", plan="
        + plan
        + ", accepted="
        + accepted
        + ", open="
        + open()
        + ", bytesToTarget="
        + bytes(Direction.TO_TARGET)
        + ", bytesToClient="
        + bytes(Direction.TO_CLIENT)
        + ", done="
        + counts
        + ")";
  }
}
