package io.arraywire.examples.soak;

import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Leaks of everything that a soak samples, but for the rate, so that it is seen failing. */
final class PlantedLeaks {
  private static final long INTERVAL_NANOS = 250_000_000;
  private static final int HEAP_BYTES = 256 << 10;
  private static final int NATIVE_BYTES = 1 << 20;

  private PlantedLeaks() {}

  /** Begins to leak, four times a second. */
  static void begin(MemoryPool pool) {
    daemon(() -> {
      List<Object> kept = new ArrayList<>();
      while (true) {
        kept.add(new byte[HEAP_BYTES]);
        ByteBuffer bytes = ByteBuffer.allocateDirect(NATIVE_BYTES);
        for (int i = 0; i < NATIVE_BYTES; i += 1024) {
          bytes.put(i, (byte) 1);
        }
        kept.add(bytes);
        kept.add(pool.acquire(HEAP_BYTES, MemoryKind.HEAP));
        try {
          kept.add(new ServerSocket(0));
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
        kept.add(daemon(LockSupport::park));
        LockSupport.parkNanos(INTERVAL_NANOS);
      }
    });
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "leak");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
