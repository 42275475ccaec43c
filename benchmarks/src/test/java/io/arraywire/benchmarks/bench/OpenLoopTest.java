package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** With a clock that stands still while nobody waits: all times are what they have to be. */
class OpenLoopTest {
  private static final long MICRO = 1_000;

  /** 1,000 requests in 10 ms, one every 10 us. */
  private static final Rate RATE = new Rate(100_000, 1);

  private static final Duration DURATION = Duration.ofMillis(10);

  /** Answers requests one after the other, each after the time that it takes. */
  private static class Server implements OpenLoop.Clock, AnswersContender.Asking {
    private final long service;
    private final Queue<PacedRequest> waiting = new ArrayDeque<>();
    private final List<Long> sent = new ArrayList<>();
    private long now = 17;
    private long idleSince = now;

    /** It answers nothing from the first time to the second. */
    private long stalls = Long.MAX_VALUE;

    private long resumes;

    Server(long service) {
      this.service = service;
    }

    @Override
    public long now() {
      return now;
    }

    @Override
    public void ask(PacedRequest request) {
      sent.add(now - 17);
      if (waiting.isEmpty()) {
        idleSince = Math.max(idleSince, now);
      }
      waiting.add(request);
    }

    @Override
    public void await(long nanos) {
      while (!waiting.isEmpty() && ready() <= nanos) {
        now = Math.max(now, ready());
        idleSince = now;
        PacedRequest first = waiting.remove();
        System.arraycopy(first.request(), 0, first.answer(), 0, first.request().length);
        first.answered();
      }
      now = Math.max(now, nanos);
    }

    private long ready() {
      long ready = idleSince + service;
      return ready >= stalls && idleSince < resumes ? resumes + service : ready;
    }

    @Override
    public void close() {}
  }

  private static Burst run(Server server, Rate rate) throws Exception {
    return new OpenLoop(rate, DURATION, 4, server).run(server, Expense.NONE);
  }

  /** As a histogram keeps it. */
  private static long kept(Burst burst, long nanos) {
    return burst.times().highestEquivalentValue(nanos);
  }

  @Test
  void aServerThatKeepsUpHasItsOwnTime() throws Exception {
    Server server = new Server(2 * MICRO);
    Burst burst = run(server, RATE);
    assertThat(burst.sent()).isEqualTo(1_000);
    assertThat(burst.times().getTotalCount()).isEqualTo(1_000);
    assertThat(burst.times().getMinValue()).isEqualTo(2 * MICRO);
    assertThat(burst.times().getMaxValue()).isEqualTo(kept(burst, 2 * MICRO));
    assertThat(server.sent).startsWith(0L, 10 * MICRO, 20 * MICRO).hasSize(1_000);
    // Until the last answer.
    assertThat(burst.nanos()).isEqualTo(999 * 10 * MICRO + 2 * MICRO);
  }

  @Test
  void requestsAtOnceWaitForEachOther() throws Exception {
    Server server = new Server(2 * MICRO);
    Burst burst = run(server, new Rate(100_000, 4));
    assertThat(server.sent).startsWith(0L, 0L, 0L, 0L, 40 * MICRO);
    assertThat(burst.times().getCountBetweenValues(0, 2 * MICRO)).isEqualTo(250);
    assertThat(burst.times().getMaxValue()).isEqualTo(kept(burst, 8 * MICRO));
  }

  /** Not only the one that was in flight, but all that fell due meanwhile, have waited. */
  @Test
  void aStallIsInTheTimesOfAllThatFellDueMeanwhile() throws Exception {
    Server server = new Server(MICRO);
    server.stalls = 17 + 1_000 * MICRO;
    server.resumes = 17 + 6_000 * MICRO;
    Burst burst = run(server, RATE);
    assertThat(burst.sent()).isEqualTo(1_000);
    assertThat(burst.times().getTotalCount()).isEqualTo(1_000);
    assertThat(burst.times().getMaxValue())
        .isBetween(kept(burst, 5_000 * MICRO), kept(burst, 5_100 * MICRO));
    // The request that fell due n * 10 us into the stall is answered n us after it: 5,001 - 9 n.
    assertThat(burst.times().getCountBetweenValues(2_500 * MICRO, 10_000 * MICRO))
        .isBetween(275L, 285L);
    // More than the window fell due, so some left late.
    assertThat(IntStream.range(0, 1_000).filter(each -> server.sent.get(each) > RATE.due(each)))
        .hasSizeGreaterThan(200);
  }

  @Test
  void aServerThatDoesNotKeepUpIsGivenTwiceTheTime() throws Exception {
    // A fifth of the rate.
    Server server = new Server(50 * MICRO);
    Burst burst = run(server, RATE);
    assertThat(burst.sent()).isBetween(400L, 400L + OpenLoop.WINDOW + 1);
    assertThat(burst.arrays()).isEqualTo(burst.sent());
    assertThat(1e9 * burst.arrays() / burst.nanos()).isBetween(19_000.0, 21_000.0);
    // Those that were never sent have waited, too.
    assertThat(burst.times().getTotalCount()).isEqualTo(1_000);
    assertThat(burst.times().getMaxValue()).isGreaterThan(10_000 * MICRO);
  }

  @Test
  void aFailureEndsIt() {
    Server server =
        new Server(MICRO) {
          @Override
          public void ask(PacedRequest request) {
            request.fail(new IllegalStateException("broken"));
          }
        };
    assertThatIOException().isThrownBy(() -> run(server, RATE)).withStackTraceContaining("broken");
  }

  @Test
  void anAnswerThatIsNotTheRequestEndsIt() {
    Server server =
        new Server(MICRO) {
          @Override
          public void ask(PacedRequest request) {
            request.answered();
          }
        };
    assertThatIOException()
        .isThrownBy(() -> run(server, RATE))
        .withStackTraceContaining("the answer is not the request");
  }
}
