package io.arraywire.testkit;

import io.arraywire.engine.Engine;
import io.arraywire.engine.Link;
import io.arraywire.engine.Opening;
import io.arraywire.engine.OutputBatch;
import io.arraywire.engine.ProtocolConnection;
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
  private final ProtocolConnection connection;
  private final IntUnaryOperator readPortions;
  private final IntUnaryOperator writePortions;
  private final MemoryWorker reader;
  private final MemoryWorker writer;

  private volatile boolean closed;
  private volatile boolean resume;

  // The reading thread.
  private @Nullable PooledMemory window;
  private ByteBuffer kept = NOTHING;
  private boolean paused;
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
  }

  ProtocolConnection connection() {
    return connection;
  }

  /** Begins the handshake. */
  void start() {
    connection.start();
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
    connection.inputDisposed();
  }

  private void disposeOutput() {
    socket.close();
    connection.outputDisposed();
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
      int available = socket.in.available();
      ByteBuffer space = connection.directSpace();
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
        inputEnded = true;
        releaseWindow();
        connection.inputEnded();
        return false;
      }
      if (count == 0) {
        releaseWindow();
        return false;
      }
      if (direct) {
        connection.inputDirect(space, count);
      } else if (!connection.input(space.flip())) {
        paused = true;
        kept = space;
      }
      return true;
    } catch (IOException e) {
      inputEnded = true;
      connection.channelFailed(e);
      return false;
    } catch (RuntimeException | Error e) {
      inputEnded = true;
      connection.transportFailed(e);
      return false;
    }
  }

  private ByteBuffer window() {
    if (window == null) {
      window = engine.pool().acquire(WINDOW_BYTES, engine.readingMemory());
    }
    ByteBuffer space = window.buffer().clear();
    return space.limit(Math.min(space.capacity(), connection.readLimit()));
  }

  private boolean resume() {
    if (!resume) {
      return false;
    }
    resume = false;
    if (connection.resumeInput(kept)) {
      paused = false;
      kept = NOTHING;
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
      OutputBatch batch = connection.output();
      if (batch == null) {
        if (connection.isOutputEnded()) {
          outputShut = true;
          socket.shutdownOutput();
        }
        return false;
      }
      long there = 0;
      for (int i = 0; i < batch.count(); i++) {
        there += batch.buffers()[batch.first() + i].remaining();
      }
      int portion = writePortions.applyAsInt((int) there);
      long written = 0;
      for (int i = 0; i < batch.count() && written < portion; i++) {
        ByteBuffer buffer = batch.buffers()[batch.first() + i];
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
      connection.wrote(written);
      return !connection.hasWrittenAll();
    } catch (IOException e) {
      outputShut = true;
      connection.channelFailed(e);
      return false;
    } catch (RuntimeException | Error e) {
      outputShut = true;
      connection.transportFailed(e);
      return false;
    }
  }
}
