package io.arraywire;

import io.arraywire.codec.AdaptiveCompression;
import io.arraywire.security.AcceptLimits;
import io.arraywire.security.Authenticator;
import io.arraywire.security.Tls;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.MessageText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
      of("codecs", List.of(), OptionRange::codecs, Option::names);
  static final Option<ElementType> PLAIN_TYPE = orNull("plainType");
  static final Option<Long> MAX_ARRAY_BYTES =
      of("maxArrayBytes", 1L << 30, OptionRange.atLeast(8L));
  static final Option<Integer> MAX_FRAME_BYTES =
      of("maxFrameBytes", 1 << 20, OptionRange.frameBytes());
  static final Option<Integer> CHUNK_BYTES = of("chunkBytes", 64 << 10, OptionRange.frameBytes());
  static final Option<Integer> INBOX_BYTES = of("inboxBytes", 1 << 20, OptionRange.atLeast(0));
  static final Option<Integer> CONNECTION_INBOX_BYTES =
      of("connectionInboxBytes", 16 << 20, OptionRange.atLeast(4 << 10));
  static final Option<Integer> SEND_QUEUE_BYTES =
      of("sendQueueBytes", 16 << 20, OptionRange.atLeast(1));
  static final Option<Long> MEMORY_BUDGET_BYTES = of("memoryBudgetBytes", 0L, OptionRange::any);
  static final Option<Long> ARRIVAL_BYTES =
      of("arrivalBytes", 0L, OptionRange.zeroOrAtLeast(1L << 20));
  static final Option<Integer> SEND_BUFFER_BYTES = of("sendBufferBytes", 0, OptionRange.atLeast(0));
  static final Option<Integer> RECEIVE_BUFFER_BYTES =
      of("receiveBufferBytes", 0, OptionRange.atLeast(0));
  static final Option<Integer> MAX_CHANNELS =
      of("maxChannels", 256, OptionRange.between(1, 1 << 16));
  static final Option<Integer> MAX_SUBSCRIPTIONS =
      of("maxSubscriptions", 64, OptionRange.between(0, 1 << 16));
  static final Option<Checksums> CHECKSUMS =
      of("checksums", Checksums.ACROSS_HOSTS, OptionRange::any);
  static final Option<AdaptiveCompression> ADAPTIVE_COMPRESSION =
      of("adaptiveCompression", AdaptiveCompression.ACROSS_HOSTS, OptionRange::any);
  static final Option<byte[]> AUTH_TOKEN =
      orNull("authToken", OptionRange::tokenLength, token -> "(hidden)");
  static final Option<Boolean> TOKEN_WITHOUT_TLS = of("tokenWithoutTls", false, OptionRange::any);
  static final Option<Authenticator> AUTHENTICATOR =
      orNull("authenticator", OptionRange::any, MessageText::kind);
  static final Option<AcceptLimits> ACCEPT_LIMITS =
      of("acceptLimits", AcceptLimits.defaults(), OptionRange::any);
  static final Option<Tls> TLS = orNull("tls");
  static final Option<Duration> CONNECT_TIMEOUT =
      of("connectTimeout", seconds(10), OptionRange::positive);
  static final Option<Duration> CLOSE_TIMEOUT =
      of("closeTimeout", seconds(10), OptionRange::positive);
  static final Option<Duration> SEND_TIMEOUT =
      of("sendTimeout", seconds(30), OptionRange::positive);
  static final Option<Duration> REQUEST_TIMEOUT =
      of("requestTimeout", seconds(30), OptionRange::positive);
  static final Option<Boolean> STAGES_ON_LOOP = of("stagesOnLoop", false, OptionRange::any);
  static final Option<Integer> MAX_OPEN_REQUESTS =
      of("maxOpenRequests", 1024, OptionRange.atLeast(1));

  /** Peers bear no more frequent heartbeats; see docs/protocol.md, "Frames without effect". */
  static final Option<Duration> HEARTBEAT_INTERVAL =
      of("heartbeatInterval", seconds(5), OptionRange.atLeast(Duration.ofMillis(10)));

  static final Option<Duration> HEARTBEAT_TIMEOUT =
      of("heartbeatTimeout", seconds(15), OptionRange::positive);
  static final Option<Duration> STALL_TIMEOUT =
      of("stallTimeout", seconds(30), OptionRange::positive);
  static final Option<Duration> IDLE_TIMEOUT = orNull("idleTimeout", OptionRange::positive);
  static final Option<Duration> SESSION_TIMEOUT = orNull("sessionTimeout", OptionRange::positive);
  static final Option<Duration> LONGEST_RECONNECT_PAUSE =
      of(
          "longestReconnectPause",
          Duration.ofMillis(200),
          OptionRange.atLeast(Duration.ofMillis(1)));
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
    return orNull(name, OptionRange::any);
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

  private static List<String> names(List<Codec> codecs) {
    return codecs.stream().map(Codec::name).toList();
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }
}
