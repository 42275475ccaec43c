package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.Channel;
import io.arraywire.Receipt;
import io.arraywire.Reply;
import io.arraywire.SendOptions;
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
  public CompletionStage<Receipt> send(ArraySlice slice, SendOptions options) {
    return end.send(slice, options);
  }

  @Override
  public void fail(String reason) {
    end.fail(reason);
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
