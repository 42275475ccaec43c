package io.arraywire.stream;

import io.arraywire.engine.Output;
import io.arraywire.engine.WireEnd;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * What a connection's writing thread does.
 *
 * <p>Of a write of up to 128 KiB the JDK (17 and 25, seen with strace) makes one system call. Of a
 * larger one it makes several, of which a receipt would not know. So nothing larger is written.
 * That holds for platform threads, which the kernel keeps until it has taken everything. A virtual
 * thread's socket takes what it has room for, and the JDK comes back for the rest. In a thousand
 * writes of 64 KiB to a busy reader it does so three times.
 */
final class Writing implements Runnable {
  private static final int MOST_BYTES = 128 << 10;

  /**
   * A write that takes so long has waited for room; the copy of 128 KiB takes a tenth of it. One
   * whose thread was interrupted looks the same; ADR 49 says why that does no harm.
   */
  private static final long LEAST_WAIT_NANOS = 500_000;

  private final StreamLink link;
  private final StreamSocket socket;
  private final WireEnd wire;
  private final Wakeup wakeup;

  Writing(StreamLink link, StreamSocket socket, WireEnd wire, Wakeup wakeup) {
    this.link = link;
    this.socket = socket;
    this.wire = wire;
    this.wakeup = wakeup;
  }

  @Override
  public void run() {
    try {
      write(socket.output());
    } catch (IOException e) {
      wire.failed(e);
    } catch (Throwable e) { // A bug: nobody else would see it.
      link.fail(wire, e);
    } finally {
      dispose();
    }
  }

  /** The last thing; also if the thread never ran. */
  void dispose() {
    link.threadEnds();
    wire.disposed(WireEnd.Direction.OUTPUT);
  }

  private void write(OutputStream output) throws IOException {
    while (!link.isClosed()) {
      Output next = wire.output();
      if (Output.isEnd(next)) {
        socket.endOutput();
        return;
      }
      if (next == null) {
        wakeup.await();
      } else {
        write(output, next, next.buffers()[next.first()]);
      }
    }
  }

  /** One write operation. What comes meanwhile is found by asking again, without a wait. */
  private void write(OutputStream output, Output next, ByteBuffer from) throws IOException {
    int position = from.position();
    int count = Math.min(from.remaining(), MOST_BYTES);
    long began = System.nanoTime();
    output.write(from.array(), from.arrayOffset() + position, count);
    from.position(position + count);
    long took = System.nanoTime() - began;
    if (took >= LEAST_WAIT_NANOS) {
      next.full(took);
    }
    boolean unused = wire.wrote(count);
  }
}
