package io.arraywire.stream;

import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.engine.ConnectErrors;
import io.arraywire.engine.Link;
import io.arraywire.engine.Role;
import io.arraywire.engine.WireEnd;
import io.arraywire.spi.MemoryPool;
import java.net.SocketAddress;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A connected socket with its two threads, as the protocol sees it. One that was accepted has one
 * thread until it has something to say: see {@link LateWriter}. Callers move bytes in place of the
 * threads where {@link Lending} lets them.
 */
final class StreamLink implements Link {
  private final StreamSocket socket;
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;
  private final Wakeup reading = new Wakeup();
  private final Wakeup writing = new Wakeup();
  private final Turns turns = new Turns();
  private final AtomicInteger threads = new AtomicInteger(2);
  private volatile boolean closed;

  /** Where this side has accepted and had nothing to say at first; else null. */
  private volatile @Nullable LateWriter late;

  /** Null before the threads are started. */
  private volatile @Nullable Lending lending;

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
    Writing writer = new Writing(this, socket, wire, turns, writing);
    lending = new Lending(this, socket, turns, reader, writer, reading);
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
    if (!turns.ask()) {
      return;
    }
    Lending lends = lending;
    if (lends == null || !lends.isReader()) {
      wakeWritingThread();
    }
  }

  @Override
  public void wakeWriterSoon() {
    if (turns.askSoon()) {
      wakeWritingThread();
    }
  }

  /** The writing thread has to look. */
  void wakeWritingThread() {
    writing.signal();
    LateWriter waits = late;
    if (waits != null) {
      waits.start();
    }
  }

  /** The reading thread's: lends the socket to callers, if that is worth it. */
  void lend() {
    Lending lends = lending;
    if (lends != null) {
      lends.lend();
    }
  }

  /** A caller reads, and has to watch for room, too. */
  void wakeReader() {
    Lending lends = lending;
    if (lends != null) {
      lends.wakeReader();
    }
  }

  /** The writing thread has found the socket full while it is lent, and nobody watches it. */
  void leavesFull() {
    if (turns.leavesFull()) {
      reading.signal();
    }
  }

  @Override
  public boolean beginHelp() {
    Lending lends = lending;
    return lends != null && lends.beginHelp();
  }

  @Override
  public void help(Future<?> result) {
    Lending lends = lending;
    if (lends != null) {
      lends.help(result);
    }
  }

  @Override
  public void endHelp(Future<?> result) {
    Lending lends = lending;
    if (lends != null) {
      lends.endHelp(result);
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
    Lending lends = lending;
    if (lends != null) {
      lends.closeSelector();
    }
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
