package io.arraywire.engine;

import java.net.SocketAddress;

/**
 * What the protocol asks of the channel beneath a {@link ProtocolConnection}. Every method may be
 * called by any thread, must not block and must not throw; after {@link #close()} the first two do
 * nothing.
 */
public interface Link {

  /**
   * There is output: have the writing thread call {@link ProtocolConnection#output()} soon. Calls
   * may be merged. May be called with the connection's lock held: take no lock under which the
   * connection is called.
   */
  void wakeWriter();

  /**
   * Input that {@link ProtocolConnection#input} refused may be taken now: have the reading thread
   * call {@link ProtocolConnection#resumeInput} with what is left of it, and read on. Calls may be
   * merged, and may come when nothing was refused.
   */
  void resumeReading();

  /**
   * Close the channel now. Afterwards the reading thread must call {@link
   * ProtocolConnection#inputDisposed()} and the writing thread {@link
   * ProtocolConnection#outputDisposed()}, each once and as its last call. Idempotent.
   */
  void close();

  /**
   * This end's address.
   *
   * @return the address
   */
  SocketAddress localAddress();

  /**
   * The peer's address.
   *
   * @return the address
   */
  SocketAddress remoteAddress();
}
