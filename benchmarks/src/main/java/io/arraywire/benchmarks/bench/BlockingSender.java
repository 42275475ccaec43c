package io.arraywire.benchmarks.bench;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Sends the arrays of each connection on a thread of its own. */
final class BlockingSender implements ConnectionsContender.Sender {

  /** One connection. */
  @FunctionalInterface
  interface Exchange {

    /**
     * Sends the first elements and returns when they are acknowledged.
     *
     * @param count how many
     */
    void send(int count) throws Exception;
  }

  private final List<? extends Exchange> connections;
  private final ExecutorService threads;
  private final Closeable end;

  /**
   * Makes a sender.
   *
   * @param threads one for each connection; shut down at the end
   * @param end closes the connections
   */
  BlockingSender(List<? extends Exchange> connections, ExecutorService threads, Closeable end) {
    this.connections = connections;
    this.threads = threads;
    this.end = end;
  }

  @Override
  public void run(int count, ClosedLoops loops) throws Exception {
    List<Callable<@Nullable Void>> tasks = new ArrayList<>();
    for (int i = 0; i < connections.size(); i++) {
      int number = i;
      tasks.add(() -> send(number, count, loops));
    }
    for (Future<@Nullable Void> each : threads.invokeAll(tasks)) {
      each.get();
    }
  }

  private @Nullable Void send(int number, int count, ClosedLoops loops) throws Exception {
    Exchange connection = connections.get(number);
    do {
      loops.begins(number);
      connection.send(count);
    } while (loops.acknowledged(number));
    return null;
  }

  @Override
  public void close() throws IOException {
    end.close();
    threads.shutdown();
  }
}
