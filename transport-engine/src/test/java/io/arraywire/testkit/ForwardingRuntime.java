package io.arraywire.testkit;

import io.arraywire.engine.EngineRuntime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The runtime of the JVM, of which a test replaces what it is about. */
public class ForwardingRuntime implements EngineRuntime {
  private final EngineRuntime system = EngineRuntime.system();

  @Override
  public long nanoTime() {
    return system.nanoTime();
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
