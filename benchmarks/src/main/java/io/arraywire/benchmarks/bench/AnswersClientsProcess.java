package io.arraywire.benchmarks.bench;

import io.arraywire.examples.process.CommandLoop;
import java.time.Duration;
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
 * The child process that has the clients. Every answer is compared with its request, and a slow one
 * must not come early.
 *
 * <pre>
 * connect NAME COUNT CLIENTS REQUESTS EVERY MILLIS PORT
 * requests    each client has a thread; makes them all, whichever client is free the next one;
 *             answers with a {@link Burst}, whose times are those of the requests that are not slow
 * loops THREADS CLIENTS MILLIS
 *             threads share the first clients evenly and make requests for so long; answers with a
 *             {@link Burst}
 * rate PERSECOND ATONCE MILLIS
 *             requests fall due at that rate for so long; answers with a {@link Burst}
 * </pre>
 */
final class AnswersClientsProcess implements CommandLoop.Commands {
  private final ExecutorService threads = ConnectionThreads.executor();

  /** Platform threads on every JDK, as in most services. */
  private final ExecutorService callers = ConnectionThreads.ofTheSystem();

  private final List<AnswersContender.Client> clients = new ArrayList<>();
  private @Nullable SlowAnswers slow;
  private AnswersContender.@Nullable Asking asking;
  private @Nullable AnswersContender contender;
  private int count;
  private int port;

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
        AnswersContender connected = AnswersContenders.named(words[1]);
        contender = connected;
        port = Integer.parseInt(words[7]);
        for (int i = 0; i < Integer.parseInt(words[3]); i++) {
          clients.add(connected.connect(port, count));
        }
        yield new String[0];
      }
      case "requests" -> requests().words();
      case "loops" ->
          loops(
                  Integer.parseInt(words[1]),
                  Integer.parseInt(words[2]),
                  Long.parseLong(words[3]) * SenderProcess.MILLION)
              .words();
      case "rate" ->
          new OpenLoop(
                  new Rate(Integer.parseInt(words[1]), Integer.parseInt(words[2])),
                  Duration.ofMillis(Long.parseLong(words[3])),
                  count,
                  OpenLoop.Clock.ofSystem())
              .run(asking(), Expense.now())
              .words();
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

  private AnswersContender.Asking asking() throws Exception {
    AnswersContender connected = contender;
    if (connected == null) {
      throw new IllegalStateException("not connected");
    }
    AnswersContender.Asking open = asking;
    if (open == null) {
      open = connected.ask(port, count);
      asking = open;
    }
    return open;
  }

  private Burst loops(int number, int connections, long nanos) throws Exception {
    Expense before = Expense.now();
    ClosedLoops loops = new ClosedLoops(number, System::nanoTime, nanos);
    List<Callable<@Nullable Void>> tasks = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      int thread = i;
      tasks.add(() -> loop(clients.get(thread % connections), thread, loops));
    }
    for (Future<@Nullable Void> each : callers.invokeAll(tasks)) {
      each.get();
    }
    return loops.burst(Expense.since(before));
  }

  private @Nullable Void loop(AnswersContender.Client client, int thread, ClosedLoops loops)
      throws Exception {
    float[] request = Elements.random(count, thread);
    float[] answer = new float[count];
    int number = thread;
    boolean more;
    do {
      request[0] = Float.intBitsToFloat(number);
      Elements.spoil(answer);
      loops.begins(thread);
      client.request(request, answer);
      more = loops.acknowledged(thread);
      check(request, answer, number);
      number++;
    } while (more);
    return null;
  }

  private static void check(float[] request, float[] answer, int number) {
    int differs = Arrays.mismatch(request, answer);
    if (differs >= 0) {
      throw new IllegalStateException(
          "the answer is not the request (request=" + number + ", element=" + differs + ")");
    }
  }
}
