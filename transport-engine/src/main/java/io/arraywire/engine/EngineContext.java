package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.Checksums;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameLayout;
import io.arraywire.security.Identity;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What all connections of one transport share: options, codecs, memory, handler threads and clock.
 * Immutable; any thread.
 */
final class EngineContext {
  /** What goes straight from an array is in larger chunks: the header is a write of its own. */
  private static final int ARRAY_DIRECT_CHUNKS = 16;

  private final String transport;
  private final TransportOptions options;
  private final MemoryPool pool;
  private final int heapCopies;
  private final Executor executor;
  private final boolean runsHandlersItself;
  private final Deadlines deadlines;
  private final EngineRuntime runtime;
  private final int batchBytes;
  private final int smallBatchBytes;
  private final SendCodecs encoders;
  private final Codec first;
  private final boolean hasElementwiseDecoder;
  private final Map<Integer, Codec> decoders = new LinkedHashMap<>();
  private final Offer offer;
  private final Offer offerOnSameHost;
  private final AtomicBoolean observerFailed = new AtomicBoolean();
  private final AtomicBoolean heartbeatTimeoutRaised = new AtomicBoolean();

  /** What was last agreed on, which most peers have in common. */
  private volatile @Nullable Agreement lastAgreement;

  private volatile FlowOffer lastFlow = SendCredit.UNLIMITED;
  private volatile @Nullable FrameWriter lastWriter;
  private volatile @Nullable KeepAliveLimits lastLimits;
  private final ObjectPool<OutputBatch> batches = new ObjectPool<>(OutputBatch::new);
  private final ObjectPool<FrameScratch> scratches = new ObjectPool<>(FrameScratch::create);
  private final CodecWarmUp codecWarmUp;
  private final KeepAliveTimer keepAliveTimer;
  private final MemoryBudget budget;
  private final InboxBudget inboxBudget;
  private final @Nullable ArrivalBudget arrivals;
  private final Completions completions;
  private final HandlerLogs handlerLogs;
  private final Authentications authentications;
  private final Admission admission;
  private final LateHandlers lateHandlers = new LateHandlers();
  private final Set<ConnectionScope> connections = ConcurrentHashMap.newKeySet();

  EngineContext(
      String transport,
      TransportOptions options,
      List<Codec> codecs,
      MemoryPool pool,
      int heapCopies,
      Deadlines deadlines,
      EngineRuntime runtime,
      Deadlines looks) {
    this.transport = transport;
    this.options = options;
    this.pool = pool;
    this.heapCopies = heapCopies;
    this.deadlines = deadlines;
    this.runtime = runtime;
    batchBytes = runtime.batchBytes(OutputBatch.BATCH_BYTES);
    smallBatchBytes = runtime.batchBytes(OutputBatch.SMALL_BATCH_BYTES);
    codecWarmUp =
        new CodecWarmUp(
            task -> {
              Runnable unused = runtime.start("arraywire-warm-up", task);
            },
            runtime::nanoTime);
    keepAliveTimer = new KeepAliveTimer(deadlines);
    handlerLogs = new HandlerLogs(deadlines);
    authentications = new Authentications(runtime);
    admission = new Admission(options.acceptLimits(), runtime::nanoTime);
    budget = new MemoryBudget(options.memoryBudgetBytes());
    inboxBudget = new InboxBudget(MemoryBudget.ofInboxes(options.memoryBudgetBytes()));
    arrivals = ArrivalBudget.of(options.arrivalBytes(), inboxBudget.budget(), budget);
    Executor own = options.handlerExecutor();
    executor = own == null ? HandlerThreads.handlers() : own;
    runsHandlersItself = runtime.choosesThreads(own == null);
    Executor stages = own == null ? HandlerThreads.stages() : own;
    ShortCalls dependents = runsHandlersItself ? new ShortCalls(runtime) : null;
    completions = new Completions(stages, options.stagesOnLoop(), dependents, looks);
    if (codecs.isEmpty()) {
      throw new IllegalStateException(
          "no codec is installed and the options name none; keep META-INF/services where jars are merged, or set codecs (transport="
              + transport
              + ")");
    }
    encoders = SendCodecs.ofTransport(codecs);
    first = codecs.get(0);
    for (Codec codec : codecs) {
      decoders.putIfAbsent(codec.encoding().code(), codec);
    }
    hasElementwiseDecoder =
        decoders.values().stream().anyMatch(codec -> codec.traits().elementwise());
    offer = OwnOffer.of(codecs, options, options.checksums() != Checksums.UNWANTED);
    offerOnSameHost = OwnOffer.of(codecs, options, options.checksums() == Checksums.WANTED);
    // What does not fit a message is the user's to change, now and not when a peer comes.
    byte[] unused =
        Preamble.write(FrameLayout.VERSION, FrameLayout.VERSION, HandshakeMessage.hello(offer));
  }

