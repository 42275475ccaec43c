package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Blocking sockets and a thread for each client at the answering end, which sleeps where it has to.
 *
 * @param virtual whether these are virtual threads
 */
record JdkAnswers(boolean virtual) implements AnswersContender {
  @Override
  public String name() {
    return virtual ? "jdk-virtual" : "jdk-threads";
  }

  @Override
  public String summary() {
    return "plain sockets, a " + (virtual ? "virtual " : "") + "thread for each client";
  }

  @Override
  public @Nullable String unavailable() {
    return virtual ? ConnectionThreads.missing() : null;
  }

  @Override
  public int listen(SlowAnswers slow, int count) throws Exception {
    ServerSocketChannel server = RawSocket.listen(Loopback.TCP);
    ExecutorService threads = ConnectionThreads.executor(virtual);
    threads.execute(() ->
        RawSocket.acceptAll(server, client -> threads.execute(() -> serve(client, slow, count))));
    return server.socket().getLocalPort();
  }

  private static void serve(RawSocket client, SlowAnswers slow, int count) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(count * Float.BYTES);
    try (client) {
      while (true) {
        client.readFully(bytes.clear());
        if (slow.isSlow(AnswersContender.number(bytes.getFloat(0)))) {
          Thread.sleep(slow.delay().toMillis());
        }
        client.write(bytes.flip());
      }
    } catch (IOException | InterruptedException e) {
      System.err.println("no more requests: " + e);
    }
  }

  @Override
  public Client connect(int port, int count) throws Exception {
    return new Requests(
        RawSocket.connect(Loopback.TCP, port, false),
        ByteBuffer.allocateDirect(count * Float.BYTES));
  }

  private record Requests(RawSocket socket, ByteBuffer bytes) implements Client {
    @Override
    public void request(float[] request, float[] answer) throws IOException {
      bytes.clear().asFloatBuffer().put(request);
      socket.write(bytes);
      socket.readFully(bytes.clear());
      bytes.flip().asFloatBuffer().get(answer);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
