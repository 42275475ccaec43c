package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Repeats what a receiver refuses for want of room, until it has room or a time limit is over: a
 * refusal that ends nothing. For one thread.
 */
final class RoomWait {
  /** How a receiver says that it has no room now and may have it later. */
  static final Set<ErrorCode> NO_ROOM =
      EnumSet.of(ErrorCode.TOO_MANY_REQUESTS, ErrorCode.MEMORY_BUDGET);

  private final Duration limit;
  private final Pauses pauses;
  private final Consumer<String> note;
  private boolean noted;

  /**
   * The time limit begins now.
   *
   * @param limit how long to repeat
   * @param note told once, in a line, what is repeated and for how long
   */
  RoomWait(Duration limit, Consumer<String> note) {
    this.limit = limit;
    this.note = note;
    pauses = new Pauses(limit);
  }

  /**
   * Waits before another attempt.
   *
   * @param shown what was refused, for the note
   * @param failure why the last attempt failed
   * @return false, at once, if another attempt has no prospect: the failure has another reason, the
   *     connection has ended, or the time is over
   * @throws InterruptedException if the caller is interrupted
   */
  boolean isWorthAnother(Connection connection, String shown, ArraywireException failure)
      throws InterruptedException {
    if (!NO_ROOM.contains(failure.code()) || !connection.isOpen()) {
      return false;
    }
    if (!noted && !limit.isZero()) {
      noted = true;
      note.accept(
          "the receiver has no room for "
              + shown
              + " now and is asked again for up to "
              + limit.toSeconds()
              + " s ("
              + Complaints.words(failure)
              + ")");
    }
    return pauses.pause();
  }
}
