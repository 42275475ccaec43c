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
import org.jspecify.annotations.Nullable;

/**
 * A connected socket with its two threads, as the protocol sees it. One that was accepted has one
 * thread until it has something to say: see {@link LateWriter}.
 */
final class StreamLink implements Link {
  private final StreamSocket socket;
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;
  private final Wakeup reading = new Wakeup();
  private final Wakeup writing = new Wakeup();
  private final AtomicInteger threads = new AtomicInteger(2);
  private volatile boolean closed;

  /** Where this side has accepted and had nothing to say at first; else null. */
  private volatile @Nullable LateWriter late;

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
    boolean reads = false;
    boolean writes = false;
    try {
      Thread readingThread = source.unstarted("arraywire-stream-read " + remoteAddress, reader);
      Thread writingThread = source.unstarted("arraywire-stream-write " + remoteAddress, writer);
      wire.start();
      if (role == Role.CONNECTOR) {
        // The last one makes the connection one that can be used, and the connector speaks first.
        readingThread.start();
        reads = true;
        writingThread.start();
      } else {
        writing.clear();
        // Nobody else moves bytes yet, so this thread may ask.
        if (wire.output() == null) {
          LateWriter waits = new LateWriter(this, wire, writer, writingThread);
          late = waits;
          writes = true;
          if (writing.isSignalled()) {
            waits.start();
          }
        } else {
          writingThread.start();
          writes = true;
        }
        readingThread.start();
      }
    } catch (RuntimeException | Error e) {
      NoRoomException failure = noThread(e);
      fail(wire, failure);
      if (!reads) {
        reader.dispose();
      }
      LateWriter waits = late;
      if (!writes) {
        writer.dispose();
      } else if (waits != null) {
        waits.readingOver();
      }
      throw failure;
    }
  }

  /** What a JDK says when the system has no more threads is an OutOfMemoryError. */
  NoRoomException noThread(Throwable thrown) {
    NoRoomException failure =
        new NoRoomException(
            ErrorCode.ALLOCATION_FAILED,
            "no thread could be started for a connection" + ConnectErrors.hint(thrown),
            "peer",
            remoteAddress,
            "cause",
            thrown);
    failure.because(thrown);
    return failure;
  }

  /** Why there is no thread that writes; null if there is one, or was no need of it yet. */
  @Nullable NoRoomException writerFailure() {
    LateWriter waits = late;
    return waits == null ? null : waits.failure();
  }

  /** The reading thread uses nothing any more. */
  void readingOver() {
    LateWriter waits = late;
    if (waits != null) {
      waits.readingOver();
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
    LateWriter waits = late;
    if (waits != null) {
      waits.start();
    }
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
