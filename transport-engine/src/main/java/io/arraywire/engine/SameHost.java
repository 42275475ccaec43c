package io.arraywire.engine;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;

/** Tells whether the bytes of a connection stay on this host. */
final class SameHost {
  private SameHost() {}

  /** What a proxy on this host hides behind itself counts as this host; see Checksums.WANTED. */
  static boolean joins(SocketAddress local, SocketAddress remote) {
    if (remote instanceof UnixDomainSocketAddress) {
      return true;
    }
    return local instanceof InetSocketAddress here
        && remote instanceof InetSocketAddress there
        && joins(here.getAddress(), there.getAddress());
  }

  /**
   * Whether what is sent to an address stays on this host. A name that is not resolved may become
   * any address.
   */
  static boolean isHere(SocketAddress address) {
    if (!(address instanceof InetSocketAddress inet)) {
      return true;
    }
    InetAddress to = inet.getAddress();
    return to == null
        ? inet.getHostString().equals("localhost")
        : to.isLoopbackAddress() || to.isAnyLocalAddress();
  }

  private static boolean joins(InetAddress here, InetAddress there) {
    return there != null && (there.isLoopbackAddress() || there.equals(here));
  }
}
