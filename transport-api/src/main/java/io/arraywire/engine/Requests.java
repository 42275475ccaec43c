package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Delivery;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteErrorException;
import io.arraywire.Reply;
import io.arraywire.RequestFailedException;
import io.arraywire.RequestHandler;
import io.arraywire.RequestOptions;
import io.arraywire.RequestTimeoutException;
import io.arraywire.SendOptions;
import io.arraywire.TargetMismatchException;
import io.arraywire.TooManyRequestsException;
import io.arraywire.UnexpectedFrameException;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.FrameType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The open requests of a connection: those that this side made and waits for, and those of the peer
 * that it has still to answer.
 *
 * <p>Whoever takes a request out of its map, under the connection's lock, is the one who ends it;
 * so each ends once. Users' code runs without the lock.
 */
final class Requests implements RequestIntake {
  private final PeerScope connection;
  private final EngineContext context;
  private final ReentrantLock lock;
  private final Outbound outbound;

  private final Map<Long, PendingRequest> pending = new HashMap<>();
  private final Map<Long, ReplyEnd> open = new HashMap<>();

  /** The last number given to a request here. */
  private long lastMade;

  /**
   * The highest number of a request of the peer, how many there were, and how many it cancelled.
   */
  private long highestTaken;

  private long taken;
  private long cancelled;

  /** How many replies have come, also those that nobody waited for. */
  private long replies;

  /** Why no reply will come any more. */
  private @Nullable ArraywireException end;

  Requests(PeerScope connection, Outbound outbound) {
    this.connection = connection;
    context = connection.context();
    lock = connection.lock();
    this.outbound = outbound;
  }

  static void checkAgreed(Agreement agreed) {
    if (!agreed.requests()) {
      throw new IllegalStateException(
          "requests were not agreed with the peer (requests=false, plain="
              + agreed.plain()
              + ", peer="
              + agreed.peer()
              + ")");
    }
  }

  // Requests made here, by any thread.

  CompletionStage<ReceivedArray> request(
      OutboundChannel channel, ArraySlice slice, RequestOptions options) {
    Objects.requireNonNull(options, "options");
    PendingRequest.Stage stage = new PendingRequest.Stage(this, connection);
    try {
      PendingRequest request = begin(channel, slice, options, stage);
      connection.wakeWriter();
      CompletableFuture<Receipt> unused =
          request
              .transfer
              .done
              .stage()
              .whenComplete((receipt, thrown) -> {
                if (thrown != null) {
                  fail(request, thrown);
                }
              });
      // However the caller completes it, nobody waits any more.
      CompletableFuture<ReceivedArray> unusedToo =
          stage.whenComplete((reply, thrown) -> abandon(stage));
    } catch (ArraywireException e) {
      stage.completeExceptionally(e);
    }
    return stage;
  }

