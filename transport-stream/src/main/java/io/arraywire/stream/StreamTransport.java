package io.arraywire.stream;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.engine.SharedTransport;
import java.io.UncheckedIOException;
import java.net.SocketAddress;

/**
 * The blocking transport: sockets whose threads block, over TCP or Unix domain sockets.
 *
 * <p><b>Threads.</b> Each connection has a reading and a writing thread, each listener an accepting
 * one; nothing polls. Reading and writing threads are virtual where the JDK has them (21 or newer)
 * and else daemon threads. A platform thread whose calls follow each other closely reads and writes
 * itself while it waits, so that no other thread is woken. It never blocks in the socket: its
 * timeout holds, and an interrupt leaves the connection as it was. Codecs, pools and observers may
 * then be called on its thread.
 *
 * <p><b>Memory.</b> Everything goes through bounded {@code byte[]}s from the pool of the options,
 * which is asked for heap memory only. What a pool without heap memory gives is not used. A
 * connection on which nothing arrives keeps half a KiB for reading and nothing for writing. The JDK
 * copies each byte once more, between the array and memory of its own beside the heap. With
 * platform threads it keeps up to 128 KiB of that for each thread that has moved data, with virtual
 * ones for each carrier.
 *
 * <p><b>Receipts.</b> A channel operation is one {@code read} or {@code write} of the channel that
 * moved bytes, which is one system call. On virtual threads the JDK asks the kernel once in vain
 * before it waits for input. No program can see that, and no receipt counts it.
 *
 * <p>Any thread may call any method. None of the transport's threads keeps the JVM alive: a
 * server's {@code main} waits in {@link Listener#awaitClosed()}.
 */
public final class StreamTransport {
  private static final SharedTransport SHARED = new SharedTransport(StreamTransport::create);

  private StreamTransport() {}

  /**
   * Listens with default options, on a transport that all callers share and that keeps no process
   * alive.
   *
   * @param address where to listen; port 0 takes a free one
   * @return the listener, to be closed by the caller
   * @throws io.arraywire.BindFailedException if the address cannot be had
   */
  public static Listener listen(SocketAddress address) throws ArraywireException {
    return SHARED.toListen(address).listen(address);
  }

  /**
   * Listens with default options, on a transport that all callers share and that keeps no process
   * alive.
   *
   * @param address as {@link Transport#address(String)} takes it
   * @return the listener, to be closed by the caller
   * @throws io.arraywire.BindFailedException if the address cannot be had
   */
  public static Listener listen(String address) throws ArraywireException {
    return listen(Transport.address(address));
  }

  /**
   * Listens with every default; see {@link Transport#listen(SocketAddress, Handlers)}.
   *
   * @param address where to listen; port 0 takes a free one
   * @param handlers take what peers send
   * @return the listener, to be closed by the caller
   * @throws ArraywireException if the address cannot be had
   */
  public static Listener listen(SocketAddress address, Handlers handlers)
      throws ArraywireException {
    return SHARED.toListen(address).listen(address, handlers);
  }

  /**
   * Listens with every default; see {@link Transport#listen(SocketAddress, Handlers)}.
   *
   * @param address as {@link Transport#address(String)} takes it
   * @param handlers take what peers send
   * @return the listener, to be closed by the caller
   * @throws ArraywireException if the address cannot be had
   */
  public static Listener listen(String address, Handlers handlers) throws ArraywireException {
    return listen(Transport.address(address), handlers);
  }

  /**
   * As {@link #listen(SocketAddress)}, and hands all arrays that come to a handler.
   *
   * @param address where to listen; port 0 takes a free one
   * @param handler takes every peer's arrays
   * @return the listener, to be closed by the caller
   * @throws io.arraywire.BindFailedException if the address cannot be had
   */
  public static Listener listen(SocketAddress address, ArrayHandler handler)
      throws ArraywireException {
    return SHARED.toListen(address).listen(address, handler);
  }

