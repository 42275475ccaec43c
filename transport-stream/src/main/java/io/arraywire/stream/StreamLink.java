package io.arraywire.stream;

import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.engine.ConnectErrors;
import io.arraywire.engine.Link;
import io.arraywire.engine.Role;
import io.arraywire.engine.WireEnd;
import io.arraywire.spi.MemoryPool;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** A connected socket with its two threads, as the protocol sees it. */
final class StreamLink implements Link {
  private final StreamSocket socket;
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;
  private final Wakeup reading = new Wakeup();
  private final Wakeup writing = new Wakeup();
  private final AtomicInteger threads = new AtomicInteger(2);
  private volatile boolean closed;

  StreamLink(StreamSocket socket) {
    this.socket = socket;
    // A socket forgets them when it is closed, but a log line may ask for them later.
    localAddress = socket.localAddress();
    remoteAddress = socket.remoteAddress();
  }

  /**
   * Begins the handshake and starts the threads. If that cannot be done, the connection fails and
   * is disposed of.
   */
  void start(Role role, WireEnd wire, MemoryPool pool, Threads source) throws NoRoomException {
    Reading reader = new Reading(this, socket, wire, pool, reading);
    Writing writer = new Writing(this, socket, wire, writing);
    if (closed) {
      // One peer too many, for instance, which is not to cost two threads.
      reader.dispose();
      writer.dispose();
      return;
    }
    int started = 0;
    // The last one makes the connection one that can be used: the connector speaks first, so
    // its writing thread comes last, and so does the reading thread of the acceptor.
    boolean speaksFirst = role == Role.CONNECTOR;
    try {
      Thread readingThread = source.unstarted("arraywire-stream-read " + remoteAddress, reader);
      Thread writingThread = source.unstarted("arraywire-stream-write " + remoteAddress, writer);
      wire.start();
      (speaksFirst ? readingThread : writingThread).start();
      started = 1;
      (speaksFirst ? writingThread : readingThread).start();
      started = 2;
    } catch (RuntimeException | Error e) {
      // What a JDK says when the system has no more threads is an OutOfMemoryError.
      NoRoomException failure =
          new NoRoomException(
              ErrorCode.ALLOCATION_FAILED,
              "no thread could be started for a connection" + ConnectErrors.hint(e),
              "peer",
              remoteAddress,
              "cause",
              e);
      failure.because(e);
      fail(wire, failure);
      if (started < (speaksFirst ? 1 : 2)) {
        reader.dispose();
      }
      if (started < (speaksFirst ? 2 : 1)) {
        writer.dispose();
      }
      throw failure;
    }
  }

  /** Fails the connection, and closes the socket even if memory is too short to say why. */
  void fail(WireEnd wire, Throwable cause) {
    try {
      wire.failed(cause);
    } finally {
      close();
    }
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * To be called by each thread when it no longer uses the socket: the last one leaves it closed.
   */
  void threadEnds() {
    if (threads.decrementAndGet() == 0) {
      close();
    }
  }

  @Override
  public void wakeWriter() {
    writing.signal();
  }

  @Override
  public void resumeReading() {
    reading.signal();
  }

  @Override
  public void reset() {
    socket.reset();
    close();
  }

  @Override
  public void close() {
    closed = true;
    socket.close();
    reading.signal();
    writing.signal();
  }

  @Override
  public SocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public SocketAddress remoteAddress() {
    return remoteAddress;
  }
}
