package io.arraywire.spi;

import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.TransportOptions;

/**
 * What a transport can do beside what all transports can, which is everything that {@link
 * Connection}, {@link Listener} and {@link TransportOptions} offer. The test kit's contract checks
 * that a transport can do what it says, and no more.
 */
public enum Capability {
  /** It listens at and connects to addresses of {@link java.net.UnixDomainSocketAddress}. */
  UNIX_DOMAIN_SOCKETS,

  /**
   * In this process, with these options, the kernel copies large arrays straight from and into the
   * user's arrays. A transport without it copies each byte once more on each side. It needs what
   * both sides agree on, too: elements as they lie in memory, and no checksums. {@link
   * Connection#describe()} tells for each connection which way its arrays go, and why.
   */
  ARRAY_DIRECT
}
