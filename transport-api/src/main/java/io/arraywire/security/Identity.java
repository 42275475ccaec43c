package io.arraywire.security;

import io.arraywire.Agreement;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.TransportOptions;
import io.arraywire.spi.MessageText;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who a peer is, and what it may do over its connection: the answer of an {@link Authenticator},
 * and {@link Agreement#identity()}. Immutable; each method returns another value. Any thread.
 *
 * <p>A new identity may do what the {@link TransportOptions} of this side allow. Each permission
 * narrows that for one connection; none widens it. A subject that ends with {@code *} stands for
 * all subjects that begin with what is before it.
 */
public final class Identity {
  /** The most characters of a name, so that it fits a line of a log. */
  private static final int MOST_CHARACTERS = 200;

  private static final int LEAST_INBOX_BYTES = 4 << 10;
  private static final long LEAST_BYTES_PER_SECOND = 4 << 10;

  private final String name;

  /** Null for every subject. */
  private final @Nullable Set<String> subscribes;

  private final @Nullable Set<String> publishes;
  private final int channels;
  private final long maxArrayBytes;
  private final int maxOpenRequests;
  private final int inboxBytes;
  private final long bytesPerSecond;

  private Identity(
      String name,
      @Nullable Set<String> subscribes,
      @Nullable Set<String> publishes,
      int channels,
      long maxArrayBytes,
      int maxOpenRequests,
      int inboxBytes,
      long bytesPerSecond) {
    this.name = name;
    this.subscribes = subscribes;
    this.publishes = publishes;
    this.channels = channels;
    this.maxArrayBytes = maxArrayBytes;
    this.maxOpenRequests = maxOpenRequests;
    this.inboxBytes = inboxBytes;
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * A peer that may do all that the options allow.
   *
   * @param name who it is, for logs and events; a session can be resumed only under the name that
   *     it was opened under
   * @return the identity
   * @throws IllegalArgumentException if the name is blank, has more than 200 characters, or has
   *     characters that are not printable
   */
  public static Identity of(String name) {
    String printable = MessageText.printable(Objects.requireNonNull(name, "name"));
    if (name.isBlank() || printable.length() > MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "an identity has a name of 1 to 200 characters",
              "name",
              printable,
              "length",
              name.length(),
              "most",
              MOST_CHARACTERS));
    }
    if (!printable.equals(name)) {
      // Nor are they replaced: two names must not become one.
      throw new IllegalArgumentException(
          MessageText.brief(
              "an identity's name has printable characters only; leave out control and format"
                  + " characters, or give a hash of the name",
              "name",
              printable));
    }
    return new Identity(
        name,
        null,
        null,
        Integer.MAX_VALUE,
        Long.MAX_VALUE,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE,
        Long.MAX_VALUE);
  }

  /**
   * Whether {@link #of} accepts a name.
   *
   * @param name the name
   * @return true for 1 to 200 printable characters that are not all blank
   */
  public static boolean isName(String name) {
    return !name.isBlank()
        && name.length() <= MOST_CHARACTERS
        && MessageText.printable(name).equals(name);
  }

  /**
   * The same, but the peer may subscribe to these subjects only. It is refused others with {@link
   * ErrorCode#NOT_PERMITTED}.
   *
   * @param subjects the subjects; none of them forbids every subscription
   * @return the other value
   */
  public Identity subscribing(String... subjects) {
    return new Identity(
        name,
        sorted(subjects),
        publishes,
        channels,
        maxArrayBytes,
        maxOpenRequests,
        inboxBytes,
        bytesPerSecond);
  }

  /**
   * The same, but this side may subscribe at the peer to these subjects only: {@link
   * Connection#subscribe} fails for others with {@link ErrorCode#NOT_PERMITTED}, so that the peer
   * cannot publish them here.
   *
   * @param subjects the subjects; none of them forbids every subscription
   * @return the other value
   */
  public Identity publishing(String... subjects) {
    return new Identity(
        name,
        subscribes,
        sorted(subjects),
        channels,
        maxArrayBytes,
        maxOpenRequests,
        inboxBytes,
        bytesPerSecond);
  }

  /**
   * The same with fewer channels than {@link TransportOptions#maxChannels()}. The peer is told the
   * number; a frame of another channel ends its connection with {@link ErrorCode#UNKNOWN_CODE}.
   *
   * @param number 1 or more
   * @return the other value
   * @throws IllegalArgumentException if the number is less
   */
  public Identity channels(int number) {
    Least.check("channels", number, 1);
    return new Identity(
        name,
        subscribes,
        publishes,
        number,
        maxArrayBytes,
        maxOpenRequests,
        inboxBytes,
        bytesPerSecond);
  }

  /**
   * The same with a smaller limit than {@link TransportOptions#maxArrayBytes()} for arrays of the
   * peer. The peer is told the limit; a larger array ends its connection with {@link
   * ErrorCode#FRAME_TOO_LARGE}.
   *
   * @param bytes 0 or more; 0 allows empty arrays only
   * @return the other value
   * @throws IllegalArgumentException if it is less
   */
  public Identity maxArrayBytes(long bytes) {
    Least.check("maxArrayBytes", bytes, 0L);
    return new Identity(
        name, subscribes, publishes, channels, bytes, maxOpenRequests, inboxBytes, bytesPerSecond);
  }

  /**
   * The same with fewer requests of the peer open at a time than {@link
   * TransportOptions#maxOpenRequests()}. One more is refused with {@link
   * ErrorCode#TOO_MANY_REQUESTS}.
   *
   * @param number 0 or more; 0 allows no request
   * @return the other value
   * @throws IllegalArgumentException if it is less
   */
  public Identity maxOpenRequests(int number) {
    Least.check("maxOpenRequests", number, 0);
    return new Identity(
        name, subscribes, publishes, channels, maxArrayBytes, number, inboxBytes, bytesPerSecond);
  }

  /**
   * The same with a smaller receive window: at most so many bytes of the peer's arrays may have
   * arrived and not been received. {@link TransportOptions#connectionInboxBytes()} and {@link
   * TransportOptions#inboxBytes()} still hold where they are smaller. The peer is told the limit; a
   * peer that sends more has its connection ended with {@link ErrorCode#CREDIT_EXCEEDED}.
   *
   * @param bytes 4096 or more
   * @return the other value
   * @throws IllegalArgumentException if it is less
   */
  public Identity inboxBytes(int bytes) {
    Least.check("inboxBytes", bytes, LEAST_INBOX_BYTES);
    return new Identity(
        name,
        subscribes,
        publishes,
        channels,
        maxArrayBytes,
        maxOpenRequests,
        bytes,
        bytesPerSecond);
  }

  /**
   * The same, but the peer may send no more array bytes a second over its connection, on average;
   * as many at once. A faster peer waits for credit and is not refused. The receive window is no
   * larger than this.
   *
   * @param bytes 4096 or more
   * @return the other value
   * @throws IllegalArgumentException if it is less
   */
  public Identity bytesPerSecond(long bytes) {
    Least.check("bytesPerSecond", bytes, LEAST_BYTES_PER_SECOND);
    return new Identity(
        name, subscribes, publishes, channels, maxArrayBytes, maxOpenRequests, inboxBytes, bytes);
  }

  private static Set<String> sorted(String... subjects) {
    TreeSet<String> all = new TreeSet<>();
    for (String subject : subjects) {
      all.add(Objects.requireNonNull(subject, "subject"));
    }
    return all;
  }

  /** {@return the peer's name} */
  public String name() {
    return name;
  }

  /**
   * Whether the peer may subscribe to a subject.
   *
   * @param subject the subject
   * @return true if it may
   */
  public boolean maySubscribe(String subject) {
    return allows(subscribes, subject);
  }

  /**
   * Whether the peer may publish a subject to this side.
   *
   * @param subject the subject
   * @return true if it may
   */
  public boolean mayPublish(String subject) {
    return allows(publishes, subject);
  }

  private static boolean allows(@Nullable Set<String> subjects, String subject) {
    if (subjects == null) {
      return true;
    }
    for (String each : subjects) {
      boolean all = each.endsWith("*");
      if (all ? subject.startsWith(each.substring(0, each.length() - 1)) : subject.equals(each)) {
        return true;
      }
    }
    return false;
  }

  /** {@return the most channels, {@link Integer#MAX_VALUE} for as many as the options allow} */
  public int channels() {
    return channels;
  }

  /** {@return the largest encoded array, {@link Long#MAX_VALUE} for what the options allow} */
  public long maxArrayBytes() {
    return maxArrayBytes;
  }

  /** {@return the most open requests, {@link Integer#MAX_VALUE} for what the options allow} */
  public int maxOpenRequests() {
    return maxOpenRequests;
  }

  /** {@return the receive window, {@link Integer#MAX_VALUE} for what the options allow} */
  public int inboxBytes() {
    return inboxBytes;
  }

  /** {@return the rate, {@link Long#MAX_VALUE} for as fast as the peer likes} */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Identity that
        && name.equals(that.name)
        && Objects.equals(subscribes, that.subscribes)
        && Objects.equals(publishes, that.publishes)
        && channels == that.channels
        && maxArrayBytes == that.maxArrayBytes
        && maxOpenRequests == that.maxOpenRequests
        && inboxBytes == that.inboxBytes
        && bytesPerSecond == that.bytesPerSecond;
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        name,
        subscribes,
        publishes,
        channels,
        maxArrayBytes,
        maxOpenRequests,
        inboxBytes,
        bytesPerSecond);
  }

  /** The name, and what the peer may not do. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(name);
    String before = " (";
    @Nullable Object[][] limits = {
      {"subscribing", subscribes, null},
      {"publishing", publishes, null},
      {"channels", channels, Integer.MAX_VALUE},
      {"maxArrayBytes", maxArrayBytes, Long.MAX_VALUE},
      {"maxOpenRequests", maxOpenRequests, Integer.MAX_VALUE},
      {"inboxBytes", inboxBytes, Integer.MAX_VALUE},
      {"bytesPerSecond", bytesPerSecond, Long.MAX_VALUE}
    };
    for (@Nullable Object[] limit : limits) {
      if (!Objects.equals(limit[1], limit[2])) {
        text.append(before).append(limit[0]).append('=').append(limit[1]);
        before = ", ";
      }
    }
    return text.append(before.equals(", ") ? ")" : "").toString();
  }
}
