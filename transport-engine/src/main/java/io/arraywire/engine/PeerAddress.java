package io.arraywire.engine;

import io.arraywire.spi.MessageText;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;

/** Where a peer is, as users, logs and dumps may have it. Stateless; any thread. */
public final class PeerAddress {
  /** A peer of a Unix domain socket that has not bound its own end. */
  private static final SocketAddress UNNAMED = UnixDomainSocketAddress.of("");

  private PeerAddress() {}

  /**
   * The same address, unless it could control a terminal or forge a line of a log. A peer of a Unix
   * domain socket chooses the path of its own end.
   *
   * @param peer what the system says
   * @return that, or an address without a name
   */
  public static SocketAddress of(SocketAddress peer) {
    if (!(peer instanceof UnixDomainSocketAddress)) {
      return peer;
    }
    String path = peer.toString();
    return MessageText.printable(path).equals(path) ? peer : UNNAMED;
  }
}
