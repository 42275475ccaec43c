package io.arraywire.testkit;

import io.arraywire.engine.EngineRuntime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The runtime of the JVM, but for the time, which a test's clock tells. */
final class ManualRuntime implements EngineRuntime {
  private final EngineRuntime system = EngineRuntime.system();
  private final ManualClock clock;

  ManualRuntime(ManualClock clock) {
    this.clock = clock;
  }

  @Override
  public long nanoTime() {
    return clock.nanoTime();
  }

  @Override
  public Runnable start(String name, Runnable task) {
    return system.start(name, task);
  }

  @Override
  public Condition condition(ReentrantLock lock) {
    return system.condition(lock);
  }

  @Override
  public <T> T await(CompletableFuture<T> future, long nanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    return system.await(future, nanos);
  }

  @Override
  public void fillSecret(byte[] secret) {
    system.fillSecret(secret);
  }

  @Override
  public long below(long bound) {
    return system.below(bound);
  }
}
