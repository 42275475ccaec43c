package io.arraywire;

import io.arraywire.codec.AdaptiveCompression;
import io.arraywire.security.AcceptLimits;
import io.arraywire.security.Authenticator;
import io.arraywire.security.Tls;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.MemoryPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The setters of {@link TransportOptions.Builder}, which is the only one that has them. */
abstract sealed class OptionSetters permits TransportOptions.Builder {
  final OptionValues values;

  OptionSetters(OptionValues values) {
    this.values = values;
  }

  private <T> TransportOptions.Builder set(Option<T> option, @Nullable T value) {
    values.set(option, value);
    return (TransportOptions.Builder) this;
  }

  /**
   * Sets {@link TransportOptions#codecs()}.
   *
   * @param codecs the codecs, best first; no two of the same name
   * @return this
   */
  public TransportOptions.Builder codecs(Codec... codecs) {
    return codecs(Arrays.asList(Objects.requireNonNull(codecs, "codecs")));
  }

  /**
   * Sets {@link TransportOptions#codecs()}.
   *
   * @param codecs the codecs, best first; no two of the same name
   * @return this
   */
  public TransportOptions.Builder codecs(List<Codec> codecs) {
    return set(Option.CODECS, List.copyOf(Objects.requireNonNull(codecs, "codecs")));
  }

  /**
   * Sets {@link TransportOptions#codecs()} by name, among the {@linkplain Codecs#installed()
   * installed} ones.
   *
   * @param best for example {@code data-output}; the first to be tried
   * @param others tried after that, in order
   * @return this
   * @throws IllegalArgumentException if there is none of a name; the text names those there are
   */
  public TransportOptions.Builder codec(String best, String... others) {
    List<Codec> codecs = new ArrayList<>();
    codecs.add(Codecs.named(Objects.requireNonNull(best, "best")));
    for (String name : others) {
      codecs.add(Codecs.named(Objects.requireNonNull(name, "others")));
    }
    return codecs(codecs);
  }

  /**
   * Sets {@link TransportOptions#plainType()}: plain mode.
   *
   * @param type the element type of every array
   * @return this
   */
  public TransportOptions.Builder plain(ElementType type) {
    return set(Option.PLAIN_TYPE, Objects.requireNonNull(type, "type"));
  }

  /**
   * Sets framed mode, the default.
   *
   * @return this
   */
  public TransportOptions.Builder framed() {
    return set(Option.PLAIN_TYPE, null);
  }

  /**
   * Sets {@link TransportOptions#maxArrayBytes()}.
   *
   * @param bytes at least 8
   * @return this
   */
  public TransportOptions.Builder maxArrayBytes(long bytes) {
    return set(Option.MAX_ARRAY_BYTES, bytes);
  }

  /**
   * Sets {@link TransportOptions#maxFrameBytes()}.
   *
   * @param bytes 1 KiB to 64 MiB
   * @return this
   */
  public TransportOptions.Builder maxFrameBytes(int bytes) {
    return set(Option.MAX_FRAME_BYTES, bytes);
  }

  /**
   * Sets {@link TransportOptions#chunkBytes()}.
   *
   * @param bytes 1 KiB to 64 MiB
   * @return this
   */
  public TransportOptions.Builder chunkBytes(int bytes) {
    return set(Option.CHUNK_BYTES, bytes);
  }

  /**
   * Sets {@link TransportOptions#inboxBytes()}.
   *
   * @param bytes not negative
   * @return this
   */
  public TransportOptions.Builder inboxBytes(int bytes) {
    return set(Option.INBOX_BYTES, bytes);
  }

  /**
   * Sets {@link TransportOptions#connectionInboxBytes()}.
   *
   * @param bytes at least 4 KiB
   * @return this
   */
  public TransportOptions.Builder connectionInboxBytes(int bytes) {
    return set(Option.CONNECTION_INBOX_BYTES, bytes);
  }

  /**
   * Sets {@link TransportOptions#sendQueueBytes()}.
   *
   * @param bytes at least 1
   * @return this
   */
  public TransportOptions.Builder sendQueueBytes(int bytes) {
    return set(Option.SEND_QUEUE_BYTES, bytes);
  }

