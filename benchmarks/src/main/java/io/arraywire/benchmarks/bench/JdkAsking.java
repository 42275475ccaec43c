package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Requests over a blocking socket that do not wait for answers. The caller writes, one write for
 * each request. Another thread reads the answers, which come in the same order.
 */
final class JdkAsking implements AnswersContender.Asking {
  private final RawSocket socket;
  private final int count;
  private final Queue<PacedRequest> open = new ConcurrentLinkedQueue<>();
  private final ByteBuffer bytes;
  private final FloatBuffer elements;

  private JdkAsking(RawSocket socket, int count) {
    this.socket = socket;
    this.count = count;
    bytes = RawSelector.chunk(count * Float.BYTES);
    elements = bytes.asFloatBuffer();
  }

  static JdkAsking start(RawSocket socket, int count) {
    JdkAsking asking = new JdkAsking(socket, count);
    ConnectionThreads.daemonOfTheSystem(asking::read).start();
    return asking;
  }

  @Override
  public void ask(PacedRequest request) throws IOException {
    elements.put(0, request.request());
    open.add(request);
    socket.write(bytes.clear());
  }

  private void read() {
    int size = count * Float.BYTES;
    ByteBuffer chunk = JdkAnswers.chunk(count);
    FloatBuffer answers = chunk.asFloatBuffer();
    try {
      while (true) {
        socket.readSome(chunk);
        int whole = chunk.position() / size;
        for (int i = 0; i < whole; i++) {
          PacedRequest request = open.remove();
          answers.get(i * count, request.answer());
          request.answered();
        }
        chunk.flip().position(whole * size).compact();
      }
    } catch (IOException e) {
      // Also when it is closed; then nobody waits.
      open.forEach(each -> each.fail(e));
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
