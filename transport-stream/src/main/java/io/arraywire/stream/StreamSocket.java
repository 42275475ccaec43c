package io.arraywire.stream;

import io.arraywire.TransportOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;

/** One end of a blocking channel. One thread reads and one writes; any thread may close. */
interface StreamSocket {

  /**
   * Gives it buffers of the sizes that the options ask for, before it is used.
   *
   * @throws IOException if it is closed
   */
  void setBuffers(TransportOptions options) throws IOException;

  /** Blocks until it is connected, {@link #close()} is called or the system gives up. */
  void connect(SocketAddress address) throws IOException;

  /**
   * The bytes that come, one system call for each read.
   *
   * @throws IOException if it is not connected
   */
  InputStream input() throws IOException;

  /**
   * Takes bytes, whole; see {@link Writing} for the system calls that this takes.
   *
   * @throws IOException if it is not connected
   */
  OutputStream output() throws IOException;

  /** Says to the peer that nothing more will come. */
  void endOutput() throws IOException;

  /** This end's address, while the socket is open. */
  SocketAddress localAddress();

  /** The peer's address, while the socket is open. */
  SocketAddress remoteAddress();

  /** As {@link #close}, but the peer sees a failure and no orderly end, where that can be. */
  default void reset() {
    close();
  }

  /** Wakes every thread that is blocked in it. Never blocks, never throws; idempotent. */
  void close();
}
