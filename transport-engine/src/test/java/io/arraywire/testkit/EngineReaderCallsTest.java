package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.Encoding;
import io.arraywire.Handlers;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.TransportObserver;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import io.arraywire.wire.FlowOffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The thread that reads calls users' code, once its calls have been short. */
class EngineReaderCallsTest {
  private static final int SHORT_CALLS = 3;
  private static final long LONG_NANOS = TimeUnit.MICROSECONDS.toNanos(101);

  /** Time that passes in handlers alone. */
  private final class Runtime extends ForwardingRuntime {
    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public boolean choosesThreads(boolean usual) {
      return !usersExecutor;
    }

    @Override
    public int shortCalls(int usual) {
      return SHORT_CALLS;
    }
  }

  /** Answers at once, and takes as long as a test says. */
  private class Answerer extends EngineBench.Recorder implements RequestHandler {
    final List<Integer> requests = new ArrayList<>();

    @Override
    Handlers handlers() {
      return super.handlers().withRequests(this);
    }

    @Override
    public void onRequest(Connection connection, ReceivedArray request, Reply reply) {
      requests.add(request.ints()[0]);
      now += takes;
      CompletableFuture<Receipt> sent =
          reply.send(ArraySlice.of(request.ints())).toCompletableFuture();
      stages.add(sent);
      if (depends) {
        // Else the reader completes the stage, which is a task of its own.
        CompletableFuture<Void> unused = sent.thenAccept(receipt -> now += dependentTakes);
      }
      if (throwsThen) {
        throw new IllegalStateException("after its answer");
      }
    }

    @Override
    public void onArray(Connection connection, ReceivedArray array) throws Exception {
      super.onArray(connection, array);
      now += takes;
    }
  }

  private long now;
  private long dependentTakes = LONG_NANOS;
  private long takes;
  private long afterEachCall;
  private boolean throwsThen;
  private boolean usersExecutor;
  private boolean depends = true;
  private final List<CompletableFuture<Receipt>> stages = new ArrayList<>();
  private final Answerer answerer = new Answerer();
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private long sequence;
  private long number;

  private EngineBench open() {
    return open(answerer);
  }

  private EngineBench open(Answerer handler) {
    TransportOptions.Builder options =
        EngineBench.options()
            .checksums(Checksums.UNWANTED)
            .chunkBytes(1024)
            .inboxBytes(64 << 10)
            .observer(
                new TransportObserver() {
                  @Override
                  public void arrayReceived(Connection connection, ArrayHeader header, Receipt of) {
                    now += afterEachCall;
                  }
                });
    EngineBench bench =
        EngineBench.acceptor(options, handler, new Runtime())
            .open(EngineBench.offer(new FlowOffer(8, 64 << 10, 1 << 20, 0, 64)));
    bench.readersTasks = tasks;
    return bench;
  }

