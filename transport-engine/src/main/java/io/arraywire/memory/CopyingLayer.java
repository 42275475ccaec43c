package io.arraywire.memory;

import io.arraywire.engine.Link;
import io.arraywire.engine.Role;
import io.arraywire.engine.WireEnd;
import io.arraywire.engine.WireLayer;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A layer that changes no byte and does all else that a layer may do. It copies the bytes of both
 * directions into memory of its own, and passes them on in pieces of odd sizes. It holds them back
 * for a while, and stops reading now and then. A transport whose contract holds with and without it
 * has room for a layer that encrypts. Immutable but for a counter; any thread.
 */
public final class CopyingLayer implements WireLayer {
  private final AtomicLong seeds;

  private CopyingLayer(long seed) {
    seeds = new AtomicLong(seed);
  }

  /**
   * Makes a layer.
   *
   * @param seed decides on pieces and pauses, for each connection anew
   * @return the layer
   */
  public static CopyingLayer of(long seed) {
    return new CopyingLayer(seed);
  }

  @Override
  public WireEnd wrap(Role role, SocketAddress peer, Link below, Function<Link, WireEnd> above) {
    return new CopyingEnd(below, above.apply(new CopyingLink(below)), seeds.getAndIncrement());
  }
}
