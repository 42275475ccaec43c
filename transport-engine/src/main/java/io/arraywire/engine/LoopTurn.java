package io.arraywire.engine;

import io.arraywire.spi.MessageText;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs users' code that does not block on the thread that reads: handlers of {@link
 * io.arraywire.Handlers#onLoop()}, and what depends on stages with {@link
 * io.arraywire.TransportOptions#stagesOnLoop()}. It runs when the bytes of a read are taken,
 * without a lock, and before the thread writes. Each thread has its own, for itself alone.
 */
final class LoopTurn {
  /** Code that holds up its thread for longer is logged. */
  static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final ThreadLocal<@Nullable LoopTurn> OF_THREAD = new ThreadLocal<>();

  /** Whether any thread has one: the others need not look. */
  private static volatile boolean used;

  private final Queue<Runnable> due = new ArrayDeque<>();

  /** How many reads this thread is in: one inside another where a channel is within the process. */
  private int reads;

  private boolean runs;

  private LoopTurn() {}

  /** The calling thread begins to take what was read; {@link #end} must follow. */
  static LoopTurn begin() {
    LoopTurn turn = OF_THREAD.get();
    if (turn == null) {
      turn = new LoopTurn();
      OF_THREAD.set(turn);
      used = true;
    }
    turn.reads++;
    return turn;
  }

  /** It has taken that, and runs what is due. */
  static void end(@Nullable LoopTurn turn) {
    if (turn != null) {
      turn.reads--;
      if (turn.reads == 0 && !turn.runs) {
        turn.run();
      }
    }
  }

  /** Has code run at the end of the turn; returns false where the calling thread has none. */
  static boolean runs(Runnable code) {
    LoopTurn turn = used ? OF_THREAD.get() : null;
    if (turn == null || (turn.reads == 0 && !turn.runs)) {
      return false;
    }
    turn.due.add(code);
    return true;
  }

  /**
   * Fails a call that waits, if what was to end the wait could only come over the calling thread.
   *
   * @param call the name of the method
   * @throws IllegalStateException if the thread runs code that said that it does not block
   */
  static void checkMayWait(String call) {
    if (isRunning()) {
      throw new IllegalStateException(
          MessageText.brief(
              "a handler or stage on the event loop must not wait; use sendAsync, offer or request,"
                  + " or leave out onLoop or stagesOnLoop",
              "call",
              call));
    }
  }

  /** Whether the calling thread runs code that said that it does not block. */
  static boolean isRunning() {
    LoopTurn turn = used ? OF_THREAD.get() : null;
    return turn != null && turn.runs;
  }

  private static void held(Runnable code, long nanos) {
    Log.loopHeld(code, nanos);
    FlightRecorder.loopHeld(code, nanos);
  }

  private void run() {
    runs = true;
    try {
      for (Runnable next = due.poll(); next != null; next = due.poll()) {
        long began = System.nanoTime();
        next.run();
        long took = System.nanoTime() - began;
        if (took > LONG_NANOS) {
          held(next, took);
        }
      }
    } finally {
      runs = false;
    }
  }
}
