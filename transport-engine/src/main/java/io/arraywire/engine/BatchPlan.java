package io.arraywire.engine;

import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import java.util.ArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a batch, in order, and how much room is left for more. Decided on under the
 * connection's lock by the writing thread, which alone reads it afterwards.
 *
 * <p>Small frames are planned together. What is large is planned in rounds, each of which is made
 * before the next one. So an array that is handed in meanwhile need not wait for the whole batch.
 */
final class BatchPlan {
  private static final int MOST_FRAMES = 256;

  /**
   * Frames whose payload lies in a buffer of its own, beside the one of their headers. Together
   * they are far below the 1,024 buffers that one gathering write takes.
   */
  static final int MOST_LARGE_FRAMES = 64;

  /** What follows its header in the same buffer: one buffer costs less than two. */
  static final int SMALL_FRAME_BYTES = 4 << 10;

  /** Where a round ends. */
  private static final int ROUND_BYTES = 16 << 10;

  private final ArrayList<PlannedFrame> frames = new ArrayList<>(0);
  private int count;
  private int largeFrames;
  private int left;
  private boolean closed;

  /** Whether an array broke off while the round was made; see {@link BrokenSources}. */
  boolean brokeOff;

  /** The first frame of the round, and what was left of the room then. */
  private int round;

  private int leftThen;

  /** The thread that makes the round, once it is planned. Guarded by the lock. */
  private @Nullable Thread maker;

  /** Whether a thread waits until the round is made. */
  private volatile boolean awaited;

  /** Signalled when it is, once a thread has waited for that. Guarded by the lock. */
  private @Nullable Condition made;

  /** Begins anew, for a batch of that many bytes. */
  void begin(int bytes) {
    clear();
    left = bytes;
    leftThen = bytes;
  }

  /** Begins a further round. */
  void beginRound() {
    round = count;
    leftThen = left;
  }

  /** The first frame of the round. */
  int round() {
    return round;
  }

  /** Whether the round is large enough. */
  boolean isRoundOver() {
    return leftThen - left >= ROUND_BYTES;
  }

  /** Forgets all frames. */
  void clear() {
    for (int i = 0; i < count; i++) {
      frames.get(i).clear();
    }
    count = 0;
    largeFrames = 0;
    left = 0;
    closed = false;
    brokeOff = false;
    round = 0;
    leftThen = 0;
    awaited = false;
    made = null;
  }

  int size() {
    return count;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Whether a part of an array is in it. */
  boolean hasArrays() {
    for (int i = 0; i < count; i++) {
      if (frames.get(i).array != null) {
        return true;
      }
    }
    return false;
  }

  PlannedFrame get(int index) {
    return frames.get(index);
  }

  /** Nothing may follow. */
  void close() {
    closed = true;
  }

  boolean isFull() {
    return closed || count >= MOST_FRAMES || largeFrames >= MOST_LARGE_FRAMES || room() < 0;
  }

  /** Bytes that may follow the header of a further frame; negative if not even that fits. */
  int room() {
    return left - FrameLayout.HEADER_BYTES;
  }

  /** Plans a frame that is made already; returns whether there is room for it. */
  boolean addBytes(byte[] bytes) {
    if (bytes.length > left) {
      return false;
    }
    add().bytes = bytes;
    left -= bytes.length;
    return true;
  }

  /** Plans a frame with so many bytes behind its header; {@link #room()} has them. */
  PlannedFrame add(FrameType type, int channel, long stagedBytes) {
    PlannedFrame next = add();
    next.type = type;
    next.channel = channel;
    left -= FrameLayout.HEADER_BYTES + (int) stagedBytes;
    if (stagedBytes > SMALL_FRAME_BYTES) {
      largeFrames++;
    }
    return next;
  }

  private PlannedFrame add() {
    if (count == frames.size()) {
      frames.add(new PlannedFrame());
    }
    return frames.get(count++);
  }

  // Callers that wait until the planned frames are made.

  /** The calling thread is about to make the round; returns false if there is nothing in it. */
  boolean beginsMaking() {
    maker = Thread.currentThread();
    return round < count;
  }

  /** Whether a part of an array is about to be made. Under the lock, while the round is made. */
  @SuppressWarnings("ReferenceEquality") // It is the very array that is meant.
  boolean isMaking(OutboundArray array) {
    if (Thread.currentThread().equals(maker)) {
      // A codec that calls back withdraws what it is about to encode, and has to put up with that.
      return false;
    }
    for (int i = round; i < count; i++) {
      if (frames.get(i).array == array) {
        return true;
      }
    }
    return false;
  }

  /** Waits until something is made. Under the lock, which it lets go. */
  void awaitMade(ReentrantLock lock, EngineRuntime runtime, BooleanSupplier isMade) {
    Condition told = made;
    if (told == null) {
      told = runtime.condition(lock);
      made = told;
    }
    awaited = true;
    // Asked behind that, or the writing thread may not have seen it.
    while (!isMade.getAsBoolean()) {
      told.awaitUninterruptibly();
      awaited = true;
    }
  }

  /** Tells waiting threads that the round is made. */
  void tellMade(ReentrantLock lock) {
    if (awaited) {
      lock.lock();
      try {
        awaited = false;
        if (made != null) {
          made.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }
    for (int i = round; i < count; i++) {
      PlannedFrame frame = frames.get(i);
      OutboundArray array = frame.array;
      if (array != null) {
        array.made(frame);
      }
    }
  }
}
