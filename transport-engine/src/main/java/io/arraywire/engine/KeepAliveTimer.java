package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks after the connections of one transport at regular times, some of them in one go. A timer
 * for each would be more than all else that an idle connection needs. One for all would have
 * thousands of them speak at the same moment. Any thread.
 */
final class KeepAliveTimer {
  /** What is looked after. Called with no lock held. */
  interface Member {
    /** Called once per period, and perhaps once more after the end. */
    void look();

    /** A look threw. */
    void transportFailed(Throwable thrown);
  }

  /** So many are looked after in a moment. */
  private static final int MOST_TOGETHER = 128;

  private final Deadlines deadlines;

  /** Those with at least one connection; what they have is guarded by this, too. */
  @GuardedBy("this")
  private final List<Round> rounds = new ArrayList<>();

  KeepAliveTimer(Deadlines deadlines) {
    this.deadlines = deadlines;
  }

  /**
   * Has a connection looked after, once per period, until it leaves.
   *
   * <p>With a lock of the connection's held, perhaps; its looks are called with none.
   */
  synchronized Round join(Member connection, Duration period) {
    for (int i = rounds.size() - 1; i >= 0; i--) {
      Round round = rounds.get(i);
      if (round.members.size() < MOST_TOGETHER && round.period.equals(period)) {
        round.members.add(connection);
        return round;
      }
    }
    Round round = new Round(period);
    round.members.add(connection);
    rounds.add(round);
    round.next = deadlines.after(period, round::look);
    return round;
  }

  /** Connections that are looked after together. */
  final class Round {
    private final Duration period;
    private final List<Member> members = new ArrayList<>(1);
    private @Nullable Runnable next;

    Round(Duration period) {
      this.period = period;
    }

    /** Whether it was made for the connection that has just joined. */
    boolean isNew() {
      synchronized (KeepAliveTimer.this) {
        return members.size() == 1;
      }
    }

    /** Idempotent. */
    void leave(Member connection) {
      synchronized (KeepAliveTimer.this) {
        if (members.remove(connection) && members.isEmpty()) {
          rounds.remove(this);
          if (next != null) {
            next.run();
          }
        }
      }
    }

    private void look() {
      List<Member> all;
      synchronized (KeepAliveTimer.this) {
        all = List.copyOf(members);
      }
      for (Member each : all) {
        try {
          each.look();
        } catch (RuntimeException | Error e) {
          // The others are to be looked after all the same.
          each.transportFailed(e);
        }
      }
      synchronized (KeepAliveTimer.this) {
        if (!members.isEmpty()) {
          next = deadlines.after(period, this::look);
        }
      }
    }
  }
}
