package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.NoRoomException;
import io.arraywire.ProtocolException;
import io.arraywire.Receipt;
import io.arraywire.RemoteErrorException;
import io.arraywire.Reply;
import io.arraywire.SendOptions;
import io.arraywire.source.ArraySource;
import io.arraywire.wire.ArrayEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The requests of the peer that this side has still to answer.
 *
 * <p>The thread that takes a request out of the map, under the connection's lock, ends it; so each
 * ends once. Users' code runs without the lock.
 */
final class RequestsTaken {
  private final PeerScope connection;
  private final EngineContext context;
  private final ReentrantLock lock;
  private final Outbound outbound;

  private final ByNumber<ReplyEnd> open = new ByNumber<>(reply -> reply.number);

  /**
   * The highest number of a request of the peer, how many there were, and how many it cancelled.
   */
  private long highestTaken;

  private long taken;
  private long cancelled;

  RequestsTaken(PeerScope connection, Outbound outbound) {
    this.connection = connection;
    context = connection.context();
    lock = connection.lock();
    this.outbound = outbound;
  }

  /**
   * Checks the number of a request. Under the lock.
   *
   * @throws ProtocolException if a request with this number is open
   */
  void checkRequest(long request) throws ProtocolException {
    if (open.has(request)) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "a request with the number of one that is open",
          "request",
          request);
    }
    taken++;
    highestTaken = Math.max(highestTaken, request);
  }

  /** Why a request is not taken here; null if it is. Under the lock. */
  @Nullable ArraywireException refusal(@Nullable Handlers handlers) {
    if (connection.refusesArrays()) {
      return Failures.closedHere(connection.remoteAddress());
    }
    if (handlers == null || handlers.requests() == null) {
      return new ArraywireException(
          ErrorCode.REJECTED,
          "there is no request handler; give Handlers with one to listen or connect");
    }
    int most =
        Permissions.openRequests(
            connection.agreement().identity(), context.options().maxOpenRequests());
    if (open.size() >= most) {
      return new ArraywireException(
          ErrorCode.TOO_MANY_REQUESTS,
          "too many requests are open; wait for some of them, or raise maxOpenRequests here, or"
              + " in the peer's Identity",
          "openRequests",
          open.size(),
          "maxOpenRequests",
          most);
    }
    if (outbound.queue.waitingArrays() >= most) {
      return new ArraywireException(
          ErrorCode.TOO_MANY_REQUESTS,
          "too many answers wait for the peer to read; requests are taken again when it does",
          "waitingAnswers",
          outbound.queue.waitingArrays(),
          "maxOpenRequests",
          most);
    }
    return null;
  }

  /** A request is taken. Under the lock. */
  OwedReply taken(long number, OutboundChannel channel) {
    ReplyEnd reply = new ReplyEnd(this, channel, number);
    open.put(reply);
    outbound.openRequests++;
    return reply;
  }

  /** The peer took a request back of which not all had come. Under the lock. */
  void aborted(InboundArray arrival) {
    ReplyEnd reply = open.get(arrival.envelope.request());
    if (arrival.reply != null && reply != null) {
      boolean unused = close(reply);
    }
  }

  void cancelledByPeer(long number) throws ProtocolException {
    List<Runnable> actions;
    lock.lock();
    try {
      if (number < 1 || number > highestTaken || ++cancelled > taken) {
        throw new ProtocolException(
            ErrorCode.PROTOCOL_VIOLATION,
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
    if (!open.remove(reply)) {
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
    List<Runnable> actions = reply.onCancel;
    reply.onCancel = List.of();
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
      ReplyEnd reply,
      ArraySource source,
      SendOptions options,
      @Nullable RemoteErrorException fault) {
    Objects.requireNonNull(source, "the answer is null; send an array, or call fail with a reason");
    Objects.requireNonNull(options, "options");
    CompletableFuture<Receipt> result = new ReplyStage(connection);
    OutboundArray transfer = null;
    ArraySource opened;
    try {
      opened = OpenedSource.of(source);
    } catch (ArraywireException e) {
      fail(reply, e);
      result.completeExceptionally(e);
      return result;
    }
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
      transfer = transfer(reply, opened, options, fault);
      transfer.passedTo = result;
      reply.answered = true;
      boolean unused = close(reply);
      connection.checkNotFailed();
      if (fault == null) {
        try {
          outbound.hold(transfer);
        } catch (NoRoomException e) {
          tellNoRoom(reply);
          connection.wakeWriter();
          throw e;
        }
      }
      outbound.acceptInTurn(transfer);
    } catch (ArraywireException e) {
      result.completeExceptionally(e);
      return result;
    } finally {
      lock.unlock();
      if (transfer == null) {
        OpenedSource.close(opened);
      }
    }
    connection.wakeWriter();
    return result;
  }

  /** What the handler gets of a reply. */
  private static final class ReplyStage extends HelpedStage<Receipt> {
    ReplyStage(PeerScope connection) {
      super(connection, connection.context().completions());
    }

    @Override
    String awaited() {
      return "for the stage of its reply";
    }
  }

  private OutboundArray transfer(
      ReplyEnd reply, ArraySource source, SendOptions options, @Nullable RemoteErrorException fault)
      throws ArraywireException {
    OutboundArray transfer =
        connection
            .sender()
            .array(
                reply.channel,
                source,
                options,
                ArrayEnvelope.reply(options.attributes(), reply.number, fault));
    transfer.timed = true;
    return transfer;
  }

  /** The peer is told that there is no room to keep an answer for it. Under the lock. */
  private void tellNoRoom(ReplyEnd reply) throws ArraywireException {
    RemoteErrorException fault =
        new RemoteErrorException(
            ErrorCode.MEMORY_BUDGET,
            "the answers that wait for this connection to read them leave no room for another; read"
                + " faster, or have fewer requests open");
    OutboundArray transfer = transfer(reply, nothing(), SendOptions.handedOff(), fault);
    transfer.isUnwatched = true;
    outbound.acceptInTurn(transfer);
  }

  /** Answers with what a handler would have failed with if it had thrown. */
  void fail(ReplyEnd reply, ArraywireException refusal) {
    reply.fail(new RemoteErrorException(refusal.code(), String.valueOf(refusal.getMessage())));
    connection.handlerLog().refusedLater(reply.channel.id, reply.number, refusal);
  }

  /** No elements, of a type that the peer understands. */
  ArraySlice nothing() {
    ElementType type =
        connection.agreement().elementTypes().stream().sorted().findFirst().orElseThrow();
    return ArraySlice.ofArray(type.newArray(0)).as(type);
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
          reply.addOnCancel(action);
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

  /** Nobody waits for an answer any more. */
  void end() {
    List<Runnable> actions = new ArrayList<>();
    lock.lock();
    try {
      for (ReplyEnd reply : open.all()) {
        actions.addAll(cancel(reply));
      }
    } finally {
      lock.unlock();
    }
    run(actions);
  }
}
