package io.arraywire.testkit.simulation;

import io.arraywire.engine.Intake;
import io.arraywire.engine.Link;
import io.arraywire.engine.Output;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.WireEnd;
import io.arraywire.memory.MemoryAddress;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * One end of a simulated connection: a transport that reads and writes portions that the seed
 * chooses, when it chooses. It asks for output only if it was woken, if there is room again, or if
 * its last write left something, as a transport of this library does; so an engine that forgets to
 * wake it is found out.
 */
final class SimulatedLink implements Link {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int WINDOW_BYTES = 16 << 10;
  private static final long LATE_NANOS = 1_000_000;

  private final Scheduler scheduler;
  private final Choices choices;
  private final SimulatedPipe in;
  private final SimulatedPipe out;
  private final MemoryAddress local;
  private final MemoryAddress remote;
  private final SocketPace pace;
  private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
  private final ReadPlan plan = new ReadPlan();
  private @Nullable WireEnd wire;

  private boolean closed;
  private boolean reading;

  /** Whether the event that reads is at it. */
  private boolean takesTasks;

  private boolean writing;
  private boolean woken;
  private boolean outputDisposed;
  private boolean resume;
  private boolean paused;
  private boolean inputEnded;
  private boolean outputShut;
  private ByteBuffer kept = NOTHING;

  /** How fast an end of a connection is; a slow reader changes it for a while. */
  static final class SocketPace {
    long readNanos;
    long writeNanos;
    int most;
    int operations;
    long stalledUntil;
  }

  SimulatedLink(
      Scheduler scheduler,
      Choices choices,
      SimulatedPipe in,
      SimulatedPipe out,
      MemoryAddress local,
      MemoryAddress remote) {
    this.scheduler = scheduler;
    this.choices = choices;
    this.in = in;
    this.out = out;
    this.local = local;
    this.remote = remote;
    pace = new SocketPace();
    pace.readNanos = choices.of(1_000L, 10_000L, 200_000L);
    pace.writeNanos = choices.of(1_000L, 10_000L, 200_000L);
    pace.most = choices.of(1, 7, 100, 4096, WINDOW_BYTES, WINDOW_BYTES, WINDOW_BYTES, WINDOW_BYTES);
    pace.operations = pace.most < 1000 ? 1000 / pace.most + 16 : choices.between(1, 16);
  }

  void start(WireEnd carried) {
    wire = carried;
    in.onReadable(this::readLater);
    out.onWritable(this::writeLater);
    carried.start();
  }

  private WireEnd wire() {
    return Objects.requireNonNull(wire, "wire");
  }

  boolean isClosed() {
    return closed;
  }

  /** Reads nothing for a time. */
  void stallReading(long nanos) {
    pace.stalledUntil = Math.max(pace.stalledUntil, scheduler.now() + nanos);
  }

  /** From now on it reads and writes as much as it can. */
  void hurry() {
    pace.most = WINDOW_BYTES;
    pace.operations = 16;
  }

  // Link, from any event.

  @Override
  public void wakeWriter() {
    writeLater();
  }

  /** What a reading thread is given runs when it has read, and others read if that goes on. */
  @Override
  public boolean runsTask(Runnable task, Executor otherwise) {
    if (takesTasks) {
      Runnable unused = scheduler.after(0, "handles", task);
    }
    return takesTasks;
  }

  @Override
  public void resumeReading() {
    resume = true;
    readLater();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    Runnable first =
        scheduler.after(
            choices.around(pace.readNanos),
            "disposes input",
            () -> {
              in.closeReader();
              wire().disposed(WireEnd.Direction.INPUT);
            });
    Runnable second =
        scheduler.after(
            choices.around(pace.writeNanos),
            "disposes output",
            () -> {
              outputDisposed = true;
              disposeOutput();
            });
  }

  /** The writing thread's last call, when it is out of everything else. */
  private void disposeOutput() {
    if (outputDisposed && !writing) {
      outputDisposed = false;
      wire().disposed(WireEnd.Direction.OUTPUT);
    }
  }

