package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.NoRoomException;
import io.arraywire.TransportOptions;
import io.arraywire.engine.tls.TlsLayer;
import io.arraywire.security.Tls;
import io.arraywire.spi.Codec;
import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the connections of one transport, and holds what they share: options, codecs, memory,
 * handler threads and clock. Any thread.
 */
public final class Engine {
  private final EngineContext context;
  private final @Nullable WireLayer layer;
  private final Sessions sessions;
  private volatile boolean closed;

  private Engine(EngineContext context, @Nullable WireLayer layer) {
    this.context = context;
    this.layer = layer;
    sessions = new Sessions(context);
  }

  /**
   * Makes an engine.
   *
   * @param transport the transport's name, for {@code describe()}
   * @param options the user's options
   * @param preference names of installed codecs that suit the transport, best first, where the user
   *     chose none; installed codecs that are not named come last
   * @param pool where memory comes from
   * @param heapCopies how often the channel copies a byte between a heap buffer and the kernel: 1
   *     for a JDK channel
   * @param deadlines the clock
   * @return the engine
   * @throws IllegalStateException if there is no codec
   * @throws IllegalArgumentException if there are more codecs, or longer names, than the handshake
   *     can tell
   */
  public static Engine create(
      String transport,
      TransportOptions options,
      List<String> preference,
      MemoryPool pool,
      int heapCopies,
      Deadlines deadlines) {
    List<Codec> codecs = codecs(options, () -> EngineContext.installed(preference));
    return ofSystem(transport, options, codecs, pool, heapCopies, deadlines);
  }

  /**
   * Makes an engine for a transport that brings its codecs, needs none to be installed, and has no
   * memory pool of its own. If the user gave none, a {@link HeapMemoryPool} is the engine's.
   *
   * @param transport the transport's name, for {@code describe()}
   * @param options the user's options
   * @param codecs the codecs where the user chose none, best first
   * @param heapCopies as above
   * @return the engine
   */
  public static Engine withCodecs(
      String transport, TransportOptions options, List<Codec> codecs, int heapCopies) {
    MemoryPool given = options.memoryPool();
    return ofSystem(
        transport,
        options,
        codecs(options, () -> codecs),
        given == null ? HeapMemoryPool.create() : given,
        heapCopies,
        Deadlines.system());
  }

  private static List<Codec> codecs(TransportOptions options, Supplier<List<Codec>> unchosen) {
    return options.codecs().isEmpty() ? unchosen.get() : options.codecs();
  }

  private static Engine ofSystem(
      String transport,
      TransportOptions options,
      List<Codec> codecs,
      MemoryPool pool,
      int heapCopies,
      Deadlines deadlines) {
    // Not by a test's clock: a look is nobody's deadline.
    return encrypted(
        new EngineContext(
            transport,
            options,
            codecs,
            pool,
            heapCopies,
            deadlines,
            EngineRuntime.system(),
            Deadlines.system()),
        TlsLayer.handshakeTasks());
  }

  /**
   * Makes an engine that takes nothing from the JVM by itself, for a simulation.
   *
   * @param transport the transport's name, for {@code describe()}
   * @param options the user's options, with a handler executor
   * @param preference as above
   * @param pool where memory comes from
   * @param heapCopies as above
   * @param deadlines the clock
   * @param runtime time, threads, waits and random numbers
   * @return the engine
   */
  public static Engine create(
      String transport,
      TransportOptions options,
      List<String> preference,
      MemoryPool pool,
      int heapCopies,
      Deadlines deadlines,
      EngineRuntime runtime) {
    return encrypted(
        new EngineContext(
            transport,
            options,
            codecs(options, () -> EngineContext.installed(preference)),
            pool,
            heapCopies,
            deadlines,
            runtime,
            deadlines),
        task -> {
          Runnable unused = runtime.start("a task of TLS", task);
        });
  }

  /** With TLS between its connections and their channels, if the options have it. */
  private static Engine encrypted(EngineContext context, Executor handshakeTasks) {
    Tls tls = context.options().tls();
    return new Engine(
        context,
        tls == null
            ? null
            : new TlsLayer(
                tls.engines(),
                context.options(),
                context.pool(),
                context.readingMemory(),
                context.deadlines(),
                handshakeTasks));
  }

  /**
   * The same engine with a layer between its connections and their channels, beneath TLS if there
   * is that. To be asked for before this one has made a connection.
   *
   * @param between the layer; null for none
   * @return an engine to be used in place of this one
   */
  public Engine layered(@Nullable WireLayer between) {
    return between == null
        ? this
        : new Engine(context, layer == null ? between : new Layers(between, layer));
  }

  /** Two layers, the outer one next to the channel. */
  private record Layers(WireLayer outer, WireLayer inner) implements WireLayer {
    @Override
    public WireEnd wrap(Role role, SocketAddress peer, Link below, Function<Link, WireEnd> above) {
      return outer.wrap(role, peer, below, between -> inner.wrap(role, peer, between, above));
    }

    @Override
    public MemoryKind readingMemory(MemoryKind above) {
      return outer.readingMemory(inner.readingMemory(above));
    }
  }

  /**
   * Makes the connection for a channel that is connected. The transport must then {@linkplain
   * WireEnd#start() start} its {@link EngineConnection#wire()}, and drive that.
   *
   * @param role which side this is
   * @param link the channel
   * @param handlers take arrays and requests; null if receive calls do
   * @return the connection; closed already if {@link #closeNow()} was called
   */
  public EngineConnection connection(Role role, Link link, @Nullable Handlers handlers) {
    return connection(role, link.remoteAddress(), link, handlers);
  }

