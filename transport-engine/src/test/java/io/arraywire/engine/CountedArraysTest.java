package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayHandler;
import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.NoRoomException;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.wire.FlowOffer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What arrays count in the budgets that all connections share, frame by frame, from the first one
 * until nobody has them.
 */
class CountedArraysTest {
  private static final long WINDOW = 1 << 20;
  private static final int BYTES = 200_000;
  private static final int FRAME = 50_000;

  /** What is counted of an array for a handler, at most, outside of its budget. */
  private static final long FIRST = FrameLayout.ARRAY_COST + ArrivalBudget.FIRST_BYTES;

  private static final ArraywireException ENDED =
      new ArraywireException(ErrorCode.INTERNAL, "the test ends it");

  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final List<ArraywireException> refused = new ArrayList<>();
  private final EngineContext context =
      new EngineContext(
          "test",
          TransportOptions.builder()
              .codecs(VerbatimCodec.CODEC)
              .handlerExecutor(tasks::add)
              .build(),
          List.of(VerbatimCodec.CODEC),
          HeapMemoryPool.create(),
          1,
          Deadlines.system(),
          proxy(EngineRuntime.class, this::runtime),
          Deadlines.system());
  private final EventDispatcher events =
      new EventDispatcher(context, proxy(Connection.class, (method, arguments) -> null));
  private final Link link = proxy(Link.class, (method, arguments) -> null);
  private final InboundScope scope = proxy(InboundScope.class, this::scope);
  private ConnectionCredit ofConnection = new ConnectionCredit(16 * WINDOW);
  private long window = WINDOW;
  private boolean trusted;
  private boolean clockFails;
  private boolean eventsFail;

  private interface Answers {
    @Nullable Object answer(Method method, Object[] arguments) throws Exception;
  }

