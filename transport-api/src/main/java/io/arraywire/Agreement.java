package io.arraywire;

import io.arraywire.security.Authenticator;
import io.arraywire.security.Identity;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What two ends agreed on in their handshake, or, in plain mode, what this end assumes. Immutable.
 *
 * @param plain whether the connection is in plain mode: no handshake, no frames, no
 *     acknowledgements, no requests. There is no credit either: a slow receiver stops reading
 * @param wireVersion the frame version in use, 0 in plain mode
 * @param sendEncoding name of the encoding in which this end sends by default
 * @param sendCodec name of the codec that produces it here
 * @param codecs names of the codecs here whose encodings the peer decodes. {@link
 *     SendOptions#codec} may name any of them; without it, a send takes the first in this order
 *     that supports the element type
 * @param elementTypes the element types that may be sent, each with at least one of the codecs
 * @param maxSendBytes the largest encoded array that may be sent, in bytes: the smaller of both
 *     limits
 * @param maxReceiveBytes the largest encoded array that this end accepts, in bytes
 * @param chunkBytes the most payload bytes in one frame sent by this end
 * @param checksums whether payloads carry a CRC32C
 * @param channels how many channels there are; 1 in plain mode
 * @param subscriptions how many subscriptions each side may have at a time; 0 in plain mode
 * @param sessionTimeout how long both sides keep what was accepted with {@link Delivery#SESSION}
 *     when the connection breaks: the shorter of both times; null if there is no session
 * @param peer name and version of the peer's library, {@code unknown} in plain mode
 * @param identity who the peer is and what it may do, at the end that accepted it: the answer of
 *     the {@link Authenticator}. Without one, the subject of the peer's certificate. Null where
 *     neither is known, and at the end that connected
 */
public record Agreement(
    boolean plain,
    int wireVersion,
    String sendEncoding,
    String sendCodec,
    List<String> codecs,
    Set<ElementType> elementTypes,
    long maxSendBytes,
    long maxReceiveBytes,
    int chunkBytes,
    boolean checksums,
    int channels,
    int subscriptions,
    @Nullable Duration sessionTimeout,
    String peer,
    @Nullable Identity identity) {

  /** Copies the codecs and the set of types. */
  public Agreement {
    codecs = List.copyOf(codecs);
    // Asked at every send: a test of a bit, where Set.copyOf makes a hash table.
    EnumSet<ElementType> types = EnumSet.noneOf(ElementType.class);
    types.addAll(elementTypes);
    elementTypes = Collections.unmodifiableSet(types);
  }
}
