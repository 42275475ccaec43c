package io.arraywire.memory;

import io.arraywire.engine.Engine;
import io.arraywire.engine.EngineConnection;
import io.arraywire.engine.Intake;
import io.arraywire.engine.Link;
import io.arraywire.engine.Opening;
import io.arraywire.engine.Output;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.WireEnd;
import io.arraywire.spi.PooledMemory;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Carries bytes between two pipes and a connection, on one thread or on two. */
final class MemoryLink implements Link {
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int WINDOW_BYTES = 64 << 10;

  private final MemorySocket socket;
  private final Engine engine;
  private final EngineConnection connection;
  private final WireEnd wire;
  private final IntUnaryOperator readPortions;
  private final IntUnaryOperator writePortions;
  private final MemoryWorker reader;
  private final MemoryWorker writer;

  private volatile boolean closed;
  private volatile boolean resume;

  // The reading thread.
  private final ReadPlan plan = new ReadPlan();
  private @Nullable PooledMemory window;
  private ByteBuffer kept = NOTHING;
  private boolean held;
  private boolean paused;
  private boolean endsPaused;
  private boolean inputEnded;

  // The writing thread.
  private boolean outputShut;

  MemoryLink(MemorySocket socket, Engine engine, Opening opening, MemoryOptions options) {
    this.socket = socket;
    this.engine = engine;
    readPortions = options.reads().begin();
    writePortions = options.writes().begin();
    String name = "arraywire-memory-" + NUMBERS.incrementAndGet();
    if (options.threads() == 1) {
      reader = new MemoryWorker(name, this::work);
      writer = reader;
    } else {
      reader = new MemoryWorker(name + "-read", this::readAll);
      writer = new MemoryWorker(name + "-write", this::writeAll);
    }
    // Last: the connection may close this at once.
    connection = opening.open(this);
    wire = connection.wire();
  }

  EngineConnection connection() {
    return connection;
  }

  /** Begins the handshake. */
  void start() {
    wire.start();
    reader.start();
    writer.start();
    socket.in.onReadable(reader::signal);
    socket.out.onWritable(writer::signal);
  }

  // Link, from any thread.

  @Override
  public void wakeWriter() {
    writer.signal();
  }

  @Override
  public void resumeReading() {
    resume = true;
    reader.signal();
  }

  @Override
  public void close() {
    closed = true;
    reader.signal();
    writer.signal();
  }

  @Override
  public @Nullable ByteBuffer space(int least) {
    return socket.out.space(least);
  }

  @Override
  public SocketAddress localAddress() {
    return socket.localAddress;
  }

  @Override
  public SocketAddress remoteAddress() {
    return socket.remoteAddress;
  }

  // The threads.

  private boolean work() {
    while (!closed) {
      boolean read = read();
      boolean wrote = write();
      if (!read && !wrote) {
        return true;
      }
    }
    disposeInput();
    disposeOutput();
    return false;
  }

  private boolean readAll() {
    while (!closed) {
      if (!read()) {
        return true;
      }
    }
    disposeInput();
    return false;
  }

  private boolean writeAll() {
    while (!closed) {
      if (!write()) {
        return true;
      }
    }
    disposeOutput();
    return false;
  }

  private void disposeInput() {
    socket.close();
    releaseWindow();
    wire.disposed(WireEnd.Direction.INPUT);
  }

  private void disposeOutput() {
    socket.close();
    wire.disposed(WireEnd.Direction.OUTPUT);
  }

  /** One read operation; returns whether there may be more to do. */
  private boolean read() {
    try {
      if (paused) {
        return resume();
      }
      if (inputEnded || closed) {
        return false;
      }
      if (held) {
        took(wire.input(NOTHING, false), NOTHING);
        return true;
      }
      int available = socket.in.available();
      wire.plan(plan);
      ByteBuffer space = plan.space();
      boolean direct = space != null;
      if (space == null) {
        space = available == 0 ? NOTHING.duplicate() : window();
      }
      if (available > 0) {
        int portion = readPortions.applyAsInt(Math.min(available, space.remaining()));
        space.limit(space.position() + portion);
      }
      int count = socket.in.read(space);
      if (count < 0) {
        releaseWindow();
        inputEnded();
        return false;
      }
      if (count == 0) {
        releaseWindow();
        return false;
      }
      if (direct) {
        wire.filled(space, count);
      } else {
        took(wire.input(space.flip(), true), space);
      }
      return true;
    } catch (IOException | RuntimeException | Error e) {
      inputEnded = true;
      wire.failed(e);
      return false;
    }
  }

  private void took(Intake intake, ByteBuffer bytes) {
    held = intake == Intake.HELD;
    paused = intake == Intake.PAUSED;
    kept = paused ? bytes : NOTHING;
  }

  private void inputEnded() {
    inputEnded = wire.inputEnded();
    paused = !inputEnded;
    endsPaused = paused;
  }

  private ByteBuffer window() {
    if (window == null) {
      window = engine.pool().acquire(WINDOW_BYTES, engine.readingMemory());
    }
    ByteBuffer space = window.buffer().clear();
    return space.limit(Math.min(space.capacity(), plan.limit()));
  }

  private boolean resume() {
    if (!resume) {
      return false;
    }
    resume = false;
    if (endsPaused) {
      inputEnded();
    } else {
      took(wire.input(kept, false), kept);
    }
    return true;
  }

  private void releaseWindow() {
    if (window != null) {
      window.release();
      window = null;
    }
  }

  /** One write operation; returns whether there may be more to do. */
  private boolean write() {
    try {
      if (outputShut || closed) {
        return false;
      }
      Output output = wire.output();
      if (Output.isEnd(output)) {
        outputShut = true;
        socket.shutdownOutput();
        return false;
      }
      if (output == null) {
        return false;
      }
      if (output.isInPlace()) {
        ByteBuffer buffer = output.buffers()[output.first()];
        int portion = writePortions.applyAsInt(buffer.remaining());
        socket.out.commit(portion);
        buffer.position(buffer.position() + portion);
        return !wire.wrote(portion);
      }
      long there = 0;
      for (int i = 0; i < output.count(); i++) {
        there += output.buffers()[output.first() + i].remaining();
      }
      int portion = writePortions.applyAsInt((int) there);
      long written = 0;
      for (int i = 0; i < output.count() && written < portion; i++) {
        ByteBuffer buffer = output.buffers()[output.first() + i];
        int limit = buffer.limit();
        buffer.limit((int) Math.min(limit, buffer.position() + (portion - written)));
        int count = socket.out.write(buffer);
        boolean whole = !buffer.hasRemaining();
        buffer.limit(limit);
        written += count;
        if (!whole) {
          break;
        }
      }
      if (written == 0) {
        return false;
      }
      return !wire.wrote(written);
    } catch (IOException | RuntimeException | Error e) {
      outputShut = true;
      wire.failed(e);
      return false;
    }
  }
}
