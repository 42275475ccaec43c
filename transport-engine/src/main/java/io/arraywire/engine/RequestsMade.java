package io.arraywire.engine;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Delivery;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.ProtocolException;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteErrorException;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.TargetMismatchException;
import io.arraywire.TimedOutException;
import io.arraywire.frame.FrameType;
import io.arraywire.source.ArraySource;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The requests that this side made and that are not answered.
 *
 * <p>The thread that takes a request out of the map, under the connection's lock, ends it; so each
 * ends once. Users' code runs without the lock.
 */
final class RequestsMade {
  private final PeerScope connection;
  private final EngineContext context;
  private final ReentrantLock lock;
  private final Outbound outbound;
  private final ByNumber<PendingRequest> pending = new ByNumber<>(request -> request.number);

  /** The last number given to a request here. */
  private long lastMade;

  /** How many replies have come, also those that nobody waited for. */
  private long replies;

  /** Why no reply will come any more. */
  private @Nullable ArraywireException end;

  RequestsMade(PeerScope connection, Outbound outbound) {
    this.connection = connection;
    context = connection.context();
    lock = connection.lock();
    this.outbound = outbound;
  }

  // Requests made here, by any thread.

  CompletableFuture<ReceivedArray> request(
      OutboundChannel channel, ArraySource source, RequestOptions options) {
    Objects.requireNonNull(options, "options");
    PendingRequest.Stage stage = new PendingRequest.Stage(this, connection);
    try {
      begin(channel, source, options, stage);
      connection.wakeWriter();
    } catch (ArraywireException e) {
      stage.completeExceptionally(e);
    }
    return stage;
  }

  private void begin(
      OutboundChannel channel,
      ArraySource source,
      RequestOptions options,
      PendingRequest.Stage stage)
      throws ArraywireException {
    ArraySource opened = OpenedSource.of(source);
    boolean begun = false;
    try {
      beginOpened(channel, opened, options, stage);
      begun = true;
    } finally {
      if (!begun) {
        OpenedSource.close(opened);
      }
    }
  }

  private void beginOpened(
      OutboundChannel channel,
      ArraySource source,
      RequestOptions options,
      PendingRequest.Stage stage)
      throws ArraywireException {
    Duration own = options.timeout();
    Duration timeout = own == null ? context.options().requestTimeout() : own;
    lock.lock();
    try {
      connection.checkCanSend();
      if (end != null) {
        throw end.forCaller();
      }
      int most = context.options().maxOpenRequests();
      if (pending.size() >= most) {
        throw new NoRoomException(
            ErrorCode.TOO_MANY_REQUESTS,
            "too many requests are open here; wait for some of them, or raise maxOpenRequests",
            "openRequests",
            pending.size(),
            "maxOpenRequests",
            most);
      }
      // Acknowledged when it is handled, so that a refusal finds the waiting caller.
      OutboundArray transfer =
          connection
              .sender()
              .array(
                  channel,
                  source,
                  options.codec() == null && options.attributes().equals(ArrayAttributes.NONE)
                      ? SendOptions.processed()
                      : new SendOptions(
                          options.attributes(), Delivery.PROCESSED, null, options.codec()),
                  ArrayEnvelope.request(options.attributes(), lastMade + 1));
      PendingRequest request =
          new PendingRequest(++lastMade, transfer, options.target(), timeout, stage);
      stage.request = request;
      transfer.failsWith = request;
      pending.put(request);
      outbound.openRequests++;
      outbound.acceptInTurn(transfer);
      request.deadline = context.deadlines().after(timeout, request);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends a request; returns false if it has ended before. From its return on nobody touches the
   * memory for the reply. Under the lock.
   */
  private boolean remove(PendingRequest request) {
    if (!pending.remove(request)) {
      return false;
    }
    outbound.openRequests--;
    request.stage.request = null;
    request.deadline.run();
    InboundArray arrival = request.arrival;
    if (arrival != null) {
      request.arrival = null;
      arrival.sink.stop();
    }
    return true;
  }

  private boolean removes(PendingRequest request) {
    lock.lock();
    try {
      return remove(request);
    } finally {
      lock.unlock();
    }
  }

  /** Takes the array back, and tells the peer if it has it whole. */
  private void takeBack(PendingRequest request) {
    OutboundArray.Progress progress = SendWait.takeBack(outbound, request.transfer);
    if (progress == OutboundArray.Progress.FRAMED) {
      connection.queueControl(ControlFrames.cancel(request.number));
    }
    connection.wakeWriterToSayGoodbye();
  }

  /** The caller no longer waits. */
  void abandon(PendingRequest.Stage stage) {
    PendingRequest request;
    lock.lock();
    try {
      request = stage.request;
      if (request == null || !remove(request)) {
        return;
      }
    } finally {
      lock.unlock();
    }
    takeBack(request);
  }

  /** Nobody has answered within the request's time. */
  void timedOut(PendingRequest request) {
    String known = known(request.transfer);
    HandlerWait handler = connection.waitingHandler();
    String advice = handler == null ? null : handler.advice();
    if (removes(request)) {
      takeBack(request);
      TimedOutException late =
          new TimedOutException(
              ErrorCode.REQUEST_TIMEOUT,
              "the request was not answered in time: " + (advice == null ? known : advice),
              Failures.withHandler(
                  advice == null ? null : handler,
                  new Object[] {"request", request.number, "timeout", request.timeout},
                  "channel",
                  request.transfer.channel.id,
                  "peer",
                  connection.remoteAddress()));
      late.describing(connection.describe());
      context.completions().add(request.stage, null, late);
    }
  }

  /** What is known here of a request that nobody has answered. */
  private String known(OutboundArray transfer) {
    lock.lock();
    try {
      if (transfer.acknowledged) {
        return "the far handler has returned without an answer; somebody there still works on it, or has"
            + " dropped its Reply";
      }
      if (transfer.framed) {
        return "it has left whole, and the far handler has not returned, or has not had it yet";
      }
      SendStall stall = OutboundReport.stall(outbound, transfer.channel);
      return "it has not left whole, and waited for " + stall.awaited + ": " + stall.cause;
    } finally {
      lock.unlock();
    }
  }

  /** The number of the request that a transfer carries, 0 if it carries none. Under the lock. */
  @SuppressWarnings("ReferenceEquality") // It is the very request that is meant.
  long numberOf(OutboundArray transfer) {
    return transfer.failsWith instanceof PendingRequest request
            && pending.get(request.number) == request
        ? request.number
        : 0;
  }

  /** The request did not get there. */
  void fail(PendingRequest request, Throwable thrown) {
    if (removes(request)) {
      context.completions().add(request.stage, null, thrown);
      connection.wakeWriterToSayGoodbye();
    }
  }

  // What arrives, on the reading thread.

  /**
   * Checks the number of a reply. Under the lock.
   *
   * @throws ProtocolException if no such request was sent, or too many replies came
   */
  void checkReply(long reply) throws ProtocolException {
    PendingRequest waiting = pending.get(reply);
    if (reply > lastMade || (waiting != null && !waiting.transfer.framed)) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "a reply to a request that was not sent",
          "reply",
          reply,
          "lastRequest",
          lastMade);
    }
    if (++replies > lastMade) {
      connection.useless(FrameType.ARRAY, EffectlessFrames.FRAME);
    }
  }

