package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Handlers;
import io.arraywire.LeasedArray;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What the receiving side of a session sees of connections that break: nothing. */
interface SessionReceiveTests extends SessionTests {
  /** The same for receive calls, for both ends at once. */
  @Test
  default void receiveCallsGetEveryArrayOnceInBothDirections() throws Exception {
    Transport there = stage().transport(SessionTests::sessions);
    Listener listener = there.listen(stage().address());
    Cable cable = stage().closing(cable(listener.address()));
    Connection here = stage().transport(SessionTests::sessions).connect(cable.address());
    Connection accepted = listener.accept();
    int arrays = 400;
    AtomicInteger received = new AtomicInteger();
    List<Running<?>> all = new ArrayList<>();
    for (Connection end : List.of(here, accepted)) {
      all.add(
          Running.start(() -> {
            Eventually.all(SessionTests.sendNumbered(end.channel(0), arrays));
            return null;
          }));
      all.add(
          Running.start(() -> {
            int[] target = new int[60_000];
            for (int i = 0; i < arrays; i++) {
              long tag;
              int[] elements;
              if (i % 3 == 0) {
                ReceivedArray array = end.receive();
                tag = array.tag();
                elements = array.ints();
              } else if (i % 3 == 1) {
                ReceivedArray array = end.receiveInto(ArraySlice.of(target));
                tag = array.tag();
                elements = Arrays.copyOf(target, array.count());
              } else {
                try (LeasedArray lease = end.receiveLeased()) {
                  tag = lease.header().attributes().tag();
                  elements = new int[lease.header().count()];
                  lease.copyTo(ArraySlice.of(elements));
                }
              }
              assertThat(tag).isEqualTo(i);
              assertThat(elements).isEqualTo((int[]) SessionTests.numbered(i).array());
              received.incrementAndGet();
            }
            return null;
          }));
    }
    int goal = 0;
    while (received.get() < 2 * arrays) {
      int most = Math.min(goal, 2 * arrays);
      Eventually.until(
          "arrays",
          () -> received.get() >= most || all.stream().anyMatch(SessionReceiveTests::failed));
      if (all.stream().anyMatch(SessionReceiveTests::failed)) {
        break;
      }
      cable.cut();
      goal = received.get() + 70;
    }
    for (Running<?> each : all) {
      each.get();
    }
    here.close();
  }

  /** A timeout goes on over the connection that follows; in an outage nothing comes. */
  @Test
  default void aReceiveWithATimeoutOutlivesAnOutage() throws Exception {
    Transport there = stage().transport(SessionTests::sessions);
    Listener listener = there.listen(stage().address());
    Cable cable = stage().closing(cable(listener.address()));
    Connection here = stage().transport(SessionTests::sessions).connect(cable.address());
    Connection accepted = listener.accept();
    int[] target = new int[2];
    ArrayInfo info = new ArrayInfo();
    Running<Boolean> into =
        Running.start(() -> accepted.receiveInto(ArraySlice.of(target), info, Eventually.LONG));
    Described.awaitReceivers(accepted, 1);
    cable.cut();
    here.send(ArraySlice.of(new int[] {5}), SendOptions.session());
    assertThat(into.get()).isTrue();
    assertThat(target).containsExactly(5, 0);
    assertThat(accepted.poll()).isNull();
    assertThat(accepted.receiveInto(ArraySlice.of(target), info, Duration.ofMillis(2))).isFalse();
    Running<ReceivedArray> fresh = Running.start(() -> accepted.receive(Eventually.LONG));
    Described.awaitReceivers(accepted, 1);
    cable.cut();
    here.send(ArraySlice.of(new int[] {6}), SendOptions.session());
    assertThat(fresh.get().ints()).containsExactly(6);
    here.close();
    assertThatThrownBy(accepted::poll).isInstanceOf(ConnectionClosedException.class);
  }

