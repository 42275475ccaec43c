package io.arraywire.testkit.simulation;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** How often each {@link Occurrence} happened, and each failure that some user was told of. */
final class Occurrences {
  /** The failures that 10,000 seeds must report to users. All others are refusals of bad input. */
  private static final Set<ErrorCode> FAILURES =
      Set.of(
          ErrorCode.AUTHENTICATION_FAILED,
          ErrorCode.HANDSHAKE_TIMEOUT,
          ErrorCode.RESUME_REJECTED,
          ErrorCode.TLS_MISMATCH,
          ErrorCode.TLS_FAILED,
          ErrorCode.CONNECT_FAILED,
          ErrorCode.CONNECTION_CLOSED,
          ErrorCode.CONNECTION_RESET,
          ErrorCode.CLOSE_TIMEOUT,
          ErrorCode.HEARTBEAT_TIMEOUT,
          ErrorCode.SLOW_PEER,
          ErrorCode.SEND_TIMEOUT,
          ErrorCode.SEND_QUEUE_FULL,
          ErrorCode.IDLE_TIMEOUT,
          ErrorCode.ARRAY_TOO_LARGE,
          ErrorCode.REJECTED,
          ErrorCode.DELIVERY_UNKNOWN,
          ErrorCode.REQUEST_TIMEOUT,
          ErrorCode.REQUEST_FAILED,
          ErrorCode.TOO_MANY_REQUESTS,
          ErrorCode.SESSION_EXPIRED,
          ErrorCode.SLOW_SUBSCRIBER,
          ErrorCode.TOO_MANY_SUBSCRIPTIONS,
          ErrorCode.MEMORY_BUDGET,
          ErrorCode.NOT_PERMITTED,
          ErrorCode.TOO_MANY_CONNECTIONS);

  private final long[] all = new long[Occurrence.values().length];
  private final long[] failures = new long[ErrorCode.values().length];

  void add(Occurrence what) {
    add(what, 1);
  }

  void add(Occurrence what, long times) {
    all[what.ordinal()] += times;
  }

  void add(ArraywireException failure) {
    failures[failure.code().ordinal()]++;
  }

  void addAll(Occurrences more) {
    for (int i = 0; i < all.length; i++) {
      all[i] += more.all[i];
    }
    for (int i = 0; i < failures.length; i++) {
      failures[i] += more.failures[i];
    }
  }

  long of(Occurrence what) {
    return all[what.ordinal()];
  }

  /** What never happened, though it should within 10,000 seeds. */
  List<String> missing() {
    List<String> missing = new ArrayList<>();
    for (Occurrence each : Occurrence.values()) {
      if (of(each) == 0) {
        missing.add(each.toString());
      }
    }
    for (ErrorCode each : ErrorCode.values()) {
      if (FAILURES.contains(each) && failures[each.ordinal()] == 0) {
        missing.add("failure " + each);
      }
    }
    return missing;
  }

  /** One a line, with its number. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Occurrence each : Occurrence.values()) {
      text.append(String.format("  %,14d %s%n", of(each), each));
    }
    for (ErrorCode each : ErrorCode.values()) {
      long times = failures[each.ordinal()];
      if (times > 0 || FAILURES.contains(each)) {
        text.append(String.format("  %,14d failure %s%n", times, each));
      }
    }
    return text.toString();
  }
}
