package io.arraywire.nio;

import io.arraywire.engine.GuardedLogger;
import io.arraywire.engine.Intake;
import io.arraywire.engine.Link;
import io.arraywire.engine.Opening;
import io.arraywire.engine.Output;
import io.arraywire.engine.ProtocolConnection;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.WireEnd;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.PooledMemory;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Carries bytes between a nonblocking channel and a connection. Everything but {@link Link}'s
 * methods runs on the event loop.
 */
final class NioLink extends LoopWork implements Link, LoopChannel {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /**
   * Reads or writes in a row, before the loop's other channels have their turn, and this one's
   * other direction: what is written must not keep an acknowledgement from being read.
   */
  private static final int TURN_OPERATIONS = 16;

  /** The same in bytes. */
  private static final long TURN_BYTES = 1 << 20;

  /**
   * What one operation moves straight from or to an array: meanwhile the collector has to wait. See
   * ADR 20.
   */
  private static final int MOST_ARRAY_BYTES = 1 << 20;

  /** What one gathering write takes at most (IOV_MAX). */
  private static final int MOST_BUFFERS = 1024;

  /** What may be wanted of it; see {@link LoopWork}. */
  private static final int WRITE = 1;

  private static final int RESUME = 2;

  /** What a write operation wrote. */
  private enum Written {
    /** Less than it was given: the kernel has no room for more. */
    PART,
    /** All that it was given. */
    WHOLE,
    /** The last that there was. */
    LAST
  }

  // Not an object of its own: there are many idle connections.
  private static final AtomicIntegerFieldUpdater<NioLink> CLOSE_REQUESTED =
      AtomicIntegerFieldUpdater.newUpdater(NioLink.class, "closeRequested");

  private final EventLoop loop;
  private final SocketIo io;
  private final MemoryKind kind;
  private final boolean arrayDirect;
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;
  private final ProtocolConnection connection;
  private final WireEnd wire;

  private volatile int closeRequested;

  private @Nullable SelectionKey key;

  /** What the connection has not taken yet, and the window that it lies in, if it does. */
  private ByteBuffer keptBytes = NOTHING;

  private @Nullable PooledMemory kept;

  /** Whether the kernel may still pace what it need not; see {@link Pacing}. */
  private boolean paced;

  /** Whether it is to read what comes, and whether the selector is to say that something has. */
  private boolean reads;

  private boolean watched = true;

  /** Whether a layer has bytes that the channel does not know of. */
  private boolean held;

  private boolean paused;
  private boolean inputEnded;

  /** Whether the end of the input is what the connection has not taken. */
  private boolean endsPaused;

  private boolean outputShut;
  private boolean closed;

  NioLink(
      EventLoop loop,
      SocketChannel channel,
      SocketIo io,
      NioOptions options,
      MemoryKind kind,
      Opening opening)
      throws IOException {
    this.loop = loop;
    this.io = io;
    arrayDirect = options.arrayDirect();
    this.kind = kind;
    localAddress = channel.getLocalAddress();
    remoteAddress = channel.getRemoteAddress();
    paced = options.unpacedLoopback() && Pacing.isWithinHost(localAddress, remoteAddress);
    // Last: the connection may close this at once.
    connection = opening.open(this);
    wire = connection.wire();
  }

  ProtocolConnection connection() {
    return connection;
  }

  /** Begins; on the loop. */
  void start(SelectionKey registered) {
    key = registered;
    key.attach(this);
    reads = true;
    // Nothing else: a channel that was connecting had its interest in that.
    key.interestOps(SelectionKey.OP_READ);
    wire.start();
  }

  /** Begins; on the loop. */
  void register(SocketChannel channel) throws IOException {
    start(channel.register(loop.selector(), 0, this));
  }

  // Link, from any thread.

  @Override
  public void wakeWriter() {
    if (closeRequested == 0) {
      loop.ask(this, WRITE);
    }
  }

  @Override
  public void wakeWriterSoon() {
    if (closeRequested == 0) {
      loop.askSoon(this, WRITE);
    }
  }

