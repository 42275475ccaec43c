package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.frame.FrameType;
import java.util.function.Function;

/** The subscriptions of a connection, in both directions. Any thread. */
final class Subscriptions {
  final SubscriptionsMade made;
  final SubscriptionsTaken taken;

  Subscriptions(PeerScope connection, Outbound outbound) {
    made = new SubscriptionsMade(connection);
    taken = new SubscriptionsTaken(connection, outbound);
  }

  /** Has the subscriptions of each connection understand frames. */
  static <C> void register(FrameTable<C> frames, Function<C, Subscriptions> part) {
    frames
        .on(FrameType.SUBSCRIBE, part, (all, header, at, body) -> all.taken.subscribed(at.id, body))
        .on(FrameType.SUBSCRIBED, part, (all, header, at, body) -> all.made.begun(at.id))
        .on(FrameType.UNSUBSCRIBE, part, (all, header, at, body) -> all.taken.unsubscribed(at.id))
        .on(FrameType.UNSUBSCRIBED, part, (all, header, at, body) -> all.made.ended(at, body));
  }

  /** Nothing more will come or go. */
  void end(ArraywireException cause) {
    made.end(cause);
    taken.end();
  }
}