  /** How long sessions are kept, a time that the handshake can tell the peer; null for none. */
  @Nullable Duration sessionTimeout() {
    Duration timeout = options.sessionTimeout();
    return timeout == null ? null : SystemDeadlines.bounded(timeout);
  }

  TransportOptions options() {
    return options;
  }

  MemoryPool pool() {
    return pool;
  }

  /**
   * The kind of memory that suits reading: what the codec that is most likely to be used decodes
   * from.
   *
   * @return the kind
   */
  MemoryKind readingMemory() {
    return firstCodec().traits().staging();
  }

  /** The user's observer threw. */
  void observerFailed(Throwable thrown) {
    if (observerFailed.compareAndSet(false, true)) {
      Log.observerFailed(transport, thrown);
    }
  }

  String transport() {
    return transport;
  }

  /** Where handlers run. */
  Executor executor() {
    return executor;
  }

  /** Whether the library chooses the threads that run handlers, and no executor of the user's. */
  boolean runsHandlersItself() {
    return runsHandlersItself;
  }

  /** Where stages complete, and other code of users' runs that handlers may wait for. */
  Completions completions() {
    return completions;
  }

  HandlerLogs handlerLogs() {
    return handlerLogs;
  }

  LateHandlers lateHandlers() {
    return lateHandlers;
  }

  /** The connections that have not ended. */
  Set<ConnectionScope> connections() {
    return connections;
  }

  Deadlines deadlines() {
    return deadlines;
  }

  EngineRuntime runtime() {
    return runtime;
  }

  /** What one batch may hold. */
  int batchBytes() {
    return batchBytes;
  }

  /** What a batch holds when only control frames and small arrays wait. */
  int smallBatchBytes() {
    return smallBatchBytes;
  }

  Offer offer() {
    return offer;
  }

  /** What this side says of itself to a peer that is, or is not, on the same host. */
  Offer offer(boolean onSameHost) {
    // Records of TLS are sealed with more than a checksum.
    return onSameHost || options.tls() != null ? offerOnSameHost : offer;
  }

  /** What this side says of itself to a peer that may do less than the options allow. */
  Offer offer(@Nullable Identity identity) {
    return Permissions.narrowed(offer, identity);
  }

  /** Counts the peers that listeners have accepted. */
  Admission admission() {
    return admission;
  }

  /** Where authenticators run. */
  Authentications authentications() {
    return authentications;
  }

  /** An agreement, one object for all connections in a row that agree on the same. */
  Agreement shared(Agreement agreement) {
    Agreement last = lastAgreement;
    if (last != null && last.equals(agreement)) {
      return last;
    }
    lastAgreement = agreement;
    return agreement;
  }

  /** What a peer said of itself, one object for all in a row that say the same. */
  FlowOffer shared(FlowOffer flow) {
    FlowOffer last = lastFlow;
    if (last.equals(flow)) {
      return last;
    }
    lastFlow = flow;
    return flow;
  }

  /** The limits that liveness has with a peer, one object for all peers in a row. */
  KeepAliveLimits livenessLimits(long peersInterval) {
    KeepAliveLimits last = lastLimits;
    if (last == null || last.peersInterval != peersInterval) {
      last = new KeepAliveLimits(options, peersInterval);
      lastLimits = last;
    }
    return last;
  }

  /** Logs a warning, once, if a peer's heartbeats are too rare for {@code heartbeatTimeout}. */
  void tellOf(KeepAliveLimits limits, SocketAddress peer) {
    if (limits.raisesHeartbeatTimeout() && heartbeatTimeoutRaised.compareAndSet(false, true)) {
      Log.heartbeatTimeoutRaised(
          options.heartbeatTimeout(),
          Duration.ofMillis(limits.peersInterval),
          limits.silence,
          peer);
    }
  }

  CodecWarmUp codecWarmUp() {
    return codecWarmUp;
  }

  /** What looks after the connections. */
  KeepAliveTimer keepAliveTimer() {
    return keepAliveTimer;
  }