  @Override
  public void resumeReading() {
    if (closeRequested == 0) {
      loop.ask(this, RESUME);
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

  @Override
  public boolean beginHelp() {
    return closeRequested == 0 && loop.driver().beginHelp();
  }

  @Override
  public void help(Future<?> result) {
    if (closeRequested == 0 && !result.isDone()) {
      loop.driver().help(result, this);
    }
  }

  @Override
  public void endHelp(Future<?> result) {
    loop.driver().endHelp(result);
  }

  @Override
  public int leastArrayBytes() {
    return arrayDirect ? io.leastArrayBytes() : Integer.MAX_VALUE;
  }

  @Override
  public String arrayPath() {
    return (arrayDirect ? io.arrayPath() : "staged: arrayDirect=false") + io.pacing();
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
  void work(int what) {
    try {
      if ((what & RESUME) != 0) {
        resume();
      }
    } finally {
      if ((what & WRITE) != 0) {
        write();
      }
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

  @Override
  public void watched(boolean on) {
    watched = on;
    interest(SelectionKey.OP_READ, reads && on);
  }

  private void reads(boolean on) {
    reads = on;
    interest(SelectionKey.OP_READ, on && watched);
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

  @Override
  public boolean awaitsRoom() {
    SelectionKey registered = key;
    return registered != null
        && registered.isValid()
        && (registered.interestOps() & SelectionKey.OP_WRITE) != 0;
  }

  @Override
  public void readNow() {
    SelectionKey registered = key;
    if (!closed && registered != null && registered.isValid() && reads) {
      read();
    }
  }

  private void read() {
    try {
      long end = loop.movedBytes() + TURN_BYTES;
      for (int i = 0; i < TURN_OPERATIONS && loop.movedBytes() < end; i++) {
        if (closed || paused || inputEnded || !(held ? readHeld() : readOnce())) {
          return;
        }
      }
      if (held && !paused) {
        // The selector does not know of it.
        loop.ask(this, RESUME);
      }
    } catch (IOException e) {
      reads(false);
      wire.failed(e);
    } catch (RuntimeException | Error e) {
      wire.failed(e);
    }
  }

  /** Has the connection take what a layer holds; returns whether there may be more to read. */
  private boolean readHeld() {
    took(wire.input(NOTHING, false), NOTHING, false);
    return true;
  }

  /** One read operation; returns whether there may be more to read. */
  private boolean readOnce() throws IOException {
    ReadPlan plan = loop.memory().plan();
    wire.plan(plan);
    int arrayBytes = Math.min(plan.arrayBytes(), MOST_ARRAY_BYTES);
    if (arrayBytes > 0) {
      long count = wire.inputArray(io, arrayBytes);
      return count < 0 ? inputEnded() : moved(count, true) == arrayBytes;
    }
    ByteBuffer first = plan.space();
    boolean direct = first != null;
    long payload = plan.payloadRemaining();
    ByteBuffer second = null;
    if (first != null) {
      if (first.remaining() == payload) {
        second = loop.memory().lookAhead();
        second.limit(Math.min(second.capacity(), plan.limit()));
      }
    } else {
      first = loop.memory().window(kind);
      first.limit(Math.min(first.capacity(), plan.limit()));
      if (payload > 0 && payload <= first.remaining() && kind == MemoryKind.DIRECT) {
        // Scattered, so that the payload lies alone and aligned, and the next header beside it.
        first.limit((int) payload);
        second = loop.memory().lookAhead();
      }
    }
    int room = first.remaining();
    long wanted = (long) room + (second == null ? 0 : second.remaining());
    long count = io.read(loop.memory().targets(first, second), 0, second == null ? 1 : 2);
    if (count < 0) {
      return inputEnded();
    }
    if (count == 0) {
      return false;
    }
    boolean arrays = true;
    if (direct) {
      wire.filled(first, (int) Math.min(count, room));
    } else {
      arrays = took(wire.input(first.flip(), true), first, true);
    }
    if (second != null && count > room) {
      arrays = took(wire.input(second.flip(), false), second, false);
    }
    moved(count, arrays);
    // The kernel had less than there was room for, so it has no more now; a layer may.
    return count == wanted || held;
  }

  /** Stops reading if the connection says so; returns whether the bytes moved arrays. */
  private boolean took(Intake intake, ByteBuffer bytes, boolean inWindow) {
    held = intake == Intake.HELD;
    if (intake == Intake.PAUSED) {
      pause(bytes, inWindow);
    }
    return intake != Intake.CONTROL;
  }

  private boolean inputEnded() {
    reads(false);
    inputEnded = wire.inputEnded();
    paused = !inputEnded;
    endsPaused = paused;
    return false;
  }

  private long moved(long count, boolean arrays) {
    if (count > 0) {
      loop.moved(this, count, arrays);
    }
    return count;
  }

  /** Stops reading, and keeps what the connection did not take. */
  private void pause(ByteBuffer left, boolean inWindow) {
    paused = true;
    reads(false);
    if (!left.hasRemaining()) {
      keptBytes = NOTHING;
    } else if (inWindow) {
      kept = loop.memory().detachWindow(kind);
      keptBytes = left;
    } else {
      // At most what the look-ahead holds.
      keptBytes = ByteBuffer.allocate(left.remaining()).put(left).flip();
    }
  }

  private void resume() {
    if (closed || (!paused && !held)) {
      return;
    }
    if (paused && !resumed()) {
      return;
    }
    paused = false;
    if (!closed && !inputEnded) {
      reads(true);
      read();
    }
  }

  /** Has the connection take what it had not taken; returns whether it has. */
  private boolean resumed() {
    if (endsPaused) {
      boolean unused = inputEnded();
      return inputEnded;
    }
    try {
      Intake intake = wire.input(keptBytes, false);
      held = intake == Intake.HELD;
      return intake != Intake.PAUSED;
    } finally {
      if (closed || !keptBytes.hasRemaining()) {
        releaseKept();
      }
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
    if (closed) {
      return;
    }
    try {
      long end = loop.movedBytes() + TURN_BYTES;
      for (int i = 0; i < TURN_OPERATIONS && loop.movedBytes() < end; i++) {
        Output output = wire.output();
        if (closed) {
          return;
        }
        if (output == null || Output.isEnd(output)) {
          interest(SelectionKey.OP_WRITE, false);
          if (output != null && !outputShut) {
            outputShut = true;
            io.shutdownOutput();
          }
          return;
        }
        Written written = writeOnce(output);
        if (written != Written.WHOLE) {
          interest(SelectionKey.OP_WRITE, written == Written.PART);
          return;
        }
      }
      // Others have their turn first.
      wakeWriter();
    } catch (IOException | RuntimeException | Error e) {
      wire.failed(e);
    }
  }

  /** One write operation. */
  private Written writeOnce(Output output) throws IOException {
    if (paced && output.remaining() >= Pacing.LEAST_BYTES) {
      paced = false;
      io.endPacing();
    }
    long count;
    boolean whole;
    if (output.count() == 0) {
      int arrayBytes = Math.min(output.arrayBytes(), MOST_ARRAY_BYTES);
      count = moved(output.writeArray(io, arrayBytes), true);
      whole = count == arrayBytes;
    } else {
      int length = Math.min(output.count(), MOST_BUFFERS);
      boolean arrayFollows = length == output.count() && output.arrayBytes() > 0;
      count =
          arrayFollows
              ? io.writeBeforeArray(output.buffers(), output.first(), length)
              : io.write(output.buffers(), output.first(), length);
      whole = !output.buffers()[output.first() + length - 1].hasRemaining();
      moved(count, output.movesArrays());
    }
    boolean last = count > 0 && wire.wrote(count);
    return !whole ? Written.PART : last ? Written.LAST : Written.WHOLE;
  }

  private void closeNow() {
    closeRequested = 1;
    if (closed) {
      return;
    }
    closed = true;
    loop.driver().forget(this);
    if (key != null) {
      key.cancel();
    }
    try {
      io.close();
    } catch (IOException e) {
      LOGGER.log(Level.DEBUG, "closing a channel failed (peer=" + remoteAddress + ")", e);
    }
    releaseKept();
    wire.disposed(WireEnd.Direction.INPUT);
    wire.disposed(WireEnd.Direction.OUTPUT);
  }
}
