package io.arraywire.engine;

import io.arraywire.Channel;
import io.arraywire.ErrorCode;
import io.arraywire.Receipt;
import io.arraywire.RemoteErrorException;
import io.arraywire.Reply;
import io.arraywire.SendOptions;
import io.arraywire.source.ArraySource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * The answer that a request of the peer waits for; handlers hold a {@link HandlerReply} of it.
 * Guarded by the connection's lock.
 */
final class ReplyEnd implements OwedReply {
  private final RequestsTaken requests;
  final OutboundChannel channel;
  final long number;

  boolean answered;
  boolean cancelled;

  /** Cancels what is due while nobody answers. */
  Runnable deadline = () -> {};

  List<Runnable> onCancel = List.of();

  ReplyEnd(RequestsTaken requests, OutboundChannel channel, long number) {
    this.requests = requests;
    this.channel = channel;
    this.number = number;
  }

  Channel channel() {
    return requests.channel(channel);
  }

  CompletionStage<Receipt> send(ArraySource source, SendOptions options) {
    return requests.answer(this, source, options, null);
  }

  void fail(String reason) {
    fail(
        new RemoteErrorException(
            ErrorCode.REQUEST_FAILED,
            Objects.requireNonNull(reason, "the reason is null; say why there is no answer")));
  }

  void fail(RemoteErrorException fault) {
    var unused = requests.answer(this, requests.nothing(), SendOptions.handedOff(), fault);
  }

  void fail(Throwable thrown) {
    requests.fail(this, Failures.ofHandler(thrown));
  }

  @Override
  public Reply forHandler() {
    return new HandlerReply(this);
  }

  @Override
  public boolean isCancelled() {
    return requests.isCancelled(this);
  }

  /** Adds what is to be run if nobody waits any more. Under the lock. */
  void addOnCancel(Runnable action) {
    if (onCancel.isEmpty()) {
      onCancel = new ArrayList<>();
    }
    onCancel.add(action);
  }

  void onCancel(Runnable action) {
    requests.onCancel(this, Objects.requireNonNull(action, "action"));
  }

  @Override
  public void handlerReturned(Reply held) {
    requests.handlerReturned(this, held);
  }

  @Override
  public boolean refuse() {
    return requests.refuse(this);
  }

  @Override
  public String toString() {
    return "reply to request " + number + " on " + channel();
  }
}
