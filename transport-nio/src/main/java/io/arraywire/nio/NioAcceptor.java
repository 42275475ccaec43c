package io.arraywire.nio;

import io.arraywire.ConnectionClosedException;
import io.arraywire.engine.AcceptPauses;
import io.arraywire.engine.Acceptor;
import io.arraywire.engine.Deadlines;
import io.arraywire.engine.EngineListener;
import io.arraywire.engine.GuardedLogger;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.Channel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Accepts peers on an event loop, and has each one's handshake made on a loop of its own. Both are
 * done in turns that end after a while. Where peers come faster than that, they wait in the kernel.
 */
final class NioAcceptor implements Acceptor, ReadyHandler {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

  private static final int BACKLOG = 1024;

  /** Peers that wait for their loops; those behind them stay with the kernel. */
  private static final int MOST_WAITING = 128;

  /** What the loop rests for where nobody else can wake it. */
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final EventLoop loop;
  private final Supplier<EventLoop> peersLoops;
  private final LinkFactory links;
  private final ServerSocketChannel channel;
  private final SocketAddress address;
  private final AcceptPauses pauses;
  private final CountDownLatch channelClosed = new CountDownLatch(1);

  /** Peers that were accepted and have no connection yet. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** Whether nobody is accepted until some of them have one. */
  private final AtomicBoolean full = new AtomicBoolean();

  // The event loop's.
  private final Map<EventLoop, NewPeers> newPeers = new HashMap<>();
  private @Nullable EngineListener listener;
  private @Nullable SelectionKey key;

  private NioAcceptor(
      EventLoop loop,
      Supplier<EventLoop> peersLoops,
      LinkFactory links,
      ServerSocketChannel channel)
      throws IOException {
    this.loop = loop;
    this.peersLoops = peersLoops;
    this.links = links;
    this.channel = channel;
    address = channel.getLocalAddress();
    pauses = new AcceptPauses(address);
  }

  static NioAcceptor bind(
      SocketAddress address, EventLoop loop, Supplier<EventLoop> peersLoops, LinkFactory links)
      throws IOException {
    ProtocolFamily family = Channels.family(address);
    ServerSocketChannel channel =
        family == null ? ServerSocketChannel.open() : ServerSocketChannel.open(family);
    try {
      channel.configureBlocking(false);
      if (address instanceof InetSocketAddress inet) {
        if (inet.isUnresolved()) {
          throw new UnknownHostException(inet.getHostString());
        }
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      }
      channel.bind(address, BACKLOG);
      return new NioAcceptor(loop, peersLoops, links, channel);
    } catch (IOException | RuntimeException | Error e) {
      closeQuietly(channel);
      throw e;
    }
  }

  static void closeQuietly(Channel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOGGER.log(Level.DEBUG, "closing a channel failed", e);
    }
  }

  @Override
  public SocketAddress address() {
    return address;
  }

  @Override
  public void start(EngineListener accepting) {
    loop.execute(() -> register(accepting));
  }

  @Override
  public void stop() {
    loop.execute(this::closeChannel);
  }

  @Override
  public boolean awaitStopped(long nanos) throws InterruptedException {
    return loop.inLoop() || channelClosed.await(nanos, TimeUnit.NANOSECONDS);
  }

  // The event loop.

  private void register(EngineListener accepting) {
    listener = accepting;
    if (accepting.isClosed()) {
      return;
    }
    try {
      key = channel.register(loop.selector(), SelectionKey.OP_ACCEPT, this);
    } catch (IOException | RuntimeException | Error e) {
      LOGGER.log(Level.ERROR, "a listener failed and is closed (address=" + address + ")", e);
      ConnectionClosedException told =
          new ConnectionClosedException(
              "the listener failed and is closed", "address", address, "cause", Channels.words(e));
      told.because(e);
      accepting.failed(told);
    }
  }

  @Override
  public void ready() {
    EngineListener accepting = listener;
    if (accepting == null) {
      return;
    }
    try {
      long began = System.nanoTime();
      do {
        SocketChannel peer = hasRoom() ? channel.accept() : null;
        if (peer == null) {
          return;
        }
        pauses.over();
        accepted(accepting, peer);
      } while (System.nanoTime() - began < NewPeers.TURN_NANOS);
    } catch (Throwable e) { // Descriptors or memory run out, and come back.
      if (!accepting.isClosed()) {
        backOff(e);
      }
    }
  }

  /** Whether another peer may wait for its loop; if not, nobody is accepted for a while. */
  private boolean hasRoom() {
    if (waiting.get() < MOST_WAITING) {
      return true;
    }
    full.set(true);
    interest(0);
    // Those that waited may have gone before their loops could see that.
    acceptAgain();
    return false;
  }

  private void accepted(EngineListener accepting, SocketChannel peer) {
    waiting.incrementAndGet();
    boolean handedOver = false;
    try {
      newPeers
          .computeIfAbsent(
              peersLoops.get(), own -> new NewPeers(own, each -> goesOn(accepting, own, each)))
          .add(peer);
      handedOver = true;
    } finally {
      if (!handedOver) {
        waiting.decrementAndGet();
        closeQuietly(peer);
      }
    }
  }

  // The loop of a peer.

  private void goesOn(EngineListener accepting, EventLoop own, SocketChannel peer) {
    waiting.decrementAndGet();
    acceptAgain();
    serve(accepting, own, peer);
  }

  private void acceptAgain() {
    if (waiting.get() <= MOST_WAITING / 2 && full.compareAndSet(true, false)) {
      loop.execute(() -> interest(SelectionKey.OP_ACCEPT));
    }
  }

  private void serve(EngineListener accepting, EventLoop own, SocketChannel peer) {
    NioLink link = null;
    try {
      links.prepare(peer);
      link = links.link(own, peer, accepting::open);
      link.register(peer);
    } catch (IOException | RuntimeException | Error e) {
      try {
        if (link != null) {
          link.discard();
        }
      } finally {
        closeQuietly(peer);
      }
      boolean expected = e instanceof IOException || accepting.isClosed();
      LOGGER.log(
          expected ? Level.DEBUG : Level.WARNING,
          "a peer was gone or could not be served before its handshake (address=" + address + ")",
          e);
    }
  }

  // The event loop.

  /** Rests first and speaks then: what is short may be short for logging, too. */
  private void backOff(Throwable failure) {
    interest(0);
    Duration pause = pauses.next();
    try {
      Runnable unused =
          Deadlines.system()
              .after(pause, () -> loop.execute(() -> interest(SelectionKey.OP_ACCEPT)));
    } catch (Throwable e) { // No thread for it; then the loop rests, but not for long.
      LockSupport.parkNanos(FIRST_PAUSE_NANOS);
      interest(SelectionKey.OP_ACCEPT);
    }
    pauses.complain(failure);
  }

  private void interest(int operations) {
    SelectionKey registered = key;
    if (registered != null && registered.isValid()) {
      registered.interestOps(operations);
    }
  }

  @Override
  public void loopEnds() {
    closeChannel();
  }

  private void closeChannel() {
    try {
      if (channel.isOpen()) {
        channel.close();
        // A registered channel gives its address back only when its selector looks at it again.
        loop.letGo();
        if (address instanceof UnixDomainSocketAddress unix) {
          Files.deleteIfExists(unix.getPath());
        }
      }
    } catch (IOException e) {
      LOGGER.log(Level.DEBUG, "closing a listening channel failed (address=" + address + ")", e);
    } finally {
      newPeers.values().forEach(NewPeers::close);
      channelClosed.countDown();
    }
  }
}
