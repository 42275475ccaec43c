package io.arraywire;

import io.arraywire.codec.AdaptiveCompression;
import io.arraywire.security.AcceptLimits;
import io.arraywire.security.Authenticator;
import io.arraywire.security.Tls;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.MemoryPool;
import java.time.Duration;
import java.util.List;
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
  private final OptionValues values;

  private TransportOptions(OptionValues values) {
    this.values = values;
  }

  // What each option means. Its default and its range are a line of Option.

  /** {@return options with every default} */
  public static TransportOptions defaults() {
    return DEFAULTS;
  }

  /** {@return a new builder with every default} */
  public static Builder builder() {
    return new Builder(OptionValues.defaults());
  }

  /** {@return a new builder with these options' values} */
  public Builder toBuilder() {
    return new Builder(values.copy());
  }

  /**
   * {@return the codecs to use, best first} A connection sends with the first one whose encoding
   * the peer understands, and decodes each encoding with the first one of that encoding. Default:
   * empty, which stands for all {@linkplain Codecs#installed() installed} ones in the transport's
   * own order.
   */
  public List<Codec> codecs() {
    return values.get(Option.CODECS);
  }

  /**
   * {@return the element type of plain mode, agreed with the peer out of band, or null for framed
   * mode} Default: null.
   */
  public @Nullable ElementType plainType() {
    return values.orNull(Option.PLAIN_TYPE);
  }

  /** {@return the largest encoded array that is accepted and sent, in bytes} Default: 1 GiB. */
  public long maxArrayBytes() {
    return values.get(Option.MAX_ARRAY_BYTES);
  }

  /** {@return the largest frame payload that is accepted, in bytes} Default: 1 MiB. */
  public int maxFrameBytes() {
    return values.get(Option.MAX_FRAME_BYTES);
  }

  /**
   * {@return the payload of the frames that are sent, in bytes, unless the peer accepts less}
   * Default: 64 KiB.
   */
  public int chunkBytes() {
    return values.get(Option.CHUNK_BYTES);
  }

  /**
   * {@return the first receive window of a channel, in bytes of arrays that have arrived and not
   * been received} The peer has no credit for more; in plain mode reading stops instead. If a whole
   * window comes within a round trip, and is taken, the window grows, up to {@link
   * #connectionInboxBytes()}. At rest it goes back to the first size. Each array counts its
   * elements, its attributes and 256 bytes. At least 4 KiB, except in plain mode. Default: 1 MiB.
   */
  public int inboxBytes() {
    return values.get(Option.INBOX_BYTES);
  }

  /** {@return the receive window of all channels of a connection, in bytes} Default: 16 MiB. */
  public int connectionInboxBytes() {
    return values.get(Option.CONNECTION_INBOX_BYTES);
  }

  /**
   * {@return how many bytes of arrays a channel accepts to send before the kernel has taken them}
   * See {@link ArrayOutput}. Each array counts its elements, its attributes and 256 bytes. Default:
   * 16 MiB.
   */
  public int sendQueueBytes() {
    return values.get(Option.SEND_QUEUE_BYTES);
  }

  /**
   * {@return how many bytes all connections of the transport may hold together: their inboxes, and
   * what each has accepted to send} For each inbox {@link #connectionInboxBytes()} are reserved as
   * long as the connection lives (in plain mode {@link #inboxBytes()}). If there is no room for the
   * inbox of a further connection, that connection is refused with {@link NoRoomException} ({@link
   * ErrorCode#MEMORY_BUDGET}). Its peer sees a {@link RemoteErrorException} with that code. If
   * there is no room for an array to be sent, the send queue of its channel counts as full. One
   * array of each connection is always accepted, so that no connection stands still.
   *
   * <p>Arrays in the hands of handlers and receive calls are not counted.
   *
   * <p>Default: 0, which stands for a quarter of the Java heap, counted in another way: nothing is
   * reserved, so no connection is refused. {@link Long#MAX_VALUE} is no limit. By default these
   * count:
   *
   * <ul>
   *   <li><b>Arrays to be sent</b> count with what the library itself holds: copies of offered or
   *       published arrays, and some 400 bytes for each array. Arrays that are still the caller's
   *       do not count. One exception is what {@code sendAsync} and {@code Reply.send} keep for a
   *       peer that a listener has accepted without a token. All of these together take no more
   *       than is left; one array, or 64 KiB, is kept in any case. Beyond that the stage fails with
   *       {@link NoRoomException}.
   *   <li><b>Publications</b> that wait for the subscribers of one connection take no more than is
   *       left for all others. Beyond that each subscription's {@link LagPolicy} holds, as if its
   *       queue were full.
   *   <li><b>Arrays that have come</b> and that nobody has asked for may take half of the heap
   *       together. Beyond that a connection that holds many of them is ended with {@link
   *       NoRoomException} when more comes.
   * </ul>
   */
  public long memoryBudgetBytes() {
    return values.get(Option.MEMORY_BUDGET_BYTES);
  }

  /**
   * {@return the most bytes that all arrays for handlers may take together} Without memory for it
   * an array is refused; its sender gets {@link RemoteRejectedException} ({@link
   * ErrorCode#MEMORY_BUDGET}), and the connection lives on.
   *
   * <p><b>What counts.</b> An array counts from when it takes more than 32 KiB until its handler
   * returns. It counts up to twice what has come of it, and half as much again while it grows.
   * Smaller ones count, too, when the handlers of their connection have more than 64 KiB of them in
   * hand. Elements in targets of a {@link TargetHandler} do not count.
   *
   * <p>Default: 0, half of the Java heap for each transport. It then counts whole regions of the
   * heap, and at once all that a peer with the token announces. A connection may hold what is left
   * for all others. If the others hold next to nothing, it may hold seven eighths of the heap, less
   * what is held elsewhere. {@link Long#MAX_VALUE} is no limit.
   */
  public long arrivalBytes() {
    return values.get(Option.ARRIVAL_BYTES);
  }

  /**
   * {@return the size of a socket's send buffer (SO_SNDBUF), in bytes} 0 leaves it to the system,
   * which makes it larger with use. Bytes in the socket buffers of both sides cannot be overtaken.
   * With small buffers, a small array waits less behind a large one of another channel. On a
   * network of long delay and high rate, a large array takes longer. Default: 0.
   */
  public int sendBufferBytes() {
    return values.get(Option.SEND_BUFFER_BYTES);
  }

  /**
   * {@return the size of a socket's receive buffer (SO_RCVBUF), in bytes} As {@link
   * #sendBufferBytes()}. Default: 0.
   */
  public int receiveBufferBytes() {
    return values.get(Option.RECEIVE_BUFFER_BYTES);
  }

  /**
   * {@return the most channels in a connection} See {@link Connection#channel}. The smaller number
   * of both sides holds. Default: 256.
   */
  public int maxChannels() {
    return values.get(Option.MAX_CHANNELS);
  }

  /**
   * {@return the most subscriptions that each side may have at a time over one connection} Further
   * ones fail with {@link NoRoomException} ({@link ErrorCode#TOO_MANY_SUBSCRIPTIONS}) at the
   * subscriber. The smaller number of both sides holds. Default: 64.
   */
  public int maxSubscriptions() {
    return values.get(Option.MAX_SUBSCRIPTIONS);
  }

  /**
   * {@return where this side wants payloads to carry a CRC32C} They do if either side wants it.
   * Default: ACROSS_HOSTS, not where both ends are on one host or speak TLS; see {@link Checksums}.
   */
  public Checksums checksums() {
    return values.get(Option.CHECKSUMS);
  }

  /** {@return where this side compresses by itself what it sends} Default: ACROSS_HOSTS. */
  public AdaptiveCompression adaptiveCompression() {
    return values.get(Option.ADAPTIVE_COMPRESSION);
  }

  /**
   * The secret that a connecting side shows and a listener demands, or null for none. A listener
   * without one accepts every peer, whatever it shows, unless an {@link #authenticator()} decides.
   * A peer that has shown it, or that the authenticator accepts, may have memory allocated for a
   * whole array before its bytes arrive. Not in plain mode, which has no handshake to show it in.
   * Default: null.
   *
   * @return a copy
   */
  public byte @Nullable [] authToken() {
    byte[] token = values.orNull(Option.AUTH_TOKEN);
    return token == null ? null : token.clone();
  }

  /**
   * {@return whether {@link #authToken()} may be shown without {@link #tls()} to a listener on
   * another host} Without TLS everyone on the network path can read it. If false, {@code connect}
   * fails with {@link HandshakeException} ({@link ErrorCode#TOKEN_IN_CLEAR}) before a byte is sent.
   * Default: false.
   */
  public boolean tokenWithoutTls() {
    return values.get(Option.TOKEN_WITHOUT_TLS);
  }

  /**
   * {@return what decides which peers the listeners accept and what each may do, or null to accept
   * all that {@link #authToken()} and {@link #tls()} let in} A peer that it accepts counts as one
   * that has shown a token. Not in plain mode, where a peer says nothing of itself. Default: null.
   */
  public @Nullable Authenticator authenticator() {
    return values.orNull(Option.AUTHENTICATOR);
  }

  /**
   * {@return how many peers the listeners take, in all and of each address} One more is refused
   * with {@link ErrorCode#TOO_MANY_CONNECTIONS}. Default: {@link AcceptLimits#defaults()}.
   */
  public AcceptLimits acceptLimits() {
    return values.get(Option.ACCEPT_LIMITS);
  }

  /**
   * {@return how connections are encrypted and how each side proves who it is, or null for
   * connections that anyone on the path between can read} Both sides need it or neither. With it no
   * payload carries a checksum by default, since each record has a stronger one. Default: null.
   */
  public @Nullable Tls tls() {
    return values.orNull(Option.TLS);
  }

  /**
   * {@return how long a connection attempt may take, and then, on either side, the handshake}
   * Default: 10 s.
   */
  public Duration connectTimeout() {
    return values.get(Option.CONNECT_TIMEOUT);
  }

  /**
   * {@return how long {@link Connection#close()} waits for the peer to read everything} Default: 10
   * s.
   */
  public Duration closeTimeout() {
    return values.get(Option.CLOSE_TIMEOUT);
  }

  /**
   * {@return how long a {@code send} waits while no byte of its array leaves} Other arrays may be
   * before it, or the peer gives no credit because nobody there receives. Then the send fails with
   * {@link TimedOutException} ({@link ErrorCode#SEND_TIMEOUT}) and the array is withdrawn. Stages
   * of {@code sendAsync} and {@link Reply#send}, and with them a {@link RowWriter}, fail in the
   * same way. They do so at most 1.25 s after nothing has moved on their channel for so long. An
   * array that {@code offer} took stays in the queue. A transfer that moves, however slowly, goes
   * on. So does the wait for the far side to process an array that has left whole. A wait of more
   * than 5 s on a channel is logged, with its cause. Default: 30 s.
   */
  public Duration sendTimeout() {
    return values.get(Option.SEND_TIMEOUT);
  }

  /**
   * {@return how long a request waits for its reply, from the call on, unless its own options say
   * otherwise} A request handler that has returned may leave a request of the peer unanswered for
   * as long. A warning is logged after half of the time, and at its end the request is refused.
   * Default: 30 s.
   */
  public Duration requestTimeout() {
    return values.get(Option.REQUEST_TIMEOUT);
  }

  /**
   * {@return the most requests of a connection that may be open at a time, in each direction} Made
   * here and not yet answered, or taken here and not yet answered. Default: 1024.
   */
  public int maxOpenRequests() {
    return values.get(Option.MAX_OPEN_REQUESTS);
  }

  /**
   * {@return how often this end sends a heartbeat when it has nothing else to send} At most 49
   * days, the longest time that a handshake can state. Default: 5 s.
   */
  public Duration heartbeatInterval() {
    return values.get(Option.HEARTBEAT_INTERVAL);
  }

  /**
   * {@return how long a peer that sends heartbeats may be silent before the connection fails with
   * {@link ConnectionLostException} ({@link ErrorCode#HEARTBEAT_TIMEOUT})} Less than three of the
   * peer's {@link #heartbeatInterval()} is raised to three, which is logged once for each
   * transport. Time in which this process itself stood still does not count. Default: 15 s.
   */
  public Duration heartbeatTimeout() {
    return values.get(Option.HEARTBEAT_TIMEOUT);
  }

  /**
   * {@return how long data may stand still in either direction before the connection fails}
   * Default: 30 s.
   *
   * <p><b>To the peer:</b> how long it may read nothing while data waits for it ({@link
   * ConnectionLostException}, {@link ErrorCode#SLOW_PEER}). In plain mode the peer may stop reading
   * for as long as it likes. <b>From the peer:</b> how long an array that has begun to arrive may
   * bring less than 1280 bytes, or less than its rest ({@link ErrorCode#STALLED_ARRAY}). In plain
   * mode: how long it may bring nothing at all. Time in which the peer had no credit for it, or
   * other channels had their turn, does not count. Neither does time in which this side did not
   * read or stood still. Nor does time in which a peer that sends heartbeats was silent altogether
   * (see {@link #heartbeatTimeout()}).
   */
  public Duration stallTimeout() {
    return values.get(Option.STALL_TIMEOUT);
  }

  /**
   * {@return how long a connection may be without array traffic in either direction before it fails
   * with {@link ConnectionLostException}, or null for no limit} Default: null.
   *
   * <p>Traffic is a byte of an array that is sent or arrives, credit or an acknowledgement for one,
   * and the end of a handler here. Heartbeats do not count. Neither does anything that only waits:
   * an open request, a send that the peer has not acknowledged, an array that a handler works on.
   * So the time should be longer than handlers take.
   */
  public @Nullable Duration idleTimeout() {
    return values.orNull(Option.IDLE_TIMEOUT);
  }

  /**
   * {@return how long a session outlives its connection, or null for no sessions} With one, a
   * connection that breaks is replaced by its connecting side, and what was sent with {@link
   * Delivery#SESSION} goes on. This side keeps what it needs for that no longer than this time. The
   * shorter of both sides' times holds. Not in plain mode. Default: null.
   */
  public @Nullable Duration sessionTimeout() {
    return values.orNull(Option.SESSION_TIMEOUT);
  }

  /**
   * {@return the longest time that a session whose connection broke waits before another attempt}
   * The first attempt is made at once. The pauses before the others double from 10 ms up to this
   * time. Each is at random between half of that and all of it. Thus the sides that lost the same
   * peer do not all come back at one moment. A session notices the end of an outage at most this
   * time and one attempt later. A listener sees at most two attempts of a session in this time. No
   * pause goes beyond the end of the session. On the connecting side. Default: 200 ms.
   */
  public Duration longestReconnectPause() {
    return values.get(Option.LONGEST_RECONNECT_PAUSE);
  }

  /**
   * {@return where handlers run and stages complete, or null for what all transports of the process
   * share} The transport does not shut it down. From JDK 21 on that is a virtual thread per task.
   * Before, it is two pools of daemon threads that end when idle, one for handlers and one for
   * stages and {@link Reply#onCancel}. Each has at most 256 threads, or 8 per processor if that is
   * more. With null a nonblocking transport also runs calls that have been short of late on an
   * event loop's thread between its turns. Default: null.
   *
   * <p>If all threads of a pool hang, further tasks wait. No other handler of the process is
   * called, or no other stage completes, until one of them returns. Nothing is lost, and credit
   * holds up the peers. So give an executor of your own if handlers may hang, or wait long for
   * something outside.
   *
   * <p>An executor must not run tasks in the thread that hands them in. {@code Runnable::run} does
   * that, and a pool with {@code CallerRunsPolicy} when it is full. A connection whose handler
   * would run there fails with {@link ErrorCode#INTERNAL}.
   */
  public @Nullable Executor handlerExecutor() {
    return values.orNull(Option.HANDLER_EXECUTOR);
  }

  /**
   * {@return whether what depends on stages of {@code sendAsync}, {@code request} and {@link Reply}
   * does not block} Then a stage completes on the thread that read the acknowledgement or the
   * reply. That saves the hop to another thread. The rules are those of {@link Handlers#onLoop()}.
   * A stage that fails because of a timeout or the end of its connection may still complete on the
   * handler executor. Default: false.
   */
  public boolean stagesOnLoop() {
    return values.get(Option.STAGES_ON_LOOP);
  }

  /**
   * {@return where staging memory and leases come from, or null for a pool of the transport's own}
   * The transport does not close it. Default: null.
   */
  public @Nullable MemoryPool memoryPool() {
    return values.orNull(Option.MEMORY_POOL);
  }

  /** {@return the observer of all connections, or null} Default: null, which costs nothing. */
  public @Nullable TransportObserver observer() {
    return values.orNull(Option.OBSERVER);
  }

  /** The options that differ from the defaults, as {@code name=value}, without the token. */
  @Override
  public String toString() {
    return values.toString();
  }

  /** Collects options. Not for use by several threads. */
  public static final class Builder extends OptionSetters {
    private Builder(OptionValues values) {
      super(values);
    }

    /**
     * Checks the values and makes the options.
     *
     * @return the options
     * @throws IllegalArgumentException if a value is out of its range; the text names value and
     *     range
     */
    public TransportOptions build() {
      values.check();
      return new TransportOptions(values.copy());
    }
  }
}
