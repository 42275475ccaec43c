package io.arraywire.benchmarks.bench;

import io.arraywire.ArraySlice;
import io.arraywire.SendOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sends the next array of a connection where the one before completes. */
final class AsyncSender implements ConnectionsContender.Sender {
  private final ManyConnections connections;
  private final float[][] sources;

  AsyncSender(ManyConnections connections, float[][] sources) {
    this.connections = connections;
    this.sources = sources;
  }

  @Override
  public void run(int count, ClosedLoops loops) throws Exception {
    List<CompletableFuture<@Nullable Void>> ends = new ArrayList<>();
    for (int i = 0; i < sources.length; i++) {
      CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
      ends.add(end);
      send(i, ArraySlice.of(sources[i], 0, count), loops, end);
    }
    CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).get();
  }

  private void send(
      int number, ArraySlice slice, ClosedLoops loops, CompletableFuture<@Nullable Void> end) {
    loops.begins(number);
    connections
        .connections()
        .get(number)
        .sendAsync(slice, SendOptions.processed())
        .whenComplete((receipt, failure) -> {
          if (failure != null) {
            end.completeExceptionally(failure);
          } else if (loops.acknowledged(number)) {
            send(number, slice, loops, end);
          } else {
            end.complete(null);
          }
        });
  }

  @Override
  public void close() {
    connections.close();
  }
}
