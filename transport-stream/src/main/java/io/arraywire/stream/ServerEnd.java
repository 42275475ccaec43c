package io.arraywire.stream;

import java.io.IOException;
import java.net.SocketAddress;

/** Where peers come in. One thread accepts; any thread may close. */
interface ServerEnd {

  /** Blocks until a peer is there. */
  StreamSocket accept() throws IOException;

  /** Where it listens, with the real port. */
  SocketAddress address();

  /** Wakes the thread that accepts. Never blocks, never throws; idempotent. */
  void close();
}
