package io.arraywire.engine.tls;

import io.arraywire.TransportOptions;
import io.arraywire.engine.Deadlines;
import io.arraywire.engine.GuardedLogger;
import io.arraywire.engine.Link;
import io.arraywire.engine.Role;
import io.arraywire.engine.WireEnd;
import io.arraywire.engine.WireLayer;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.TlsEngines;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.Executor;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts what passes between connections and channels. Knows nothing of frames but where a
 * connection begins and that it says goodbye. Any thread.
 */
public final class TlsLayer implements WireLayer {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

  /** For channels that have no host: they stay on this one. */
  private static final String THIS_HOST = "localhost";

  private final TlsEngines engines;
  private final TlsShared shared;
  private volatile @Nullable String toldTrouble;

  /**
   * Makes the layer of a transport.
   *
   * @param engines makes an engine for each connection
   * @param options the transport's options
   * @param pool where staging memory comes from
   * @param plaintext the kind of memory that suits the ends above
   * @param deadlines the clock
   * @param handshakeTasks where engines do what takes them long, as {@link #handshakeTasks()}
   */
  public TlsLayer(
      TlsEngines engines,
      TransportOptions options,
      MemoryPool pool,
      MemoryKind plaintext,
      Deadlines deadlines,
      Executor handshakeTasks) {
    this.engines = engines;
    shared = new TlsShared(options, pool, plaintext, deadlines, handshakeTasks);
  }

  /**
   * Where the costly steps of handshakes run: threads that all transports of the process share.
   *
   * @return rejects tasks when too many wait
   */
  public static Executor handshakeTasks() {
    return HandshakeTasks.shared();
  }

  @Override
  public WireEnd wrap(Role role, SocketAddress peer, Link below, Function<Link, WireEnd> above) {
    SSLEngine engine;
    try {
      engine = role == Role.ACCEPTOR ? engines.server() : client(peer);
    } catch (IOException | RuntimeException e) {
      SocketAddress remote = below.remoteAddress();
      return new UnmadeEnd(
          above.apply(below),
          role == Role.ACCEPTOR ? TlsErrors.unmade(e, remote) : TlsErrors.of(e, false, remote));
    }
    tellTrouble();
    TlsState state = new TlsState(shared, below, engine, role);
    WireEnd end = above.apply(new TlsLink(below, state));
    state.above(end);
    return new TlsEnd(state, end);
  }

  private SSLEngine client(SocketAddress peer) throws IOException {
    return peer instanceof InetSocketAddress inet
        ? engines.client(inet.getHostString(), inet.getPort())
        : engines.client(THIS_HOST, -1);
  }

  /** Once for each trouble, which stays the same object. */
  @SuppressWarnings({"ReferenceEquality", "StringEquality"})
  private void tellTrouble() {
    String trouble = engines.trouble();
    if (trouble != toldTrouble) {
      toldTrouble = trouble;
      if (trouble != null) {
        LOGGER.log(Level.WARNING, trouble);
      }
    }
  }

  /** JSSE decrypts twice as fast from an array: see ADR 43. */
  @Override
  public MemoryKind readingMemory(MemoryKind above) {
    return MemoryKind.HEAP;
  }
}
