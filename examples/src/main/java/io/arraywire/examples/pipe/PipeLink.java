package io.arraywire.examples.pipe;

import io.arraywire.engine.Engine;
import io.arraywire.engine.Intake;
import io.arraywire.engine.Link;
import io.arraywire.engine.Output;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.WireEnd;
import io.arraywire.engine.WireEnd.Direction;
import io.arraywire.spi.PooledMemory;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.Pipe;
import java.util.concurrent.Semaphore;

/**
 * One end of a connection: carries bytes between two pipes and the protocol, on a thread that reads
 * and a thread that writes. Both sleep in their pipe, or until the protocol wakes them.
 */
final class PipeLink implements Link {
  private static final int WINDOW_BYTES = 64 << 10;

  private final SocketAddress local;
  private final SocketAddress remote;
  private final Pipe.SourceChannel source;
  private final Pipe.SinkChannel sink;
  private final Semaphore mayRead = new Semaphore(0);
  private final Semaphore mayWrite = new Semaphore(0);
  private volatile boolean closed;

  private PipeLink(SocketAddress local, SocketAddress remote, Pipe in, Pipe out) {
    this.local = local;
    this.remote = remote;
    source = in.source();
    sink = out.sink();
  }

  record Pair(PipeLink connecting, PipeLink accepting) {}

  static Pair pair(SocketAddress connector, SocketAddress listener) throws IOException {
    Pipe there = Pipe.open();
    Pipe back;
    try {
      back = Pipe.open();
    } catch (IOException | RuntimeException | Error e) { // No descriptor is left.
      close(there.source());
      close(there.sink());
      throw e;
    }
    return new Pair(
        new PipeLink(connector, listener, back, there),
        new PipeLink(listener, connector, there, back));
  }

  /** Begins the handshake and starts the threads. If the system has none left, this throws. */
  void start(WireEnd wire, Engine engine) {
    Thread reader = thread("read", () -> readAll(wire, engine));
    Thread writer = thread("write", () -> writeAll(wire));
    wire.start();
    boolean reads = false;
    try {
      reader.start();
      reads = true;
      writer.start();
    } catch (RuntimeException | Error e) {
      // What a thread that does not run would have done.
      wire.failed(e);
      if (!reads) {
        wire.disposed(Direction.INPUT);
      }
      wire.disposed(Direction.OUTPUT);
      throw e;
    }
  }

  private Thread thread(String does, Runnable work) {
    Thread thread = new Thread(work, "pipe-" + does + " " + local + " " + remote);
    thread.setDaemon(true);
    return thread;
  }

  // Called by the protocol, on any thread.

  @Override
  public void wakeWriter() {
    wake(mayWrite);
  }

  @Override
  public void resumeReading() {
    wake(mayRead);
  }

  /** Also wakes the threads from their pipes. */
  @Override
  public void close() {
    closed = true;
    close(source);
    close(sink);
    wake(mayRead);
    wake(mayWrite);
  }

  /** One permit is as good as many. */
  private static void wake(Semaphore sleeper) {
    if (sleeper.availablePermits() == 0) {
      sleeper.release();
    }
  }

  private static void close(Channel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // It is closed all the same, and all that was written is in the pipe.
    }
  }

  @Override
  public SocketAddress localAddress() {
    return local;
  }

  @Override
  public SocketAddress remoteAddress() {
    return remote;
  }

  // The reading thread.

  private void readAll(WireEnd wire, Engine engine) {
    PooledMemory window = null;
    try {
      window = engine.pool().acquire(WINDOW_BYTES, engine.readingMemory());
      ReadPlan plan = new ReadPlan();
      int count = 0;
      while (!closed && count >= 0) {
        wire.plan(plan);
        ByteBuffer space = plan.space();
        if (space != null) {
          count = source.read(space);
          if (count > 0) {
            wire.filled(space, count);
          }
        } else {
          ByteBuffer bytes = window.buffer().clear();
          count = source.read(bytes.limit(Math.min(bytes.capacity(), plan.limit())));
          take(wire, bytes.flip());
        }
      }
      while (!closed && !wire.inputEnded()) {
        mayRead.acquireUninterruptibly();
      }
    } catch (IOException | RuntimeException | Error e) {
      wire.failed(e);
    } finally {
      if (window != null) {
        window.release();
      }
      wire.disposed(Direction.INPUT);
    }
  }

  private void take(WireEnd wire, ByteBuffer bytes) {
    Intake intake = wire.input(bytes, true);
    while (!closed && (intake == Intake.PAUSED || intake == Intake.HELD)) {
      if (intake == Intake.PAUSED) {
        mayRead.acquireUninterruptibly();
      }
      intake = wire.input(bytes, false);
    }
  }

  // The writing thread.

  private void writeAll(WireEnd wire) {
    try {
      while (!closed) {
        Output output = wire.output();
        if (Output.isEnd(output)) {
          sink.close();
          return;
        }
        if (output == null) {
          mayWrite.acquireUninterruptibly();
        } else {
          boolean unused = wire.wrote(sink.write(output.buffers(), output.first(), output.count()));
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      wire.failed(e);
    } finally {
      wire.disposed(Direction.OUTPUT);
    }
  }
}
