package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests at a rate, each when it is due, even if those before are not answered. The time of
 * a request counts from when it was due. So it includes the wait of a request that was sent late
 * because the contender was busy (no coordinated omission; G. Tene, "How NOT to Measure Latency",
 * 2013). It runs once.
 *
 * <p>At most {@link #WINDOW} requests are in flight; further ones that are due wait until one of
 * those is answered. A contender that does not keep up has twice the time. A request that was not
 * sent by then is recorded with the time that it has waited.
 */
final class OpenLoop {
  /** The default of {@code --window}, which is for arrays. */
  static final int WINDOW = 256;

  /** How often to look for an answer while no further request can be sent. */
  private static final long LOOK_NANOS = 20_000;

  private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();

  /** The time, and waiting for it. */
  interface Clock {

    /** Nanoseconds. */
    long now();

    /** Waits until then. */
    void await(long nanos);

    /**
     * The clock of the system. It sleeps until shortly before the time, because a sleeping thread
     * wakes up some 50 us late. Then it yields the processor until the time has come.
     */
    static Clock ofSystem() {
      return new Clock() {
        private static final long LATE_NANOS = 60_000;

        @Override
        public long now() {
          return System.nanoTime();
        }

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // Others may have the processor meanwhile.
        public void await(long nanos) {
          for (long left = nanos - now(); left > 0; left = nanos - now()) {
            if (left > LATE_NANOS) {
              LockSupport.parkNanos(left - LATE_NANOS);
            } else {
              Thread.yield();
            }
          }
        }
      };
    }
  }

  private final Rate rate;
  private final long requests;
  private final long nanos;
  private final Clock clock;
  private final Queue<PacedRequest> free = new ConcurrentLinkedQueue<>();
  private final Histogram times = Burst.emptyConcurrentTimes();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong lastAnswer = new AtomicLong(Long.MIN_VALUE);
  private volatile @Nullable Throwable failure;

  /**
   * Makes one that has not begun.
   *
   * @param count elements in each request
   * @param duration within which all requests fall due
   */
  OpenLoop(Rate rate, Duration duration, int count, Clock clock) {
    this.rate = rate;
    this.clock = clock;
    requests = rate.requests(duration);
    nanos = rate.due(requests);
    for (int i = 0; i < WINDOW; i++) {
      free.add(new PacedRequest(this, count));
    }
  }

  /**
   * Makes the requests, and returns when all that were sent are answered.
   *
   * @param asking sends them
   * @param before the expense of this process until now
   */
  Burst run(AnswersContender.Asking asking, Expense before) throws Exception {
    long begin = clock.now();
    long sent = send(asking, begin);
    for (long number = sent; number < requests; number++) {
      times.recordValue(Math.max(0, clock.now() - (begin + rate.due(number))));
    }
    awaitAnswers(sent);
    return new Burst(
        sent, sent, Math.max(1, lastAnswer.get() - begin), Expense.since(before), times);
  }

  /** Sends all, or as many as there is time for; returns how many. */
  private long send(AnswersContender.Asking asking, long begin) throws Exception {
    long end = begin + 2 * nanos;
    for (long number = 0; number < requests; number++) {
      long due = begin + rate.due(number);
      clock.await(due);
      PacedRequest request = free(number, end);
      if (request == null) {
        return number;
      }
      request.begin(number, due);
      asking.ask(request);
    }
    return requests;
  }

  /**
   * Waits for a request that is not in flight; null if the time is over. The first is always sent.
   */
  private @Nullable PacedRequest free(long number, long end) throws IOException {
    while (true) {
      check();
      long now = clock.now();
      if (number > 0 && end - now <= 0) {
        return null;
      }
      PacedRequest request = free.poll();
      if (request != null) {
        return request;
      }
      clock.await(now + LOOK_NANOS);
    }
  }

  private void awaitAnswers(long sent) throws IOException {
    long begin = clock.now();
    while (answered.get() < sent) {
      check();
      long now = clock.now();
      if (now - begin > PATIENCE_NANOS) {
        throw new IOException(
            "answers are missing (requests=" + sent + ", answers=" + answered + ")");
      }
      clock.await(now + LOOK_NANOS);
    }
    check();
  }

  private void check() throws IOException {
    Throwable failed = failure;
    if (failed != null) {
      throw new IOException("the connection failed", failed);
    }
  }

  /** Any thread. */
  void answered(PacedRequest request, long due) {
    long now = clock.now();
    times.recordValue(Math.max(0, now - due));
    lastAnswer.accumulateAndGet(now, Math::max);
    free.add(request);
    // Last: run() reads the times as soon as it has counted all answers.
    answered.incrementAndGet();
  }

  /** Any thread. */
  void fail(Throwable cause) {
    failure = cause;
  }
}
