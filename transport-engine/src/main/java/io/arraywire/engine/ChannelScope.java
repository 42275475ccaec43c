package io.arraywire.engine;

import io.arraywire.Connection;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.source.ArraySource;
import java.util.concurrent.CompletableFuture;

/** What a channel asks of the connection that it is a part of. Any thread. */
interface ChannelScope extends InboundScope {
  /** The connection as users without a session see it. */
  Connection ownConnection();

  /** The outgoing half of the connection. */
  Outbound outbound();

  /** Sends arrays. */
  Sender sender();

  /** Makes a request over a channel. */
  CompletableFuture<ReceivedArray> request(
      OutboundChannel channel, ArraySource source, RequestOptions options);

  /** How many channels there may be. Under the lock. */
  int channelLimit();

  /** How many subscriptions each side may have at a time. Under the lock. */
  int subscriptionLimit();

  /** Ends an inbox that is made when the others have ended, if they have. Under the lock. */
  void endIfOthersHave(Inbox inbox);
}
