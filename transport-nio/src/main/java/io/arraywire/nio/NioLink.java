package io.arraywire.nio;

import io.arraywire.ArrayHandler;
import io.arraywire.engine.Engine;
import io.arraywire.engine.Engine.Role;
import io.arraywire.engine.Link;
import io.arraywire.engine.OutputBatch;
import io.arraywire.engine.ProtocolConnection;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.PooledMemory;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries bytes between a nonblocking channel and a connection. Everything but {@link Link}'s
 * methods runs on the event loop.
 */
final class NioLink implements Link, ReadyHandler {
  private static final Logger LOGGER = System.getLogger("io.arraywire");
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** Reads or writes in a row, before the loop's other channels have their turn. */
  private static final int TURN_OPERATIONS = 16;

  /** What one gathering write takes at most (IOV_MAX). */
  private static final int MOST_BUFFERS = 1024;

  // Not objects of their own: there are many idle connections.
  private static final AtomicIntegerFieldUpdater<NioLink> WRITE_REQUESTED =
      AtomicIntegerFieldUpdater.newUpdater(NioLink.class, "writeRequested");
  private static final AtomicIntegerFieldUpdater<NioLink> RESUME_REQUESTED =
      AtomicIntegerFieldUpdater.newUpdater(NioLink.class, "resumeRequested");
  private static final AtomicIntegerFieldUpdater<NioLink> CLOSE_REQUESTED =
      AtomicIntegerFieldUpdater.newUpdater(NioLink.class, "closeRequested");

  private final EventLoop loop;
  private final SocketChannel channel;
  private final SocketIo io;
  private final MemoryKind kind;
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;
  private final ProtocolConnection connection;
  private final @Nullable NioListener acceptedBy;
  private final Consumer<NioLink> onClosed;

  private volatile int writeRequested;
  private volatile int resumeRequested;
  private volatile int closeRequested;

  private @Nullable SelectionKey key;

  /** What the connection has not taken yet, and the window that it lies in, if it does. */
  private ByteBuffer keptBytes = NOTHING;

  private @Nullable PooledMemory kept;
  private boolean paused;
  private boolean inputEnded;
  private boolean outputShut;
  private boolean closed;

  NioLink(
      EventLoop loop,
      SocketChannel channel,
      SocketIo io,
      Engine engine,
      Role role,
      @Nullable ArrayHandler handler,
      @Nullable NioListener acceptedBy,
      Consumer<NioLink> onClosed)
      throws IOException {
    this.loop = loop;
    this.channel = channel;
    this.io = io;
    kind = engine.readingMemory();
    localAddress = channel.getLocalAddress();
    remoteAddress = channel.getRemoteAddress();
    connection = engine.connection(role, this, handler);
    this.acceptedBy = acceptedBy;
    this.onClosed = onClosed;
  }

  ProtocolConnection connection() {
    return connection;
  }

  /** Null if this side connected. */
  @Nullable NioListener acceptedBy() {
    return acceptedBy;
  }

  /** Begins; on the loop. */
  void start(SelectionKey registered) {
    key = registered;
    key.attach(this);
    key.interestOps(SelectionKey.OP_READ);
    connection.start();
  }

  /** Begins; on the loop. */
  void register() throws IOException {
    start(channel.register(loop.selector(), 0, this));
  }

  // Link, from any thread.

  @Override
  public void wakeWriter() {
    if (closeRequested == 0 && writeRequested == 0 && WRITE_REQUESTED.compareAndSet(this, 0, 1)) {
      loop.followUp(this::write);
    }
  }

  @Override
  public void resumeReading() {
    if (closeRequested == 0 && resumeRequested == 0 && RESUME_REQUESTED.compareAndSet(this, 0, 1)) {
      loop.followUp(this::resume);
    }
  }

  @Override
  public void close() {
    if (CLOSE_REQUESTED.compareAndSet(this, 0, 1)) {
      loop.execute(this::closeNow);
    }
  }

  @Override
  public SocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public SocketAddress remoteAddress() {
    return remoteAddress;
  }

  // The event loop.

  @Override
  public void ready() {
    SelectionKey registered = key;
    if (closed || registered == null || !registered.isValid()) {
      return;
    }
    int ready = registered.readyOps();
    if ((ready & SelectionKey.OP_READ) != 0) {
      read();
    }
    if (!closed && (ready & SelectionKey.OP_WRITE) != 0) {
      write();
    }
  }

  @Override
  public void loopEnds() {
    discard();
  }

  /** Closes at once; also when it has not begun. */
  void discard() {
    try {
      connection.closeNow();
    } finally {
      closeNow();
    }
  }

  private void interest(int operation, boolean on) {
    SelectionKey registered = key;
    if (registered != null && registered.isValid()) {
      int before = registered.interestOps();
      int after = on ? before | operation : before & ~operation;
      if (after != before) {
        registered.interestOps(after);
      }
    }
  }

