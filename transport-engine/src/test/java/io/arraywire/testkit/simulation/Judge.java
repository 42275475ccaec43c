package io.arraywire.testkit.simulation;

import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Delivery;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ErrorCode;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.TargetMismatchException;
import io.arraywire.chaos.delivery.DeliveryChecker;
import io.arraywire.chaos.delivery.DeliveryEvent;
import io.arraywire.chaos.delivery.DeliveryStream;
import io.arraywire.chaos.delivery.DeliveryVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Knows what users did and what they were told, and says what must not be: an array that was
 * reported processed before its handler returned, delivered twice, in the wrong order, with other
 * elements, to somebody else, or after its sender was told that it never would be.
 */
final class Judge {
  private static final int MOST = 20;

  private final Scheduler scheduler;
  private final Trace trace;
  private final DeliveryChecker checker = DeliveryChecker.create();
  private final Map<Long, Sent> sends = new TreeMap<>();
  private final Occurrences occurrences = new Occurrences();
  private final List<String> violations = new ArrayList<>();
  private boolean tamperedWith;

  /** What the arrival of an array is, by what the hosts speak. */
  private Occurrence arrivesAs = Occurrence.ARRAY_IN_CLEAR;

  Judge(Scheduler scheduler, Trace trace) {
    this.scheduler = scheduler;
    this.trace = trace;
  }

  /** The hosts speak TLS, of version 1.2 or 1.3. */
  void encrypted(boolean old) {
    arrivesAs = old ? Occurrence.ARRAY_OVER_TLS_1_2 : Occurrence.ARRAY_OVER_TLS_1_3;
  }

  /** From now on somebody between the hosts changes what they say. */
  void tamperedWith() {
    tamperedWith = true;
  }

  boolean isTamperedWith() {
    return tamperedWith;
  }

  void violation(String what) {
    trace.note(scheduler.now(), "VIOLATION " + what, 0);
    if (violations.size() < MOST) {
      violations.add(what);
    }
  }

  List<String> violations() {
    return violations;
  }

  /** Something happened that seeds are there to meet. */
  void met(Occurrence what) {
    occurrences.add(what);
  }

  /** Some user was told of a failure. */
  void told(@Nullable Throwable failure) {
    if (failure instanceof ArraywireException known) {
      occurrences.add(known);
    }
  }

  Occurrences occurrences() {
    return occurrences;
  }

  Iterable<Sent> sends() {
    return sends.values();
  }

  // Sending.

  Sent invoked(End from, int channel, Sent.How how, Delivery delivery, int bytes, boolean ordered) {
    long tag = sends.size() + 1;
    // Of what waits for a connection before it takes its place the order is not promised.
    int stream = ordered ? channel : Math.toIntExact(1000 + tag);
    long sequence = from.sequences.merge(stream, 1L, Long::sum);
    Sent sent =
        new Sent(
            tag,
            from,
            channel,
            how,
            delivery,
            new DeliveryStream(from.number, 0, stream),
            sequence,
            Payload.of(tag, bytes).tag(tag),
            scheduler.now());
    sends.put(tag, sent);
    met(
        switch (how) {
          case ASYNC -> Occurrence.SENT_ASYNC;
          case OFFER -> Occurrence.OFFERED;
          case BLOCKING -> Occurrence.SENT_BLOCKING;
          case REQUEST -> Occurrence.REQUESTED;
        });
    if (sent.message.parts().size() > 1) {
      met(Occurrence.MESSAGE_OF_PARTS);
    }
    checker.record(DeliveryEvent.INVOKE, sent.stream, sequence, Payload.hash(sent.message));
    trace.note(scheduler.now(), "sends", tag);
    return sent;
  }

  /** The sender was told how it ended. */
  void outcome(Sent sent, @Nullable Throwable thrown) {
    Throwable failure = thrown;
    while (failure instanceof CompletionException && failure.getCause() != null) {
      failure = failure.getCause();
    }
    if (sent.outcome != null) {
      violation(sent + " ended twice, the second time with " + failure);
      return;
    }
    if (failure != null && !(failure instanceof ArraywireException)) {
      boolean meant =
          failure instanceof InterruptedException
              || failure instanceof java.util.concurrent.CancellationException;
      if (!meant) {
        violation(sent + " failed with " + failure);
      }
    }
    told(failure);
    sent.outcome = event(sent, failure);
    trace.note(scheduler.now(), sent.outcome.name(), sent.tag);
    if (failure != null) {
      trace.remark("because of " + failure);
    }
    checker.record(sent.outcome, sent.stream, sent.sequence, 0);
    boolean processed =
        sent.outcome == DeliveryEvent.OK
            && failure == null
            && sent.delivery != Delivery.HANDED_OFF
            && sent.how != Sent.How.REQUEST;
    End to = sent.from.peer;
    if (processed && to != null && to.hasHandler && !sent.handled) {
      violation(sent + " was reported processed before its handler returned");
    }
    Payload.spoil(sent.message);
  }

