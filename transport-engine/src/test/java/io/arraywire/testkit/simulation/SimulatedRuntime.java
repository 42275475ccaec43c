package io.arraywire.testkit.simulation;

import io.arraywire.engine.Deadlines;
import io.arraywire.engine.EngineRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** All that an engine takes from the JVM, by a {@link Scheduler} and a seed. */
final class SimulatedRuntime implements EngineRuntime, Deadlines, Executor {
  /** Control frames and the handshake fit into a batch of so many bytes. */
  private static final int LEAST_BATCH = 8 << 10;

  private final Scheduler scheduler;
  private final Choices choices;

  // How this host is in this simulation.
  private final long taskNanos;
  private final long lateNanos;
  private final boolean oddBatches;

  SimulatedRuntime(Scheduler scheduler, Choices choices) {
    this.scheduler = scheduler;
    this.choices = choices;
    taskNanos = choices.of(1_000L, 20_000L, 300_000L);
    lateNanos = choices.of(0L, 100_000L, 5_000_000L);
    oddBatches = choices.percent(60);
  }

  @Override
  public long nanoTime() {
    return scheduler.now();
  }

  @Override
  public Runnable after(Duration delay, Runnable task) {
    long late = lateNanos == 0 ? 0 : choices.below(lateNanos);
    return scheduler.after(delay.toNanos() + late, "deadline", task);
  }

  @Override
  public void execute(Runnable task) {
    Runnable unused = scheduler.after(choices.around(taskNanos), "task", task);
  }

  @Override
  public Runnable start(String name, Runnable task) {
    Started started = new Started(task);
    Runnable unused = scheduler.after(choices.around(taskNanos), "thread", started);
    return started::interrupt;
  }

  private final class Started implements Runnable {
    private final Runnable task;
    private @Nullable Thread thread;
    private boolean early;

    Started(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      thread = Thread.currentThread();
      if (early) {
        Thread.currentThread().interrupt();
      }
      try {
        task.run();
      } finally {
        thread = null;
      }
    }

    private void interrupt() {
      Thread present = thread;
      if (present == null) {
        early = true;
      } else if (!present.equals(Thread.currentThread())) {
        scheduler.interrupt(present);
      }
    }
  }

  @Override
  public <T> T await(CompletableFuture<T> future, long nanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!future.isDone() && nanos > 0) {
      Scheduler.Wait wait = scheduler.waitFor("waits for a future", true);
      CompletableFuture<T> unused = future.whenComplete((value, thrown) -> wait.wake());
      scheduler.park(wait, nanos);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    if (!future.isDone()) {
      throw new TimeoutException();
    }
    return future.get();
  }

  @Override
  public void fillSecret(byte[] secret) {
    for (int i = 0; i < secret.length; i++) {
      secret[i] = (byte) choices.next();
    }
  }

  @Override
  public long below(long bound) {
    return choices.below(bound);
  }

  @Override
  public int batchBytes(int usual) {
    return oddBatches ? LEAST_BATCH + choices.upTo(usual) : usual;
  }

  /** One in three hosts has the executor of its own run all handlers. */
  @Override
  public boolean choosesThreads(boolean usual) {
    return taskNanos < 300_000;
  }

  @Override
  public int shortCalls(int usual) {
    return 1;
  }

  @Override
  public Condition condition(ReentrantLock lock) {
    return new SimulatedCondition(lock);
  }

  /** A condition whose waits are the scheduler's. */
  private final class SimulatedCondition implements Condition {
    private final ReentrantLock lock;
    private final List<Scheduler.Wait> waiting = new ArrayList<>();

    SimulatedCondition(ReentrantLock lock) {
      this.lock = lock;
    }

    private void park(boolean interruptible, long nanos) throws InterruptedException {
      if (interruptible && Thread.interrupted()) {
        throw new InterruptedException();
      }
      Scheduler.Wait wait = scheduler.waitFor("waits for a condition", interruptible);
      waiting.add(wait);
      lock.unlock();
      try {
        scheduler.park(wait, nanos);
      } finally {
        lock.lock();
        waiting.remove(wait);
      }
      if (interruptible && Thread.interrupted()) {
        throw new InterruptedException();
      }
    }

    @Override
    public void await() throws InterruptedException {
      park(true, -1);
    }

    @Override
    public void awaitUninterruptibly() {
      try {
        park(false, -1);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public long awaitNanos(long nanos) throws InterruptedException {
      long begin = scheduler.now();
      park(true, Math.max(0, nanos));
      return nanos - (scheduler.now() - begin);
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
      return awaitNanos(unit.toNanos(time)) > 0;
    }

    @Override
    public boolean awaitUntil(Date deadline) {
      throw new UnsupportedOperationException("there is no wall clock");
    }

    @Override
    public void signal() {
      if (!waiting.isEmpty()) {
        waiting.remove(0).wake();
      }
    }

    @Override
    public void signalAll() {
      waiting.forEach(Scheduler.Wait::wake);
      waiting.clear();
    }
  }
}
