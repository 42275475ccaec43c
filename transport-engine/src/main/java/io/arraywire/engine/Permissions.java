package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.security.Identity;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.Offer;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** What becomes of a peer's {@link Identity}: limits in the handshake, and refusals. Functions. */
final class Permissions {
  private Permissions() {}

  /** What a peer is offered that may do less than others; the offer itself for all others. */
  static Offer narrowed(Offer offer, @Nullable Identity identity) {
    if (identity == null
        || (identity.channels() == Integer.MAX_VALUE
            && identity.maxArrayBytes() == Long.MAX_VALUE
            && identity.inboxBytes() == Integer.MAX_VALUE
            && identity.bytesPerSecond() == Long.MAX_VALUE)) {
      return offer;
    }
    FlowOffer flow = offer.flow();
    // A window that takes longer than a second to send would have the peer's sends time out.
    long window = Math.min(identity.inboxBytes(), identity.bytesPerSecond());
    return new Offer(
        offer.encodings(),
        offer.elementTypes(),
        offer.nativeOrder(),
        Math.min(offer.maxArrayBytes(), identity.maxArrayBytes()),
        offer.maxFrameBytes(),
        offer.checksums(),
        offer.token(),
        offer.library(),
        new FlowOffer(
            Math.min(flow.channels(), identity.channels()),
            Math.min(flow.channelCredit(), window),
            Math.min(flow.connectionCredit(), window),
            flow.heartbeatMillis(),
            flow.subscriptions()));
  }

  /**
   * Why the peer may not subscribe to a subject of this side, for this side; null if it may. The
   * peer is {@linkplain #told told} less.
   */
  static @Nullable ArraywireException subscribing(@Nullable Identity identity, String subject) {
    return identity == null || identity.maySubscribe(subject)
        ? null
        : denied("the peer may not subscribe to this subject", identity, subject);
  }

  /** The refusal as the peer gets it, without the name that this side gives the peer. */
  static ArraywireException told(String subject) {
    return new ArraywireException(
        ErrorCode.NOT_PERMITTED, "this peer may not subscribe to this subject", "subject", subject);
  }

  /**
   * Fails if the peer may not publish a subject to this side.
   *
   * @throws ArraywireException the reason
   */
  static void checkPublishing(@Nullable Identity identity, String subject, SocketAddress peer)
      throws ArraywireException {
    if (identity != null && !identity.mayPublish(subject)) {
      throw denied("the peer may not publish this subject here", identity, subject)
          .describing("peer=" + peer);
    }
  }

  private static ArraywireException denied(String what, Identity identity, String subject) {
    return new ArraywireException(
        ErrorCode.NOT_PERMITTED,
        what + "; the authenticator of the accepting side says what it may",
        "subject",
        subject,
        "identity",
        identity.name());
  }

  /** How many requests of the peer may be open. */
  static int openRequests(@Nullable Identity identity, int most) {
    return identity == null ? most : Math.min(most, identity.maxOpenRequests());
  }
}
