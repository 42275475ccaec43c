package io.arraywire.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Deadlines on one daemon thread, which ends when nothing is due for a while. */
final class SystemDeadlines implements Deadlines {
  static final SystemDeadlines INSTANCE = new SystemDeadlines();

  private static final Duration LONGEST = Duration.ofDays(365);

  /** The same in nanoseconds: no limit at all. */
  static final long LONGEST_NANOS = LONGEST.toNanos();

  private final ScheduledThreadPoolExecutor executor;

  private SystemDeadlines() {
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "arraywire-deadlines");
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
    executor.setKeepAliveTime(10, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
  }

  @Override
  public Runnable after(Duration delay, Runnable task) {
    Future<?> future = executor.schedule(task, nanos(delay), TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  /** A time in nanoseconds; one of centuries does not overflow. */
  static long nanos(Duration time) {
    return bounded(time).toNanos();
  }

  /** The time that a caller gives to wait; not null. */
  static long nanosOf(Duration timeout) {
    return nanos(
        Objects.requireNonNull(
            timeout,
            "timeout is null; to wait without a limit, call the method without a timeout"));
  }

  /** A time, or the longest that anybody waits. */
  static Duration bounded(Duration time) {
    return time.compareTo(LONGEST) > 0 ? LONGEST : time;
  }
}
