package io.arraywire.engine;

import io.arraywire.ArraywireException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What the handlers of one connection fail with, here and at the far side, for its operator. Any
 * thread.
 */
final class HandlerLog {
  /** Instead of a sequence number, which is left out of the text then. */
  private static final long NOT_KNOWN = -1;

  private final RepeatedFailures failures;
  private final SocketAddress peer;

  HandlerLog(Deadlines deadlines, SocketAddress peer) {
    failures = new RepeatedFailures(deadlines, Log::repeatable);
    this.peer = peer;
  }

  /**
   * An array or a request was refused here. With the stack of what a handler threw, which nobody
   * else sees.
   *
   * @param request the number of the request, 0 if it is an array
   * @param senderTold whether its sender is told
   */
  void refused(
      int channel, long sequence, long request, ArraywireException refusal, boolean senderTold) {
    Throwable thrown = refusal.getCause();
    String what = request == 0 ? "array refused" : "request refused";
    String line =
        what
            + (senderTold ? " and its sender told" : "; plain mode cannot tell its sender")
            + facts(channel, sequence, request)
            + refusal.getMessage();
    if (refusal.isRefusal()) {
      // Nothing is wrong here.
      Log.refusedOnPurpose(line);
    } else {
      failures.log(what + kind(refusal, thrown), line, thrown);
    }
  }

  /** A request was refused here after its handler had returned. */
  void refusedLater(int channel, long request, ArraywireException refusal) {
    refused(channel, NOT_KNOWN, request, refusal, true);
  }

  /** The far side refused an array, and nobody here waits to be told. */
  void refusedThere(int channel, long sequence, ArraywireException rejection) {
    failures.log(
        "refused there",
        "the peer refused an array that nobody waits for any more; send with Delivery.PROCESSED to be"
            + " told"
            + facts(channel, sequence, 0)
            + rejection.getMessage(),
        null);
  }

  void answeredAndFailed(int channel, long sequence, long request, Throwable thrown) {
    failures.log(
        "answered" + thrown.getClass().getName(),
        "a request handler threw when nobody waited for its answer any more"
            + facts(channel, sequence, request)
            + thrown.getClass().getName(),
        thrown);
  }

  void onCancelFailed(Throwable thrown) {
    failures.log(
        "onCancel" + thrown.getClass().getName(),
        "onCancel of a reply threw (peer=" + peer + "): " + thrown.getClass().getName(),
        thrown);
  }

  /**
   * A handler waits for the far side while arrays wait for that handler.
   *
   * @param words what waits, and for what
   */
  void handlerWaits(String words) {
    failures.log("handler waits", words + " (peer=" + peer + ")", null);
  }

  void end() {
    failures.end();
  }

  private static String kind(ArraywireException refusal, @Nullable Throwable thrown) {
    Object number = refusal.facts().get(LogNumbers.FACT);
    return number != null
        ? " " + number
        : thrown == null ? refusal.code().name() : thrown.getClass().getName();
  }

  private String facts(int channel, long sequence, long request) {
    return (request == 0 ? " (" : " (request=" + request + ", ")
        + "channel="
        + ChannelId.fact(channel)
        + (sequence == NOT_KNOWN ? "" : ", sequence=" + sequence)
        + ", peer="
        + peer
        + "): ";
  }
}
