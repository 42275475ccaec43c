package io.arraywire.chaos.delivery;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that deliveries keep their promises. A send reported ok was delivered exactly once, a
 * failed one never, an unknown one at most once. Within each stream arrays come in order, with the
 * elements that were sent. Nothing comes that nobody sent. A send has one outcome; one without any
 * counts as unknown.
 *
 * <p>It is itself a {@link DeliveryLog}, to be written to by senders and receivers of this process;
 * {@link #add} takes the logs of others. Events of different logs may come in any order, with two
 * exceptions. The logs of receivers that shared a stream one after the other come in that order,
 * and a send's outcome comes after its invocation. A million sends take some 70 MiB. Any thread may
 * call any method.
 *
 * <pre>{@code
 * DeliveryChecker checker = DeliveryChecker.create();
 * checker.add(senderLog);
 * checker.add(receiverLog);
 * checker.verdict().assertHolds();
 * }</pre>
 */
public final class DeliveryChecker implements DeliveryLog {
  /** The most violations of each kind that a verdict lists. */
  public static final int LISTED = 20;

  private static final byte INVOKED = 1;
  private static final byte OK = 2;
  private static final byte UNKNOWN = 4;
  private static final byte FAILED = 8;
  private static final byte OUTCOME = OK | UNKNOWN | FAILED;
  private static final byte DELIVERED = 16;
  private static final byte AGAIN = 32;
  private static final byte AGAIN_DIFFERENT = 64;

  // All guarded by this.
  private final Map<DeliveryStream, Integer> numbers = new HashMap<>();
  private final List<StreamState> streams = new ArrayList<>();
  private final SendTable sends = new SendTable();
  private final Violations violations = new Violations(LISTED);
  private long delivered;

  /** A stream, and the highest sequence that was delivered of it. */
  private static final class StreamState {
    final DeliveryStream stream;
    boolean anyDelivered;
    long highest;

    StreamState(DeliveryStream stream) {
      this.stream = stream;
    }
  }

  private DeliveryChecker() {}

  /**
   * A checker that knows of nothing yet.
   *
   * @return the checker
   */
  public static DeliveryChecker create() {
    return new DeliveryChecker();
  }

  /**
   * Takes the events of a log file.
   *
   * @param file written by a {@link FileDeliveryLog}
   * @return how many there were
   * @throws IOException if it cannot be read, or is damaged otherwise than by ending too soon
   */
  public long add(Path file) throws IOException {
    return FileDeliveryLog.replay(file, this);
  }

  @Override
  public synchronized void record(
      DeliveryEvent event, DeliveryStream stream, long sequence, long hash) {
    int number = number(stream);
    int row = sends.row(number, sequence);
    switch (event) {
      case INVOKE -> invoked(row, stream, sequence, hash);
      case OK -> outcome(row, OK, stream, sequence);
      case UNKNOWN -> outcome(row, UNKNOWN, stream, sequence);
      case FAILED -> outcome(row, FAILED, stream, sequence);
      case DELIVERED -> delivered(row, streams.get(number), sequence, hash);
    }
  }

  private int number(DeliveryStream stream) {
    Integer known = numbers.get(stream);
    if (known != null) {
      return known;
    }
    int number = streams.size();
    numbers.put(stream, number);
    streams.add(new StreamState(stream));
    return number;
  }

  private void invoked(int row, DeliveryStream stream, long sequence, long hash) {
    if (sends.has(row, INVOKED)) {
      violations.add(ViolationKind.INVOKED_TWICE, stream, sequence, "");
      return;
    }
    sends.set(row, INVOKED);
    sends.sentHash(row, hash);
  }

  private void outcome(int row, byte outcome, DeliveryStream stream, long sequence) {
    if (!sends.has(row, INVOKED)) {
      violations.add(
          ViolationKind.OUTCOME_WITHOUT_INVOKE, stream, sequence, "outcome=" + name(outcome));
    } else if (sends.has(row, OUTCOME)) {
      violations.add(
          ViolationKind.TWO_OUTCOMES,
          stream,
          sequence,
          "first=" + outcomeOf(row) + ", second=" + name(outcome));
    } else {
      sends.set(row, outcome);
    }
  }

  private void delivered(int row, StreamState state, long sequence, long hash) {
    delivered++;
    if (sends.has(row, DELIVERED)) {
      // Judged once for all: a second one is wrong, and not also late.
      sends.set(row, AGAIN);
      if (hash != sends.deliveredHash(row)) {
        sends.set(row, AGAIN_DIFFERENT);
      }
      return;
    }
    sends.set(row, DELIVERED);
    sends.deliveredHash(row, hash);
    if (state.anyDelivered && sequence < state.highest) {
      violations.add(ViolationKind.OUT_OF_ORDER, state.stream, sequence, "after=" + state.highest);
    } else {
      state.anyDelivered = true;
      state.highest = sequence;
    }
  }

  /**
   * Judges what is known so far. Ask when senders and receivers have ended: a send that was
   * reported ok and whose delivery has not been logged yet looks lost.
   *
   * @return the verdict
   */
  public synchronized DeliveryVerdict verdict() {
    Violations found = violations.copy();
    long invoked = 0;
    long ok = 0;
    long unknown = 0;
    long failed = 0;
    for (int row = 0; row < sends.rows(); row++) {
      judge(row, found);
      invoked += sends.has(row, INVOKED) ? 1 : 0;
      ok += sends.has(row, OK) ? 1 : 0;
      unknown += sends.has(row, UNKNOWN) ? 1 : 0;
      failed += sends.has(row, FAILED) ? 1 : 0;
    }
    return found.verdict(
        new DeliveryTotals(
            invoked, ok, unknown, failed, invoked - ok - unknown - failed, delivered));
  }

  private void judge(int row, Violations found) {
    DeliveryStream stream = streams.get(sends.stream(row)).stream;
    long sequence = sends.sequence(row);
    if (sends.has(row, OK) && !sends.has(row, DELIVERED)) {
      found.add(ViolationKind.LOST, stream, sequence, "");
    }
    if (!sends.has(row, DELIVERED)) {
      return;
    }
    if (!sends.has(row, INVOKED)) {
      found.add(ViolationKind.PHANTOM, stream, sequence, "hash=" + hex(sends.deliveredHash(row)));
    } else if (sends.has(row, AGAIN_DIFFERENT) || sends.sentHash(row) != sends.deliveredHash(row)) {
      found.add(
          ViolationKind.HASH_DIFFERS,
          stream,
          sequence,
          "sent="
              + hex(sends.sentHash(row))
              + ", delivered="
              + hex(sends.deliveredHash(row))
              + (sends.has(row, AGAIN_DIFFERENT) ? ", and differently again" : ""));
    }
    if (sends.has(row, FAILED)) {
      found.add(ViolationKind.DELIVERED_THOUGH_FAILED, stream, sequence, "");
    }
    if (sends.has(row, AGAIN)) {
      found.add(ViolationKind.DUPLICATED, stream, sequence, "outcome=" + outcomeOf(row));
    }
  }

  private String outcomeOf(int row) {
    if (sends.has(row, OK)) {
      return name(OK);
    }
    return sends.has(row, FAILED) ? name(FAILED) : sends.has(row, UNKNOWN) ? name(UNKNOWN) : "none";
  }

  private static String name(byte outcome) {
    return switch (outcome) {
      case OK -> "ok";
      case FAILED -> "failed";
      default -> "unknown";
    };
  }

  private static String hex(long hash) {
    return Long.toHexString(hash);
  }

  @Override
  public String toString() {
    return verdict().toString();
  }
}
