package io.arraywire.stream;

import io.arraywire.engine.Output;
import io.arraywire.engine.WireEnd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * How a connection's output gets into its socket, and what its writing thread does. The one that
 * has the {@linkplain Turns turn} to write writes: the writing thread, or a caller while the socket
 * is lent. What a caller cannot do, the thread does: all that blocks, and the end.
 *
 * <p>Of a write of up to 128 KiB the JDK (17 and 25, seen with strace) makes one system call. Of a
 * larger one it makes several, of which a receipt would not know. So nothing larger is written.
 * That holds for platform threads, which the kernel keeps until it has taken everything. A virtual
 * thread's socket takes what it has room for.
 */
final class Writing implements Runnable {
  private static final int MOST_BYTES = 128 << 10;

  /**
   * A write that takes so long has waited for room; the copy of 128 KiB takes a tenth of it. One
   * whose thread was interrupted looks the same; ADR 49 says why that does no harm.
   */
  private static final long LEAST_WAIT_NANOS = 500_000;

  /** So many writes a caller makes at least, if there is so much to write. */
  private static final int CALLERS_WRITES = 16;

  /** The longest time that a caller writes at once; what is its own may wait behind others'. */
  private static final long CALLERS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** How long a thread sleeps that waits for a caller to end its turn. */
  private static final long TURN_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /** How a portion ended. */
  private enum Portion {
    /** There was nothing, or nothing is left. */
    ALL,
    /** The socket has no room. */
    FULL,
    /** There may be more. */
    MORE,
    /** Everything is written, the last frame included. */
    END
  }

  private final StreamLink link;
  private final StreamSocket socket;
  private final WireEnd wire;
  private final Turns turns;
  private final Wakeup wakeup;

  /** Of the one that has the turn to write: what went wrong on a caller's thread. */
  private @Nullable Throwable failure;

  /** The writing thread's: whether it keeps the turn. */
  private boolean keepsTurn;

  Writing(StreamLink link, StreamSocket socket, WireEnd wire, Turns turns, Wakeup wakeup) {
    this.link = link;
    this.socket = socket;
    this.wire = wire;
    this.turns = turns;
    this.wakeup = wakeup;
  }

  @Override
  public void run() {
    try {
      write();
    } catch (IOException e) {
      wire.failed(e);
    } catch (Throwable e) { // A bug: nobody else would see it.
      link.fail(wire, e);
    } finally {
      dispose();
    }
  }

  /** The last thing; also if the thread never ran. */
  void dispose() {
    while (!keepsTurn && !turns.beginWrite()) {
      // A caller's turn ends soon: nothing in it waits for the network.
      LockSupport.parkNanos(this, TURN_NANOS);
    }
    turns.endLastWrite();
    link.threadEnds();
    wire.disposed(WireEnd.Direction.OUTPUT);
  }

  private void write() throws IOException {
    while (!link.isClosed()) {
      if (turns.beginWrite()) {
        keepsTurn = true;
        rethrow();
        Portion end = writeAll();
        if (end == Portion.END) {
          socket.endOutput();
          return;
        }
        if (end == Portion.MORE) {
          // The link is closed.
          return;
        }
        keepsTurn = false;
        if (end == Portion.FULL) {
          if (turns.endFullWrite()) {
            link.wakeReader();
          } else {
            link.leavesFull();
          }
        }
      }
      // Else the one that has the turn writes what this thread was woken for, or wakes it again.
      wakeup.await();
    }
  }

  private void rethrow() throws IOException {
    Throwable thrown = failure;
    if (thrown instanceof IOException failed) {
      throw failed;
    }
    if (thrown != null) {
      throw new IllegalStateException("writing failed on a caller's thread", thrown);
    }
  }

  /** Writes until nothing is left. ALL means that the turn has ended. */
  private Portion writeAll() throws IOException {
    do {
      turns.looks();
      Portion portion;
      do {
        if (link.isClosed()) {
          return Portion.MORE;
        }
        portion = writeOnce();
      } while (portion == Portion.MORE);
      if (portion != Portion.ALL) {
        return portion;
      }
    } while (!turns.endWrite());
    return Portion.ALL;
  }

  /**
   * Writes on the thread of a caller, which has the turn, and ends the turn. Nothing blocks. If the
   * socket is full and nobody reads, the caller has to see to it that somebody watches for room.
   *
   * @param result what the caller waits for, if it does: once it is there, others write the rest
   */
  void writeByCaller(@Nullable Future<?> result) {
    try {
      if (failure == null && writesAll(result)) {
        return;
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
    turns.leaveWrite();
    link.wakeWritingThread();
  }

  /** Returns whether the turn is ended; else the thread has to go on. */
  private boolean writesAll(@Nullable Future<?> result) throws IOException {
    long began = 0;
    int writes = 0;
    do {
      turns.looks();
      for (Portion portion = Portion.MORE; portion != Portion.ALL; writes++) {
        if (link.isClosed()) {
          return false;
        }
        if (writes == CALLERS_WRITES) {
          began = System.nanoTime();
        } else if (writes > CALLERS_WRITES
            && (result == null || result.isDone() || System.nanoTime() - began > CALLERS_NANOS)) {
          return false;
        }
        portion = writeOnce();
        if (portion == Portion.FULL) {
          if (turns.endFullWrite()) {
            link.wakeReader();
          }
          return true;
        }
        if (portion == Portion.END) {
          return false;
        }
      }
    } while (!turns.endWrite());
    return true;
  }

  /** One write operation. */
  private Portion writeOnce() throws IOException {
    Output next = wire.output();
    if (Output.isEnd(next)) {
      return Portion.END;
    }
    if (next == null) {
      return Portion.ALL;
    }
    ByteBuffer from = next.buffers()[next.first()];
    int limit = from.limit();
    int wanted = Math.min(from.remaining(), MOST_BYTES);
    boolean blocks = !turns.isLent();
    long began = blocks ? System.nanoTime() : 0;
    int count;
    from.limit(from.position() + wanted);
    try {
      count = socket.write(from);
    } finally {
      from.limit(limit);
    }
    if (!blocks && count < wanted) {
      next.full(0);
    } else if (blocks) {
      long took = System.nanoTime() - began;
      if (took >= LEAST_WAIT_NANOS) {
        next.full(took);
      }
    }
    boolean all = count > 0 && wire.wrote(count);
    if (!blocks && count < wanted) {
      return Portion.FULL;
    }
    return all ? Portion.ALL : Portion.MORE;
  }
}
