package io.arraywire.engine;

import io.arraywire.Reply;
import java.time.Duration;

/**
 * Looks after a request whose handler has returned without an answer. Half of {@code
 * requestTimeout} later a warning is logged. When all of it is over, the requester gets a failure
 * instead of waiting in vain. So it does as soon as nothing references the reply any more.
 */
final class OpenReply {
  private static final int HALVES = 2;

  private final RequestsTaken requests;
  private final PeerScope connection;
  private final ReplyEnd reply;
  private final Duration limit;

  OpenReply(RequestsTaken requests, PeerScope connection, ReplyEnd reply) {
    this.requests = requests;
    this.connection = connection;
    this.reply = reply;
    limit = SystemDeadlines.bounded(connection.context().options().requestTimeout());
  }

  /** The handler has returned. */
  void begin(Reply held) {
    if (requests.deadline(reply, limit.dividedBy(HALVES), this::warn)) {
      Unreachables.watch(held, this::dropped);
    }
  }

  private void warn() {
    boolean open = requests.deadline(reply, limit.minus(limit.dividedBy(HALVES)), this::timedOut);
    if (open) {
      Log.notAnswered(
          connection.userConnection(),
          "the handler of a request returned without answering, and nobody has answered for "
              + limit.dividedBy(HALVES)
              + "; it is refused after requestTimeout"
              + facts());
    }
  }

  private void timedOut() {
    fail("the handler returned without answering, and nobody answered within requestTimeout");
  }

  private void dropped() {
    fail("the handler returned without answering; its Reply was dropped");
  }

  private void fail(String reason) {
    if (requests.failUnanswered(reply, reason + facts())) {
      Log.notAnswered(connection.userConnection(), "a request was refused: " + reason + facts());
    }
  }

  private String facts() {
    return " (request="
        + reply.number
        + ", channel="
        + reply.channel.id
        + ", requestTimeout="
        + limit
        + ")";
  }
}