  private static <T> T proxy(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            CountedArraysTest.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "hashCode" -> System.identityHashCode(self);
                  case "equals" -> self == arguments[0];
                  default -> answers.answer(method, arguments);
                }));
  }

  private @Nullable Object runtime(Method method, Object[] arguments) throws Exception {
    if (clockFails && method.getName().equals("nanoTime")) {
      throw new OutOfMemoryError("for a test");
    }
    try {
      return method.invoke(EngineRuntime.system(), arguments);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private @Nullable Object scope(Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "context" -> context;
      case "lock" -> lock;
      case "isPeerTrusted" -> trusted;
      case "link" -> link;
      case "flow" -> new FlowOffer(8, WINDOW, 16 * WINDOW, 0, 0);
      case "events" -> {
        if (eventsFail) {
          throw new IllegalStateException("no event can be told");
        }
        yield events;
      }
      case "refuse" -> {
        refused.add((ArraywireException) arguments[3]);
        yield null;
      }
      default -> null;
    };
  }

  private Inbox inbox(int channel, @Nullable Handlers handlers) {
    OutboundChannel out = new OutboundChannel(channel);
    Inbox inbox = new Inbox(scope, out, handlers);
    inbox.keepCredit(new ReceiveCredit(scope, out, window, ofConnection));
    return inbox;
  }

  private Inbox inbox(ArrayHandler handler) {
    return inbox(0, Handlers.ofArrays(handler));
  }

  /** The inbox of a handler that names a target, and notes what counts while it has the array. */
  private Inbox inboxWithTarget(List<Long> inHand) {
    byte[] target = new byte[BYTES];
    return inbox(
        0,
        Handlers.ofArrays((from, array) -> inHand.add(counted()))
            .withTargets((from, header) -> ArraySlice.of(target)));
  }

  /** Whatever was counted is given back, also to the budget of handlers. */
  private void assertNothingCounts() {
    assertThat(counted()).isZero();
    assertThat(arrivals().held).isZero();
  }

  private static InboundArray begin(Inbox inbox, int payload) throws Exception {
    FrameHeader header = new FrameHeader();
    header.sequence = 1;
    header.count = BYTES;
    header.arrayBytes = BYTES;
    InboundArray array = inbox.begin(header, ElementType.BYTE, VerbatimCodec.CODEC, payload);
    array.sink.put(ByteBuffer.allocate(payload), payload);
    return array;
  }

  private static void goOn(Inbox inbox, InboundArray array, int payload) throws Exception {
    inbox.goOn(array, payload);
    array.sink.put(ByteBuffer.allocate(payload), payload);
  }

  private static InboundArray whole(Inbox inbox) throws Exception {
    InboundArray array = begin(inbox, FRAME);
    for (int come = FRAME; come < BYTES; come += FRAME) {
      goOn(inbox, array, FRAME);
    }
    inbox.complete(array);
    return array;
  }

  private void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /** What inboxes have taken, and not what they keep for what comes next. */
  private long counted() {
    ofConnection.trim();
    return context.inboxBudget().budget().taken();
  }

  private ArrivalShare arrivals() {
    return ofConnection.arrivals(Objects.requireNonNull(context.arrivals()));
  }

  // After the end.

  @Test
  void whatGoesOnAfterTheEndCountsNoMore() throws Exception {
    Inbox inbox = inbox((from, array) -> {});
    whole(inbox);
    assertThat(counted()).isEqualTo(FIRST);
    InboundArray second = begin(inbox, FRAME);
    assertThat(counted()).isEqualTo(2 * FIRST);
    inbox.end(ENDED, true);
    assertThat(counted()).as("with the end").isEqualTo(FIRST);
    goOn(inbox, second, FRAME);
    assertThat(counted()).as("with a further frame").isEqualTo(FIRST);
    runTasks();
    assertThat(counted()).as("once the handler has the first").isZero();
    inbox.disposed();
    assertThat(counted()).isZero();
  }

  @Test
  void whatArrivesForASubscriptionThatIsOverCountsNoMore() throws Exception {
    Inbox inbox = inbox((from, array) -> {});
    InboundArray array = begin(inbox, FRAME);
    assertThat(counted()).isEqualTo(FIRST);
    inbox.closeSubscription(ENDED);
    assertThat(counted()).as("with the end").isZero();
    goOn(inbox, array, FRAME);
    assertThat(counted()).as("with a further frame").isZero();
    inbox.disposed();
    assertThat(counted()).isZero();
  }

  @Test
  void whatItsHandlerDoesNotWantCountsNoMore() throws Exception {
    Inbox inbox =
        inbox(
            0,
            Handlers.ofArrays((from, array) -> {})
                .withTargets((from, header) -> {
                  throw new IllegalArgumentException("not this one");
                }));
    InboundArray array = begin(inbox, FRAME);
    assertThat(counted()).isGreaterThan(FIRST);
    runTasks();
    assertThat(counted()).as("with the answer").isZero();
    goOn(inbox, array, FRAME);
    assertThat(counted()).as("with a further frame").isZero();
    inbox.disposed();
  }

  // Targets.

  @Test
  void inItsHandlersTargetAnArrayCountsNoElement() throws Exception {
    List<Long> inHand = new ArrayList<>();
    Inbox inbox = inboxWithTarget(inHand);
    InboundArray array = begin(inbox, 1000);
    assertThat(counted())
        .as("before its handler is asked")
        .isEqualTo(1000 + FrameLayout.ARRAY_COST);
    runTasks();
    assertThat(counted()).as("arriving in its target").isEqualTo(FrameLayout.ARRAY_COST);
    assertThat(array.spareBytes()).as("kept of what came before").isEqualTo(FrameLayout.ARRAY_COST);
    for (int come = 1000; come < BYTES; come += 1000) {
      goOn(inbox, array, 1000);
    }
    inbox.complete(array);
    runTasks();
    assertThat(inHand).containsExactly((long) FrameLayout.ARRAY_COST);
    assertThat(counted()).isZero();
  }

  /** A call has asked for it: what is in its memory, or in what it gets, is no inbox's. */
  @Test
  void whatACallWaitsForDoesNotCount() throws Exception {
    for (boolean before : new boolean[] {true, false}) {
      Inbox inbox = inbox(0, null);
      PendingReceive receive = new PendingReceive(PendingReceive.Kind.INTO);
      receive.target = ArraySlice.of(new byte[BYTES]);
      receive.info = new ArrayInfo();
      if (before) {
        inbox.queue.add(receive);
      }
      InboundArray array = begin(inbox, FRAME);
      if (!before) {
        assertThat(counted()).isGreaterThan(FRAME);
        inbox.queue.add(receive);
      }
      assertThat(counted()).isZero();
      goOn(inbox, array, FRAME);
      assertThat(counted()).isZero();
      // Its caller no longer waits, and has its memory back.
      assertThat(inbox.queue.withdraw(receive)).isTrue();
      assertThat(counted()).isGreaterThan(2L * FRAME);
      inbox.disposed();
      assertThat(counted()).isZero();
    }
  }

  // Plain mode.

  private InboundArray plain(Inbox inbox) throws Exception {
    InboundArray array = inbox.begin(ElementType.BYTE, BYTES, 1, BYTES);
    if (!inbox.admit(array, VerbatimCodec.CODEC)) {
      runTasks();
      assertThat(inbox.admit(array, VerbatimCodec.CODEC)).isTrue();
    }
    return array;
  }

  private void inPlainMode() {
    window = Credit.UNLIMITED;
    ofConnection = new ConnectionCredit(Credit.UNLIMITED);
  }

  @Test
  void inPlainModeWhatAHandlerHasInHandCounts() throws Exception {
    inPlainMode();
    List<Long> inHand = new ArrayList<>();
    Inbox inbox = inbox((from, array) -> inHand.add(counted()));
    for (int i = 0; i < 2; i++) {
      InboundArray array = plain(inbox);
      assertThat(counted()).as("as it begins").isEqualTo(FIRST);
      array.sink.put(ByteBuffer.allocate(BYTES), BYTES);
      inbox.complete(array);
      runTasks();
      assertThat(counted()).as("afterwards").isZero();
    }
    assertThat(inHand).containsExactly(FIRST, FIRST);
  }

  @Test
  void inPlainModeTargetsDoNotCountEither() throws Exception {
    inPlainMode();
    List<Long> inHand = new ArrayList<>();
    Inbox inbox = inboxWithTarget(inHand);
    InboundArray array = plain(inbox);
    array.sink.put(ByteBuffer.allocate(BYTES), BYTES);
    inbox.complete(array);
    runTasks();
    assertThat(inHand).containsExactly((long) FrameLayout.ARRAY_COST);
    assertThat(counted()).isZero();
  }

  /** It is no array of the inbox yet, so nobody else can give back what it was charged. */
  @Test
  void anArrayOfPlainModeThatFindsNoRoomIsNotCounted() throws Exception {
    inPlainMode();
    Inbox inbox = inbox((from, array) -> {});
    InboundArray first = plain(inbox);
    first.sink.put(ByteBuffer.allocate(BYTES), BYTES);
    inbox.complete(first);
    MemoryBudget all = context.inboxBudget().budget();
    long others = all.limit();
    all.takeAnyway(others);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 3; i++) {
                inbox.complete(plain(inbox));
              }
            })
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.MEMORY_BUDGET::isOf)
        .hasMessageContaining("channel=0, heldByConnection=")
        .hasMessageContaining("mayHold=" + BudgetShare.LEAST);
    inbox.end(ENDED, true);
    runTasks();
    assertThat(counted()).isEqualTo(others);
    assertThat(arrivals().held).isZero();
  }

  // The task that calls the handler fails.

  @Test
  void whatATaskLosesIsGivenBack() throws Exception {
    Inbox inbox = inbox((from, array) -> eventsFail = true);
    whole(inbox);
    assertThat(arrivals().held).isPositive();
    runTasks();
    assertThat(inbox.isEnded()).isTrue();
    assertNothingCounts();
  }

  @Test
  void whatATaskLosesThatWasDroppedBeforeIsGivenBack() throws Exception {
    List<Inbox> inboxes = new ArrayList<>();
    Inbox inbox =
        inbox((from, array) -> {
          inboxes.get(0).drop();
          assertThat(counted()).as("in hand").isEqualTo(FIRST);
          eventsFail = true;
        });
    inboxes.add(inbox);
    whole(inbox);
    runTasks();
    assertThat(inbox.isEnded()).isTrue();
    assertNothingCounts();
  }

  // Memory ends.

  @Test
  void anArrayThatGetsNoPlaceForWantOfMemoryGivesBackWhatItTook() throws Exception {
    trusted = true;
    // The first that counts for a connection needs the time, after the array has its memory.
    clockFails = true;
    Inbox inbox = inbox((from, array) -> {});
    assertThatThrownBy(() -> begin(inbox, FRAME))
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.ALLOCATION_FAILED::isOf);
    assertThat(arrivals().held).isZero();
    clockFails = false;
    begin(inbox((from, array) -> {}), FRAME);
    assertThat(arrivals().held).as("of one that gets it").isGreaterThanOrEqualTo(BYTES);
  }

  // Many handlers.

  /** Handlers that each have one in hand, on as many channels as there are arrays. */
  @Test
  void whatHandlersWouldHaveInHandBeyondTheirBudgetIsRefused() throws Exception {
    ArrivalBudget budget = Objects.requireNonNull(context.arrivals());
    long heap = Runtime.getRuntime().maxMemory();
    assertThat(budget.take(new ArrivalShare(budget), heap / 2)).isTrue();
    assertThat(budget.take(new ArrivalShare(budget), heap / 16)).isTrue();
    long before = context.inboxBudget().budget().taken();
    List<Long> inHand = new ArrayList<>();
    for (int channel = 0; channel < 4; channel++) {
      Inbox inbox =
          inbox(
              channel,
              Handlers.ofArrays((from, array) -> {
                inHand.add(counted() - before);
                // The next one is called while this one has its array.
                runTasks();
              }));
      FrameHeader header = new FrameHeader();
      header.sequence = 1;
      header.count = ArrivalBudget.FIRST_BYTES;
      header.arrayBytes = ArrivalBudget.FIRST_BYTES;
      inbox.complete(
          inbox.begin(header, ElementType.BYTE, VerbatimCodec.CODEC, ArrivalBudget.FIRST_BYTES));
    }
    runTasks();
    assertThat(inHand).as("one in hand, and three that wait").containsExactly(4 * FIRST);
    assertThat(refused).hasSize(3).allMatch(ErrorCode.MEMORY_BUDGET::isOf);
    assertThat(counted() - before).isZero();
  }
}
