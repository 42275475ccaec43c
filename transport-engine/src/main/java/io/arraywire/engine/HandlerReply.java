package io.arraywire.engine;

import io.arraywire.Channel;
import io.arraywire.Receipt;
import io.arraywire.Reply;
import io.arraywire.SendOptions;
import io.arraywire.source.ArraySource;
import java.lang.ref.Reference;
import java.util.concurrent.CompletionStage;

/**
 * The reply that a handler holds. The connection keeps the {@link ReplyEnd} alone, so this becomes
 * unreachable when the user drops it, which {@link Unreachables} notices.
 */
final class HandlerReply implements Reply {
  private final ReplyEnd end;

  HandlerReply(ReplyEnd end) {
    this.end = end;
  }

  @Override
  public Channel channel() {
    return end.channel();
  }

  @Override
  public CompletionStage<Receipt> send(ArraySource source, SendOptions options) {
    try {
      return end.send(source, options);
    } finally {
      // Its user may be done with it; it is dropped no sooner than it is answered.
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void fail(String reason) {
    try {
      end.fail(reason);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void fail(Throwable thrown) {
    try {
      end.fail(thrown);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public boolean isCancelled() {
    return end.isCancelled();
  }

  @Override
  public void onCancel(Runnable action) {
    end.onCancel(action);
  }

  @Override
  public String toString() {
    return end.toString();
  }
}
