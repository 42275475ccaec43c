package io.arraywire.engine;

import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The clock, threads, waits and random numbers of the JVM. */
final class SystemRuntime implements EngineRuntime {
  static final SystemRuntime INSTANCE = new SystemRuntime();

  private static final SecureRandom SECRETS = new SecureRandom();

  private SystemRuntime() {}

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long withoutProcessor() {
    return ProcessorWaits.lost();
  }

  @Override
  public Runnable start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    return () -> {
      if (!thread.equals(Thread.currentThread())) {
        thread.interrupt();
      }
    };
  }

  @Override
  public Condition condition(ReentrantLock lock) {
    return lock.newCondition();
  }

  @Override
  public <T> T await(CompletableFuture<T> future, long nanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void fillSecret(byte[] secret) {
    SECRETS.nextBytes(secret);
  }

  @Override
  public long below(long bound) {
    return ThreadLocalRandom.current().nextLong(bound);
  }
}
