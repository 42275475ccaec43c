package io.arraywire;

import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.MessageText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The table of options: a line for each, with its name, its default and its range.
 *
 * <p>A new option is a line here, an accessor in {@link TransportOptions} that says what it means,
 * a setter in {@link OptionSetters}, and a row in docs/options.md. Tests compare them.
 *
 * @param <T> the type of its values
 */
final class Option<T> {
  private static final List<Option<?>> TABLE = new ArrayList<>();

  static final Option<List<Codec>> CODECS =
      of("codecs", List.of(), Option::eachNameOnce, Option::names);
  static final Option<ElementType> PLAIN_TYPE = orNull("plainType");
  static final Option<Long> MAX_ARRAY_BYTES = of("maxArrayBytes", 1L << 30, atLeast(8L));
  static final Option<Integer> MAX_FRAME_BYTES = of("maxFrameBytes", 1 << 20, frameBytes());
  static final Option<Integer> CHUNK_BYTES = of("chunkBytes", 64 << 10, frameBytes());
  static final Option<Integer> INBOX_BYTES = of("inboxBytes", 1 << 20, atLeast(0));
  static final Option<Integer> CONNECTION_INBOX_BYTES =
      of("connectionInboxBytes", 16 << 20, atLeast(4 << 10));
  static final Option<Integer> SEND_QUEUE_BYTES = of("sendQueueBytes", 16 << 20, atLeast(1));
  static final Option<Long> MEMORY_BUDGET_BYTES = of("memoryBudgetBytes", 0L, Option::any);
  static final Option<Long> ARRIVAL_BYTES = of("arrivalBytes", Long.MAX_VALUE, atLeast(1L << 20));
  static final Option<Integer> SEND_BUFFER_BYTES = of("sendBufferBytes", 0, atLeast(0));
  static final Option<Integer> RECEIVE_BUFFER_BYTES = of("receiveBufferBytes", 0, atLeast(0));
  static final Option<Integer> MAX_CHANNELS = of("maxChannels", 256, between(1, 1 << 16));
  static final Option<Integer> MAX_SUBSCRIPTIONS = of("maxSubscriptions", 64, between(0, 1 << 16));
  static final Option<Checksums> CHECKSUMS = of("checksums", Checksums.ACROSS_HOSTS, Option::any);
  static final Option<byte[]> AUTH_TOKEN =
      orNull("authToken", Option::tokenLength, token -> "(hidden)");
  static final Option<Duration> CONNECT_TIMEOUT =
      of("connectTimeout", seconds(10), Option::positive);
  static final Option<Duration> HANDSHAKE_TIMEOUT =
      of("handshakeTimeout", seconds(10), Option::positive);
  static final Option<Duration> CLOSE_TIMEOUT = of("closeTimeout", seconds(10), Option::positive);
  static final Option<Duration> SEND_TIMEOUT = of("sendTimeout", seconds(30), Option::positive);
  static final Option<Duration> REQUEST_TIMEOUT =
      of("requestTimeout", seconds(30), Option::positive);
  static final Option<Integer> MAX_OPEN_REQUESTS = of("maxOpenRequests", 1024, atLeast(1));

  /** Peers bear no more frequent heartbeats; see docs/protocol.md, "Frames without effect". */
  static final Option<Duration> HEARTBEAT_INTERVAL =
      of("heartbeatInterval", seconds(5), atLeast(Duration.ofMillis(10)));

  static final Option<Duration> HEARTBEAT_TIMEOUT =
      of("heartbeatTimeout", seconds(15), Option::positive);
  static final Option<Duration> STALL_TIMEOUT = of("stallTimeout", seconds(30), Option::positive);
  static final Option<Duration> PROGRESS_TIMEOUT =
      of("progressTimeout", seconds(30), Option::positive);
  static final Option<Duration> IDLE_TIMEOUT = orNull("idleTimeout", Option::positive);
  static final Option<Duration> SESSION_TIMEOUT = orNull("sessionTimeout", Option::positive);
  static final Option<Duration> LONGEST_RECONNECT_PAUSE =
      of("longestReconnectPause", Duration.ofMillis(200), atLeast(Duration.ofMillis(1)));
  static final Option<Executor> HANDLER_EXECUTOR = orNull("handlerExecutor");
  static final Option<MemoryPool> MEMORY_POOL = orNull("memoryPool");
  static final Option<TransportObserver> OBSERVER = orNull("observer");

  final String name;

  /** Its place among the values. */
  final int index;

  /** The default; null only where null is a value. */
  final @Nullable T standard;

  private final BiConsumer<String, T> range;
  private final Function<T, Object> text;

  private Option(
      String name, @Nullable T standard, BiConsumer<String, T> range, Function<T, Object> text) {
    this.name = name;
    this.standard = standard;
    this.range = range;
    this.text = text;
    index = TABLE.size();
    TABLE.add(this);
  }

  private static <T> Option<T> of(String name, T standard, BiConsumer<String, T> range) {
    return of(name, standard, range, value -> value);
  }

  private static <T> Option<T> of(
      String name, T standard, BiConsumer<String, T> range, Function<T, Object> text) {
    return new Option<>(name, standard, range, text);
  }

  private static <T> Option<T> orNull(String name) {
    return orNull(name, Option::any);
  }

  private static <T> Option<T> orNull(String name, BiConsumer<String, T> range) {
    return orNull(name, range, value -> value);
  }

  private static <T> Option<T> orNull(
      String name, BiConsumer<String, T> range, Function<T, Object> text) {
    return new Option<>(name, null, range, text);
  }

  /** All of them; the index of each is its place. */
  static List<Option<?>> all() {
    return TABLE;
  }

  /** Whether null is a value of it. */
  boolean mayBeNull() {
    return standard == null;
  }

  /** Throws IllegalArgumentException, with value and range, if it does not take the value. */
  void check(T value) {
    range.accept(name, value);
  }

  /** The value as users may read it. */
  Object text(T value) {
    return text.apply(value);
  }

  // Ranges.

  private static <T> void any(String name, T value) {}

  private static <T extends Comparable<T>> BiConsumer<String, T> atLeast(T least) {
    return (name, value) -> checkLeast(name, value, least);
  }

  private static BiConsumer<String, Integer> between(int least, int most) {
    return (name, value) -> checkBetween(name, value, least, most);
  }

  private static BiConsumer<String, Integer> frameBytes() {
    return between(1 << 10, 64 << 20);
  }

  static void positive(String name, Duration value) {
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException(
          name + " must be more than zero (" + name + "=" + value + ")");
    }
  }

  private static void tokenLength(String name, byte[] token) {
    if (token.length < 1 || token.length > 256) {
      throw new IllegalArgumentException(
          String.format(
              "%1$s must have 1 to 256 bytes; null is no token (%1$s.length=%2$s, least=1, most=256)",
              name, token.length));
    }
  }

  static <T extends Comparable<T>> void checkLeast(String name, T value, T least) {
    if (value.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          name + " is too small (" + name + "=" + value + ", least=" + least + ")");
    }
  }

  private static void checkBetween(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          String.format(
              "%1$s is out of range (%1$s=%2$s, least=%3$s, most=%4$s)", name, value, least, most));
    }
  }

  private static void eachNameOnce(String name, List<Codec> codecs) {
    Set<String> names = new HashSet<>();
    for (Codec codec : codecs) {
      if (!names.add(codec.name())) {
        throw new IllegalArgumentException(
            MessageText.brief("two codecs of one name", "codec", codec.name()));
      }
    }
  }

  private static List<String> names(List<Codec> codecs) {
    return codecs.stream().map(Codec::name).toList();
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }
}