  private void read() {
    try {
      for (int i = 0; i < TURN_OPERATIONS; i++) {
        if (closed || paused || inputEnded || !readOnce()) {
          return;
        }
      }
    } catch (IOException e) {
      interest(SelectionKey.OP_READ, false);
      connection.channelFailed(e);
    } catch (RuntimeException | Error e) {
      connection.transportFailed(e);
    }
  }

  /** One read operation; returns whether there may be more to read. */
  private boolean readOnce() throws IOException {
    ByteBuffer first = connection.directSpace();
    boolean direct = first != null;
    long payload = connection.payloadRemaining();
    ByteBuffer second = null;
    if (first != null) {
      second = loop.lookAhead();
      second.limit(Math.min(second.capacity(), connection.readLimit()));
    } else {
      first = loop.window(kind);
      first.limit(Math.min(first.capacity(), connection.readLimit()));
      if (payload > 0 && payload <= first.remaining() && kind == MemoryKind.DIRECT) {
        // Scattered, so that the payload lies alone and aligned, and the next header beside it.
        first.limit((int) payload);
        second = loop.lookAhead();
      }
    }
    int room = first.remaining();
    long wanted = (long) room + (second == null ? 0 : second.remaining());
    long count = io.read(loop.targets(first, second), 0, second == null ? 1 : 2);
    if (count < 0) {
      inputEnded = true;
      interest(SelectionKey.OP_READ, false);
      connection.inputEnded();
      return false;
    }
    if (count == 0) {
      return false;
    }
    loop.movedBytes();
    int inFirst = (int) Math.min(count, room);
    if (direct) {
      connection.inputDirect(first, inFirst);
    } else if (!connection.input(first.flip())) {
      pause(first, true);
    }
    if (second != null && count > room && !connection.resumeInput(second.flip())) {
      pause(second, false);
    }
    // The kernel had less than there was room for, so it has no more now.
    return count == wanted;
  }

  /** Stops reading, and keeps what the connection did not take. */
  private void pause(ByteBuffer left, boolean inWindow) {
    paused = true;
    interest(SelectionKey.OP_READ, false);
    if (inWindow && left.hasRemaining()) {
      kept = loop.detachWindow(kind);
      keptBytes = left;
    } else {
      // At most what the look-ahead holds.
      keptBytes = ByteBuffer.allocate(left.remaining()).put(left).flip();
    }
  }

  private void resume() {
    resumeRequested = 0;
    if (closed || !paused) {
      return;
    }
    try {
      if (!connection.resumeInput(keptBytes)) {
        return;
      }
    } finally {
      if (closed || !keptBytes.hasRemaining()) {
        releaseKept();
      }
    }
    paused = false;
    if (!closed && !inputEnded) {
      interest(SelectionKey.OP_READ, true);
      read();
    }
  }

  private void releaseKept() {
    keptBytes = NOTHING;
    if (kept != null) {
      kept.release();
      kept = null;
    }
  }

  private void write() {
    writeRequested = 0;
    if (closed) {
      return;
    }
    try {
      for (int i = 0; i < TURN_OPERATIONS; i++) {
        OutputBatch batch = connection.output();
        if (closed) {
          return;
        }
        if (batch == null) {
          interest(SelectionKey.OP_WRITE, false);
          if (connection.isOutputEnded() && !outputShut) {
            outputShut = true;
            channel.shutdownOutput();
          }
          return;
        }
        if (!writeOnce(batch)) {
          interest(SelectionKey.OP_WRITE, true);
          return;
        }
      }
      // Others have their turn first.
      wakeWriter();
    } catch (IOException e) {
      connection.channelFailed(e);
    } catch (RuntimeException | Error e) {
      connection.transportFailed(e);
    }
  }

  /** One write operation; returns whether the kernel took all of it. */
  private boolean writeOnce(OutputBatch batch) throws IOException {
    int length = Math.min(batch.count(), MOST_BUFFERS);
    long count = io.write(batch.buffers(), batch.first(), length);
    ByteBuffer last = batch.buffers()[batch.first() + length - 1];
    boolean whole = !last.hasRemaining();
    if (count > 0) {
      loop.movedBytes();
      connection.wrote(count);
    }
    return whole;
  }

  private void closeNow() {
    closeRequested = 1;
    if (closed) {
      return;
    }
    closed = true;
    if (key != null) {
      key.cancel();
    }
    try {
      channel.close();
    } catch (IOException e) {
      LOGGER.log(Level.DEBUG, "closing a channel failed (peer=" + remoteAddress + ")", e);
    }
    releaseKept();
    connection.inputDisposed();
    connection.outputDisposed();
    onClosed.accept(this);
  }
}