  /**
   * Sets {@link TransportOptions#arrivalBytes()}.
   *
   * @param bytes at least 1 MiB; 0 for the default; {@link Long#MAX_VALUE} for no limit
   * @return this
   */
  public TransportOptions.Builder arrivalBytes(long bytes) {
    return set(Option.ARRIVAL_BYTES, bytes);
  }

  /**
   * Sets {@link TransportOptions#memoryBudgetBytes()}.
   *
   * @param bytes no less than {@code connectionInboxBytes} and {@code inboxBytes}, which one
   *     connection needs; 0 for the default; {@link Long#MAX_VALUE} for no limit
   * @return this
   */
  public TransportOptions.Builder memoryBudgetBytes(long bytes) {
    return set(Option.MEMORY_BUDGET_BYTES, bytes);
  }

  /**
   * Sets {@link TransportOptions#sendBufferBytes()}.
   *
   * @param bytes not negative; the system has limits of its own
   * @return this
   */
  public TransportOptions.Builder sendBufferBytes(int bytes) {
    return set(Option.SEND_BUFFER_BYTES, bytes);
  }

  /**
   * Sets {@link TransportOptions#receiveBufferBytes()}.
   *
   * @param bytes not negative; the system has limits of its own
   * @return this
   */
  public TransportOptions.Builder receiveBufferBytes(int bytes) {
    return set(Option.RECEIVE_BUFFER_BYTES, bytes);
  }

  /**
   * Sets {@link TransportOptions#maxChannels()}.
   *
   * @param number 1 to 65536
   * @return this
   */
  public TransportOptions.Builder maxChannels(int number) {
    return set(Option.MAX_CHANNELS, number);
  }

  /**
   * Sets {@link TransportOptions#maxSubscriptions()}.
   *
   * @param number 0 to 65536
   * @return this
   */
  public TransportOptions.Builder maxSubscriptions(int number) {
    return set(Option.MAX_SUBSCRIPTIONS, number);
  }

  /**
   * Sets {@link TransportOptions#checksums()}.
   *
   * @param wanted where this side wants payload checksums
   * @return this
   */
  public TransportOptions.Builder checksums(Checksums wanted) {
    return set(Option.CHECKSUMS, wanted);
  }

  /**
   * Sets {@link TransportOptions#adaptiveCompression()}.
   *
   * @param where where this side compresses by itself
   * @return this
   */
  public TransportOptions.Builder adaptiveCompression(AdaptiveCompression where) {
    return set(Option.ADAPTIVE_COMPRESSION, where);
  }

  /**
   * Sets {@link TransportOptions#authToken()}.
   *
   * @param token 1 to 256 bytes, copied; or null for none
   * @return this
   */
  public TransportOptions.Builder authToken(byte @Nullable [] token) {
    return set(Option.AUTH_TOKEN, token == null ? null : token.clone());
  }

  /**
   * Sets {@link TransportOptions#tokenWithoutTls()}.
   *
   * @param allowed whether the token may cross networks in clear
   * @return this
   */
  public TransportOptions.Builder tokenWithoutTls(boolean allowed) {
    return set(Option.TOKEN_WITHOUT_TLS, allowed);
  }

  /**
   * Sets {@link TransportOptions#authenticator()}.
   *
   * @param authenticator decides who may connect and what each peer may do, or null for none
   * @return this
   */
  public TransportOptions.Builder authenticator(@Nullable Authenticator authenticator) {
    return set(Option.AUTHENTICATOR, authenticator);
  }

  /**
   * Sets {@link TransportOptions#acceptLimits()}.
   *
   * @param limits how many peers listeners take
   * @return this
   */
  public TransportOptions.Builder acceptLimits(AcceptLimits limits) {
    return set(Option.ACCEPT_LIMITS, limits);
  }

  /**
   * Sets {@link TransportOptions#tls()}.
   *
   * @param tls what this side has, or null for no TLS
   * @return this
   */
  public TransportOptions.Builder tls(@Nullable Tls tls) {
    return set(Option.TLS, tls);
  }

  /**
   * Sets {@link TransportOptions#connectTimeout()}.
   *
   * @param timeout more than zero
   * @return this
   */
  public TransportOptions.Builder connectTimeout(Duration timeout) {
    return set(Option.CONNECT_TIMEOUT, timeout);
  }

