package io.arraywire.testkit;

import io.arraywire.engine.EngineRuntime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** That of the JVM, but what would have a thread of its own is a task of the test's. */
record InlineRuntime(Executor tasks) implements EngineRuntime {
  private static final EngineRuntime SYSTEM = EngineRuntime.system();

  @Override
  public long nanoTime() {
    return SYSTEM.nanoTime();
  }

  @Override
  public Runnable start(String name, Runnable task) {
    tasks.execute(task);
    return () -> {};
  }

  @Override
  public Condition condition(ReentrantLock lock) {
    return SYSTEM.condition(lock);
  }

  @Override
  public <T> T await(CompletableFuture<T> future, long nanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    return SYSTEM.await(future, nanos);
  }

  @Override
  public void fillSecret(byte[] secret) {
    SYSTEM.fillSecret(secret);
  }

  @Override
  public long below(long bound) {
    return SYSTEM.below(bound);
  }
}