  /** Finds a place for a reply, which always has one. Under the lock. */
  void placeReply(InboundArray arrival, Codec codec, boolean trusted) {
    ArrayEnvelope envelope = arrival.envelope;
    PendingRequest request = pending.get(envelope.reply());
    // A second reply, while the first arrives, is as one that nobody waits for.
    boolean wanted = request != null && request.arrival == null;
    TargetMismatchException mismatch = null;
    if (!wanted || request == null || envelope.fault() != null) {
      drop(arrival);
    } else {
      ArraySlice target = request.target;
      if (target == null) {
        drop(arrival);
        arrival.intoFreshParts(codec, trusted, null);
      } else if (arrival.type() == target.type() && arrival.count() <= target.length()) {
        arrival.into(codec, target);
      } else {
        drop(arrival);
        mismatch =
            new TargetMismatchException(
                "the reply does not fit the target; it was dropped",
                "replyType",
                arrival.type().typeName(),
                "targetType",
                target.type().typeName(),
                "count",
                arrival.count(),
                "room",
                target.length());
      }
    }
    arrival.outOfTurn = true;
    arrival.refusal = mismatch;
    if (wanted && request != null) {
      request.arrival = arrival;
    }
  }

  /** Has a reply go nowhere: for good, or until there is memory for it. */
  private static void drop(InboundArray arrival) {
    arrival.into(new DroppingSink(arrival.type()));
  }

  /** The request that a reply answers which has its place; null if nobody waits for it. */
  private @Nullable PendingRequest answeredBy(InboundArray arrival) {
    PendingRequest request = pending.get(arrival.envelope.reply());
    return request != null && arrival.equals(request.arrival) ? request : null;
  }

  /** A reply has come whole. Under the lock; returns what to do without it. */
  Runnable replied(InboundArray arrival) {
    PendingRequest request = answeredBy(arrival);
    if (request == null) {
      return () -> {};
    }
    request.arrival = null;
    boolean unused = remove(request);
    RemoteErrorException fault = arrival.envelope.fault();
    ArraywireException failure =
        fault == null
            ? arrival.refusal
            : Failures.noAnswer(
                fault, request.number, request.transfer.channel.id, connection.remoteAddress());
    ReceivedArray reply = failure == null ? arrival.received(arrival.sink.slice()) : null;
    if (reply != null) {
      connection.events().received(reply.header(), reply.receipt());
    }
    return () -> {
      // A peer may answer what it has not read whole; the caller has the array back from now on.
      var unusedProgress = outbound.withdraw(request.transfer);
      context.completions().add(request.stage, reply, failure);
      connection.wakeWriterToSayGoodbye();
    };
  }

  /** The peer took a reply back of which not all had come. Under the lock. */
  void aborted(InboundArray arrival) {
    PendingRequest request = answeredBy(arrival);
    if (request != null) {
      request.arrival = null;
    }
  }

  // The end.

  /** No reply will come any more. */
  void end(ArraywireException cause) {
    List<PendingRequest> lost;
    Set<PendingRequest> inDoubt = Set.of();
    lock.lock();
    try {
      if (end == null) {
        end = cause;
      }
      lost = pending.all();
      lost.forEach(this::remove);
      if (cause instanceof ConnectionClosedException) {
        // A peer acknowledges all that it took before it says goodbye.
        boolean told = outbound.control.endsAfterGoodbye();
        inDoubt =
            lost.stream()
                .filter(each -> each.transfer.acknowledged || (each.transfer.framed && !told))
                .collect(Collectors.toSet());
      }
    } finally {
      lock.unlock();
    }
    for (PendingRequest request : lost) {
      boolean unused = connection.sender().withdraw(request.transfer);
      ArraywireException failure =
          inDoubt.contains(request)
              ? Failures.notAnswered(cause, request.number, connection.remoteAddress())
              : cause.forCaller();
      context.completions().add(request.stage, null, failure);
    }
  }
}
