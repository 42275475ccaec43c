package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.Channel;
import io.arraywire.ErrorCode;
import io.arraywire.Receipt;
import io.arraywire.RemoteErrorException;
import io.arraywire.Reply;
import io.arraywire.SendOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** The answer that a request of the peer waits for. Guarded by the connection's lock. */
final class ReplyEnd implements Reply {
  private final Requests requests;
  final OutboundChannel channel;
  final long number;

  boolean answered;
  boolean cancelled;
  final List<Runnable> onCancel = new ArrayList<>(0);

  ReplyEnd(Requests requests, OutboundChannel channel, long number) {
    this.requests = requests;
    this.channel = channel;
    this.number = number;
  }

  @Override
  public Channel channel() {
    return requests.channel(channel);
  }

  @Override
  public CompletionStage<Receipt> send(ArraySlice slice, SendOptions options) {
    return requests.answer(this, slice, options, null);
  }

  @Override
  public void fail(String reason) {
    var unused =
        requests.answer(
            this,
            requests.nothing(),
            SendOptions.handedOff(),
            new RemoteErrorException(
                ErrorCode.REQUEST_FAILED, Objects.requireNonNull(reason, "reason")));
  }

  @Override
  public boolean isCancelled() {
    return requests.isCancelled(this);
  }

  @Override
  public void onCancel(Runnable action) {
    requests.onCancel(this, Objects.requireNonNull(action, "action"));
  }

  /** Takes the answer away from the handler; returns whether there was none and one is wanted. */
  boolean refuse() {
    return requests.refuse(this);
  }

  @Override
  public String toString() {
    return "reply to request " + number + " on " + channel();
  }
}
