package io.arraywire.benchmarks.bench;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.SendOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Sends the arrays of each connection on a thread of its own. */
final class BlockingSender implements ConnectionsContender.Sender {
  private final ManyConnections connections;
  private final float[][] sources;
  private final ExecutorService threads = ConnectionThreads.executor();

  BlockingSender(ManyConnections connections, float[][] sources) {
    this.connections = connections;
    this.sources = sources;
  }

  @Override
  public void run(int count, ClosedLoops loops) throws Exception {
    List<Callable<@Nullable Void>> tasks = new ArrayList<>();
    for (int i = 0; i < sources.length; i++) {
      int number = i;
      tasks.add(() -> send(number, ArraySlice.of(sources[number], 0, count), loops));
    }
    for (Future<@Nullable Void> each : threads.invokeAll(tasks)) {
      each.get();
    }
  }

  private @Nullable Void send(int number, ArraySlice slice, ClosedLoops loops) throws Exception {
    Connection connection = connections.connections().get(number);
    do {
      loops.begins(number);
      connection.send(slice, SendOptions.processed());
    } while (loops.acknowledged(number));
    return null;
  }

  @Override
  public void close() {
    connections.close();
    threads.shutdown();
  }
}
