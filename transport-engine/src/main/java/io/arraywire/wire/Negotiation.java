package io.arraywire.wire;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameLayout;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds out whether two sides can talk. Both sides apply it and come to the same result. Stateless;
 * any thread.
 */
public final class Negotiation {
  private Negotiation() {}

  /**
   * The frame version to use.
   *
   * @param peer the peer's preamble
   * @return the highest version that both speak
   * @throws ProtocolException if there is none; the text names both ranges
   */
  public static int version(Preamble peer) throws ProtocolException {
    if (peer.leastVersion() > FrameLayout.VERSION
        || peer.mostVersion() < FrameLayout.VERSION
        || peer.leastVersion() > peer.mostVersion()) {
      throw new ProtocolException(
          ErrorCode.UNSUPPORTED_VERSION,
          "no wire version is understood by both sides",
          "here",
          FrameLayout.VERSION + "-" + FrameLayout.VERSION,
          "peer",
          peer.leastVersion() + "-" + peer.mostVersion());
    }
    return FrameLayout.VERSION;
  }

  /**
   * Checks that a welcome names the version that this side, too, comes to.
   *
   * @param version what {@link #version} found
   * @param welcome the version that the welcome names
   * @throws ProtocolException if they differ
   */
  public static void confirm(int version, int welcome) throws ProtocolException {
    if (welcome != version) {
      throw new ProtocolException(
          ErrorCode.UNSUPPORTED_VERSION,
          "the listener chose a wire version that was not offered",
          "here",
          version,
          "peer",
          welcome);
    }
  }

  /**
   * Checks that there is something in common.
   *
   * @param here this side
   * @param peer the other side
   * @throws HandshakeException if there is no encoding or element type in common; the text names
   *     both sides' values
   */
  public static void agree(Offer here, Offer peer) throws HandshakeException {
    boolean common =
        here.encodings().entrySet().stream()
            .anyMatch(entry -> entry.getValue().equals(peer.encodings().get(entry.getKey())));
    if (!common) {
      throw new HandshakeException(
          ErrorCode.NEGOTIATION_FAILED,
          "the two sides have no encoding in common; configure a codec of a common one",
          "here",
          here.encodingNames(),
          "peer",
          peer.encodingNames());
    }
    Set<Integer> types = new HashSet<>(here.elementTypes());
    types.retainAll(peer.elementTypes());
    if (types.isEmpty()) {
      throw new HandshakeException(
          ErrorCode.NEGOTIATION_FAILED,
          "the two sides have no element type in common",
          "here",
          here.elementTypes(),
          "peer",
          peer.elementTypes());
    }
    if (peer.maxFrameBytes() < 1024) {
      throw new HandshakeException(
          ErrorCode.NEGOTIATION_FAILED,
          "the peer accepts too small frames",
          "peerMaxFrameBytes",
          peer.maxFrameBytes(),
          "least",
          1024);
    }
  }

  /**
   * Checks the connecting side's token in constant time.
   *
   * @param required the listener's token, empty if it demands none
   * @param peer the connecting side
   * @throws HandshakeException if the token is missing or wrong; the text holds no secret
   */
  public static void authenticate(byte[] required, Offer peer) throws ArraywireException {
    if (required.length == 0) {
      return;
    }
    byte[] shown = peer.token();
    if (!MessageDigest.isEqual(required, shown)) {
      throw new HandshakeException(
          ErrorCode.AUTHENTICATION_FAILED,
          shown.length == 0
              ? "the listener demands an authentication token and none was shown; set authToken on"
                  + " the connecting side, too"
              : "the authentication token is wrong; set the same authToken on both sides");
    }
  }
}