  /** The same, where the peer's address is known as the user gave it. */
  EngineConnection connection(
      Role role, SocketAddress peer, Link link, @Nullable Handlers handlers) {
    ConnectionCore connection = make(role, peer, link, handlers);
    if (role == Role.ACCEPTOR && context.sessionTimeout() != null) {
      sessions.accepts(connection, handlers);
    }
    context.connections().add(connection);
    if (closed) {
      connection.closeNow();
    }
    return connection;
  }

  private ConnectionCore make(
      Role role, SocketAddress peer, Link link, @Nullable Handlers handlers) {
    if (layer == null) {
      ConnectionCore connection = core(role, link, handlers);
      connection.wire(end(connection));
      return connection;
    }
    AtomicReference<@Nullable ConnectionCore> made = new AtomicReference<>();
    WireEnd driven =
        layer.wrap(
            role,
            peer,
            link,
            above -> {
              ConnectionCore connection = core(role, above, handlers);
              made.set(connection);
              return end(connection);
            });
    ConnectionCore connection = Objects.requireNonNull(made.get(), "the end above the layer");
    connection.wire(driven);
    return connection;
  }

  // What few connections need is chosen here and in the agreement, and not asked for each array.

  private FramedEnd end(ConnectionCore core) {
    return context.hasElementwiseDecoder() ? new ElementwiseEnd(core) : new FramedEnd(core);
  }

  private ConnectionCore core(Role role, Link link, @Nullable Handlers handlers) {
    ConnectionCore core =
        context.options().plainType() == null
            ? new ConnectionCore(context, link, FramedConnection::new, handlers)
            : new PlainCore(context, link, FramedConnection::new, handlers);
    core.opensWith(new Handshake(core, new HandshakeOutcome(core), core.outbound, role));
    return core;
  }

  /**
   * Makes the connection of a peer that this side has accepted, as {@link #connection(Role, Link,
   * Handlers)} does. If the limit of connections is reached, the connection refuses the peer.
   *
   * @param link the channel
   * @param handlers take arrays and requests; null if receive calls do
   * @param made is called with the connection before it reads or refuses anything
   * @param opened is called when the handshake is over: with its failure, or null if it succeeded
   * @return the connection
   */
  public EngineConnection accepted(
      Link link,
      @Nullable Handlers handlers,
      Consumer<EngineConnection> made,
      BiConsumer<EngineConnection, @Nullable Throwable> opened) {
    Admission admission = context.admission();
    SocketAddress from = link.remoteAddress();
    NoRoomException refusal = admission.admit(from);
    EngineConnection peer;
    try {
      peer = connection(Role.ACCEPTOR, link, handlers);
    } catch (RuntimeException | Error e) { // No memory.
      if (refusal == null) {
        admission.handshakeOver(from, PeerFault.NONE);
        admission.ended(from);
      }
      throw e;
    }
    made.accept(peer);
    var unused =
        peer.opened()
            .whenComplete((nothing, notOpened) -> {
              if (refusal == null) {
                admission.handshakeOver(from, PeerFault.of(notOpened));
              }
              opened.accept(peer, notOpened);
            });
    if (refusal != null) {
      boolean speaks = context.options().plainType() == null;
      peer.refuse(refusal, speaks && admission.tells());
    }
    return peer;
  }

  /** The connections that have not ended. */
  List<ConnectionCore> connections() {
    return context.connections().stream().map(ConnectionCore.class::cast).toList();
  }

  /**
   * Connects. If a session was agreed on, connects again whenever its connection breaks.
   *
   * @param dialer the transport's way to the address
   * @param handlers take arrays and requests, or null; the same object that the dialer gives to its
   *     connections
   * @return the connection
   * @throws ArraywireException if there is none
   * @throws InterruptedException if the caller is interrupted
   */
  public Connection connect(Dialer dialer, @Nullable Handlers handlers)
      throws ArraywireException, InterruptedException {
    Duration sessionTimeout = context.sessionTimeout();
    if (sessionTimeout == null) {
      return dialer.dial(connection -> {}, context.options().connectTimeout()).userConnection();
    }
    return sessions.connect(dialer, handlers, sessionTimeout);
  }

  /**
   * Closes at once all sessions and connections, and those that are made from now on. For the end
   * of a transport.
   */
  public void closeNow() {
    closed = true;
    sessions.close();
    connections().forEach(EngineConnection::closeNow);
  }

  EngineContext context() {
    return context;
  }

  /**
   * The user's options.
   *
   * @return the options
   */
  public TransportOptions options() {
    return context.options();
  }

  /**
   * Waits until sinks of arrays that were dropped are closed, whose memory is out until then.
   *
   * @param nanos for how long at most
   * @return whether all are closed
   * @throws InterruptedException if the caller is interrupted
   */
  boolean awaitSinks(long nanos) throws InterruptedException {
    return context.completions().awaitElsewhere(nanos);
  }

  /**
   * The memory pool.
   *
   * @return the pool
   */
  public MemoryPool pool() {
    return context.pool();
  }

  /**
   * The kind of memory to read into: the one that the most likely codec, or a layer beneath it,
   * decodes from.
   *
   * @return the kind
   */
  public MemoryKind readingMemory() {
    MemoryKind above = context.readingMemory();
    return layer == null ? above : layer.readingMemory(above);
  }
}
