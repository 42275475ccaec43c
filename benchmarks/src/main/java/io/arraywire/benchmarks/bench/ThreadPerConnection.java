package io.arraywire.benchmarks.bench;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.stream.StreamTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The blocking transport, with a thread of the application for each connection at each end: {@code
 * send} with {@code PROCESSED}, and {@code receiveInto}.
 */
record ThreadPerConnection() implements ConnectionsContender {
  /** Each has three threads at each end, two of them the transport's. */
  static final int MOST_WITH_PLATFORM_THREADS = 100;

  @Override
  public String name() {
    return "stream";
  }

  @Override
  public String summary() {
    return "blocking transport, a thread for each connection at each end";
  }

  @Override
  public @Nullable String unavailable(int connections) {
    return unavailable(connections, ConnectionThreads.virtual());
  }

  static @Nullable String unavailable(int connections, boolean virtualThreads) {
    return connections <= MOST_WITH_PLATFORM_THREADS || virtualThreads
        ? null
        : "three threads for each connection are too many without virtual threads (connections="
            + connections
            + ", most="
            + MOST_WITH_PLATFORM_THREADS
            + ", java="
            + Runtime.version().feature()
            + ", needed=21)";
  }

  private static Transport transport(int elements) {
    return StreamTransport.create(ManyConnections.options(elements));
  }

  @Override
  public Receiver listen(Targets targets) throws Exception {
    Transport transport = transport(targets.count());
    Listener listener = transport.listen(Loopback.TCP.free());
    ExecutorService threads = ConnectionThreads.executor();
    threads.execute(() -> accept(listener, targets, threads));
    return Receiver.of(
        listener,
        () -> {
          transport.close();
          threads.shutdown();
        });
  }

  private static void accept(Listener listener, Targets targets, ExecutorService threads) {
    try {
      for (int i = 0; i < targets.connections(); i++) {
        Connection connection = listener.accept();
        ArraySlice target = ArraySlice.of(targets.next());
        threads.execute(() -> receive(connection, target, targets));
      }
    } catch (ArraywireException | InterruptedException e) {
      System.err.println("not all connections came: " + e);
    }
  }

  private static void receive(Connection connection, ArraySlice target, Targets targets) {
    try {
      while (true) {
        connection.receiveInto(target);
        targets.arrived();
      }
    } catch (ArraywireException | InterruptedException e) {
      // So it ends in any case; a sender that goes on sees it.
      System.err.println("no more arrays: " + e);
      connection.closeNow();
    }
  }

  @Override
  public Sender connect(int port, float[][] sources) throws Exception {
    ManyConnections connected =
        ManyConnections.connect(transport(sources[0].length), port, sources.length);
    List<BlockingSender.Exchange> exchanges = new ArrayList<>();
    for (int i = 0; i < sources.length; i++) {
      Connection connection = connected.connections().get(i);
      float[] source = sources[i];
      exchanges.add(
          count -> connection.send(ArraySlice.of(source, 0, count), SendOptions.processed()));
    }
    return new BlockingSender(exchanges, ConnectionThreads.executor(), connected::close);
  }
}
