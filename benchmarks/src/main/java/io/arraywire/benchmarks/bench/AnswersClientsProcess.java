package io.arraywire.benchmarks.bench;

import io.arraywire.examples.process.CommandLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The child process that has the clients, each with a thread that makes one request after the
 * other. Every answer is compared with its request, and a slow one must not come early.
 *
 * <pre>
 * connect NAME COUNT CLIENTS REQUESTS EVERY MILLIS PORT
 * requests    makes them all, whichever client is free the next one; answers with a {@link Burst},
 *             whose times are those of the requests that are not slow
 * </pre>
 */
final class AnswersClientsProcess implements CommandLoop.Commands {
  private final ExecutorService threads = ConnectionThreads.executor();
  private final List<AnswersContender.Client> clients = new ArrayList<>();
  private @Nullable SlowAnswers slow;
  private int count;

  private AnswersClientsProcess() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    new CommandLoop().serve(new AnswersClientsProcess());
  }

  @Override
  public String[] run(String[] words) throws Exception {
    return switch (words[0]) {
      case "connect" -> {
        count = Integer.parseInt(words[2]);
        slow = AnswersServerProcess.slowAnswers(words, 4);
        AnswersContender contender = AnswersContenders.named(words[1]);
        for (int i = 0; i < Integer.parseInt(words[3]); i++) {
          clients.add(contender.connect(Integer.parseInt(words[7]), count));
        }
        yield new String[0];
      }
      case "requests" -> requests().words();
      case "expense" -> Expense.now().words();
      default -> throw new IllegalArgumentException("unknown command (command=" + words[0] + ")");
    };
  }

  private Burst requests() throws Exception {
    SlowAnswers answers = slow;
    if (answers == null) {
      throw new IllegalStateException("not connected");
    }
    Histogram times = Burst.emptyConcurrentTimes();
    AtomicInteger next = new AtomicInteger();
    List<Callable<Long>> tasks = new ArrayList<>();
    for (AnswersContender.Client each : clients) {
      tasks.add(() -> requests(each, answers, next, times));
    }
    Expense before = Expense.now();
    long begin = System.nanoTime();
    List<Long> served = new ArrayList<>();
    for (Future<Long> each : threads.invokeAll(tasks)) {
      served.add(each.get());
    }
    long nanos = System.nanoTime() - begin;
    return new Burst(
        answers.requests(),
        answers.requests(),
        nanos,
        Expense.since(before),
        times,
        List.copyOf(served));
  }

  /** Those of one client, until none is left; answers with how many they were. */
  private long requests(
      AnswersContender.Client client, SlowAnswers answers, AtomicInteger next, Histogram times)
      throws Exception {
    float[] request = Elements.random(count);
    float[] answer = new float[count];
    long served = 0;
    for (int number = next.getAndIncrement();
        number < answers.requests();
        number = next.getAndIncrement()) {
      request[0] = Float.intBitsToFloat(number);
      Elements.spoil(answer);
      long begin = System.nanoTime();
      client.request(request, answer);
      long took = System.nanoTime() - begin;
      check(request, answer, number);
      if (!answers.isSlow(number)) {
        times.recordValue(took);
      } else if (took < answers.delay().toNanos()) {
        throw new IllegalStateException(
            "an answer came early (request=" + number + ", nanos=" + took + ")");
      }
      served++;
    }
    return served;
  }

  private static void check(float[] request, float[] answer, int number) {
    int differs = Arrays.mismatch(request, answer);
    if (differs >= 0) {
      throw new IllegalStateException(
          "the answer is not the request (request=" + number + ", element=" + differs + ")");
    }
  }
}
