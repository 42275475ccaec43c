package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.Handlers;
import io.arraywire.spi.Codec;
import org.jspecify.annotations.Nullable;

/**
 * Where requests and replies go that arrive: they do not wait in line for a receiver. Guarded by
 * the connection's lock, with which all methods are called.
 */
interface RequestIntake {
  /** Finds a place for a reply, which always has one. */
  void placeReply(InboundArray array, Codec codec, boolean trusted);

  /** A reply has come whole; returns what to do without the lock. */
  Runnable replied(InboundArray array);

  /** Why a request is not taken here; null if it is. */
  @Nullable ArraywireException refusal(@Nullable Handlers handlers);

  /** A request is taken; returns what answers it. */
  OwedReply taken(long number, OutboundChannel channel);

  /** The peer took a request or reply back of which not all had come. */
  void aborted(InboundArray array);
}
