package io.arraywire.benchmarks.bench;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Blocking sockets and a thread for each client at the answering end, which sleeps where it has to.
 *
 * @param virtual whether these are virtual threads
 */
record JdkAnswers(boolean virtual) implements AnswersContender {
  private static final int CHUNK_BYTES = 64 << 10;

  @Override
  public String name() {
    return virtual ? "jdk-virtual" : "jdk-threads";
  }

  @Override
  public String summary() {
    return "plain blocking sockets, a "
        + (virtual ? "virtual " : "")
        + "thread for each connection";
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

  /** Has room for whole arrays: as many as fit into {@link #CHUNK_BYTES}, and at least one. */
  static ByteBuffer chunk(int count) {
    int bytes = count * Float.BYTES;
    return RawSelector.chunk(Math.max(bytes, CHUNK_BYTES) / bytes * bytes);
  }

  private static void serve(RawSocket client, SlowAnswers slow, int count) {
    int bytes = count * Float.BYTES;
    ByteBuffer chunk = chunk(count);
    FloatBuffer elements = chunk.asFloatBuffer();
    float[] array = new float[count];
    try (client) {
      while (true) {
        client.readSome(chunk);
        int whole = chunk.position() / bytes;
        for (int i = 0; i < whole; i++) {
          elements.get(i * count, array);
          if (slow.isSlow(AnswersContender.number(array[0]))) {
            Thread.sleep(slow.delay().toMillis());
          }
          elements.put(i * count, array);
        }
        // All that came at once is answered with one write.
        int end = chunk.position();
        client.write(chunk.position(0).limit(whole * bytes));
        chunk.limit(end).position(whole * bytes).compact();
      }
    } catch (IOException | InterruptedException e) {
      System.err.println("no more requests: " + e);
    }
  }

  @Override
  public Client connect(int port, int count) throws Exception {
    return new Requests(
        RawSocket.connect(Loopback.TCP, port, false), RawSelector.chunk(count * Float.BYTES));
  }

  @Override
  public boolean asks() {
    return true;
  }

  @Override
  public Asking ask(int port, int count) throws Exception {
    return JdkAsking.start(RawSocket.connect(Loopback.TCP, port, false), count);
  }

  private static final class Requests implements Client {
    private final RawSocket socket;

    /** One request at a time: others wait for the connection. */
    private final Lock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ByteBuffer bytes;

    @GuardedBy("lock")
    private final FloatBuffer elements;

    Requests(RawSocket socket, ByteBuffer bytes) {
      this.socket = socket;
      this.bytes = bytes;
      elements = bytes.asFloatBuffer();
    }

    @Override
    public void request(float[] request, float[] answer) throws IOException {
      lock.lock();
      try {
        elements.put(0, request);
        socket.write(bytes.clear());
        socket.readFully(bytes.clear());
        elements.get(0, answer);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
