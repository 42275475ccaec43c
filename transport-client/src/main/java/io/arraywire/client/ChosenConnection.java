package io.arraywire.client;

import io.arraywire.Connection;

/**
 * The connection that a call has, and its address. The call that has it {@linkplain #end ends} it
 * once.
 */
record ChosenConnection(Endpoint endpoint, OpenConnection open) {

  Connection connection() {
    return open.connection;
  }

  /** The call is over. */
  void end(boolean served) {
    open.end(served);
  }

  /** The peer refused the call because it closes: further ones go elsewhere. */
  void retire() {
    endpoint.retire(open);
  }
}
