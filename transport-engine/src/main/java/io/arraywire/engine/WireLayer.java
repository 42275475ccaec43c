package io.arraywire.engine;

import io.arraywire.spi.MemoryKind;
import java.net.SocketAddress;
import java.util.function.Function;

/**
 * Puts something between the connections of a transport and its channels: encryption, for instance.
 * A layer sees every byte in both directions and every call of the {@link Link}.
 *
 * <p>What the layer's {@link WireEnd} promises, the transport relies on: bytes that were handed to
 * {@link WireEnd#input} may be kept, if they are copied. For those that the layer could pass on
 * without the channel it answers {@link Intake#HELD}. For those that wait for something else it
 * answers {@link Intake#PAUSED}, and later calls {@link Link#resumeReading()}. Where {@link
 * WireEnd#output} says that there is nothing and the layer holds something, it calls {@link
 * Link#wakeWriter()} when that may go. Bytes of its own may come before those from above, before
 * {@link Output#END}, and before it passes on {@link Link#close()}.
 */
@FunctionalInterface
public interface WireLayer {
  /**
   * The name of a failure's fact: the words with which the peer's layer refuses this side. A
   * failure with it tells of something wrong at this side, not at the peer.
   */
  String ALERT = "alert";

  /**
   * Wraps one connection. Called by the thread that makes it, before anything moves.
   *
   * @param role which side of the connection this is
   * @param peer the address that was dialled, with the name that the user gave; at the accepting
   *     side the address that the peer has
   * @param below the channel; the layer hands it, or a link of its own that says of {@link
   *     Link#leastArrayBytes()} that arrays cannot pass by, to what is above
   * @param above makes the end above the layer; to be called once
   * @return the end that the transport drives
   */
  WireEnd wrap(Role role, SocketAddress peer, Link below, Function<Link, WireEnd> above);

  /**
   * The kind of memory that suits reading from the channel.
   *
   * @param above what suits the ends above the layer
   * @return the kind; unless overridden, the same
   */
  default MemoryKind readingMemory(MemoryKind above) {
    return above;
  }
}
