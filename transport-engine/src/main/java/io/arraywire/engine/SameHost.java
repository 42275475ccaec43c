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

  private static boolean joins(InetAddress here, InetAddress there) {
    return there != null && (there.isLoopbackAddress() || there.equals(here));
  }
}
