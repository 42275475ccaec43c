package io.arraywire;

import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryPool;
import io.arraywire.wire.MessageText;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * How a transport and all its connections behave. Immutable; made with {@link #builder()}, checked
 * when built.
 *
 * <p>A time may be as long as a {@link Duration} can be; after 365 days it may count as over.
 */
public final class TransportOptions {
  private static final TransportOptions DEFAULTS = builder().build();

  private final List<Codec> codecs;
  private final @Nullable ElementType plainType;
  private final long maxArrayBytes;
  private final int maxFrameBytes;
  private final int chunkBytes;
  private final int inboxBytes;
  private final int connectionInboxBytes;
  private final int sendQueueBytes;
  private final long memoryBudgetBytes;
  private final long arrivalBytes;
  private final int sendBufferBytes;
  private final int receiveBufferBytes;
  private final int maxChannels;
  private final int maxSubscriptions;
  private final Checksums checksums;
  private final byte @Nullable [] authToken;
  private final Duration connectTimeout;
  private final Duration handshakeTimeout;
  private final Duration closeTimeout;
  private final Duration sendTimeout;
  private final Duration requestTimeout;
  private final int maxOpenRequests;
  private final Duration heartbeatInterval;
  private final Duration heartbeatTimeout;
  private final Duration stallTimeout;
  private final Duration progressTimeout;
  private final @Nullable Duration idleTimeout;
  private final @Nullable Duration sessionTimeout;
  private final Duration longestReconnectPause;
  private final @Nullable Executor handlerExecutor;
  private final @Nullable MemoryPool memoryPool;
  private final @Nullable TransportObserver observer;

  private TransportOptions(Builder from) {
    codecs = List.copyOf(from.codecs);
    plainType = from.plainType;
    maxArrayBytes = from.maxArrayBytes;
    maxFrameBytes = from.maxFrameBytes;
    chunkBytes = from.chunkBytes;
    inboxBytes = from.inboxBytes;
    connectionInboxBytes = from.connectionInboxBytes;
    sendQueueBytes = from.sendQueueBytes;
    memoryBudgetBytes = from.memoryBudgetBytes;
    arrivalBytes = from.arrivalBytes;
    sendBufferBytes = from.sendBufferBytes;
    receiveBufferBytes = from.receiveBufferBytes;
    maxChannels = from.maxChannels;
    maxSubscriptions = from.maxSubscriptions;
    checksums = from.checksums;
    authToken = from.authToken;
    connectTimeout = from.connectTimeout;
    handshakeTimeout = from.handshakeTimeout;
    closeTimeout = from.closeTimeout;
    sendTimeout = from.sendTimeout;
    requestTimeout = from.requestTimeout;
    maxOpenRequests = from.maxOpenRequests;
    heartbeatInterval = from.heartbeatInterval;
    heartbeatTimeout = from.heartbeatTimeout;
    stallTimeout = from.stallTimeout;
    progressTimeout = from.progressTimeout;
    idleTimeout = from.idleTimeout;
    sessionTimeout = from.sessionTimeout;
    longestReconnectPause = from.longestReconnectPause;
    handlerExecutor = from.handlerExecutor;
    memoryPool = from.memoryPool;
    observer = from.observer;
  }

  /**
   * Options with every default.
   *
   * @return the defaults
   */
  public static TransportOptions defaults() {
    return DEFAULTS;
  }

  /**
   * A builder with every default.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * A builder with these options' values.
   *
   * @return a new builder
   */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /**
   * The codecs to use, best first. A connection sends with the first one whose encoding the peer
   * understands, and decodes each encoding with the first one that has it. Default: empty, which
   * stands for all {@linkplain Codecs#installed() installed} ones in the transport's own order.
   *
   * @return the codecs
   */
  public List<Codec> codecs() {
    return codecs;
  }

  /**
   * The element type of plain mode, or null for framed mode. Default: null.
   *
   * @return the type, agreed with the peer out of band
   */
  public @Nullable ElementType plainType() {
    return plainType;
  }

  /**
   * The largest encoded array that is accepted and sent, in bytes. Default: 1 GiB.
   *
   * @return bytes
   */
  public long maxArrayBytes() {
    return maxArrayBytes;
  }

  /**
   * The largest frame payload that is accepted, in bytes. Default: 1 MiB.
   *
   * @return bytes
   */
  public int maxFrameBytes() {
    return maxFrameBytes;
  }

  /**
   * The payload of the frames that are sent, in bytes, unless the peer accepts less. Default: 64
   * KiB.
   *
   * @return bytes
   */
  public int chunkBytes() {
    return chunkBytes;
  }

  /**
   * How many bytes of arrays a channel keeps that nobody has asked for yet: the peer is given
   * credit for no more. With a peer that knows no credit, and in plain mode, reading stops instead.
   * Each array counts its elements, its attributes and 256 bytes. Where there is credit, at least 4
   * KiB are kept. Default: 1 MiB.
   *
   * @return bytes
   */
  public int inboxBytes() {
    return inboxBytes;
  }

  /**
   * How many bytes of arrays all channels of a connection together keep that nobody has asked for
   * yet. Default: 16 MiB.
   *
   * @return bytes
   */
  public int connectionInboxBytes() {
    return connectionInboxBytes;
  }

  /**
   * How many bytes of arrays a channel accepts to send before the kernel has taken them; see {@link
   * ArrayOutput}. Each array counts its elements, its attributes and 256 bytes. Default: 16 MiB.
   *
   * @return bytes
   */
  public int sendQueueBytes() {
    return sendQueueBytes;
  }

  /**
   * How many bytes all connections of the transport may hold together: the inbox of each, for which
   * {@link #connectionInboxBytes()} are reserved as long as it lives ({@link #inboxBytes()} with a
   * peer that knows no credit, and in plain mode), and what each has accepted to send. A connection
   * whose inbox has no place any more is refused with {@link MemoryBudgetException} here, which its
   * peer sees as a {@link RemoteErrorException} with that code; where there is no place in it for
   * an array to be sent, that is as if the channel's send queue were full, but for one array of
   * each connection, so that none stands still for the others.
   *
   * <p>What handlers have in hand and what receive calls have asked for is not counted.
   *
   * <p>Default: 0, which stands for a quarter of the Java heap, counted in another way. Nothing is
   * reserved, so no connection is refused. What the library itself holds of arrays that wait to be
   * sent counts: copies of what was offered or published, and some 400 bytes for each array. Arrays
   * that are still the caller's do not. What waits for the subscriptions of one connection may take
   * no more than is left for all others; beyond that each subscription's {@link LagPolicy} holds,
   * as if its queue were full. Arrays that have come and that nobody has asked for have half of the
   * heap together; beyond that a connection that holds many of them is ended with {@link
   * MemoryBudgetException} when more comes. {@link Long#MAX_VALUE} is no limit.
   *
   * @return bytes
   */
  public long memoryBudgetBytes() {
    return memoryBudgetBytes;
  }

  /**
   * How many bytes the arrays may take together that arrive for handlers, on all connections of the
   * transport: each from its first bytes until its handler returns. Memory is counted when it is
   * taken, at most twice ahead of the bytes that have come, and for a moment half as much again
   * while an array grows. An array for which there is no memory is refused, as if its handler had
   * thrown, and the connection lives on. What goes into targets that a {@link
   * TargetingArrayHandler} names is not counted. Default: no limit, {@link Long#MAX_VALUE}.
   *
   * @return bytes
   */
  public long arrivalBytes() {
    return arrivalBytes;
  }

  /**
   * The size of a socket's send buffer (SO_SNDBUF); 0 leaves it to the system, which makes it
   * larger with use. What is in the socket buffers of both sides cannot be overtaken: with small
   * ones, a small array waits less behind a large one of another channel; on a network of long
   * delay and high rate, a large array needs longer. Default: 0.
   *
   * @return bytes
   */
  public int sendBufferBytes() {
    return sendBufferBytes;
  }

  /**
   * The size of a socket's receive buffer (SO_RCVBUF); as {@link #sendBufferBytes()}. Default: 0.
   *
   * @return bytes
   */
  public int receiveBufferBytes() {
    return receiveBufferBytes;
  }

  /**
   * The most channels in a connection; see {@link Connection#channel}. The smaller number of both
   * sides holds. Default: 256.
   *
   * @return the number
   */
  public int maxChannels() {
    return maxChannels;
  }

  /**
   * The most subscriptions that a peer may have with this side's listener over one connection;
   * further ones are refused with {@link TooManySubscriptionsException} at the subscriber. Default:
   * 64.
   *
   * @return the number
   */
  public int maxSubscriptions() {
    return maxSubscriptions;
  }

  /**
   * Whether payloads should carry a CRC32C; they do if either side wants it. Default: ACROSS_HOSTS,
   * not where both ends are on one host; see {@link Checksums}.
   *
   * @return where this side wants them
   */
  public Checksums checksums() {
    return checksums;
  }

  /**
   * The secret that both sides must have, or null. A peer that has shown it may have memory
   * allocated for a whole array before its bytes arrive. Default: null.
   *
   * @return a copy
   */
  public byte @Nullable [] authToken() {
    return authToken == null ? null : authToken.clone();
  }

  /**
   * How long a connection attempt may take. Default: 10 s.
   *
   * @return the time
   */
  public Duration connectTimeout() {
    return connectTimeout;
  }

  /**
   * How long the handshake may take. Default: 10 s.
   *
   * @return the time
   */
  public Duration handshakeTimeout() {
    return handshakeTimeout;
  }

  /**
   * How long {@link Connection#close()} waits for the peer to read everything. Default: 10 s.
   *
   * @return the time
   */
  public Duration closeTimeout() {
    return closeTimeout;
  }

  /**
   * How long a {@code send} waits while nothing of its array moves: until its first byte leaves,
   * and from then on while the peer allows no more of it, because nobody there receives. Then the
   * send fails with {@link SendTimeoutException} and the array is withdrawn. Stages of {@code
   * sendAsync} and {@link Reply#send}, and with them a {@link RowWriter}, fail in the same way when
   * nothing has moved on their channel for so long, at most 1.25 s later. What was offered stays. A
   * transfer that moves, however slowly, goes on, and so does the wait for the far side to process
   * an array that has left whole. Whatever waits for more than 5 s on a channel is logged, with
   * what it waits for. Default: 30 s.
   *
   * @return the time
   */
  public Duration sendTimeout() {
    return sendTimeout;
  }

  /**
   * How long a request waits for its reply, from the call on, unless its own options say otherwise.
   * Also how long a request handler that has returned may leave a request of the peer unanswered: a
   * warning is logged after half of it, and then the request is refused. Default: 30 s.
   *
   * @return the time
   */
  public Duration requestTimeout() {
    return requestTimeout;
  }

  /**
   * The most requests of a connection that may be open at a time, in each direction: made here and
   * not yet answered, or taken here and not yet answered. Default: 1024.
   *
   * @return the number
   */
  public int maxOpenRequests() {
    return maxOpenRequests;
  }

  /**
   * How often this end lets the peer hear of it when it has nothing to send; at least every 49
   * days, since the peer can be told no longer time. Default: 5 s.
   *
   * @return the time
   */
  public Duration heartbeatInterval() {
    return heartbeatInterval;
  }

  /**
   * How long nothing may be heard of a peer that sends heartbeats before the connection fails with
   * {@link HeartbeatTimeoutException}; at least three of the peer's intervals are waited for. Time
   * in which this process itself stood still does not count. Default: 15 s.
   *
   * @return the time
   */
  public Duration heartbeatTimeout() {
    return heartbeatTimeout;
  }

  /**
   * How long the peer may take nothing off the connection, while there is something for it, before
   * the connection fails with {@link SlowPeerException}. Only for peers that know credit: others,
   * and those in plain mode, may stop to read for as long as they like. Default: 30 s.
   *
   * @return the time
   */
  public Duration stallTimeout() {
    return stallTimeout;
  }

  /**
   * How long an array that has begun to arrive may bring less than 1280 bytes (its rest, if that is
   * less) before the connection fails with {@link StalledArrayException}; in plain mode, nothing at
   * all. Time in which the peer had no credit for it, in which this side did not read or stood
   * still, and in which a peer that sends heartbeats was silent altogether (see {@link
   * #heartbeatTimeout()}) does not count, and neither does that in which other channels had their
   * turn. Default: 30 s.
   *
   * @return the time
   */
  public Duration progressTimeout() {
    return progressTimeout;
  }

  /**
   * How long no array may go in either direction before the connection fails with {@link
   * IdleTimeoutException}, or null for any time. Default: null.
   *
   * <p>An array goes while bytes of it are sent or come, and when the peer gives credit for it or
   * acknowledges it, or this side is done with it. Signs of life do not count, and nothing that
   * only waits does: an open request, a send that the peer has not acknowledged, an array in the
   * hand of a handler. So the time should be longer than what handlers take.
   *
   * @return the time
   */
  public @Nullable Duration idleTimeout() {
    return idleTimeout;
  }

  /**
   * How long a session outlives its connection, or null for no sessions. With one, a connection
   * that breaks is replaced by its connecting side, and what was sent with {@link Delivery#SESSION}
   * goes on; this side keeps what it needs for that no longer than this time. The shorter of both
   * sides' times holds. Not in plain mode. Default: null.
   *
   * @return the time
   */
  public @Nullable Duration sessionTimeout() {
    return sessionTimeout;
  }

  /**
   * How long a session whose connection broke waits before another attempt to connect, at most. The
   * first attempt is made at once; the pauses before the others double from 10 ms up to this time,
   * and each is at random between half of that and all of it, so that many who lost the same peer
   * do not come back at the same moment. So the end of an outage is noticed later by this time and
   * that of an attempt, at most, and a listener sees two attempts of a session in such a time, at
   * most. No pause goes beyond the end of the session. On the connecting side. Default: 200 ms.
   *
   * @return the time
   */
  public Duration longestReconnectPause() {
    return longestReconnectPause;
  }

  /**
   * Where handlers run and stages complete, or null for what all transports of the process share: a
   * virtual thread per task from JDK 21 on; before, two pools of daemon threads that end when idle,
   * one for handlers and one for stages and {@link Reply#onCancel}, each of at most 256 threads, or
   * 8 per processor if that is more. Where all threads of a pool hang, further tasks wait, so that
   * no other handler of the process is called, or no other stage completes, until one of them
   * returns; nothing is lost, and the peers are held up by credit. With handlers that may hang, or
   * wait long for something outside, give an executor of your own. Default: null. It must not run
   * tasks in the thread that hands them in, as {@code Runnable::run} does and a pool with {@code
   * CallerRunsPolicy} when it is full: a connection whose handler would run there fails with {@link
   * ErrorCode#INTERNAL}.
   *
   * @return the executor, which the transport does not shut down
   */
  public @Nullable Executor handlerExecutor() {
    return handlerExecutor;
  }

  /**
   * Where staging memory and leases come from, or null for a pool of the transport's own. Default:
   * null.
   *
   * @return the pool, which the transport does not close
   */
  public @Nullable MemoryPool memoryPool() {
    return memoryPool;
  }

  /**
   * Who is told of what happens on the connections, or null. Default: null, which costs nothing.
   *
   * @return the observer
   */
  public @Nullable TransportObserver observer() {
    return observer;
  }

  /**
   * The options that differ from the defaults, as {@code name=value}; of the token only that there
   * is one.
   */
  @Override
  public String toString() {
    StringJoiner all = new StringJoiner(", ", "TransportOptions(", ")");
    all.setEmptyValue("TransportOptions(defaults)");
    differing(all, "codecs", codecs.stream().map(Codec::name).toList(), List.of());
    differing(all, "plainType", plainType, DEFAULTS.plainType);
    differing(all, "maxArrayBytes", maxArrayBytes, DEFAULTS.maxArrayBytes);
    differing(all, "maxFrameBytes", maxFrameBytes, DEFAULTS.maxFrameBytes);
    differing(all, "chunkBytes", chunkBytes, DEFAULTS.chunkBytes);
    differing(all, "inboxBytes", inboxBytes, DEFAULTS.inboxBytes);
    differing(all, "connectionInboxBytes", connectionInboxBytes, DEFAULTS.connectionInboxBytes);
    differing(all, "sendQueueBytes", sendQueueBytes, DEFAULTS.sendQueueBytes);
    differing(all, "memoryBudgetBytes", memoryBudgetBytes, DEFAULTS.memoryBudgetBytes);
    differing(all, "arrivalBytes", arrivalBytes, DEFAULTS.arrivalBytes);
    differing(all, "sendBufferBytes", sendBufferBytes, DEFAULTS.sendBufferBytes);
    differing(all, "receiveBufferBytes", receiveBufferBytes, DEFAULTS.receiveBufferBytes);
    differing(all, "maxChannels", maxChannels, DEFAULTS.maxChannels);
    differing(all, "maxSubscriptions", maxSubscriptions, DEFAULTS.maxSubscriptions);
    differing(all, "checksums", checksums, DEFAULTS.checksums);
    if (authToken != null) {
      all.add("authToken=(hidden)");
    }
    differing(all, "connectTimeout", connectTimeout, DEFAULTS.connectTimeout);
    differing(all, "handshakeTimeout", handshakeTimeout, DEFAULTS.handshakeTimeout);
    differing(all, "closeTimeout", closeTimeout, DEFAULTS.closeTimeout);
    differing(all, "sendTimeout", sendTimeout, DEFAULTS.sendTimeout);
    differing(all, "requestTimeout", requestTimeout, DEFAULTS.requestTimeout);
    differing(all, "maxOpenRequests", maxOpenRequests, DEFAULTS.maxOpenRequests);
    differing(all, "heartbeatInterval", heartbeatInterval, DEFAULTS.heartbeatInterval);
    differing(all, "heartbeatTimeout", heartbeatTimeout, DEFAULTS.heartbeatTimeout);
    differing(all, "stallTimeout", stallTimeout, DEFAULTS.stallTimeout);
    differing(all, "progressTimeout", progressTimeout, DEFAULTS.progressTimeout);
    differing(all, "idleTimeout", idleTimeout, DEFAULTS.idleTimeout);
    differing(all, "sessionTimeout", sessionTimeout, DEFAULTS.sessionTimeout);
    differing(all, "longestReconnectPause", longestReconnectPause, DEFAULTS.longestReconnectPause);
    differing(all, "handlerExecutor", handlerExecutor, DEFAULTS.handlerExecutor);
    differing(all, "memoryPool", memoryPool, DEFAULTS.memoryPool);
    differing(all, "observer", observer, DEFAULTS.observer);
    return all.toString();
  }

  private static void differing(
      StringJoiner all, String name, @Nullable Object value, @Nullable Object standard) {
    if (!Objects.equals(value, standard)) {
      all.add(name + "=" + value);
    }
  }

  /** Collects options. Not for use by several threads. */
  public static final class Builder {
    /** Peers bear no more frequent heartbeats; see docs/protocol.md, "Frames without effect". */
    private static final Duration LEAST_HEARTBEAT_INTERVAL = Duration.ofMillis(10);

    private static final Duration LEAST_RECONNECT_PAUSE = Duration.ofMillis(1);

    private List<Codec> codecs = List.of();
    private @Nullable ElementType plainType;
    private long maxArrayBytes = 1L << 30;
    private int maxFrameBytes = 1 << 20;
    private int chunkBytes = 64 << 10;
    private int inboxBytes = 1 << 20;
    private int connectionInboxBytes = 16 << 20;
    private int sendQueueBytes = 16 << 20;
    private long memoryBudgetBytes;
    private long arrivalBytes = Long.MAX_VALUE;
    private int sendBufferBytes;
    private int receiveBufferBytes;
    private int maxChannels = 256;
    private int maxSubscriptions = 64;
    private Checksums checksums = Checksums.ACROSS_HOSTS;
    private byte @Nullable [] authToken;
    private Duration connectTimeout = Duration.ofSeconds(10);
    private Duration handshakeTimeout = Duration.ofSeconds(10);
    private Duration closeTimeout = Duration.ofSeconds(10);
    private Duration sendTimeout = Duration.ofSeconds(30);
    private Duration requestTimeout = Duration.ofSeconds(30);
    private int maxOpenRequests = 1024;
    private Duration heartbeatInterval = Duration.ofSeconds(5);
    private Duration heartbeatTimeout = Duration.ofSeconds(15);
    private Duration stallTimeout = Duration.ofSeconds(30);
    private Duration progressTimeout = Duration.ofSeconds(30);
    private @Nullable Duration idleTimeout;
    private @Nullable Duration sessionTimeout;
    private Duration longestReconnectPause = Duration.ofMillis(200);
    private @Nullable Executor handlerExecutor;
    private @Nullable MemoryPool memoryPool;
    private @Nullable TransportObserver observer;

    private Builder() {}

    private Builder(TransportOptions from) {
      codecs = from.codecs;
      plainType = from.plainType;
      maxArrayBytes = from.maxArrayBytes;
      maxFrameBytes = from.maxFrameBytes;
      chunkBytes = from.chunkBytes;
      inboxBytes = from.inboxBytes;
      connectionInboxBytes = from.connectionInboxBytes;
      sendQueueBytes = from.sendQueueBytes;
      memoryBudgetBytes = from.memoryBudgetBytes;
      arrivalBytes = from.arrivalBytes;
      sendBufferBytes = from.sendBufferBytes;
      receiveBufferBytes = from.receiveBufferBytes;
      maxChannels = from.maxChannels;
      maxSubscriptions = from.maxSubscriptions;
      checksums = from.checksums;
      authToken = from.authToken;
      connectTimeout = from.connectTimeout;
      handshakeTimeout = from.handshakeTimeout;
      closeTimeout = from.closeTimeout;
      sendTimeout = from.sendTimeout;
      requestTimeout = from.requestTimeout;
      maxOpenRequests = from.maxOpenRequests;
      heartbeatInterval = from.heartbeatInterval;
      heartbeatTimeout = from.heartbeatTimeout;
      stallTimeout = from.stallTimeout;
      progressTimeout = from.progressTimeout;
      idleTimeout = from.idleTimeout;
      sessionTimeout = from.sessionTimeout;
      longestReconnectPause = from.longestReconnectPause;
      handlerExecutor = from.handlerExecutor;
      memoryPool = from.memoryPool;
      observer = from.observer;
    }

    /**
     * Sets {@link TransportOptions#codecs()}.
     *
     * @param codecs the codecs, best first; no two of the same name
     * @return this
     */
    public Builder codecs(Codec... codecs) {
      return codecs(Arrays.asList(Objects.requireNonNull(codecs, "codecs")));
    }

    /**
     * Sets {@link TransportOptions#codecs()}.
     *
     * @param codecs the codecs, best first; no two of the same name
     * @return this
     */
    public Builder codecs(List<Codec> codecs) {
      this.codecs = List.copyOf(Objects.requireNonNull(codecs, "codecs"));
      return this;
    }

    /**
     * Sets {@link TransportOptions#plainType()}: plain mode.
     *
     * @param type the element type of every array
     * @return this
     */
    public Builder plain(ElementType type) {
      plainType = Objects.requireNonNull(type, "type");
      return this;
    }

    /**
     * Sets framed mode, the default.
     *
     * @return this
     */
    public Builder framed() {
      plainType = null;
      return this;
    }

    /**
     * Sets {@link TransportOptions#maxArrayBytes()}.
     *
     * @param bytes at least 8
     * @return this
     */
    public Builder maxArrayBytes(long bytes) {
      maxArrayBytes = bytes;
      return this;
    }

    /**
     * Sets {@link TransportOptions#maxFrameBytes()}.
     *
     * @param bytes 1 KiB to 64 MiB
     * @return this
     */
    public Builder maxFrameBytes(int bytes) {
      maxFrameBytes = bytes;
      return this;
    }

    /**
     * Sets {@link TransportOptions#chunkBytes()}.
     *
     * @param bytes 1 KiB to 64 MiB
     * @return this
     */
    public Builder chunkBytes(int bytes) {
      chunkBytes = bytes;
      return this;
    }

    /**
     * Sets {@link TransportOptions#inboxBytes()}.
     *
     * @param bytes not negative
     * @return this
     */
    public Builder inboxBytes(int bytes) {
      inboxBytes = bytes;
      return this;
    }

    /**
     * Sets {@link TransportOptions#connectionInboxBytes()}.
     *
     * @param bytes at least 4 KiB
     * @return this
     */
    public Builder connectionInboxBytes(int bytes) {
      connectionInboxBytes = bytes;
      return this;
    }

    /**
     * Sets {@link TransportOptions#sendQueueBytes()}.
     *
     * @param bytes at least 1
     * @return this
     */
    public Builder sendQueueBytes(int bytes) {
      sendQueueBytes = bytes;
      return this;
    }

    /**
     * Sets {@link TransportOptions#arrivalBytes()}.
     *
     * @param bytes at least 1 MiB
     * @return this
     */
    public Builder arrivalBytes(long bytes) {
      arrivalBytes = bytes;
      return this;
    }

    /**
     * Sets {@link TransportOptions#memoryBudgetBytes()}.
     *
     * @param bytes no less than {@code connectionInboxBytes} and {@code inboxBytes}, which one
     *     connection needs; 0 for the default; {@link Long#MAX_VALUE} for no limit
     * @return this
     */
    public Builder memoryBudgetBytes(long bytes) {
      memoryBudgetBytes = bytes;
      return this;
    }

    /**
     * Sets {@link TransportOptions#sendBufferBytes()}.
     *
     * @param bytes not negative; the system has limits of its own
     * @return this
     */
    public Builder sendBufferBytes(int bytes) {
      sendBufferBytes = bytes;
      return this;
    }

    /**
     * Sets {@link TransportOptions#receiveBufferBytes()}.
     *
     * @param bytes not negative; the system has limits of its own
     * @return this
     */
    public Builder receiveBufferBytes(int bytes) {
      receiveBufferBytes = bytes;
      return this;
    }

    /**
     * Sets {@link TransportOptions#maxChannels()}.
     *
     * @param number 1 to 65536
     * @return this
     */
    public Builder maxChannels(int number) {
      maxChannels = number;
      return this;
    }

    /**
     * Sets {@link TransportOptions#maxSubscriptions()}.
     *
     * @param number 0 to 65536
     * @return this
     */
    public Builder maxSubscriptions(int number) {
      maxSubscriptions = number;
      return this;
    }

    /**
     * Sets {@link TransportOptions#checksums()}.
     *
     * @param wanted where this side wants payload checksums
     * @return this
     */
    public Builder checksums(Checksums wanted) {
      checksums = Objects.requireNonNull(wanted, "wanted");
      return this;
    }

    /**
     * Sets {@link TransportOptions#authToken()}.
     *
     * @param token 1 to 256 bytes, copied; or null for none
     * @return this
     */
    public Builder authToken(byte @Nullable [] token) {
      authToken = token == null ? null : token.clone();
      return this;
    }

    /**
     * Sets {@link TransportOptions#connectTimeout()}.
     *
     * @param timeout more than zero
     * @return this
     */
    public Builder connectTimeout(Duration timeout) {
      connectTimeout = Objects.requireNonNull(timeout, "timeout");
      return this;
    }

    /**
     * Sets {@link TransportOptions#handshakeTimeout()}.
     *
     * @param timeout more than zero
     * @return this
     */
    public Builder handshakeTimeout(Duration timeout) {
      handshakeTimeout = Objects.requireNonNull(timeout, "timeout");
      return this;
    }

    /**
     * Sets {@link TransportOptions#closeTimeout()}.
     *
     * @param timeout more than zero
     * @return this
     */
    public Builder closeTimeout(Duration timeout) {
      closeTimeout = Objects.requireNonNull(timeout, "timeout");
      return this;
    }

    /**
     * Sets {@link TransportOptions#sendTimeout()}.
     *
     * @param timeout more than zero
     * @return this
     */
    public Builder sendTimeout(Duration timeout) {
      sendTimeout = Objects.requireNonNull(timeout, "timeout");
      return this;
    }

    /**
     * Sets {@link TransportOptions#requestTimeout()}.
     *
     * @param timeout more than zero
     * @return this
     */
    public Builder requestTimeout(Duration timeout) {
      requestTimeout = Objects.requireNonNull(timeout, "timeout");
      return this;
    }

    /**
     * Sets {@link TransportOptions#maxOpenRequests()}.
     *
     * @param number at least 1
     * @return this
     */
    public Builder maxOpenRequests(int number) {
      maxOpenRequests = number;
      return this;
    }

    /**
     * Sets {@link TransportOptions#heartbeatInterval()}.
     *
     * @param interval 10 ms at least
     * @return this
     */
    public Builder heartbeatInterval(Duration interval) {
      heartbeatInterval = Objects.requireNonNull(interval, "interval");
      return this;
    }

    /**
     * Sets {@link TransportOptions#heartbeatTimeout()}.
     *
     * @param timeout more than zero
     * @return this
     */
    public Builder heartbeatTimeout(Duration timeout) {
      heartbeatTimeout = Objects.requireNonNull(timeout, "timeout");
      return this;
    }

    /**
     * Sets {@link TransportOptions#stallTimeout()}.
     *
     * @param timeout more than zero
     * @return this
     */
    public Builder stallTimeout(Duration timeout) {
      stallTimeout = Objects.requireNonNull(timeout, "timeout");
      return this;
    }

    /**
     * Sets {@link TransportOptions#progressTimeout()}.
     *
     * @param timeout more than zero
     * @return this
     */
    public Builder progressTimeout(Duration timeout) {
      progressTimeout = Objects.requireNonNull(timeout, "timeout");
      return this;
    }

    /**
     * Sets {@link TransportOptions#idleTimeout()}.
     *
     * @param timeout more than zero; or null for any time
     * @return this
     */
    public Builder idleTimeout(@Nullable Duration timeout) {
      idleTimeout = timeout;
      return this;
    }

    /**
     * Sets {@link TransportOptions#sessionTimeout()}.
     *
     * @param timeout more than zero; or null for no sessions
     * @return this
     */
    public Builder sessionTimeout(@Nullable Duration timeout) {
      sessionTimeout = timeout;
      return this;
    }

    /**
     * Sets {@link TransportOptions#longestReconnectPause()}.
     *
     * @param pause 1 ms or more
     * @return this
     */
    public Builder longestReconnectPause(Duration pause) {
      longestReconnectPause = Objects.requireNonNull(pause, "longestReconnectPause");
      return this;
    }

    /**
     * Sets {@link TransportOptions#handlerExecutor()}.
     *
     * @param executor where handlers run, or null for the transport's own
     * @return this
     */
    public Builder handlerExecutor(@Nullable Executor executor) {
      handlerExecutor = executor;
      return this;
    }

    /**
     * Sets {@link TransportOptions#memoryPool()}.
     *
     * @param pool where memory comes from, or null for the transport's own
     * @return this
     */
    public Builder memoryPool(@Nullable MemoryPool pool) {
      memoryPool = pool;
      return this;
    }

    /**
     * Sets {@link TransportOptions#observer()}; several with {@link TransportObserver#all}.
     *
     * @param observer who is told, or null for nobody
     * @return this
     */
    public Builder observer(@Nullable TransportObserver observer) {
      this.observer = observer;
      return this;
    }

    /**
     * Checks the values and makes the options.
     *
     * @return the options
     * @throws IllegalArgumentException if a value is out of its range; the text names value and
     *     range
     */
    public TransportOptions build() {
      atLeast("maxArrayBytes", maxArrayBytes, 8);
      between("maxFrameBytes", maxFrameBytes, 1 << 10, 64 << 20);
      between("chunkBytes", chunkBytes, 1 << 10, 64 << 20);
      atLeast("inboxBytes", inboxBytes, 0);
      atLeast("connectionInboxBytes", connectionInboxBytes, 4 << 10);
      atLeast("sendQueueBytes", sendQueueBytes, 1);
      atLeast("sendBufferBytes", sendBufferBytes, 0);
      atLeast("receiveBufferBytes", receiveBufferBytes, 0);
      if (memoryBudgetBytes != 0) {
        // Less would refuse every connection.
        atLeast("memoryBudgetBytes", memoryBudgetBytes, Math.max(connectionInboxBytes, inboxBytes));
      }
      atLeast("arrivalBytes", arrivalBytes, 1 << 20);
      between("maxChannels", maxChannels, 1, 1 << 16);
      between("maxSubscriptions", maxSubscriptions, 0, 1 << 16);
      if (authToken != null) {
        between("authToken.length", authToken.length, 1, 256);
      }
      positive("connectTimeout", connectTimeout);
      positive("handshakeTimeout", handshakeTimeout);
      positive("closeTimeout", closeTimeout);
      positive("sendTimeout", sendTimeout);
      positive("requestTimeout", requestTimeout);
      atLeast("maxOpenRequests", maxOpenRequests, 1);
      atLeast("heartbeatInterval", heartbeatInterval, LEAST_HEARTBEAT_INTERVAL);
      positive("heartbeatTimeout", heartbeatTimeout);
      positive("stallTimeout", stallTimeout);
      positive("progressTimeout", progressTimeout);
      atLeast("longestReconnectPause", longestReconnectPause, LEAST_RECONNECT_PAUSE);
      if (idleTimeout != null) {
        positive("idleTimeout", idleTimeout);
      }
      if (sessionTimeout != null) {
        positive("sessionTimeout", sessionTimeout);
        if (plainType != null) {
          throw new IllegalArgumentException(
              "plain mode has no sessions; leave sessionTimeout out, or use framed mode (plainType="
                  + plainType
                  + ", sessionTimeout="
                  + sessionTimeout
                  + ")");
        }
      }
      Set<String> names = new HashSet<>();
      for (Codec codec : codecs) {
        if (!names.add(codec.name())) {
          throw new IllegalArgumentException(
              MessageText.brief("two codecs of one name", "codec", codec.name()));
        }
      }
      return new TransportOptions(this);
    }

    private static <T extends Comparable<T>> void atLeast(String name, T value, T least) {
      if (value.compareTo(least) < 0) {
        throw new IllegalArgumentException(
            name + " is too small (" + name + "=" + value + ", least=" + least + ")");
      }
    }

    private static void atLeast(String name, long value, long least) {
      atLeast(name, Long.valueOf(value), Long.valueOf(least));
    }

    private static void between(String name, long value, long least, long most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            name
                + " is out of range ("
                + name
                + "="
                + value
                + ", least="
                + least
                + ", most="
                + most
                + ")");
      }
    }

    private static void positive(String name, Duration value) {
      if (value.isZero() || value.isNegative()) {
        throw new IllegalArgumentException(
            name + " must be more than zero (" + name + "=" + value + ")");
      }
    }
  }
}
