package io.arraywire.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the engine takes from the JVM beside {@link Deadlines}. That is time that has passed,
 * threads of its own, waits of threads for each other, and random numbers. A test that provides all
 * of them runs the threads of an engine one at a time. A seed decides their order, so the test can
 * repeat a run.
 *
 * <p>Any thread calls any method, at times with a lock of the engine's held. For each array nothing
 * but {@link #nanoTime()} is called.
 */
public interface EngineRuntime {

  /**
   * The runtime of the JVM.
   *
   * @return the runtime
   */
  static EngineRuntime system() {
    return SystemRuntime.INSTANCE;
  }

  /**
   * Monotonic time; only differences mean anything.
   *
   * @return nanoseconds
   */
  long nanoTime();

  /**
   * How long the calling thread was ready to run and had no processor. Counted since its calls of
   * users' code began, or since this was last asked. Asked only after a call that seems long.
   *
   * @return nanoseconds; 0, which is the default, if it is not known
   */
  default long withoutProcessor() {
    return 0;
  }

  /**
   * Runs a task that may block on a daemon thread of its own.
   *
   * @param name the thread's name
   * @param task what to run
   * @return interrupts the thread when run, unless it is the thread that calls
   */
  Runnable start(String name, Runnable task);

  /**
   * Makes a condition of a lock.
   *
   * @param lock the lock
   * @return the condition
   */
  Condition condition(ReentrantLock lock);

  /**
   * Waits for a future, as {@link CompletableFuture#get(long, java.util.concurrent.TimeUnit)} does.
   *
   * @param future what to wait for
   * @param nanos how long, in nanoseconds
   * @param <T> its type
   * @return its value
   * @throws InterruptedException if the caller is interrupted
   * @throws ExecutionException if the future failed
   * @throws TimeoutException if it is not done in time
   */
  <T> T await(CompletableFuture<T> future, long nanos)
      throws InterruptedException, ExecutionException, TimeoutException;

  /**
   * Fills an array with random bytes that nobody can guess.
   *
   * @param secret the array
   */
  void fillSecret(byte[] secret);

  /**
   * A random number, to spread in time what would happen at once.
   *
   * @param bound more than 0
   * @return a number from 0, below the bound
   */
  long below(long bound);

  /**
   * How many bytes the engine puts into one batch at most, where any number above some KiB is
   * correct and only the speed differs. Asked once per engine and size.
   *
   * @param usual what is fastest
   * @return the number of bytes to use
   */
  default int batchBytes(int usual) {
    return usual;
  }

  /**
   * Whether the engine chooses the threads that run handlers. Asked once per engine.
   *
   * @param usual whether it does, because the user named no executor
   * @return whether it does
   */
  default boolean choosesThreads(boolean usual) {
    return usual;
  }

  /**
   * After how many short calls the thread that reads may call a request handler, where any number
   * is correct and only the speed differs. Asked once per channel.
   *
   * @param usual what is fastest
   * @return the number of calls
   */
  default int shortCalls(int usual) {
    return usual;
  }
}