  /** What all connections may hold together. */
  MemoryBudget budget() {
    return budget;
  }

  /** What their inboxes may hold together, where that is not reserved. */
  InboxBudget inboxBudget() {
    return inboxBudget;
  }

  /** Whether the user has limited what connections may hold, so that little is kept for later. */
  boolean hasSetBudget() {
    long bytes = options.memoryBudgetBytes();
    return bytes > 0 && bytes < Long.MAX_VALUE;
  }

  /** What limits the arrays that arrive for handlers; null if nothing does. */
  @Nullable ArrivalBudget arrivals() {
    return arrivals;
  }

  /** For connections that have something to write. */
  ObjectPool<OutputBatch> batches() {
    return batches;
  }

  ObjectPool<FrameScratch> scratches() {
    return scratches;
  }

  /** Copies per byte between a buffer and the kernel. */
  int copies(boolean direct) {
    return direct ? 0 : heapCopies;
  }

  /** How arrays are written to a peer, one object for all peers in a row that agree on the same. */
  ArrayWriter writer(
      SendCodecs codecs, Agreement agreed, long peerMaxFrameBytes, @Nullable BlockChoice choice) {
    int chunk = agreed.chunkBytes();
    int directChunk = (int) Math.min(peerMaxFrameBytes, ARRAY_DIRECT_CHUNKS * (long) chunk);
    FrameWriter last = lastWriter;
    if (last != null
        && !agreed.plain()
        && choice == null
        && last.suits(codecs, agreed.checksums(), chunk, directChunk)) {
      return last;
    }
    boolean elementwise = codecs.first().traits().elementwise();
    ArrayWriter writer;
    if (agreed.plain()) {
      writer = new PlainWriter(codecs, chunk, heapCopies);
    } else {
      last = new FrameWriter(codecs, agreed.checksums(), chunk, directChunk, heapCopies, choice);
      lastWriter = elementwise || choice != null ? null : last;
      writer = last;
    }
    return elementwise ? new ElementwiseWriter(writer) : writer;
  }

  @Nullable Codec decoder(int encodingCode) {
    return decoders.get(encodingCode);
  }

  /** The codec that decodes the bytes of a message of parts; null if there is none. */
  @Nullable Codec decoderOfBytes() {
    Codec little = decoders.get(Encoding.RAW_LITTLE_ENDIAN.code());
    return little == null ? decoders.get(Encoding.RAW_BIG_ENDIAN.code()) : little;
  }

  /** The codec that arrays are most likely to be decoded with. */
  Codec firstCodec() {
    Codec plain = options.plainType() == null ? null : decoders.get(Encoding.RAW_BIG_ENDIAN.code());
    return plain == null ? first : plain;
  }

  /** Whether a codec may decode that is to be shown reading one element at a time. */
  boolean hasElementwiseDecoder() {
    return hasElementwiseDecoder;
  }

  /** The codecs to send with to a peer that understands some encodings. */
  SendCodecs encodersFor(Offer peer) throws HandshakeException {
    List<Codec> usable = encoders.of(peer::understands);
    if (!usable.isEmpty()) {
      return new SendCodecs(usable);
    }
    throw new HandshakeException(
        ErrorCode.NEGOTIATION_FAILED,
        "the two sides have no encoding in common; configure a codec of a common one",
        "here",
        offer.encodingNames(),
        "peer",
        peer.encodingNames());
  }

  /** The codec of plain mode. */
  Codec plainCodec() throws HandshakeException {
    Codec codec = decoders.get(Encoding.RAW_BIG_ENDIAN.code());
    if (codec == null) {
      throw new HandshakeException(
          ErrorCode.NEGOTIATION_FAILED,
          "plain mode needs a codec of the encoding raw-be; add one to the option codecs",
          "codecs",
          encoders.names());
    }
    return codec;
  }

  /** All codecs of this side. */
  SendCodecs encoders() {
    return encoders;
  }

  static List<Codec> installed(List<String> preference) {
    List<Codec> all = new ArrayList<>(Codecs.installed());
    // A strategy that is there to be compared is never a user's default.
    all.sort(
        Comparator.comparingInt(codec -> {
          int rank = preference.indexOf(codec.name());
          if (rank >= 0) {
            return rank;
          }
          return codec.traits().elementwise() ? Integer.MAX_VALUE : preference.size();
        }));
    return all;
  }
}
