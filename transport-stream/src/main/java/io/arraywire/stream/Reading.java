package io.arraywire.stream;

import io.arraywire.NoRoomException;
import io.arraywire.engine.Intake;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.WireEnd;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * How bytes get from a connection's socket into the connection, and what its reading thread does.
 * The one that has the {@linkplain Turns turn} to read reads: the reading thread, or a caller while
 * the socket is lent. What is out of the ordinary is left to the thread: pauses, failures, the end.
 *
 * <p>It reads into a window from the pool while an array arrives or one read may not have taken all
 * that there is. Otherwise it waits with a small buffer of its own, so that a connection on which
 * nothing comes holds no window. An array that fits in the small buffer with its header still takes
 * one read. Of a lone larger one the first read takes the beginning only.
 */
final class Reading implements Runnable {
  private static final int SMALL_BYTES = 512;
  private static final int WINDOW_BYTES = 64 << 10;

  /** What one read brought. */
  enum Brought {
    NOTHING,
    BYTES,
    /** What only the reading thread deals with. */
    TROUBLE
  }

  private final StreamLink link;
  private final StreamSocket socket;
  private final WireEnd wire;
  private final MemoryPool pool;
  private final Wakeup wakeup;
  private final ByteBuffer small = ByteBuffer.allocate(SMALL_BYTES);
  private final ReadPlan plan = new ReadPlan();

  // Of the one that has the turn to read.

  private @Nullable PooledMemory window;
  private boolean mayHaveMore;

  /** Whether the last read brought as much as it could, so that the next one need not wait. */
  private boolean isAhead;

  /** What the connection has not taken. */
  private @Nullable ByteBuffer left;

  /** Whether it is left by somebody else, and the reading thread has not tried yet. */
  private boolean isHandedOver;

  private boolean ended;

  /** What went wrong on a caller's thread. */
  private @Nullable Throwable failure;

  Reading(StreamLink link, StreamSocket socket, WireEnd wire, MemoryPool pool, Wakeup wakeup) {
    this.link = link;
    this.socket = socket;
    this.wire = wire;
    this.pool = pool;
    this.wakeup = wakeup;
  }

  @Override
  public void run() {
    try {
      read();
    } catch (IOException e) {
      NoRoomException noWriter = link.writerFailure();
      wire.failed(noWriter == null ? e : noWriter);
    } catch (Throwable e) { // A pool's OutOfMemoryError, or a bug: nobody else would see it.
      link.fail(wire, e);
    } finally {
      dispose();
      link.readingOver();
    }
  }

  /** The last thing, with the turn to read; also if the thread never ran. */
  void dispose() {
    releaseWindow();
    link.threadEnds();
    wire.disposed(WireEnd.Direction.INPUT);
  }

  private void read() throws IOException {
    while (!link.isClosed()) {
      rethrow();
      ByteBuffer kept = left;
      if (kept != null) {
        if (isHandedOver) {
          // This thread may have been woken for it before it had the turn.
          isHandedOver = false;
        } else {
          wakeup.await();
        }
        left = null;
        take(kept, false);
      } else if (ended) {
        inputEnded();
        return;
      } else if (readOnce() == Brought.BYTES && !mayHaveMore) {
        link.lend();
      }
    }
  }

  private void rethrow() throws IOException {
    Throwable thrown = failure;
    if (thrown instanceof IOException failed) {
      throw failed;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown != null) {
      throw new IllegalStateException("reading failed on a caller's thread", thrown);
    }
  }

  /** Whether it is likely that there is something to read without a wait. */
  boolean isAhead() {
    return isAhead;
  }

  /**
   * One read where nothing blocks; never throws. Nothing is read behind what the connection has not
   * taken yet: it lies where the next read would put its bytes.
   */
  Brought readNow() {
    if (left != null || ended || failure != null) {
      return Brought.TROUBLE;
    }
    try {
      Brought brought = readOnce();
      isHandedOver = left != null;
      return brought;
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      return Brought.TROUBLE;
    }
  }

  private Brought readOnce() throws IOException {
    wire.plan(plan);
    ByteBuffer space = plan.space();
    int most;
    int count;
    if (space == null) {
      boolean much = !plan.isOfStranger() && (mayHaveMore || plan.isInsideArray());
      ByteBuffer into = much ? window() : small();
      most = Math.min(into.capacity(), plan.limit());
      count = read(into, most);
      mayHaveMore = count == into.capacity();
      if (count > 0) {
        take(into.flip(), true);
      }
    } else {
      // A view into an array; see ArrayMemoryPool.
      most = Math.min(space.remaining(), WINDOW_BYTES);
      count = read(space, most);
      mayHaveMore = false;
      if (count > 0) {
        wire.filled(space, count);
      }
    }
    isAhead = count == most;
    ended = count < 0;
    if (ended || left != null) {
      return Brought.TROUBLE;
    }
    return count == 0 ? Brought.NOTHING : Brought.BYTES;
  }

  private void take(ByteBuffer bytes, boolean fresh) {
    boolean first = fresh;
    while (!link.isClosed()) {
      Intake intake = wire.input(bytes, first);
      first = false;
      if (intake == Intake.PAUSED) {
        left = bytes;
      }
      if (intake != Intake.HELD) {
        return;
      }
    }
  }

  private void inputEnded() {
    while (!link.isClosed() && !wire.inputEnded()) {
      wakeup.await();
    }
  }

  /** One read operation, from the buffer's position on. */
  private int read(ByteBuffer into, int most) throws IOException {
    int limit = into.limit();
    into.limit(into.position() + most);
    try {
      return socket.read(into);
    } finally {
      into.limit(limit);
    }
  }

  private ByteBuffer small() {
    releaseWindow();
    return small.clear();
  }

  private ByteBuffer window() {
    if (window == null) {
      window = pool.acquire(WINDOW_BYTES, MemoryKind.HEAP);
    }
    return window.buffer().clear();
  }

  private void releaseWindow() {
    if (window != null) {
      window.release();
      window = null;
    }
  }
}