  @Override
  public void help(Future<?> result) {
    scheduler.parkUntil("waits for a result", result::isDone);
  }

  @Override
  public SocketAddress localAddress() {
    return local;
  }

  @Override
  public SocketAddress remoteAddress() {
    return remote;
  }

  // Reading.

  private void readLater() {
    if (!reading && !closed) {
      reading = true;
      long stalled = Math.max(0, pace.stalledUntil - scheduler.now());
      Runnable unused =
          scheduler.after(stalled + choices.around(pace.readNanos), "reads", this::readSome);
    }
  }

  private void readSome() {
    reading = false;
    if (scheduler.now() < pace.stalledUntil) {
      readLater();
      return;
    }
    takesTasks = true;
    try {
      readInTurn();
    } finally {
      takesTasks = false;
    }
  }

  private void readInTurn() {
    for (int i = 0; i < pace.operations && !closed; i++) {
      if (!read()) {
        return;
      }
    }
    readLater();
  }

  /** One read operation; returns whether there may be more to do. */
  private boolean read() {
    WireEnd carried = wire();
    if (paused) {
      if (!resume) {
        return false;
      }
      resume = false;
      if (carried.input(kept, false) != Intake.PAUSED) {
        paused = false;
        kept = NOTHING;
      }
      return true;
    }
    if (inputEnded || !in.isReadable()) {
      return false;
    }
    try {
      carried.plan(plan);
      ByteBuffer direct = plan.space();
      if (closed) {
        return false;
      }
      ByteBuffer space = direct == null ? window.clear() : direct;
      int most = choices.upTo(pace.most);
      if (direct == null) {
        // More is correct, but would spoil what a codec or a lease is there for.
        int limit = choices.percent(5) ? WINDOW_BYTES : plan.limit();
        space.limit(Math.min(WINDOW_BYTES, limit));
      }
      int count = in.read(space, most);
      if (count < 0) {
        inputEnded = carried.inputEnded();
        return false;
      }
      if (count == 0) {
        return false;
      }
      if (direct != null) {
        carried.filled(direct, count);
      } else if (carried.input(space.flip(), true) == Intake.PAUSED) {
        paused = true;
        kept = ByteBuffer.allocate(space.remaining()).put(space).flip();
      }
      return true;
    } catch (IOException e) {
      inputEnded = true;
      carried.failed(e);
      return false;
    }
  }

  // Writing.

  private void writeLater() {
    woken = true;
    if (!writing && !closed) {
      writing = true;
      Runnable unused = scheduler.after(choices.around(pace.writeNanos), "writes", this::writeSome);
    }
  }

  private void writeSome() {
    woken = false;
    boolean more = true;
    for (int i = 0; i < pace.operations && more && !closed; i++) {
      more = write();
    }
    writing = false;
    disposeOutput();
    if (more || woken) {
      writeLater();
    }
  }

  /** One write operation; returns whether there may be more to do. */
  private boolean write() {
    WireEnd carried = wire();
    if (outputShut) {
      return false;
    }
    Output output = carried.output();
    if (closed || output == null) {
      return false;
    }
    if (Output.isEnd(output)) {
      outputShut = true;
      out.end();
      return false;
    }
    if (!out.isWritable()) {
      return false;
    }
    try {
      int most = choices.upTo(pace.most);
      long written = 0;
      for (int i = 0; i < output.count() && written < most; i++) {
        ByteBuffer buffer = output.buffers()[output.first() + i];
        int count = out.write(buffer, (int) (most - written));
        written += count;
        if (buffer.hasRemaining()) {
          break;
        }
      }
      if (written == 0) {
        return false;
      }
      if (choices.percent(3)) {
        // The bytes are gone, and the thread that wrote them says so only later.
        scheduler.sleep(choices.around(LATE_NANOS));
        if (closed) {
          return false;
        }
      }
      return !carried.wrote(written);
    } catch (IOException e) {
      outputShut = true;
      carried.failed(e);
      return false;
    }
  }
}