  /**
   * As {@link #listen(SocketAddress)}, and hands all arrays that come to a handler.
   *
   * @param address as {@link Transport#address(String)} takes it
   * @param handler takes every peer's arrays
   * @return the listener, to be closed by the caller
   * @throws io.arraywire.BindFailedException if the address cannot be had
   */
  public static Listener listen(String address, ArrayHandler handler) throws ArraywireException {
    return listen(Transport.address(address), handler);
  }

  /**
   * Connects with default options, on a transport that all callers share and that keeps no process
   * alive.
   *
   * @param address where the listener is
   * @return the connection, to be closed by the caller
   * @throws io.arraywire.ConnectFailedException if no connection can be made
   * @throws ArraywireException as {@link Transport#connect(SocketAddress)}
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  public static Connection connect(SocketAddress address)
      throws ArraywireException, InterruptedException {
    return SHARED.toConnect(address).connect(address);
  }

  /**
   * Connects with default options, on a transport that all callers share and that keeps no process
   * alive.
   *
   * @param address as {@link Transport#address(String)} takes it
   * @return the connection, to be closed by the caller
   * @throws io.arraywire.ConnectFailedException if no connection can be made
   * @throws ArraywireException as {@link Transport#connect(SocketAddress)}
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  public static Connection connect(String address) throws ArraywireException, InterruptedException {
    return connect(Transport.address(address));
  }

  /**
   * Connects with every default; see {@link Transport#connect(SocketAddress, Handlers)}.
   *
   * @param address where the listener is
   * @param handlers take what peers send
   * @return the connection, to be closed by the caller
   * @throws ArraywireException if no connection can be made, or the two sides cannot agree
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  public static Connection connect(SocketAddress address, Handlers handlers)
      throws ArraywireException, InterruptedException {
    return SHARED.toConnect(address).connect(address, handlers);
  }

  /**
   * Connects with every default; see {@link Transport#connect(SocketAddress, Handlers)}.
   *
   * @param address as {@link Transport#address(String)} takes it
   * @param handlers take what peers send
   * @return the connection, to be closed by the caller
   * @throws ArraywireException if no connection can be made, or the two sides cannot agree
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  public static Connection connect(String address, Handlers handlers)
      throws ArraywireException, InterruptedException {
    return connect(Transport.address(address), handlers);
  }

  /**
   * As {@link #connect(SocketAddress)}, and hands the arrays that come to a handler.
   *
   * @param address where the listener is
   * @param handler takes the peer's arrays
   * @return the connection, to be closed by the caller
   * @throws io.arraywire.ConnectFailedException if no connection can be made
   * @throws ArraywireException as {@link Transport#connect(SocketAddress)}
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  public static Connection connect(SocketAddress address, ArrayHandler handler)
      throws ArraywireException, InterruptedException {
    return SHARED.toConnect(address).connect(address, handler);
  }

  /**
   * As {@link #connect(SocketAddress)}, and hands the arrays that come to a handler.
   *
   * @param address as {@link Transport#address(String)} takes it
   * @param handler takes the peer's arrays
   * @return the connection, to be closed by the caller
   * @throws io.arraywire.ConnectFailedException if no connection can be made
   * @throws ArraywireException as {@link Transport#connect(SocketAddress)}
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  public static Connection connect(String address, ArrayHandler handler)
      throws ArraywireException, InterruptedException {
    return connect(Transport.address(address), handler);
  }

  /**
   * Makes a transport of your own.
   *
   * @param options how it and its connections behave
   * @return the transport, to be closed by the caller. Closing it throws {@link
   *     IllegalStateException}, after everything else is done, if a lease of its own pool was not
   *     closed
   * @throws UncheckedIOException if the process has too few file descriptors left
   */
  public static Transport create(TransportOptions options) {
    return new BlockingTransport(options, Sockets.system(), Threads.best());
  }
}
