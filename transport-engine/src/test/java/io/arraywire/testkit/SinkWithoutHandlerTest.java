package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.source.ArraySink;
import io.arraywire.source.ElementWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The handler's executor refuses the task that was to hand out an array that is in a sink. */
class SinkWithoutHandlerTest {
  /**
   * Runs tasks until one has opened the sink, and refuses all that come behind that. The handler
   * may have a task before, which finds nothing to do yet.
   */
  private static final class TasksUntilOpened implements Executor {
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile Thread opener;

    /**
     * Waits for the end of the task that opened the sink. If that task waits for its turn to write,
     * which the caller has, the caller does not: this write is over, and the next one comes here.
     */
    void awaitEndOrWaiting() {
      try {
        while (!over.await(1, TimeUnit.MILLISECONDS)) {
          Thread.State state = opener.getState();
          if (state == Thread.State.WAITING || state == Thread.State.BLOCKED) {
            return;
          }
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void execute(Runnable task) {
      if (opener != null) {
        throw new RejectedExecutionException("for the test");
      }
      new Thread(
              () -> {
                task.run();
                if (Thread.currentThread() == opener) {
                  over.countDown();
                }
              })
          .start();
    }
  }

  /** Its writes wait, in all threads but the handler's, for the end of the handler's task. */
  private static final class WatchedSink implements ArraySink {
    private final TasksUntilOpened tasks;
    private final Connection receiving;
    private final BlockingQueue<String> closed;

    WatchedSink(TasksUntilOpened tasks, Connection receiving, BlockingQueue<String> closed) {
      this.tasks = tasks;
      this.receiving = receiving;
      this.closed = closed;
    }

    @Override
    public ElementType type() {
      return ElementType.INT;
    }

    @Override
    public ElementWriter open(long count, ByteOrder order) {
      tasks.opener = Thread.currentThread();
      return new ElementWriter() {
        @Override
        public void write(long index, int some, ByteBuffer source) {
          source.position(source.limit());
          if (Thread.currentThread() == tasks.opener) {
            return;
          }
          tasks.awaitEndOrWaiting();
        }

        @Override
        public void finish() {
          closed.add("finished");
        }

        @Override
        public void close() {
          // This takes the connection's lock, so it times out if close() runs under that lock.
          CompletableFuture<Void> ended = CompletableFuture.runAsync(receiving::closeNow);
          try {
            ended.get(20, TimeUnit.SECONDS);
            closed.add("closed");
          } catch (Exception e) {
            closed.add("closed under the lock: " + e);
          }
        }
      };
    }
  }

  /** Elsewhere than under the connection's lock, though that executor takes no task for it. */
  @Test
  void theSinkIsClosed() throws Exception {
    TasksUntilOpened tasks = new TasksUntilOpened();
    BlockingQueue<String> closed = new LinkedBlockingQueue<>();
    TransportOptions options = EngineBench.options().handlerExecutor(tasks).build();
    Handlers handlers =
        Handlers.ofArrays((connection, array) -> {})
            .withTargets((connection, header) -> new WatchedSink(tasks, connection, closed));
    try (InMemoryTransport transport = InMemoryTransport.create(options);
        InMemoryTransport sending = InMemoryTransport.create(EngineBench.options().build());
        Listener listener = transport.listen(MemoryAddress.free(), handlers);
        Connection connection = sending.connect(listener.address())) {
      CompletableFuture<Receipt> sent =
          connection
              .sendAsync(ArraySlice.of(new int[900_000]), SendOptions.processed())
              .toCompletableFuture();
      assertThat(Eventually.next("the sink is closed", closed)).isEqualTo("closed");
      assertThat(sent).failsWithin(60, TimeUnit.SECONDS);
    }
    assertThat(closed).isEmpty();
  }
}
