package io.arraywire.stream;

import io.arraywire.TransportOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * One end of a channel. One thread reads and one writes at a time; any thread may close. It blocks,
 * unless {@link #setBlocking} says otherwise. A thread that is interrupted in an operation that
 * blocks closes the channel, so only threads of the transport may call those.
 */
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
   * Reads some of the bytes that come, with one system call.
   *
   * @return how many; -1 at the end, 0 if nothing is there and the socket does not block
   */
  int read(ByteBuffer into) throws IOException;

  /**
   * Writes bytes; see {@link Writing} for the system calls that this takes.
   *
   * @return how many; less than there are if the socket's buffer is full
   */
  int write(ByteBuffer from) throws IOException;

  /**
   * Has operations block, or not. Nobody may be reading or writing, and no valid key may be left
   * when they are to block.
   */
  void setBlocking(boolean on) throws IOException;

  /** Has a selector say when there is something to read, while the socket does not block. */
  SelectionKey register(Selector selector) throws IOException;

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

  /**
   * Wakes every thread that is blocked in it. Never blocks, never throws; idempotent. While a
   * selector has it registered, the descriptor stays until that selector is closed.
   */
  void close();
}
