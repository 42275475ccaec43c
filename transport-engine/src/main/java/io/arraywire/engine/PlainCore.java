package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.source.ArraySource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is different in plain mode: only arrays travel, so the peer learns nothing of what becomes
 * of them, and there are no requests. A class of its own, so that the framed engine does not ask
 * with each array.
 */
final class PlainCore extends ConnectionCore {
  PlainCore(
      EngineContext context,
      Link link,
      Function<ConnectionCore, Connection> users,
      @Nullable Handlers handlers) {
    super(context, link, users, handlers);
  }

  @Override
  public CompletableFuture<ReceivedArray> request(
      OutboundChannel channel, ArraySource source, RequestOptions requestOptions) {
    Exchanges.checkFramed(agreement());
    return super.request(channel, source, requestOptions);
  }

  @Override
  public void processed(OutboundChannel channel, long sequence, boolean comesAgain) {
    arrayMoved();
  }

  @Override
  boolean tellsSenders() {
    return false;
  }

  @Override
  public void queueRejected(OutboundChannel channel, long sequence, ArraywireException refusal) {
    // There is no frame that could say so.
  }
}
