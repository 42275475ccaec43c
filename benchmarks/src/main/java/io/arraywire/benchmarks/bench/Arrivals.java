package io.arraywire.benchmarks.bench;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end where a library calls: puts elements into the target as they come, and tells
 * the serving thread. Except for {@link #receiver} and {@link #serve}, all is for the library's one
 * thread.
 */
final class Arrivals {
  private record Serving(int count, Contender.Tally tally, CompletableFuture<@Nullable Void> all) {}

  private static final long PAUSE_NANOS = 20_000;

  private final Filling filling;
  private volatile @Nullable Serving serving;
  private volatile @Nullable Throwable failure;

  Arrivals(float[] target) {
    filling = new Filling(target);
  }

  /**
   * The receiver whose library calls this.
   *
   * @param port where it listens
   * @param end ends the library's work
   */
  Contender.Receiver receiver(int port, Closeable end) {
    return new Contender.Receiver() {
      @Override
      public int port() {
        return port;
      }

      @Override
      public void serve(int count, Contender.Tally tally) throws Exception {
        Arrivals.this.serve(count, tally);
      }

      @Override
      public void close() throws IOException {
        end.close();
      }
    };
  }

  /** Does what {@link Contender.Receiver#serve} is to do, while the library's thread works. */
  void serve(int count, Contender.Tally tally) throws Exception {
    CompletableFuture<@Nullable Void> all = new CompletableFuture<>();
    serving = new Serving(count, tally, all);
    Throwable failed = failure;
    if (failed != null) {
      all.completeExceptionally(failed);
    }
    all.get();
  }

  /** Elements came, as in {@link Filling#put(FloatBuffer, int)}. */
  int put(FloatBuffer elements) {
    return filling.put(elements, serving().count());
  }

  /** Bytes came, as in {@link Filling#put(ByteBuffer, int)}. */
  int put(ByteBuffer bytes) {
    return filling.put(bytes, serving().count());
  }

  /** The thread that serves may begin a little later than the one that sends. */
  private Serving serving() {
    Serving now = serving;
    while (now == null) {
      LockSupport.parkNanos(this, PAUSE_NANOS);
      now = serving;
    }
    return now;
  }

  /** So many arrays were acknowledged. */
  void acknowledged(int arrays) {
    if (arrays == 0) {
      return;
    }
    Serving now = serving();
    if (!now.tally().add(arrays)) {
      serving = null;
      now.all().complete(null);
    }
  }

  /** Nothing more will come. */
  void fail(Throwable cause) {
    failure = cause;
    Serving now = serving;
    if (now != null) {
      now.all().completeExceptionally(cause);
    }
  }
}