  private RawFrame array(int... elements) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, ++sequence, ArraySlice.of(elements));
  }

  private RawFrame request(int... elements) {
    ArrayEnvelope envelope = ArrayEnvelope.request(ArrayAttributes.NONE, ++number);
    return array(elements).withAttributes(AttributesBody.write(envelope));
  }

  /** Has the executor make short calls until there are enough. */
  private void shortCalls(EngineBench bench, int calls) {
    for (int i = 0; i < calls; i++) {
      bench.feed(request(i));
      assertThat(tasks).as("tasks after call %d", i).isEmpty();
    }
    answerer.requests.clear();
    bench.out.reset();
  }

  private void runTasks(EngineBench bench) {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
    bench.pump();
  }

  private static List<FrameType> types(EngineBench bench) {
    return bench.frames().stream().map(RawFrame::type).toList();
  }

  @Test
  void afterShortCallsTheReaderMakesTheNext() {
    EngineBench bench = open();
    shortCalls(bench, SHORT_CALLS);
    for (int i = 0; i < 10; i++) {
      bench.feed(request(i));
      assertThat(tasks).hasSize(1);
      assertThat(answerer.requests).hasSize(i);
      runTasks(bench);
      assertThat(answerer.requests).hasSize(i + 1).endsWith(i);
    }
    // An answer and an acknowledgement for each.
    assertThat(types(bench)).filteredOn(FrameType.ARRAY::equals).hasSize(10);
  }

  @Test
  void whatComesMeanwhileIsOfTheSameTask() {
    EngineBench bench = open();
    shortCalls(bench, SHORT_CALLS);
    bench.feed(request(1), request(2));
    bench.feed(request(3));
    assertThat(tasks).hasSize(1);
    runTasks(bench);
    assertThat(answerer.requests).containsExactly(1, 2, 3);
    assertThat(tasks).isEmpty();
  }

  @Test
  void aReaderThatTakesNoTasksLeavesThemToTheExecutor() {
    EngineBench bench = open();
    shortCalls(bench, SHORT_CALLS);
    bench.readersTasks = null;
    bench.feed(request(1));
    assertThat(answerer.requests).containsExactly(1);
  }

  @Test
  void anExecutorOfTheUsersMakesAllCalls() {
    usersExecutor = true;
    EngineBench bench = open();
    shortCalls(bench, 10 * SHORT_CALLS);
  }

  /** With each long call on the reader, twice as many short ones are wanted. */
  @Test
  void afterALongCallTheExecutorMakesTheNext() {
    EngineBench bench = open();
    for (int wanted = SHORT_CALLS; wanted < 100; wanted *= 2) {
      shortCalls(bench, wanted);
      takes = LONG_NANOS;
      bench.feed(request(1));
      assertThat(tasks).hasSize(1);
      runTasks(bench);
      takes = 0;
    }
  }

  @Test
  void aLongCallOfTheExecutorBeginsAnew() {
    EngineBench bench = open();
    shortCalls(bench, SHORT_CALLS - 1);
    takes = LONG_NANOS;
    shortCalls(bench, 1);
    takes = 0;
    // As many as before are wanted.
    shortCalls(bench, SHORT_CALLS);
    bench.feed(request(1));
    assertThat(tasks).hasSize(1);
    runTasks(bench);
  }

  @Test
  void longCallsAreForgottenInTime() {
    EngineBench bench = open();
    shortCalls(bench, SHORT_CALLS);
    takes = LONG_NANOS;
    bench.feed(request(1));
    runTasks(bench);
    takes = 0;
    int wanted = 2 * SHORT_CALLS;
    shortCalls(bench, wanted);
    for (int i = wanted; i <= 4 * wanted; i++) {
      bench.feed(request(i));
      assertThat(tasks).hasSize(1);
      runTasks(bench);
    }
    takes = LONG_NANOS;
    bench.feed(request(1));
    runTasks(bench);
    takes = 0;
    // Not four times as many as at first.
    shortCalls(bench, wanted);
    bench.feed(request(1));
    assertThat(tasks).hasSize(1);
    runTasks(bench);
  }

  /** Short calls, too, hold up other connections if there are many. */
  @Test
  void theExecutorHasTheRestOfALongTask() {
    EngineBench bench = open();
    shortCalls(bench, SHORT_CALLS);
    takes = LONG_NANOS - TimeUnit.MICROSECONDS.toNanos(2);
    makesThreeOfFiveCalls(bench);
    // They were short, one by one.
    bench.feed(request(6));
    assertThat(tasks).hasSize(1);
    runTasks(bench);
    assertThat(answerer.requests).endsWith(6);
  }

  /** One task makes three of five calls, and the executor has the other two. */
  private void makesThreeOfFiveCalls(EngineBench bench) {
    bench.feed(request(1), request(2), request(3), request(4), request(5));
    tasks.remove().run();
    assertThat(answerer.requests).containsExactly(1, 2, 3);
    assertThat(bench.tasks).hasSize(1);
    bench.pump();
    assertThat(answerer.requests).containsExactly(1, 2, 3, 4, 5);
  }

  /** Calls may be so short that most of the time goes elsewhere. */
  @Test
  void theExecutorHasTheRestOfATaskThatIsLongBesideItsCalls() {
    EngineBench bench = open();
    shortCalls(bench, SHORT_CALLS);
    afterEachCall = TimeUnit.MICROSECONDS.toNanos(501);
    makesThreeOfFiveCalls(bench);
    assertThat(tasks).isEmpty();
  }

  @Test
  void theReaderHandsOutArrays() {
    EngineBench bench = open();
    for (int i = 0; i < SHORT_CALLS; i++) {
      bench.feed(array(i));
      assertThat(tasks).isEmpty();
    }
    assertThat(answerer.arrays).hasSize(SHORT_CALLS);
    bench.feed(array(1), request(2), array(3));
    assertThat(tasks).hasSize(1);
    runTasks(bench);
    assertThat(answerer.arrays).hasSize(SHORT_CALLS + 2);
    assertThat(answerer.requests).containsExactly(2);
    takes = LONG_NANOS;
    bench.feed(array(4));
    runTasks(bench);
    bench.feed(array(5));
    assertThat(tasks).isEmpty();
    assertThat(answerer.arrays).hasSize(SHORT_CALLS + 4);
  }

  /** To name a target is a call, too. */
  @Test
  void theReaderAsksForTargets() {
    Answerer targeting =
        new Answerer() {
          @Override
          Handlers handlers() {
            return super.handlers()
                .withTargets((connection, header) -> {
                  now += takes;
                  return ArraySlice.of(new int[header.count()]);
                });
          }

          @Override
          public void onArray(Connection connection, ReceivedArray array) {
            arrays.add(array);
          }
        };
    EngineBench bench = open(targeting);
    for (int i = 0; i < SHORT_CALLS - 1; i++) {
      bench.feed(array(i));
    }
    assertThat(tasks).isEmpty();
    bench.feed(array(7));
    assertThat(tasks).hasSize(1);
    takes = LONG_NANOS;
    runTasks(bench);
    assertThat(targeting.arrays).hasSize(SHORT_CALLS);
    bench.feed(array(8));
    assertThat(tasks).isEmpty();
    assertThat(targeting.arrays).hasSize(SHORT_CALLS + 1);
  }

  @Test
  void aHandlerThatThrowsIsCalledAgain() {
    EngineBench bench = open();
    shortCalls(bench, SHORT_CALLS);
    throwsThen = true;
    for (int i = 0; i < 3; i++) {
      bench.feed(request(i));
      assertThat(tasks).hasSize(1);
      runTasks(bench);
    }
    assertThat(answerer.requests).hasSize(3);
    assertThat(bench.connection.isOpen()).isTrue();
  }

  /** A connection may end while the reader has a task: the handler is told once, after the call. */
  @Test
  void theEndOfTheConnectionComesAfterTheTask() {
    EngineBench bench = open();
    shortCalls(bench, SHORT_CALLS);
    bench.feed(request(1));
    bench.end();
    assertThat(answerer.closed).isZero();
    runTasks(bench);
    assertThat(answerer.closed).isOne();
    assertThat(bench.isEnded()).isTrue();
    bench.assertNothingLeaks();
  }

  // Stages that nobody waits for.

  @Test
  void theReaderCompletesAStageThatNothingDependsOn() {
    depends = false;
    EngineBench bench = open();
    bench.feed(request(1));
    assertThat(stages.get(0)).isNotDone();
    assertThat(bench.tasks).isEmpty();
    assertThat(tasks).hasSize(1);
    runTasks(bench);
    assertThat(stages.get(0)).isCompleted();
  }

  @Test
  void whatComesToDependOnItMeanwhileRunsOnTheExecutor() {
    depends = false;
    EngineBench bench = open();
    bench.feed(request(1));
    List<Receipt> told = new ArrayList<>();
    CompletableFuture<Void> unused = stages.get(0).thenAccept(told::add);
    tasks.remove().run();
    assertThat(told).isEmpty();
    assertThat(bench.tasks).hasSize(1);
    bench.pump();
    assertThat(told).hasSize(1);
  }

  /** Whatever depends on a stage may take long, and nobody knows beforehand. */
  @Test
  void theExecutorCompletesWhatSomethingDependsOn() {
    EngineBench bench = open();
    for (int i = 0; i < 2 * SHORT_CALLS; i++) {
      takes = LONG_NANOS;
      bench.feed(request(i));
      assertThat(tasks).isEmpty();
      assertThat(stages.get(i)).isCompleted();
    }
  }

  @Test
  void afterShortDependentsTheReaderCompletesTheNextStage() {
    dependentTakes = 0;
    takes = LONG_NANOS;
    EngineBench bench = open();
    shortCalls(bench, SHORT_CALLS);
    bench.feed(request(1));
    assertThat(tasks).hasSize(1);
    assertThat(stages.get(SHORT_CALLS)).isNotDone();
    dependentTakes = LONG_NANOS;
    runTasks(bench);
    assertThat(stages.get(SHORT_CALLS)).isCompleted();
    bench.feed(request(2));
    assertThat(tasks).isEmpty();
    assertThat(stages.get(SHORT_CALLS + 1)).isCompleted();
  }

  @Test
  void whereTheReaderTakesNothingTheExecutorCompletesAll() {
    depends = false;
    EngineBench bench = open();
    bench.readersTasks = null;
    bench.feed(request(1));
    assertThat(stages.get(0)).isCompleted();
  }

  @Test
  void anExecutorOfTheUsersCompletesAllStages() {
    depends = false;
    usersExecutor = true;
    EngineBench bench = open();
    bench.feed(request(1));
    assertThat(tasks).isEmpty();
    assertThat(stages.get(0)).isCompleted();
  }
}
