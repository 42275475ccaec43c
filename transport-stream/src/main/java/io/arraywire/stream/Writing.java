package io.arraywire.stream;

import io.arraywire.engine.OutputBatch;
import io.arraywire.engine.ProtocolConnection;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * What a connection's writing thread does.
 *
 * <p>Of a write of up to 128 KiB the JDK (17 and 25, seen with strace) makes one system call, of a
 * larger one several, of which a receipt would not know; so nothing larger is written. That holds
 * for platform threads, which the kernel keeps until it has taken everything. A virtual thread's
 * socket takes what it has room for, and the JDK comes back for the rest: in a thousand writes of
 * 64 KiB to a busy reader, three times.
 */
final class Writing implements Runnable {
  private static final int MOST_BYTES = 128 << 10;

  private final StreamLink link;
  private final StreamSocket socket;
  private final ProtocolConnection connection;
  private final Wakeup wakeup;

  Writing(StreamLink link, StreamSocket socket, ProtocolConnection connection, Wakeup wakeup) {
    this.link = link;
    this.socket = socket;
    this.connection = connection;
    this.wakeup = wakeup;
  }

  @Override
  public void run() {
    try {
      write(socket.output());
    } catch (IOException e) {
      connection.channelFailed(e);
    } catch (Throwable e) { // A bug: nobody else would see it.
      link.fail(connection, e);
    } finally {
      dispose();
    }
  }

  /** The last thing; also if the thread never ran. */
  void dispose() {
    link.threadEnds();
    connection.outputDisposed();
  }

  private void write(OutputStream output) throws IOException {
    while (!link.isClosed()) {
      OutputBatch batch = connection.output();
      if (batch != null) {
        write(output, batch.buffers()[batch.first()]);
      } else if (connection.isOutputEnded()) {
        socket.endOutput();
        return;
      } else {
        wakeup.await();
      }
    }
  }

  /** One write operation. */
  private void write(OutputStream output, ByteBuffer from) throws IOException {
    int position = from.position();
    int count = Math.min(from.remaining(), MOST_BYTES);
    output.write(from.array(), from.arrayOffset() + position, count);
    from.position(position + count);
    connection.wrote(count);
  }
}
