package io.arraywire.stream;

import io.arraywire.NoRoomException;
import io.arraywire.engine.Intake;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.WireEnd;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a connection's reading thread does.
 *
 * <p>It reads into a window from the pool while an array arrives or one read may not have taken all
 * that there is. Otherwise it waits with a small buffer of its own, so that a connection on which
 * nothing comes holds no window. An array that fits in the small buffer with its header still takes
 * one read. Of a lone larger one the first read takes the beginning only.
 */
final class Reading implements Runnable {
  private static final int SMALL_BYTES = 512;
  private static final int WINDOW_BYTES = 64 << 10;

  private final StreamLink link;
  private final StreamSocket socket;
  private final WireEnd wire;
  private final MemoryPool pool;
  private final Wakeup wakeup;
  private final ByteBuffer small = ByteBuffer.allocate(SMALL_BYTES);
  private final ReadPlan plan = new ReadPlan();
  private @Nullable PooledMemory window;

  Reading(StreamLink link, StreamSocket socket, WireEnd wire, MemoryPool pool, Wakeup wakeup) {
    this.link = link;
    this.socket = socket;
    this.wire = wire;
    this.pool = pool;
    this.wakeup = wakeup;
  }

  @Override
  public void run() {
    try {
      read(socket.input());
    } catch (IOException e) {
      NoRoomException noWriter = link.writerFailure();
      wire.failed(noWriter == null ? e : noWriter);
    } catch (Throwable e) { // A pool's OutOfMemoryError, or a bug: nobody else would see it.
      link.fail(wire, e);
    } finally {
      dispose();
      link.readingOver();
    }
  }

  /** The last thing; also if the thread never ran. */
  void dispose() {
    releaseWindow();
    link.threadEnds();
    wire.disposed(WireEnd.Direction.INPUT);
  }

  private void read(InputStream input) throws IOException {
    boolean mayHaveMore = false;
    while (!link.isClosed()) {
      wire.plan(plan);
      ByteBuffer direct = plan.space();
      if (direct != null) {
        // A view into an array; see ArrayMemoryPool.
        int count = read(input, direct, Math.min(direct.remaining(), WINDOW_BYTES));
        if (count < 0) {
          inputEnded();
          return;
        }
        wire.filled(direct, count);
        continue;
      }
      boolean much = !plan.isOfStranger() && (mayHaveMore || plan.isInsideArray());
      ByteBuffer into = much ? window() : small();
      int count = read(input, into, Math.min(into.capacity(), plan.limit()));
      if (count < 0) {
        inputEnded();
        return;
      }
      mayHaveMore = count == into.capacity();
      take(into.flip());
    }
  }

  private void take(ByteBuffer bytes) {
    boolean fresh = true;
    while (!link.isClosed()) {
      Intake intake = wire.input(bytes, fresh);
      fresh = false;
      if (intake == Intake.PAUSED) {
        wakeup.await();
      } else if (intake != Intake.HELD) {
        return;
      }
    }
  }

  private void inputEnded() {
    while (!link.isClosed() && !wire.inputEnded()) {
      wakeup.await();
    }
  }

  /** One read operation, from the buffer's position on. */
  private static int read(InputStream input, ByteBuffer into, int most) throws IOException {
    int position = into.position();
    int count = input.read(into.array(), into.arrayOffset() + position, most);
    if (count > 0) {
      into.position(position + count);
    }
    return count;
  }

  private ByteBuffer small() {
    releaseWindow();
    return small.clear();
  }

  private ByteBuffer window() {
    if (window == null) {
      window = pool.acquire(WINDOW_BYTES, MemoryKind.HEAP);
    }
    return window.buffer().clear();
  }

  private void releaseWindow() {
    if (window != null) {
      window.release();
      window = null;
    }
  }
}
