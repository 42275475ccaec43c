package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Plain blocking sockets and a thread for each connection at each end, with the bytes of {@link
 * RawSelector} and its direct buffers, one for each connection.
 *
 * @param virtual whether these are virtual threads
 */
record JdkThreadPerConnection(boolean virtual) implements ConnectionsContender {
  /** Threads of the system: more of them than is wise, which is what the question is about. */
  static final int MOST_WITH_PLATFORM_THREADS = 1_000;

  @Override
  public String name() {
    return virtual ? "jdk-virtual" : "jdk-threads";
  }

  @Override
  public String summary() {
    return "plain sockets, a "
        + (virtual ? "virtual " : "")
        + "thread for each connection at each end";
  }

  @Override
  public @Nullable String unavailable(int connections) {
    if (virtual) {
      return ConnectionThreads.missing();
    }
    return connections <= MOST_WITH_PLATFORM_THREADS
        ? null
        : "too many threads of the system (connections="
            + connections
            + ", most="
            + MOST_WITH_PLATFORM_THREADS
            + ")";
  }

  /** As large as the array where that is smaller than the best chunk: there are many of them. */
  private static ByteBuffer chunk(int elements) {
    long bytes = RawSelector.HEADER_BYTES + (long) elements * Float.BYTES;
    return RawSelector.chunk((int) Math.min(bytes, RawSelector.CHUNK_BYTES));
  }

  @Override
  public Receiver listen(Targets targets) throws IOException {
    ServerSocketChannel server = RawSocket.listen(Loopback.TCP, targets.connections());
    ExecutorService threads = ConnectionThreads.executor(virtual);
    threads.execute(() ->
        RawSocket.acceptAll(server, socket -> threads.execute(() -> receive(socket, targets))));
    return new Receiver() {
      @Override
      public int port() throws IOException {
        return Loopback.TCP.number(server.getLocalAddress());
      }

      @Override
      public void close() throws IOException {
        server.close();
        threads.shutdown();
      }
    };
  }

  private static void receive(RawSocket socket, Targets targets) {
    IncomingArray incoming = new IncomingArray(targets.next());
    ByteBuffer chunk = chunk(targets.count());
    ByteBuffer acknowledgement = ByteBuffer.allocateDirect(1);
    try (socket) {
      while (true) {
        incoming.stage(chunk);
        socket.readSome(chunk);
        if (incoming.take(chunk.flip())) {
          targets.arrived();
          socket.write(acknowledgement.clear());
        }
      }
    } catch (IOException e) {
      // So it ends in any case; a sender that goes on sees it.
      System.err.println("no more arrays: " + e);
    }
  }

  @Override
  public Sender connect(int port, float[][] sources) throws IOException {
    List<RawSocket> sockets = new ArrayList<>();
    List<BlockingSender.Exchange> exchanges = new ArrayList<>();
    for (float[] source : sources) {
      RawSocket socket = RawSocket.connect(Loopback.TCP, port, false);
      sockets.add(socket);
      exchanges.add(exchange(socket, source));
    }
    return new BlockingSender(
        exchanges,
        ConnectionThreads.executor(virtual),
        () -> {
          for (RawSocket each : sockets) {
            each.close();
          }
        });
  }

  private static BlockingSender.Exchange exchange(RawSocket socket, float[] source) {
    OutgoingArray outgoing = new OutgoingArray(source);
    ByteBuffer chunk = chunk(source.length);
    ByteBuffer acknowledgement = ByteBuffer.allocateDirect(1);
    return count -> {
      outgoing.begin(count);
      while (outgoing.hasRemaining()) {
        outgoing.stage(chunk);
        int bytes = chunk.remaining();
        socket.write(chunk);
        outgoing.wrote(bytes);
      }
      socket.readFully(acknowledgement.clear());
    };
  }
}
