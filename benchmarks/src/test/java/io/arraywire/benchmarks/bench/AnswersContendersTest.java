package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every contender answers with every bit of the request, some of them late and only those. Clients
 * are closed when a test is over: those that wait for a day would be logged while others run.
 */
@Tag("newest")
class AnswersContendersTest {
  private static final int COUNT = 16;
  private static final int WAITING = 8;
  private static final int QUICK = 200;
  private static final int EVERY = 5;
  private static final SlowAnswers LATE = new SlowAnswers(10, EVERY, Duration.ofMillis(100));

  /** Longer than any test may take. */
  private static final SlowAnswers NEVER = new SlowAnswers(10, EVERY, Duration.ofDays(1));

  private final List<AnswersContender.Client> clients = new ArrayList<>();

  @AfterEach
  void end() throws Exception {
    for (AnswersContender.Client each : clients) {
      each.close();
    }
  }

  private AnswersContender.Client connect(AnswersContender contender, int port) throws Exception {
    AnswersContender.Client client = contender.connect(port, COUNT);
    clients.add(client);
    return client;
  }

  /** Those that this JDK can have. */
  static List<AnswersContender> contenders() {
    return AnswersContenders.all().stream().filter(each -> each.unavailable() == null).toList();
  }

  @ParameterizedTest
  @MethodSource("contenders")
  void answersAreTheRequestsAndSlowOnesLate(AnswersContender contender) throws Exception {
    AnswersContender.Client client = connect(contender, contender.listen(LATE, COUNT));
    for (int number = 1; number <= EVERY; number++) {
      float[] request = Elements.random(COUNT, number);
      request[0] = Float.intBitsToFloat(number);
      float[] answer = new float[COUNT];
      Duration took = took(client, request, answer);
      assertThat(Elements.checksum(answer, COUNT)).isEqualTo(Elements.checksum(request, COUNT));
      if (LATE.isSlow(number)) {
        assertThat(took).isGreaterThanOrEqualTo(LATE.delay());
      }
    }
  }

  /** Threads that share a connection have their own answers. */
  @ParameterizedTest
  @MethodSource("contenders")
  void threadsShareAConnection(AnswersContender contender) throws Exception {
    AnswersContender.Client client = connect(contender, contender.listen(SlowAnswers.NONE, COUNT));
    List<CompletableFuture<Void>> done = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      int thread = i;
      done.add(CompletableFuture.runAsync(() -> requests(client, thread), daemons()));
    }
    for (CompletableFuture<Void> each : done) {
      each.get(60, TimeUnit.SECONDS);
    }
  }

  private static void requests(AnswersContender.Client client, int thread) {
    for (int number = 0; number < QUICK; number++) {
      float[] request = Elements.random(COUNT, thread * QUICK + number);
      float[] answer = new float[COUNT];
      try {
        took(client, request, answer);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      assertThat(Elements.checksum(answer, COUNT)).isEqualTo(Elements.checksum(request, COUNT));
    }
  }

  static List<AnswersContender> asking() {
    return contenders().stream().filter(AnswersContender::asks).toList();
  }

  /** The loop compares each answer with its request. */
  @ParameterizedTest
  @MethodSource("asking")
  void requestsThatDoNotWaitAreAllAnswered(AnswersContender contender) throws Exception {
    int port = contender.listen(SlowAnswers.NONE, COUNT);
    try (AnswersContender.Asking asking = contender.ask(port, COUNT)) {
      for (int burst = 0; burst < 2; burst++) {
        Burst done =
            new OpenLoop(
                    new Rate(10_000, 20), Duration.ofMillis(50), COUNT, OpenLoop.Clock.ofSystem())
                .run(asking, Expense.NONE);
        assertThat(done.times().getTotalCount()).isEqualTo(500);
        assertThat(done.sent()).isBetween(1L, 500L);
      }
    }
  }

  /** Those that are not slow do not wait for a day, beside how many that do. */
  @ParameterizedTest
  @MethodSource("contenders")
  void slowAnswersHoldUpNoOtherClient(AnswersContender contender) throws Exception {
    int port = contender.listen(NEVER, COUNT);
    List<CompletableFuture<Duration>> late = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      AnswersContender.Client waiting = connect(contender, port);
      late.add(CompletableFuture.supplyAsync(() -> took(waiting, EVERY), daemons()));
    }
    AnswersContender.Client other = connect(contender, port);
    // Some of them after the last of the slow ones has come: a request takes its time, too.
    for (int i = 0; i < QUICK; i++) {
      CompletableFuture<Duration> soon =
          CompletableFuture.supplyAsync(() -> took(other, 1), daemons());
      assertThat(soon.get(60, TimeUnit.SECONDS)).isPositive();
    }
    assertThat(late).noneMatch(CompletableFuture::isDone);
  }

  private static Executor daemons() {
    return task -> ConnectionThreads.daemonOfTheSystem(task).start();
  }

  private static Duration took(AnswersContender.Client client, int number) {
    float[] request = new float[COUNT];
    request[0] = Float.intBitsToFloat(number);
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
