package io.arraywire.nio;

import io.arraywire.engine.Intake;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.WireEnd;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.PooledMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of a {@link NioLink}, and what the selector watches for both. Not an object of
 * its own: there are many idle connections. Everything runs on the event loop.
 */
abstract class NioReader extends LoopWork implements LoopChannel {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /**
   * Reads or writes in a row, before the loop's other channels have their turn, and this one's
   * other direction. What is written must not keep an acknowledgement from being read.
   */
  static final int TURN_OPERATIONS = 16;

  /** The same in bytes. */
  static final long TURN_BYTES = 1 << 20;

  /** Reads in a row end when they have taken so long, once there were two. */
  static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** The same for what one read has brought, which may be thousands of small frames. */
  static final long READ_NANOS = TURN_NANOS / 2;

  /**
   * What one operation moves straight from or to an array: meanwhile the collector has to wait. See
   * ADR 20.
   */
  static final int MOST_ARRAY_BYTES = 1 << 20;

  /** So much or less is copied out of a window that would be kept for it. */
  private static final int LITTLE_BYTES = 16 << 10;

  /** What may be wanted of it; see {@link LoopWork}. */
  static final int WRITE = 1;

  static final int RESUME = 2;

  final EventLoop loop;
  final SocketIo io;
  private final MemoryKind kind;

  private @Nullable SelectionKey key;

  /** Whether closing the channel is to reset it, said before there was a key. */
  private volatile boolean resets;

  /** What the connection has not taken yet, and the window that it lies in, if it does. */
  private ByteBuffer keptBytes = NOTHING;

  private @Nullable PooledMemory kept;

  /** Whether it is to read what comes, and whether the selector is to say that something has. */
  private boolean reads;

  private boolean watched = true;

  /** Whether a layer has bytes that the channel does not know of. */
  private boolean held;

  private boolean paused;
  private boolean inputEnded;

  /** Whether the end of the input is what the connection has not taken. */
  private boolean endsPaused;

  /** Whether the channel is closed. */
  boolean closed;

  NioReader(EventLoop loop, SocketIo io, MemoryKind kind) {
    this.loop = loop;
    this.io = io;
    this.kind = kind;
  }

  /** The end of the connection that is driven. */
  abstract WireEnd wire();

  /** Begins; on the loop. */
  void start(SelectionKey registered) {
    key = registered;
    key.attach(this);
    if (resets) {
      resetOnClose();
    }
    reads = true;
    // Nothing else: a channel that was connecting had its interest in that.
    key.interestOps(SelectionKey.OP_READ);
    wire().start();
  }

  /** The operations that the channel is ready for. */
  int readyOps() {
    SelectionKey registered = key;
    return closed || registered == null || !registered.isValid() ? 0 : registered.readyOps();
  }

  /** From now on closing the channel resets it, if it is one of TCP. Any thread. */
  final void resetOnClose() {
    SelectionKey registered = key;
    if (registered == null) {
      // It is refused before it is registered.
      resets = true;
    } else if (registered.channel() instanceof SocketChannel channel) {
      Channels.resetOnClose(channel);
    }
  }

  void cancelKey() {
    if (key != null) {
      key.cancel();
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

  void interest(int operation, boolean on) {
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

  /** The time by which turns are measured. */
  long nanoTime() {
    return System.nanoTime();
  }

  void read() {
    try {
      long end = loop.movedBytes() + TURN_BYTES;
      long began = 0;
      for (int i = 0; i < TURN_OPERATIONS && loop.movedBytes() < end; i++) {
        if (i == 1) {
          began = nanoTime();
        } else if (i > 1 && nanoTime() - began > TURN_NANOS) {
          break;
        }
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
      wire().failed(e);
    } catch (RuntimeException | Error e) {
      wire().failed(e);
    }
  }

  /** Has the connection take what a layer holds; returns whether there may be more to read. */
  private boolean readHeld() {
    took(wire().input(NOTHING, false), NOTHING, false);
    return true;
  }

  /** One read operation; returns whether there may be more to read. */
  private boolean readOnce() throws IOException {
    ReadPlan plan = loop.memory().plan();
    wire().plan(plan);
    int arrayBytes = Math.min(plan.arrayBytes(), MOST_ARRAY_BYTES);
    if (arrayBytes > 0) {
      long count = wire().inputArray(io, arrayBytes);
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
      wire().filled(first, (int) Math.min(count, room));
    } else {
      arrays = took(wire().input(first.flip(), true), first, true);
    }
    if (second != null && count > room) {
      arrays = took(wire().input(second.flip(), false), second, false);
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
    inputEnded = wire().inputEnded();
    paused = !inputEnded;
    endsPaused = paused;
    return false;
  }

  long moved(long count, boolean arrays) {
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
      PooledMemory little = left.remaining() <= LITTLE_BYTES ? little(left.remaining()) : null;
      kept = little == null ? loop.memory().detachWindow(kind) : little;
      keptBytes = little == null ? left : little.buffer().clear().put(left).flip();
    } else {
      // At most what the look-ahead holds.
      keptBytes = ByteBuffer.allocate(left.remaining()).put(left).flip();
    }
  }

  /**
   * Memory for few bytes; null if there is none. Without it each peer that sent one byte too many
   * would keep a window.
   */
  private @Nullable PooledMemory little(int bytes) {
    try {
      return loop.memory().acquire(bytes, kind);
    } catch (RuntimeException | OutOfMemoryError e) {
      // Nothing is wrong with the connection, and the window that the bytes lie in is there.
      return null;
    }
  }

  void resume() {
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
      Intake intake = wire().input(keptBytes, false);
      held = intake == Intake.HELD;
      return intake != Intake.PAUSED;
    } finally {
      if (closed || !keptBytes.hasRemaining()) {
        releaseKept();
      }
    }
  }

  void releaseKept() {
    keptBytes = NOTHING;
    if (kept != null) {
      kept.release();
      kept = null;
    }
  }
}