  @Test
  default void receivingIntoTheCallersArrayAllocatesNothing() throws Exception {
    assumeTrue(AllocationMeter.isSupported(), "this JVM counts what threads allocate");
    Listener listener = stage().transport(SessionTests::sessions).listen(stage().address());
    Connection here = stage().transport(SessionTests::sessions).connect(listener.address());
    Connection accepted = listener.accept();
    ArraySlice array = ArraySlice.of(new int[16]);
    ArraySlice target = ArraySlice.of(new int[16]);
    ArrayInfo info = new ArrayInfo();
    int arrays = 500;
    long bytes =
        AllocationMeter.bytesPerRun(
            () -> {
              for (int i = 0; i < arrays; i++) {
                here.send(array, SendOptions.handedOff());
              }
              Described.awaitWaiting(accepted, arrays);
            },
            () -> {
              for (int i = 0; i < arrays; i++) {
                accepted.receiveInto(target, info);
              }
            });
    // The JDK takes 32 bytes of a thread that meets the writing thread at a lock, or wakes it if it
    // is a virtual one. How often is chance. What is allocated for each array comes to more than
    // this.
    assertThat(bytes)
        .as("bytes for %d arrays", arrays)
        .isLessThan((long) arrays * AllocationMeter.SMALLEST_OBJECT);
    here.close();
  }

  private static boolean failed(Running<?> task) {
    return task.stage().toCompletableFuture().isCompletedExceptionally();
  }

  /** A subscription takes no channel, whichever connection carries the session. */
  @Test
  default void subscriptionsTakeNoChannelWhenTheSessionGoesOn() throws Exception {
    UnaryOperator<TransportOptions.Builder> two =
        options -> SessionTests.sessions(options).maxChannels(2);
    Listener listener = stage().transport(two).listen(stage().address());
    Cable cable = stage().closing(cable(listener.address()));
    Connection here = stage().transport(two).connect(cable.address());
    Connection accepted = listener.accept();
    Channel own = here.channel(1);
    cable.cut();
    Eventually.until("it goes on", () -> here.describe().contains("resumes=1"));
    Subscription news = here.subscribe("news", SubscribeOptions.defaults());
    listener.publish("news", SessionTests.numbered(7));
    CompletionStage<Receipt> sent =
        accepted.channel(1).sendAsync(SessionTests.numbered(1), SendOptions.session().tag(1));
    assertThat(own.receive().tag()).isEqualTo(1);
    assertThat(news.receive().header().channel()).isEqualTo(-1);
    Eventually.get(sent);
    here.closeNow();
  }

  /** An array that the handler has in hand when the connection breaks is not handed out again. */
  @Test
  default void whatIsInHandIsNotHandedOutAgain() throws Exception {
    Holding notes = new Holding();
    Line line = lineTo(notes);
    List<CompletionStage<Receipt>> sent = SessionTests.sendNumbered(line.here().channel(0), 3);
    Eventually.until("the handler has an array", notes.begun);
    for (int i = 1; i <= 3; i++) {
      String resumes = "resumes=" + i;
      line.cable().cut();
      // Each connection's arrays have come and wait before the next one replaces it.
      Eventually.until(
          resumes,
          () -> {
            String there = notes.describe();
            return there.contains(resumes + ",") && there.contains("waitingArrays=3");
          });
    }
    notes.goOn.countDown();
    Eventually.all(sent);
    assertThat(notes.tags.get(0)).isEqualTo(SessionTests.numbers(3));
    assertThat(notes.ends).isEmpty();
  }

  /** A targeting handler is asked for no target while it has an array in hand. */
  @Test
  default void targetsAreAskedForOneAtATime() throws Exception {
    AtomicInteger busy = new AtomicInteger();
    List<String> faults = new CopyOnWriteArrayList<>();
    List<Long> tags = new CopyOnWriteArrayList<>();
    int[] target = new int[60_000];
    Handlers handlers =
        Handlers.ofArrays(
                (from, array) -> {
                  if (busy.incrementAndGet() != 1) {
                    faults.add("two arrays at a time");
                  }
                  int number = (int) array.tag();
                  if (!Arrays.equals(
                      target,
                      0,
                      array.count(),
                      (int[]) SessionTests.numbered(number).array(),
                      0,
                      array.count())) {
                    faults.add("wrong elements of array " + number);
                  }
                  tags.add(array.tag());
                  busy.decrementAndGet();
                })
            .withTargets((from, header) -> {
              if (busy.get() != 0) {
                faults.add("a target was asked for inside onArray");
              }
              return ArraySlice.of(target);
            });
    Line line = lineTo(SessionTests::sessions, handlers);
    List<CompletionStage<Receipt>> sent = SessionTests.sendNumbered(line.here().channel(0), 500);
    for (int goal = 0; goal < 500; goal = tags.size() + 60) {
      int most = Math.min(500, goal);
      Eventually.until("arrays", () -> tags.size() >= most);
      line.cable().cut();
    }
    Eventually.all(sent);
    assertThat(faults).isEmpty();
    assertThat(tags).isEqualTo(SessionTests.numbers(500));
  }
}
