package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every contender answers with every bit of the request, some of them late and only those. */
class AnswersContendersTest {
  private static final int COUNT = 16;
  private static final SlowAnswers SLOW = new SlowAnswers(10, 5, Duration.ofMillis(100));

  static List<AnswersContender> contenders() {
    return AnswersContenders.all();
  }

  @ParameterizedTest
  @MethodSource("contenders")
  void answersAreTheRequestsAndSlowOnesLate(AnswersContender contender) throws Exception {
    assumeThat(contender.unavailable()).isNull();
    int port = contender.listen(SLOW, COUNT);
    AnswersContender.Client client = contender.connect(port, COUNT);
    for (int number = 1; number <= SLOW.every(); number++) {
      float[] request = Elements.random(COUNT, number);
      request[0] = Float.intBitsToFloat(number);
      float[] answer = new float[COUNT];
      Duration took = took(client, request, answer);
      assertThat(Elements.checksum(answer, COUNT)).isEqualTo(Elements.checksum(request, COUNT));
      if (SLOW.isSlow(number)) {
        assertThat(took).isGreaterThanOrEqualTo(SLOW.delay());
      }
    }
  }

  /** A client that waits does not hold up another, however long it waits. */
  @ParameterizedTest
  @MethodSource("contenders")
  void aSlowAnswerHoldsUpNoOtherClient(AnswersContender contender) throws Exception {
    assumeThat(contender.unavailable()).isNull();
    SlowAnswers never = new SlowAnswers(10, 5, Duration.ofDays(1));
    int port = contender.listen(never, COUNT);
    AnswersContender.Client waiting = contender.connect(port, COUNT);
    AnswersContender.Client other = contender.connect(port, COUNT);
    float[] slow = new float[COUNT];
    slow[0] = Float.intBitsToFloat(5);
    CompletableFuture<Duration> late =
        CompletableFuture.supplyAsync(() -> unchecked(waiting, slow), daemons());
    float[] quick = new float[COUNT];
    quick[0] = Float.intBitsToFloat(1);
    CompletableFuture<Duration> soon =
        CompletableFuture.supplyAsync(() -> unchecked(other, quick), daemons());
    assertThat(soon.get(60, TimeUnit.SECONDS)).isPositive();
    assertThat(late).isNotDone();
  }

  private static Executor daemons() {
    return task -> ConnectionThreads.daemonOfTheSystem(task).start();
  }

  private static Duration unchecked(AnswersContender.Client client, float[] request) {
    try {
      return took(client, request, new float[COUNT]);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Duration took(AnswersContender.Client client, float[] request, float[] answer)
      throws Exception {
    long begin = System.nanoTime();
    client.request(request, answer);
    return Duration.ofNanos(System.nanoTime() - begin);
  }
}
