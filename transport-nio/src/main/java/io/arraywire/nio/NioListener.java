package io.arraywire.nio;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Listener;
import io.arraywire.PublishReceipt;
import io.arraywire.engine.AcceptPauses;
import io.arraywire.engine.AcceptQueue;
import io.arraywire.engine.ConnectErrors;
import io.arraywire.engine.Deadlines;
import io.arraywire.engine.GuardedLogger;
import io.arraywire.engine.ListenerLifecycle;
import io.arraywire.engine.ProtocolConnection;
import io.arraywire.engine.Role;
import io.arraywire.engine.Subjects;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Accepts peers on an event loop, and has each one's handshake made on a loop of its own. */
final class NioListener implements Listener, ReadyHandler {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

  private static final int BACKLOG = 1024;
  private static final int ACCEPTS_PER_TURN = 64;

  /** What the loop rests for where nobody else can wake it. */
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final SelectorTransport transport;
  private final EventLoop loop;
  private final ServerSocketChannel channel;
  private final SocketAddress address;
  private final @Nullable ArrayHandler handler;
  private final AcceptQueue queue = new AcceptQueue(this::address);
  private final Subjects subjects;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch channelClosed = new CountDownLatch(1);
  private final ListenerLifecycle lifecycle;

  /** Why it stopped listening though nobody closed it. */
  private volatile @Nullable Throwable failure;

  private @Nullable SelectionKey key;
  private final AcceptPauses pauses;

  private NioListener(
      SelectorTransport transport,
      EventLoop loop,
      ServerSocketChannel channel,
      @Nullable ArrayHandler handler)
      throws IOException {
    this.transport = transport;
    this.loop = loop;
    this.channel = channel;
    this.handler = handler;
    subjects = new Subjects(transport.engine());
    address = channel.getLocalAddress();
    lifecycle = new ListenerLifecycle(this);
    pauses = new AcceptPauses(address, LOGGER);
  }

  static NioListener open(
      SelectorTransport transport,
      EventLoop loop,
      SocketAddress address,
      @Nullable ArrayHandler handler)
      throws ArraywireException {
    ServerSocketChannel channel = null;
    try {
      ProtocolFamily family = Channels.family(address);
      channel = family == null ? ServerSocketChannel.open() : ServerSocketChannel.open(family);
      channel.configureBlocking(false);
      if (address instanceof InetSocketAddress inet) {
        if (inet.isUnresolved()) {
          throw new UnknownHostException(inet.getHostString());
        }
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      }
      channel.bind(address, BACKLOG);
      NioListener listener = new NioListener(transport, loop, channel, handler);
      loop.execute(listener::register);
      return listener;
    } catch (IOException e) {
      closeQuietly(channel);
      throw ConnectErrors.bind(address, e);
    }
  }