  /** An offer was not taken. */
  void refused(Sent sent) {
    met(Occurrence.OFFER_REFUSED);
    sent.outcome = DeliveryEvent.FAILED;
    checker.record(DeliveryEvent.FAILED, sent.stream, sent.sequence, 0);
    Payload.spoil(sent.message);
  }

  /** The request was handled; only its answer found no memory. */
  private static boolean isWithoutRoomForAnswer(Throwable failure) {
    return ErrorCode.MEMORY_BUDGET.isOf(failure)
        && failure instanceof RemoteRejectedException
        && String.valueOf(failure.getMessage()).startsWith("the far side could not answer");
  }

  private static DeliveryEvent event(Sent sent, @Nullable Throwable failure) {
    if (failure == null) {
      boolean kernelOnly = sent.delivery == Delivery.HANDED_OFF && sent.how != Sent.How.REQUEST;
      return kernelOnly ? DeliveryEvent.UNKNOWN : DeliveryEvent.OK;
    }
    if (ErrorCode.SEND_TIMEOUT.isOf(failure)
        || ErrorCode.SEND_QUEUE_FULL.isOf(failure)
        || failure instanceof ArrayTooLargeException
        || ErrorCode.TOO_MANY_REQUESTS.isOf(failure)) {
      return DeliveryEvent.FAILED;
    }
    if (ErrorCode.REQUEST_FAILED.isOf(failure)
        || failure instanceof TargetMismatchException
        || isWithoutRoomForAnswer(failure)) {
      return DeliveryEvent.OK;
    }
    if (failure instanceof RemoteRejectedException) {
      return sent.threw ? DeliveryEvent.OK : DeliveryEvent.FAILED;
    }
    boolean surelyNot =
        sent.how != Sent.How.REQUEST
            && sent.delivery != Delivery.HANDED_OFF
            && failure instanceof ArraywireException
            && !(failure instanceof DeliveryUnknownException);
    return surelyNot ? DeliveryEvent.FAILED : DeliveryEvent.UNKNOWN;
  }

  // Receiving.

  /** An array has come to somebody; returns what was sent, or null if nobody sent it. */
  @Nullable Sent delivered(End to, ReceivedArray array) {
    met(arrivesAs);
    Sent sent = sends.get(array.tag());
    if (sent == null) {
      violation("an array came to " + to + " that nobody sent (" + array.header() + ")");
      return null;
    }
    trace.note(scheduler.now(), "delivered", sent.tag);
    sent.delivered = true;
    if (to.toldClosed) {
      violation(sent + " came after onClosed");
    }
    if (array.header().channel() != sent.channel) {
      violation(sent + " came on another channel (" + array.header() + ")");
    }
    End from = sent.from;
    if (from.peer == null && to.peer == null && !from.host.equals(to.host)) {
      from.peer = to;
      to.peer = from;
    } else if (!to.equals(from.peer)) {
      violation(sent + " came to " + to + " instead of " + from.peer);
    }
    checker.record(DeliveryEvent.DELIVERED, sent.stream, sent.sequence, hash(sent, array));
    return sent;
  }

  private long hash(Sent sent, ReceivedArray array) {
    try {
      return Payload.hash(array.message());
    } catch (RuntimeException e) {
      violation(sent + " cannot be read (" + array.header() + "): " + e);
      return 0;
    }
  }

  // The end.

  /** Whatever an end was told, once it has ended. */
  void closed(End end, @Nullable ArraywireException cause) {
    trace.note(scheduler.now(), "told of the end", end.number);
    if (end.toldClosed) {
      violation(end + " was told of its end twice");
    }
    end.toldClosed = true;
    if (cause instanceof ConnectionClosedException) {
      violation(end + " was told of an orderly end as of a failure: " + cause);
    }
  }

  /** What can be said when nothing more happens. */
  void conclude() {
    for (Sent sent : sends.values()) {
      if (sent.outcome == null) {
        violation(sent + " has no outcome, and nothing more happens");
      }
    }
    DeliveryVerdict verdict = checker.verdict();
    if (!verdict.holds()) {
      violation(verdict.toString());
    }
  }
}
