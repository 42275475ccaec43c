package io.arraywire.stream;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who may read a connection's socket and who may write it, in one word. There is one turn to read
 * and one to write. The reading thread has the first at the beginning; the writing thread takes the
 * second for each portion that it writes. While the socket is <i>lent</i>, it does not block, and
 * callers that wait take turns, too.
 *
 * <p>A turn passes what its owner wrote to the next owner. No wish is lost: one change of the word
 * sets it, and one change gives up a turn. So either the thread that gives up a turn sees the wish,
 * or the thread that has the wish sees a free turn.
 */
final class Turns {
  /** Somebody has the turn to write. */
  private static final int WRITES = 1;

  /** Output was asked for since the one that writes last looked for it. */
  private static final int ASKED = 1 << 1;

  /** Somebody has the turn to read. */
  private static final int READS = 1 << 2;

  /** Callers may take turns. */
  private static final int LENT = 1 << 3;

  /** Output is left for which the socket had no room. */
  private static final int FULL = 1 << 4;

  /** A caller sleeps that needs the reading thread. */
  private static final int SLEEPS = 1 << 5;

  /** The last turn to write is over, and nobody gets another one. */
  private static final int OVER = 1 << 6;

  private static final int REFUSED = -1;

  private final AtomicInteger word = new AtomicInteger(READS);

  /** Changes the word if it has some bits and not others; returns what it was, or REFUSED. */
  private int change(int with, int without, int set, int clear) {
    while (true) {
      int before = word.get();
      if ((before & with) != with || (before & without) != 0) {
        return REFUSED;
      }
      int after = (before & ~clear) | set;
      if (after == before || word.compareAndSet(before, after)) {
        return before;
      }
    }
  }

  private static boolean has(int state, int bits) {
    return (state & bits) != 0;
  }

  // Looks.

  /** Whether callers may take turns. */
  boolean isLent() {
    return has(word.get(), LENT);
  }

  /** Whether output is asked for that nobody has looked for yet. */
  boolean isAsked() {
    return has(word.get(), ASKED);
  }

  /** Whether output is left for which there was no room. */
  boolean isFull() {
    return has(word.get(), FULL);
  }

  /** Whether something needs the reading thread, and nobody else reads. */
  boolean needsThread() {
    int state = word.get();
    return has(state, FULL | SLEEPS) && !has(state, READS);
  }

  // Writing.

  /** Asks for output. Returns whether nobody writes, so that a thread has to be found that does. */
  boolean ask() {
    return !has(change(0, 0, ASKED, 0), WRITES);
  }

  /**
   * Asks for output that may wait until the next turn. Returns whether no turn will come by itself,
   * so that a thread has to be found.
   */
  boolean askSoon() {
    return !has(change(0, 0, ASKED, 0), WRITES | LENT);
  }

  /** Takes the turn to write, if nobody has it. */
  boolean beginWrite() {
    return change(0, WRITES, WRITES, 0) != REFUSED;
  }

  /** The same for a caller, or the one that reads while the socket is lent. */
  boolean beginLentWrite() {
    return change(LENT, WRITES, WRITES, 0) != REFUSED;
  }

  /** The one that writes is about to look for all output that was asked for until now. */
  void looks() {
    int unused = change(0, 0, 0, ASKED);
  }

  /** Ends the turn when all is written; returns false if more was asked for, and keeps it. */
  boolean endWrite() {
    return change(0, ASKED, 0, WRITES | FULL) != REFUSED;
  }

  /**
   * Ends the turn because the socket is full. Returns whether somebody has the turn to read, and so
   * watches for room.
   */
  boolean endFullWrite() {
    return has(change(0, 0, FULL, WRITES), READS);
  }

  /** Ends the turn whatever there is to write: the writing thread has to be woken for it. */
  void leaveWrite() {
    int unused = change(0, 0, 0, WRITES);
  }

  /** Ends the last turn: nobody writes any more. */
  void endLastWrite() {
    int unused = change(WRITES, 0, OVER, ASKED | FULL);
  }

  /** Whether the last turn to write is over. */
  boolean isWriteOver() {
    return has(word.get(), OVER);
  }

  /**
   * Nobody of those that wrote watches for room. Returns whether nobody else does, so that the
   * reading thread has to be woken.
   */
  boolean leavesFull() {
    return change(LENT | FULL, READS, SLEEPS, 0) != REFUSED;
  }

  // Reading.

  /** Takes the turn to read, if nobody has it and the socket is lent. */
  boolean beginRead() {
    return change(LENT, READS, READS, 0) != REFUSED;
  }

  /** Takes the turn to read for good, lent or not; the last one. */
  boolean beginLastRead() {
    return change(0, READS, READS, 0) != REFUSED;
  }

  /**
   * A caller is about to sleep because somebody else has the turn to read. Returns false if nobody
   * has it any more while the socket is lent: the caller may have it.
   */
  boolean sleeps() {
    return change(LENT | READS, 0, SLEEPS, 0) != REFUSED || !isLent();
  }

  /**
   * A caller is about to sleep that may not read. Returns whether nobody reads, so that the reading
   * thread has to be woken.
   */
  boolean sleepsAtOnce() {
    int before = change(LENT, 0, SLEEPS, 0);
    return before != REFUSED && !has(before, READS);
  }

  /**
   * A caller ends its turn to read. Returns whether the reading thread has to be woken: for this
   * caller, for another one that sleeps, or because there is no room for output.
   *
   * @param needsThread whether this one needs it
   */
  boolean endRead(boolean needsThread) {
    int before = change(0, 0, needsThread ? SLEEPS : 0, READS);
    return needsThread || has(before, FULL | SLEEPS);
  }

  /** The reading thread ends its turn while the socket is lent, unless it is needed. */
  boolean endReadUnlessNeeded() {
    return change(0, FULL | SLEEPS, 0, READS) != REFUSED;
  }

  // The reading thread, with both turns, or where the last turn to write is over.

  /** Lends the socket and ends both turns; returns whether output was asked for. */
  boolean lend() {
    return has(change(READS | WRITES, 0, LENT, READS | WRITES | FULL | SLEEPS), ASKED);
  }

  /**
   * Takes the socket back and ends the turn to write; returns whether there is something to write.
   */
  boolean takeBack() {
    int turn = isWriteOver() ? 0 : WRITES;
    return has(change(READS | WRITES, 0, 0, turn | LENT | FULL | SLEEPS), ASKED | FULL)
        && turn != 0;
  }
}