  private static void closeQuietly(@Nullable Channel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        LOGGER.log(Level.DEBUG, "closing a channel failed", e);
      }
    }
  }

  @Override
  public SocketAddress address() {
    return address;
  }

  @Override
  public Connection accept() throws ArraywireException, InterruptedException {
    if (handler != null) {
      throw new IllegalStateException(
          "this listener's connections go to its handler (address=" + address + ")");
    }
    try {
      return queue.take();
    } catch (ConnectionClosedException e) {
      Throwable cause = failure;
      if (cause == null) {
        throw e;
      }
      throw new ConnectionClosedException(
              "the listener failed and is closed",
              "address",
              address,
              "cause",
              Channels.words(cause))
          .because(cause);
    }
  }

  @Override
  public PublishReceipt publish(String subject, ArraySlice slice, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    return subjects.publish(subject, slice, attributes);
  }

  @Override
  public int subscribers(String subject) {
    return subjects.subscribers(subject);
  }

  @Override
  public void awaitClosed() throws InterruptedException {
    lifecycle.awaitClosed(transport.connectionsFrom(this));
  }

  @Override
  public Listener closeOnShutdown() {
    lifecycle.closeOnShutdown();
    return this;
  }

  @Override
  public void close() throws ArraywireException {
    try {
      List<ProtocolConnection> draining = new ArrayList<>(queue.takeSubscribed());
      closeNow();
      List<ProtocolConnection> opened =
          ProtocolConnection.closeUnopened(transport.connectionsFrom(this));
      if (handler != null) {
        draining.addAll(opened);
      }
      ProtocolConnection.closeAll(draining);
    } finally {
      // Also where a connection could not be drained.
      lifecycle.stopped(List.of());
    }
  }

  /** Stops listening; connections that belong to the handler live on. */
  void closeNow() {
    if (stop() && !loop.inLoop()) {
      awaitChannelClosed();
    }
  }

  boolean isClosed() {
    return closed.get();
  }

  /** Begins to stop listening; returns whether nobody had. */
  boolean stop() {
    boolean first = closed.compareAndSet(false, true);
    if (first) {
      transport.closed(this);
      queue.close();
      subjects.close();
      loop.execute(this::closeChannel);
    }
    return first;
  }

  /** The address must be free again when close returns, unless something keeps the event loop. */
  private void awaitChannelClosed() {
    boolean interrupted = false;
    long deadline = System.nanoTime() + transport.closeNanos();
    while (true) {
      try {
        if (!channelClosed.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          LOGGER.log(
              Level.WARNING,
              "a listening channel is still open; its event loop is kept by a codec, a pool or a"
                  + " wait strategy (address="
                  + address
                  + ", thread="
                  + loop
                  + ")");
        }
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // The event loop.

  private void register() {
    if (closed.get()) {
      return;
    }
    try {
      key = channel.register(loop.selector(), SelectionKey.OP_ACCEPT, this);
    } catch (IOException | RuntimeException | Error e) {
      // Who waits in accept must hear of it.
      failure = e;
      stop();
      if (!transport.isClosed()) {
        LOGGER.log(Level.ERROR, "a listener cannot be served (address=" + address + ")", e);
      }
    }
  }

  @Override
  public void ready() {
    try {
      for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
        SocketChannel peer = channel.accept();
        if (peer == null) {
          return;
        }
        pauses.over();
        accepted(peer);
      }
    } catch (Throwable e) { // Descriptors or memory run out, and come back.
      if (!closed.get()) {
        backOff(e);
      }
    }
  }

  private void accepted(SocketChannel peer) {
    boolean handedOver = false;
    try {
      EventLoop own = transport.anyLoop();
      own.execute(() -> serve(own, peer));
      handedOver = true;
    } finally {
      if (!handedOver) {
        closeQuietly(peer);
      }
    }
  }

  private void serve(EventLoop own, SocketChannel peer) {
    NioLink link = null;
    try {
      Channels.prepare(peer, transport.engine().options());
      link = transport.link(own, peer, Role.ACCEPTOR, handler, this);
      link.connection().publishes(subjects);
      handshake(link.connection());
      link.register();
      if (closed.get()) {
        // Who closed it may not have found this one.
        var unused = ProtocolConnection.closeUnopened(List.of(link.connection()));
      }
    } catch (IOException | RuntimeException | Error e) {
      try {
        if (link != null) {
          link.discard();
        }
      } finally {
        closeQuietly(peer);
      }
      boolean expected = e instanceof IOException || transport.isClosed();
      LOGGER.log(
          expected ? Level.DEBUG : Level.WARNING,
          "a peer was gone or could not be served before its handshake (address=" + address + ")",
          e);
    }
  }

  private void handshake(ProtocolConnection connection) {
    connection
        .opened()
        .whenComplete((nothing, failure) -> {
          if (failure != null && !isClosed()) {
            connection.logNotAccepted(address, failure);
          } else if (failure == null && handler == null) {
            queue.add(connection);
          }
        });
  }

  /** Rests first and speaks then: what is short may be short for logging, too. */
  private void backOff(Throwable failure) {
    SelectionKey registered = key;
    if (registered == null || !registered.isValid()) {
      return;
    }
    registered.interestOps(0);
    Duration pause = pauses.next();
    try {
      Runnable unused = Deadlines.system().after(pause, () -> loop.execute(this::goOn));
    } catch (Throwable e) { // No thread for it; then the loop rests, but not for long.
      LockSupport.parkNanos(FIRST_PAUSE_NANOS);
      goOn();
    }
    pauses.complain(failure);
  }

  private void goOn() {
    SelectionKey registered = key;
    if (registered != null && registered.isValid()) {
      registered.interestOps(SelectionKey.OP_ACCEPT);
    }
  }

  @Override
  public void loopEnds() {
    stop();
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
      channelClosed.countDown();
      lifecycle.stopped(handler == null ? List.of() : transport.connectionsFrom(this));
    }
  }

  @Override
  public String toString() {
    return "nio listener at " + address;
  }
}
