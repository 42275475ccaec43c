package io.arraywire.nio;

import io.arraywire.engine.EngineConnection;
import io.arraywire.engine.GuardedLogger;
import io.arraywire.engine.Link;
import io.arraywire.engine.Opening;
import io.arraywire.engine.Output;
import io.arraywire.engine.PeerAddress;
import io.arraywire.engine.WireEnd;
import io.arraywire.spi.MemoryKind;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

/**
 * Carries bytes between a nonblocking channel and a connection. Everything but {@link Link}'s
 * methods runs on the event loop. {@link NioReader} reads, this writes.
 */
final class NioLink extends NioReader implements Link {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

  /** What one gathering write takes at most (IOV_MAX). */
  private static final int MOST_BUFFERS = 1024;

  /** Writes in a row end when they have taken this long, once there were two. */
  private static final long WRITE_NANOS = 2_000_000;

  /** What a write operation wrote. */
  private enum Written {
    /** Less than it was given: the kernel has no room for more. */
    PART,
    /** All that it was given. */
    WHOLE,
    /** The last that there was. */
    LAST
  }

  // A byte, and not an object of its own: there are many idle connections.
  private static final VarHandle CLOSE_REQUESTED;

  static {
    try {
      CLOSE_REQUESTED =
          MethodHandles.lookup().findVarHandle(NioLink.class, "closeRequested", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final boolean arrayDirect;
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;
  private final EngineConnection connection;
  private final WireEnd wire;

  private volatile boolean closeRequested;

  /** Whether the kernel may still pace what it need not; see {@link Pacing}. */
  private boolean paced;

  private boolean outputShut;

  NioLink(
      EventLoop loop,
      SocketChannel channel,
      SocketIo io,
      NioOptions options,
      MemoryKind kind,
      Opening opening)
      throws IOException {
    super(loop, io, kind);
    arrayDirect = options.arrayDirect();
    localAddress = channel.getLocalAddress();
    remoteAddress = PeerAddress.of(channel.getRemoteAddress());
    paced = options.unpacedLoopback() && Pacing.isWithinHost(localAddress, remoteAddress);
    // Last: the connection may close this at once.
    connection = opening.open(this);
    wire = connection.wire();
  }

  EngineConnection connection() {
    return connection;
  }

  /** Begins; on the loop. */
  void register(SocketChannel channel) throws IOException {
    start(channel.register(loop.selector(), 0, this));
  }

  // Link, from any thread.

  @Override
  public void wakeWriter() {
    if (!closeRequested) {
      loop.ask(this, WRITE);
    }
  }

  @Override
  public void wakeWriterSoon() {
    if (!closeRequested) {
      loop.askSoon(this, WRITE);
    }
  }

  @Override
  public void wakeWriterLate() {
    if (!closeRequested) {
      loop.askLate(this);
    }
  }

  @Override
  public boolean runsTask(Runnable task, Executor otherwise) {
    return loop.inLoop() && !loop.isStopping() && loop.loopThread().takes(task, otherwise);
  }

  @Override
  public long readingNanos() {
    return READ_NANOS;
  }

  @Override
  public void resumeReading() {
    if (!closeRequested) {
      loop.ask(this, RESUME);
    }
  }

  @Override
  public void reset() {
    resetOnClose();
    close();
  }

  @Override
  public void close() {
    if (CLOSE_REQUESTED.compareAndSet(this, false, true)) {
      loop.execute(this::closeNow);
    }
  }

  @Override
  public SocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public SocketAddress remoteAddress() {
    return remoteAddress;
  }

  @Override
  public boolean beginHelp() {
    return !closeRequested && loop.driver().beginHelp();
  }

  @Override
  public void help(Future<?> result) {
    if (!closeRequested && !result.isDone()) {
      loop.driver().help(result, this);
    }
  }

  @Override
  public void endHelp(Future<?> result) {
    loop.driver().endHelp(result);
  }

  @Override
  public int leastArrayBytes() {
    return arrayDirect ? io.leastArrayBytes() : Integer.MAX_VALUE;
  }

  @Override
  public int leastRegionBytes() {
    return arrayDirect ? io.leastRegionBytes() : Integer.MAX_VALUE;
  }

  @Override
  public String arrayPath() {
    return (arrayDirect ? io.arrayPath() : "staged: arrayDirect=false") + io.pacing();
  }

  // The event loop.

  @Override
  WireEnd wire() {
    return wire;
  }

  @Override
  public void ready() {
    int ready = readyOps();
    if ((ready & SelectionKey.OP_READ) != 0) {
      read();
    }
    if (!closed && (ready & SelectionKey.OP_WRITE) != 0) {
      write();
    }
  }

  @Override
  void work(int what) {
    try {
      if ((what & RESUME) != 0) {
        resume();
      }
    } finally {
      if ((what & WRITE) != 0) {
        write();
      }
    }
  }

  @Override
  public void loopEnds() {
    discard();
  }

  /** Closes at once; also when it has not begun. */
  void discard() {
    try {
      connection.closeNow();
    } finally {
      closeNow();
    }
  }

  @Override
  void workLate() {
    write();
  }

  private void write() {
    if (closed) {
      return;
    }
    // All that there is goes along.
    wroteLate();
    try {
      long end = loop.movedBytes() + TURN_BYTES;
      long began = 0;
      for (int i = 0; i < TURN_OPERATIONS && loop.movedBytes() < end; i++) {
        if (i == 1) {
          began = nanoTime();
        } else if (i > 1 && nanoTime() - began > WRITE_NANOS) {
          // What is compressed takes long to make, and few bytes.
          break;
        }
        Output output = wire.output();
        if (closed) {
          return;
        }
        if (output == null || Output.isEnd(output)) {
          interest(SelectionKey.OP_WRITE, false);
          if (output != null && !outputShut) {
            outputShut = true;
            io.shutdownOutput();
          }
          return;
        }
        Written written = writeOnce(output);
        if (written != Written.WHOLE) {
          interest(SelectionKey.OP_WRITE, written == Written.PART);
          return;
        }
      }
      // Others have their turn first.
      wakeWriter();
    } catch (IOException | RuntimeException | Error e) {
      wire.failed(e);
    }
  }

  /** One write operation. */
  private Written writeOnce(Output output) throws IOException {
    if (paced && output.remaining() >= Pacing.LEAST_BYTES) {
      paced = false;
      io.endPacing();
    }
    long count;
    boolean whole;
    if (output.count() == 0) {
      int arrayBytes = Math.min(output.arrayBytes(), MOST_ARRAY_BYTES);
      count = moved(output.writeArray(io, arrayBytes), true);
      whole = count == arrayBytes;
    } else if (output.arrayBytes() > 0 && output.count() < MOST_BUFFERS && output.gathersArray()) {
      long most = output.remaining() - Math.max(0, output.arrayBytes() - MOST_ARRAY_BYTES);
      count = moved(output.writeGathered(io, MOST_ARRAY_BYTES), true);
      whole = count == most;
    } else {
      int length = Math.min(output.count(), MOST_BUFFERS);
      boolean arrayFollows = length == output.count() && output.arrayBytes() > 0;
      count =
          arrayFollows
              ? io.writeBeforeArray(output.buffers(), output.first(), length)
              : io.write(output.buffers(), output.first(), length);
      whole = !output.buffers()[output.first() + length - 1].hasRemaining();
      moved(count, output.movesArrays());
    }
    if (count > 0 && !whole) {
      output.full(0);
    }
    boolean last = count > 0 && wire.wrote(count);
    return !whole ? Written.PART : last ? Written.LAST : Written.WHOLE;
  }

  private void closeNow() {
    closeRequested = true;
    if (closed) {
      return;
    }
    closed = true;
    loop.driver().forget(this);
    cancelKey();
    try {
      io.close();
    } catch (IOException e) {
      LOGGER.log(Level.DEBUG, "closing a channel failed (peer=" + remoteAddress + ")", e);
    }
    releaseKept();
    wire.disposed(WireEnd.Direction.INPUT);
    wire.disposed(WireEnd.Direction.OUTPUT);
  }
}