  /**
   * Sets {@link TransportOptions#closeTimeout()}.
   *
   * @param timeout more than zero
   * @return this
   */
  public TransportOptions.Builder closeTimeout(Duration timeout) {
    return set(Option.CLOSE_TIMEOUT, timeout);
  }

  /**
   * Sets {@link TransportOptions#sendTimeout()}.
   *
   * @param timeout more than zero
   * @return this
   */
  public TransportOptions.Builder sendTimeout(Duration timeout) {
    return set(Option.SEND_TIMEOUT, timeout);
  }

  /**
   * Sets {@link TransportOptions#requestTimeout()}.
   *
   * @param timeout more than zero
   * @return this
   */
  public TransportOptions.Builder requestTimeout(Duration timeout) {
    return set(Option.REQUEST_TIMEOUT, timeout);
  }

  /**
   * Sets {@link TransportOptions#maxOpenRequests()}.
   *
   * @param number at least 1
   * @return this
   */
  public TransportOptions.Builder maxOpenRequests(int number) {
    return set(Option.MAX_OPEN_REQUESTS, number);
  }

  /**
   * Sets {@link TransportOptions#heartbeatInterval()}.
   *
   * @param interval 10 ms at least
   * @return this
   */
  public TransportOptions.Builder heartbeatInterval(Duration interval) {
    return set(Option.HEARTBEAT_INTERVAL, interval);
  }

  /**
   * Sets {@link TransportOptions#heartbeatTimeout()}.
   *
   * @param timeout more than zero
   * @return this
   */
  public TransportOptions.Builder heartbeatTimeout(Duration timeout) {
    return set(Option.HEARTBEAT_TIMEOUT, timeout);
  }

  /**
   * Sets {@link TransportOptions#stallTimeout()}.
   *
   * @param timeout more than zero
   * @return this
   */
  public TransportOptions.Builder stallTimeout(Duration timeout) {
    return set(Option.STALL_TIMEOUT, timeout);
  }

  /**
   * Sets {@link TransportOptions#idleTimeout()}.
   *
   * @param timeout more than zero; or null for any time
   * @return this
   */
  public TransportOptions.Builder idleTimeout(@Nullable Duration timeout) {
    return set(Option.IDLE_TIMEOUT, timeout);
  }

  /**
   * Sets {@link TransportOptions#sessionTimeout()}.
   *
   * @param timeout more than zero; or null for no sessions
   * @return this
   */
  public TransportOptions.Builder sessionTimeout(@Nullable Duration timeout) {
    return set(Option.SESSION_TIMEOUT, timeout);
  }

  /**
   * Sets {@link TransportOptions#longestReconnectPause()}.
   *
   * @param pause 1 ms or more
   * @return this
   */
  public TransportOptions.Builder longestReconnectPause(Duration pause) {
    return set(Option.LONGEST_RECONNECT_PAUSE, pause);
  }

  /**
   * Sets {@link TransportOptions#handlerExecutor()}.
   *
   * @param executor where handlers run, or null for the threads that all transports share
   * @return this
   */
  public TransportOptions.Builder handlerExecutor(@Nullable Executor executor) {
    return set(Option.HANDLER_EXECUTOR, executor);
  }

  /**
   * Sets {@link TransportOptions#stagesOnLoop()}.
   *
   * @param onLoop whether what depends on stages does not block
   * @return this
   */
  public TransportOptions.Builder stagesOnLoop(boolean onLoop) {
    return set(Option.STAGES_ON_LOOP, onLoop);
  }

  /**
   * Sets {@link TransportOptions#memoryPool()}.
   *
   * @param pool where memory comes from, or null for the transport's own
   * @return this
   */
  public TransportOptions.Builder memoryPool(@Nullable MemoryPool pool) {
    return set(Option.MEMORY_POOL, pool);
  }

  /**
   * Sets {@link TransportOptions#observer()}; several with {@link TransportObserver#all}.
   *
   * @param observer the observer, or null for none
   * @return this
   */
  public TransportOptions.Builder observer(@Nullable TransportObserver observer) {
    return set(Option.OBSERVER, observer);
  }
}
