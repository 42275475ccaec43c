package io.arraywire.nio;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * What has work for its event loop again and again, and asks for it without making anything. It is
 * an element of the loop's list itself, at most once, with bits that say what is wanted of it.
 */
abstract class LoopWork {
  // Not an object of its own: there are many idle connections.
  private static final AtomicIntegerFieldUpdater<LoopWork> WANTED =
      AtomicIntegerFieldUpdater.newUpdater(LoopWork.class, "wanted");

  /** What is wanted and not yet begun; this is in a list, or about to be, if it is not 0. */
  private volatile int wanted;

  /** Whether something is to be done late; the driver's. */
  private byte late;

  /**
   * What is behind this in the loop's list. Written by the thread that made {@link #wanted} more
   * than 0, and, when the list was taken, by the thread that took it.
   */
  @Nullable LoopWork next;

  /** Notes what is wanted; returns whether the caller has to put this into a list. */
  final boolean want(int what) {
    for (int before = wanted; (before & what) != what; before = wanted) {
      if (WANTED.compareAndSet(this, before, before | what)) {
        return before == 0;
      }
    }
    return false;
  }

  /**
   * Does what is wanted, on the loop. What is wanted from now on is not seen by this run, and is
   * put into a list again. So it must be in none, and {@link #next} be null.
   */
  final void run() {
    work(WANTED.getAndSet(this, 0));
  }

  // What is done late, on the loop.

  private static final byte LISTED = 1;
  private static final byte OWED = 2;
  private static final byte AGED = 4;

  /** Notes that something is to be done late; returns whether the caller has to list this. */
  final boolean owesLate() {
    boolean listed = (late & LISTED) != 0;
    late |= LISTED | OWED;
    return !listed;
  }

  /** It was done together with something else. */
  final void wroteLate() {
    late &= LISTED;
  }

  /**
   * A while has passed; does what has waited for longer than that.
   *
   * @param now whether to do all the same what has not
   * @return whether it stays listed
   */
  final boolean passLate(boolean now) {
    if ((late & OWED) == 0) {
      late = 0;
      return false;
    }
    if (!now && (late & AGED) == 0) {
      late |= AGED;
      return true;
    }
    late = 0;
    workLate();
    return false;
  }

  /** Does what was to be done late. */
  void workLate() {}

  /** Does what is wanted; all of it, also if some of it fails. */
  abstract void work(int what);
}