  private PendingRequest begin(
      OutboundChannel channel, ArraySlice slice, RequestOptions options, PendingRequest.Stage stage)
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
        throw new TooManyRequestsException(
            "too many requests are open here; wait for some of them, or raise maxOpenRequests",
            "openRequests",
            pending.size(),
            "maxOpenRequests",
            most);
      }
      // Acknowledged when it is handled, so that a refusal finds who waits for it.
      OutboundArray transfer =
          connection
              .sender()
              .transfer(
                  channel,
                  slice,
                  new SendOptions(options.attributes(), Delivery.PROCESSED),
                  ArrayEnvelope.request(options.attributes(), lastMade + 1));
      PendingRequest request = new PendingRequest(++lastMade, transfer, options.target(), stage);
      stage.request = request;
      pending.put(request.number, request);
      outbound.openRequests++;
      outbound.acceptInTurn(channel, transfer);
      request.deadline = context.deadlines().after(timeout, () -> timedOut(request, timeout));
      return request;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends a request; returns false if it has ended before. From its return on nobody touches the
   * memory for the reply. Under the lock.
   */
  private boolean remove(PendingRequest request) {
    if (!pending.remove(request.number, request)) {
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
    OutboundArray.Progress progress = request.transfer.withdraw();
    boolean unused = connection.sender().withdraw(request.transfer);
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

  private void timedOut(PendingRequest request, Duration timeout) {
    String known = known(request.transfer);
    if (removes(request)) {
      takeBack(request);
      RequestTimeoutException late =
          new RequestTimeoutException(
              "the request was not answered in time: " + known,
              "request",
              request.number,
              "timeout",
              timeout,
              "channel",
              request.transfer.channel.id,
              "peer",
              connection.remoteAddress());
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
      SendStall stall = outbound.stall(transfer.channel);
      return "it has not left whole, and waited for " + stall.awaited + ": " + stall.cause;
    } finally {
      lock.unlock();
    }
  }

  /** The number of the request that a transfer carries, 0 if it carries none. Under the lock. */
  long numberOf(OutboundArray transfer) {
    for (PendingRequest request : pending.values()) {
      if (request.transfer.equals(transfer)) {
        return request.number;
      }
    }
    return 0;
  }

  /** The request did not get there. */
  private void fail(PendingRequest request, Throwable thrown) {
    if (removes(request)) {
      context.completions().add(request.stage, null, thrown);
      connection.wakeWriterToSayGoodbye();
    }
  }

  // What arrives, on the reading thread.

  /** Checks what an array says of requests. */
  void check(ArrayEnvelope envelope, long count) throws ProtocolException {
    long request = envelope.request();
    long reply = envelope.reply();
    if (request != 0 && reply != 0) {
      throw new UnexpectedFrameException(
          "an array that is both a request and a reply", "request", request, "reply", reply);
    }
    if (envelope.fault() != null && (reply == 0 || count != 0)) {
      throw new UnexpectedFrameException(
          "a fault that is no reply, or has elements", "reply", reply, "count", count);
    }
    lock.lock();
    try {
      if (request != 0) {
        if (open.containsKey(request)) {
          throw new UnexpectedFrameException(
              "a request with the number of one that is open", "request", request);
        }
        taken++;
        highestTaken = Math.max(highestTaken, request);
      } else {
        PendingRequest waiting = pending.get(reply);
        if (reply > lastMade || (waiting != null && !waiting.transfer.framed)) {
          throw new UnexpectedFrameException(
              "a reply to a request that was not sent", "reply", reply, "lastRequest", lastMade);
        }
        if (++replies > lastMade) {
          connection.useless(FrameType.ARRAY, EffectlessFrames.FRAME);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void placeReply(InboundArray arrival, Codec codec, boolean trusted) {
    ArrayEnvelope envelope = arrival.envelope;
    PendingRequest request = pending.get(envelope.reply());
    // A second reply, while the first arrives, is as one that nobody waits for.
    boolean wanted = request != null && request.arrival == null;
    TargetMismatchException mismatch = null;
    arrival.into(new DroppingSink(arrival.type()));
    if (wanted && request != null && envelope.fault() == null) {
      ArraySlice target = request.target;
      if (target == null) {
        arrival.intoFresh(codec, trusted);
      } else if (arrival.type() == target.type() && arrival.count() <= target.length()) {
        arrival.into(codec, target);
      } else {
        mismatch =
            new TargetMismatchException(
                "the reply does not fit the target; it was dropped",
                "replyType",
                arrival.type().javaName(),
                "targetType",
                target.type().javaName(),
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

  /** The request that a reply answers which has its place; null if nobody waits for it. */
  private @Nullable PendingRequest answeredBy(InboundArray arrival) {
    PendingRequest request = pending.get(arrival.envelope.reply());
    return request != null && arrival.equals(request.arrival) ? request : null;
  }

  @Override
  public Runnable replied(InboundArray arrival) {
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
            : new RequestFailedException(
                "the far side could not answer the request: " + fault.reason(),
                "request",
                request.number,
                "channel",
                request.transfer.channel.id,
                "peer",
                connection.remoteAddress());
    ReceivedArray reply = failure == null ? arrival.received(arrival.sink.slice()) : null;
    if (reply != null) {
      connection.events().received(reply.header(), reply.receipt());
    }
    return () -> {
      // A peer may answer what it has not read whole; the caller has the array back from now on.
      request.transfer.withdraw();
      context.completions().add(request.stage, reply, failure);
      connection.wakeWriterToSayGoodbye();
    };
  }

  @Override
  public @Nullable ArraywireException refusal(@Nullable ArrayHandler handler) {
    if (connection.refusesArrays()) {
      return Failures.closedHere(connection.remoteAddress());
    }
    if (!(handler instanceof RequestHandler)) {
      return new ArraywireException(
          ErrorCode.REJECTED,
          "there is no request handler; give a RequestHandler to listen or connect");
    }
    int most = context.options().maxOpenRequests();
    if (open.size() >= most) {
      return new ArraywireException(
          ErrorCode.TOO_MANY_REQUESTS,
          "too many requests are open; wait for some of them, or raise maxOpenRequests here",
          "openRequests",
          open.size(),
          "maxOpenRequests",
          most);
    }
    if (outbound.waitingArrays() >= most) {
      return new ArraywireException(
          ErrorCode.TOO_MANY_REQUESTS,
          "too many answers wait for the peer to read; requests are taken again when it does",
          "waitingAnswers",
          outbound.waitingArrays(),
          "maxOpenRequests",
          most);
    }
    return null;
  }

  @Override
  public OwedReply taken(long number, OutboundChannel channel) {
    ReplyEnd reply = new ReplyEnd(this, channel, number);
    open.put(number, reply);
    outbound.openRequests++;
    return reply;
  }

  @Override
  public void aborted(InboundArray arrival) {
    PendingRequest request = answeredBy(arrival);
    if (request != null) {
      request.arrival = null;
    }
    if (arrival.reply != null) {
      ReplyEnd reply = open.get(arrival.envelope.request());
      if (reply != null) {
        boolean unused = close(reply);
      }
    }
  }

  /** Has the requests of each connection understand frames. */
  static <C> void register(FrameTable<C> frames, Function<C, Requests> part) {
    frames.on(
        FrameType.CANCEL, part, (all, header, channel, body) -> all.cancelledByPeer(header.tag));
  }

  private void cancelledByPeer(long number) throws UnexpectedFrameException {
    List<Runnable> actions;
    lock.lock();
    try {
      if (number < 1 || number > highestTaken || ++cancelled > taken) {
        throw new UnexpectedFrameException(
            "a request was cancelled that did not come, or was cancelled before",
            "request",
            Long.toUnsignedString(number),
            "highestRequest",
            highestTaken);
      }
      ReplyEnd reply = open.get(number);
      actions = reply == null ? List.of() : cancel(reply);
    } finally {
      lock.unlock();
    }
    run(actions);
    connection.wakeWriterToSayGoodbye();
  }

  // Answers given here, by any thread.

  /** An answer is no longer owed. Under the lock; returns whether it was. */
  private boolean close(ReplyEnd reply) {
    if (!open.remove(reply.number, reply)) {
      return false;
    }
    reply.deadline.run();
    reply.deadline = () -> {};
    outbound.openRequests--;
    return true;
  }

  /** Nobody waits for the answer any more. Under the lock; returns what to run without it. */
  private List<Runnable> cancel(ReplyEnd reply) {
    if (!close(reply)) {
      return List.of();
    }
    reply.cancelled = true;
    List<Runnable> actions = List.copyOf(reply.onCancel);
    reply.onCancel.clear();
    return actions;
  }

  private void run(List<Runnable> actions) {
    Completions completions = context.completions();
    for (Runnable action : actions) {
      completions.execute(() -> {
        try {
          action.run();
        } catch (RuntimeException | Error thrown) {
          connection.handlerLog().onCancelFailed(thrown);
        }
      });
    }
  }

  CompletionStage<Receipt> answer(
      ReplyEnd reply, ArraySlice slice, SendOptions options, @Nullable RemoteErrorException fault) {
    Objects.requireNonNull(options, "options");
    CompletableFuture<Receipt> result = new CompletableFuture<>();
    OutboundArray transfer;
    lock.lock();
    try {
      if (reply.answered) {
        throw new IllegalStateException(
            "the request was answered before (request=" + reply.number + ")");
      }
      if (reply.cancelled) {
        reply.answered = true;
        result.completeExceptionally(
            new CancellationException(
                "nobody waits for the answer any more (request=" + reply.number + ")"));
        return result;
      }
      transfer =
          connection
              .sender()
              .transfer(
                  reply.channel,
                  slice,
                  options,
                  ArrayEnvelope.reply(options.attributes(), reply.number, fault));
      reply.answered = true;
      boolean unused = close(reply);
      connection.checkNotFailed();
      outbound.acceptInTurn(reply.channel, transfer);
    } catch (ArraywireException e) {
      result.completeExceptionally(e);
      return result;
    } finally {
      lock.unlock();
    }
    connection.wakeWriter();
    CompletableFuture<Receipt> unused =
        transfer
            .done
            .stage()
            .whenComplete((receipt, thrown) -> context.completions().add(result, receipt, thrown));
    return result;
  }

  /** No elements, of a type that the peer understands. */
  ArraySlice nothing() {
    ElementType type =
        connection.agreement().elementTypes().stream().sorted().findFirst().orElseThrow();
    return ArraySlice.ofArray(type.newArray(0));
  }

  boolean refuse(ReplyEnd reply) {
    boolean refused;
    lock.lock();
    try {
      refused = !reply.answered && close(reply);
      reply.answered |= refused;
    } finally {
      lock.unlock();
    }
    return refused;
  }

  /** A request's handler has returned. */
  void handlerReturned(ReplyEnd reply, Reply held) {
    if (isOpen(reply)) {
      new OpenReply(this, connection, reply).begin(held);
    }
  }

  @SuppressWarnings("ReferenceEquality") // It is the very request that is meant.
  private boolean isOpen(ReplyEnd reply) {
    lock.lock();
    try {
      return open.get(reply.number) == reply;
    } finally {
      lock.unlock();
    }
  }

  /** Has something done later, unless the request is over before; returns whether it is open. */
  @SuppressWarnings("ReferenceEquality") // It is the very request that is meant.
  boolean deadline(ReplyEnd reply, Duration delay, Runnable action) {
    lock.lock();
    try {
      boolean waits = open.get(reply.number) == reply;
      if (waits) {
        reply.deadline = context.deadlines().after(delay, action);
      }
      return waits;
    } finally {
      lock.unlock();
    }
  }

  /** Answers with a failure for a handler that did not; returns whether an answer was owed. */
  @SuppressWarnings("ReferenceEquality") // It is the very request that is meant.
  boolean failUnanswered(ReplyEnd reply, String reason) {
    lock.lock();
    try {
      if (open.get(reply.number) != reply) {
        return false;
      }
      reply.fail(reason);
      return true;
    } finally {
      lock.unlock();
    }
  }

  boolean isCancelled(ReplyEnd reply) {
    lock.lock();
    try {
      return reply.cancelled;
    } finally {
      lock.unlock();
    }
  }

  void onCancel(ReplyEnd reply, Runnable action) {
    lock.lock();
    try {
      if (!reply.cancelled) {
        if (!reply.answered) {
          reply.onCancel.add(action);
        }
        return;
      }
    } finally {
      lock.unlock();
    }
    run(List.of(action));
  }

  Channel channel(OutboundChannel channel) {
    return connection.channel(channel.id);
  }

  // The end.

  /** No reply will come any more, and nobody waits for one. */
  void end(ArraywireException cause) {
    List<PendingRequest> lost;
    List<Runnable> actions = new ArrayList<>();
    lock.lock();
    try {
      if (end == null) {
        end = cause;
      }
      lost = List.copyOf(pending.values());
      lost.forEach(this::remove);
      for (ReplyEnd reply : List.copyOf(open.values())) {
        actions.addAll(cancel(reply));
      }
    } finally {
      lock.unlock();
    }
    for (PendingRequest request : lost) {
      boolean unused = connection.sender().withdraw(request.transfer);
      context.completions().add(request.stage, null, cause.forCaller());
    }
    run(actions);
  }
}
