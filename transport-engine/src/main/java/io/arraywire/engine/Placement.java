package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Handlers;
import io.arraywire.NoRoomException;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import org.jspecify.annotations.Nullable;

/** Finds the place of an arriving array. With the connection's lock. */
final class Placement {
  private Placement() {}

  /** Finds a place at once, and first for replies and requests, which are no receiver's. */
  static void place(
      ReceiveQueue queue, @Nullable Handlers handlers, InboundArray array, Codec codec)
      throws ProtocolException {
    InboundScope scope = queue.scope;
    ArrayEnvelope envelope = array.envelope;
    if (array.exceedsArrays() && (envelope.reply() != 0 || envelope.request() != 0)) {
      throw ArrayChecks.tooMany(array.elements());
    }
    if (envelope.reply() != 0) {
      scope.requests().placeReply(array, codec, scope.isPeerTrusted());
      queue.credit().count(array, false);
      return;
    }
    if (envelope.request() == 0) {
      placeInTurn(queue, handlers, array, codec, false);
      return;
    }
    ArraywireException refusal = scope.requests().refusal(handlers);
    if (refusal != null) {
      array.into(new DroppingSink(array.type()));
      array.outOfTurn = true;
      array.refusal = refusal;
      queue.credit().count(array, false);
      return;
    }
    placeInTurn(queue, handlers, array, codec, true);
    array.reply = scope.requests().taken(envelope.request(), queue.out);
  }

  /** Finds a place at once: with credit, the peer sends no more than there is room for. */
  private static void placeInTurn(
      ReceiveQueue queue,
      @Nullable Handlers handlers,
      InboundArray array,
      Codec codec,
      boolean request) {
    InboundScope scope = queue.scope;
    if (queue.isClosed()) {
      array.into(new DroppingSink(array.type()));
      queue.credit().count(array, false);
      return;
    }
    if (placeWithReceive(queue, array, codec)) {
      queue.credit().count(array, false);
      return;
    }
    boolean targeted = handlers != null && handlers.targets() != null && !request;
    boolean wanted = wantsNext(queue, handlers) && !targeted;
    boolean trusted = scope.isPeerTrusted() && wanted;
    if (handlers == null || targeted) {
      // What may go into a target has no limit before its handler has said that there is none.
      array.intoFresh(codec, trusted);
    } else {
      array.intoFreshParts(codec, trusted, queue.credit().arrivals());
    }
    array.plain = codec.encoding().hasPlainElements();
    array.codec = codec;
    array.needsTarget = targeted;
    queue.credit().count(array, !wanted);
    if (wanted && handlers != null) {
      queue.credit().handles(array);
    }
  }

  /**
   * Finds a place for an array in plain mode; returns false if there is none yet, so that reading
   * has to stop.
   *
   * @throws NoRoomException if all connections hold too much for this one to hold more
   */
  static boolean placeWithoutCredit(
      ReceiveQueue queue,
      @Nullable Handlers handlers,
      @Nullable HandlerRunner runner,
      InboundArray array,
      Codec codec)
      throws NoRoomException {
    InboundScope scope = queue.scope;
    if (queue.isClosed()) {
      array.into(new DroppingSink(array.type()));
      return true;
    }
    if (handlers != null && handlers.targets() != null && runner != null) {
      array.codec = codec;
      Object answer = runner.takeTarget(array);
      if (answer != null) {
        placeAsAnswered(queue, array, codec, answer);
      }
      return answer != null;
    }
    if (placeWithReceive(queue, array, codec)) {
      return true;
    }
    boolean wanted = wantsNext(queue, handlers);
    if (!wanted && queue.readyBytes + array.inboxBytes() > scope.context().options().inboxBytes()) {
      return false;
    }
    ArrivalShare limit = handlers == null ? null : queue.credit().arrivals();
    array.intoFresh(codec, scope.isPeerTrusted(), limit);
    if (!wanted || handlers != null) {
      queue.credit().keeps(array, !wanted);
    }
    return true;
  }

  /**
   * Whether the array that begins is wanted, however large, though no receive waits for it. A
   * handler has nothing in hand, or a caller that does not wait has asked.
   */
  private static boolean wantsNext(ReceiveQueue queue, @Nullable Handlers handlers) {
    boolean polled = queue.polled;
    queue.polled = false;
    return queue.isEmpty() && (handlers != null || polled);
  }

  private static void placeAsAnswered(
      ReceiveQueue queue, InboundArray array, Codec codec, Object answer) throws NoRoomException {
    if (answer instanceof ArraySlice target) {
      array.into(codec, target);
      array.inTarget = true;
    } else if (answer instanceof WritingSink target) {
      array.into(target);
    } else if (HandlerTargets.isNone(answer)) {
      array.intoFresh(codec, false, queue.credit().arrivals());
    } else {
      array.refusal = (ArraywireException) answer;
      array.into(new DroppingSink(array.type()));
      return;
    }
    queue.credit().keeps(array, false);
  }

  /** Gives an array its place with the receive that has waited longest of those that it fits. */
  private static boolean placeWithReceive(ReceiveQueue queue, InboundArray array, Codec codec) {
    PendingReceives line = queue.pending();
    PendingReceive receive = line == null ? null : line.firstFor(array);
    if (line == null || receive == null) {
      return false;
    }
    // Without memory the receive stays in line, and fails with the connection.
    ReceiveTargets.begin(queue.scope, array, receive, codec);
    array.receive = line.removeFirst();
    return true;
  }
}
