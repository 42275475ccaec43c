package io.arraywire.client;

import io.arraywire.ArrayAttributes;
import io.arraywire.ReceivedArray;
import java.time.Duration;
import java.util.Optional;

/**
 * How long the far side has for a request. A client sends it with each request, as the string
 * {@code timeout-ms} of its metadata. It counts milliseconds from when the request was handed to a
 * connection, so that no clocks are compared. A request that is made again, or waited for a
 * connection, has less left. A string of that name in the caller's metadata is replaced: it may be
 * that of an earlier request.
 *
 * <p>Independently of it a requester that no longer waits cancels the request; see {@link
 * io.arraywire.Reply#isCancelled()}. Stateless; any thread.
 */
public final class RequestDeadline {
  /** The key in the metadata. */
  public static final String KEY = "timeout-ms";

  /** More digits than a long has, with a sign, are none of ours. */
  private static final int MOST_DIGITS = 18;

  private RequestDeadline() {}

  /**
   * How long the requester waits, as it said when it sent the request.
   *
   * @param request what a request handler was given
   * @return the time from then on, at least zero; empty if the request states none, or states
   *     something that is not a number
   */
  public static Optional<Duration> of(ReceivedArray request) {
    String text = request.header().attributes().metadata().get(KEY);
    if (text == null || text.length() > MOST_DIGITS || !text.matches("[0-9]+")) {
      return Optional.empty();
    }
    return Optional.of(Duration.ofMillis(Long.parseLong(text)));
  }

  /** The attributes with what is left; as they are if they have no room. */
  static ArrayAttributes in(ArrayAttributes attributes, Duration left) {
    try {
      return attributes.with(KEY, Long.toString(left.toMillis()));
    } catch (IllegalArgumentException e) {
      // The user's own strings fill the metadata, and matter more.
      return attributes;
    }
  }
}
