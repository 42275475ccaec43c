package io.arraywire;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What two ends agreed on in their handshake, or, in plain mode, what this end assumes.
 *
 * @param plain whether the connection is in plain mode: no handshake, no frames, no
 *     acknowledgements
 * @param wireVersion the frame version in use, 0 in plain mode
 * @param sendEncoding name of the encoding that this end sends
 * @param sendStrategy name of the codec that produces it here
 * @param elementTypes the element types that may be sent
 * @param maxSendBytes the largest encoded array that may be sent, in bytes: the smaller of both
 *     limits
 * @param maxReceiveBytes the largest encoded array that this end accepts, in bytes
 * @param chunkBytes the most payload bytes in one frame sent by this end
 * @param checksums whether payloads carry a CRC32C
 * @param channels how many channels there are: 1 with a peer that knows none and in plain mode
 * @param credit whether each side sends no more than the other has room for; false with a peer that
 *     knows no credit and in plain mode, where the byte stream itself is held up instead
 * @param sessionTimeout how long both sides keep what was accepted with {@link Delivery#SESSION}
 *     when the connection breaks: the shorter of both times; null if there is no session
 * @param peer name and version of the peer's library, {@code unknown} in plain mode
 * @param requests whether requests can be made and answered; false with a peer that knows none or
 *     no credit, and in plain mode
 * @param subscriptions whether subjects can be subscribed to; false with a peer that knows none or
 *     no credit, and in plain mode
 */
public record Agreement(
    boolean plain,
    int wireVersion,
    String sendEncoding,
    String sendStrategy,
    Set<ElementType> elementTypes,
    long maxSendBytes,
    long maxReceiveBytes,
    int chunkBytes,
    boolean checksums,
    int channels,
    boolean credit,
    @Nullable Duration sessionTimeout,
    String peer,
    boolean requests,
    boolean subscriptions) {

  /** Copies the set of types. */
  public Agreement {
    // Asked at every send: a test of a bit, where Set.copyOf makes a hash table.
    EnumSet<ElementType> types = EnumSet.noneOf(ElementType.class);
    types.addAll(elementTypes);
    elementTypes = Collections.unmodifiableSet(types);
  }
}
