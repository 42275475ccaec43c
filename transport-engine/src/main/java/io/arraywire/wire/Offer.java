package io.arraywire.wire;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What one side says of itself in the handshake.
 *
 * @param encodings names of the encodings that it can decode, by code
 * @param elementTypes codes of the element types that it can decode
 * @param nativeOrder its host's byte order
 * @param maxArrayBytes the largest encoded array that it accepts
 * @param maxFrameBytes the largest frame payload that it accepts
 * @param checksums whether it wants payload checksums
 * @param token its authentication token, empty for none
 * @param library name and version of its library
 * @param flow what it says of channels, credit, heartbeats and subscriptions
 */
@SuppressWarnings("ArrayRecordComponent") // Copied in and out; offers are never compared.
public record Offer(
    Map<Integer, String> encodings,
    Set<Integer> elementTypes,
    ByteOrder nativeOrder,
    long maxArrayBytes,
    long maxFrameBytes,
    boolean checksums,
    byte[] token,
    String library,
    FlowOffer flow) {
  /** Copies the collections and the token. */
  public Offer {
    encodings = Map.copyOf(encodings);
    elementTypes = Set.copyOf(elementTypes);
    token = token.clone();
  }

  /**
   * The authentication token.
   *
   * @return a copy, empty for none
   */
  @Override
  public byte[] token() {
    return token.clone();
  }

  /**
   * Whether it can decode an encoding.
   *
   * @param encoding the encoding
   * @return true if code and name are both known to it
   */
  public boolean understands(Encoding encoding) {
    return encoding.name().equals(encodings.get(encoding.code()));
  }

  /**
   * Whether it can decode an element type.
   *
   * @param type the type
   * @return true if it can
   */
  public boolean understands(ElementType type) {
    return elementTypes.contains(type.code());
  }

  /**
   * The encodings in words, for an error that names both sides' values.
   *
   * @return for example {@code [raw-le(1), raw-be(2)]}
   */
  public List<String> encodingNames() {
    return new TreeMap<>(encodings)
        .entrySet().stream()
            .map(entry -> Words.printable(entry.getValue()) + "(" + entry.getKey() + ")")
            .collect(Collectors.toList());
  }

  /** Holds no token. */
  @Override
  public String toString() {
    return "encodings="
        + encodingNames()
        + ", elementTypes="
        + elementTypes
        + ", nativeOrder="
        + nativeOrder
        + ", maxArrayBytes="
        + maxArrayBytes
        + ", maxFrameBytes="
        + maxFrameBytes
        + ", checksums="
        + checksums
        + ", library="
        + library
        + ", flow="
        + flow;
  }
}
