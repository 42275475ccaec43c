package io.arraywire.examples.file;

import java.io.IOException;
import java.net.SocketAddress;

/** Hears of peers that fail while others go on, on one thread at a time. */
@FunctionalInterface
public interface PeerFailures {

  /**
   * A connection or an array failed.
   *
   * @param peer whose
   * @param cause why
   */
  void failed(SocketAddress peer, IOException cause);

  /**
   * More failed than can wait to be reported.
   *
   * @param count how many of them are not reported, since the call before
   */
  default void unreported(long count) {}
}
