package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arraywire.ArrayInfo;
import io.arraywire.ArrayInput;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ElementType;
import io.arraywire.LeasedArray;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.TargetMismatchException;
import io.arraywire.testkit.Running.Kind;
import io.arraywire.testkit.TransportStage.Ends;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Receive calls that wait for a while or not at all: null is what they say if nothing came. */
interface TimedReceiveTests {
  /** Long enough to be a wait, and over at once. */
  Duration BRIEF = Duration.ofMillis(2);

  TransportStage stage();

  @Test
  default void nothingCameIsNullOrFalseEverywhere() throws Exception {
    Ends ends = stage().ends();
    int[] target = {1, 2, 3};
    ArrayInfo info = new ArrayInfo();
    for (ArrayInput input : List.of(ends.here(), ends.there(), ends.there().channel(3))) {
      for (Duration time :
          List.of(Duration.ofMillis(-1), Duration.ZERO, Duration.ofNanos(1), BRIEF)) {
        assertThat(input.receive(time)).isNull();
        assertThat(input.receiveInto(ArraySlice.of(target), info, time)).isFalse();
        assertThat(input.receiveLeased(time)).isNull();
      }
      assertThat(input.poll()).isNull();
    }
    assertThat(target).containsExactly(1, 2, 3);
    Described.awaitReceivers(ends.there(), 0);
  }

  @Test
  default void whatIsThereIsTakenWithoutWaiting() throws Exception {
    Ends ends = stage().ends();
    int[] target = new int[4];
    ArrayInfo info = new ArrayInfo();
    for (int i = 0; i < 5; i++) {
      ends.here().channel(1).send(ArraySlice.of(new int[] {i}), SendOptions.handedOff().tag(i));
    }
    ArrayInput input = ends.there().channel(1);
    assertThat(eventually(input::poll).ints()).containsExactly(0);
    assertThat(eventually(() -> input.receive(Duration.ZERO)).tag()).isEqualTo(1);
    Eventually.until(
        "the third is here", () -> came(input, ArraySlice.of(target, 1, 2), info, Duration.ZERO));
    assertThat(target).containsExactly(0, 2, 0, 0);
    assertThat(info.tag()).isEqualTo(2);
    assertThat(info.count()).isEqualTo(1);
    try (LeasedArray lease = eventually(() -> input.receiveLeased(Duration.ZERO))) {
      assertThat(lease.ints(0).get(0)).isEqualTo(3);
    }
    assertThat(eventually(() -> input.receive(BRIEF)).tag()).isEqualTo(4);
  }

  /** What takes an array, if there is one. */
  @FunctionalInterface
  interface Take<T> {
    @Nullable T take() throws Exception;
  }

  private static <T> T eventually(Take<T> call) {
    List<T> taken = new ArrayList<>();
    Eventually.until(
        "an array is here",
        () -> {
          try {
            T array = call.take();
            if (array != null) {
              taken.add(array);
            }
            return array != null;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    return taken.get(0);
  }

  private static boolean came(
      ArrayInput input, ArraySlice target, ArrayInfo info, Duration timeout) {
    try {
      return input.receiveInto(target, info, timeout);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  default void aReceiveWithATimeoutGetsWhatComesMeanwhile() throws Exception {
    for (Kind kind : Running.kinds()) {
      Ends ends = stage().ends();
      int[] target = new int[2];
      ArrayInfo info = new ArrayInfo();
      Running<ReceivedArray> fresh =
          Running.start(kind, () -> ends.there().receive(Eventually.LONG));
      Described.awaitReceivers(ends.there(), 1);
      ends.here().send(new int[] {1});
      assertThat(fresh.get().ints()).containsExactly(1);
      Running<Boolean> into =
          Running.start(
              kind, () -> ends.there().receiveInto(ArraySlice.of(target), info, Eventually.LONG));
      Described.awaitReceivers(ends.there(), 1);
      ends.here().send(new int[] {2});
      assertThat(into.get()).isTrue();
      assertThat(target).containsExactly(2, 0);
      Running<Integer> leased =
          Running.start(
              kind,
              () -> {
                try (LeasedArray lease = ends.there().receiveLeased(Eventually.LONG)) {
                  return lease == null ? -1 : lease.ints(0).get(0);
                }
              });
      Described.awaitReceivers(ends.there(), 1);
      ends.here().send(new int[] {3});
      assertThat(leased.get()).isEqualTo(3);
      ends.here().close();
    }
  }

  /** A receive that ends at any moment of an arrival is served, or the next one is. */
  @Test
  default void noArrayIsLostBetweenATimeoutAndTheNextReceive() throws Exception {
    Ends ends = stage().ends();
    int rounds = 600;
    Running<Void> sender =
        Running.start(() -> {
          for (int i = 0; i < rounds; i++) {
            int[] array = new int[i % 7 == 0 ? 30_000 : i % 50];
            Arrays.fill(array, i);
            ends.here().send(ArraySlice.of(array), SendOptions.handedOff().tag(i));
          }
          return null;
        });
    int[] target = new int[30_000];
    ArrayInfo info = new ArrayInfo();
    int next = 0;
    for (int turn = 0; next < rounds; turn++) {
      Duration time = Duration.ofNanos(turn % 11 * 9_000L);
      int[] elements = null;
      if (turn % 3 == 0) {
        ReceivedArray array = ends.there().receive(time);
        elements = array == null ? null : array.ints();
      } else if (ends.there().receiveInto(ArraySlice.of(target), info, time)) {
        elements = Arrays.copyOf(target, info.count());
        assertThat(info.tag()).isEqualTo(next);
      }
      if (elements != null) {
        int[] sent = new int[next % 7 == 0 ? 30_000 : next % 50];
        Arrays.fill(sent, next);
        assertThat(elements).isEqualTo(sent);
        next++;
      }
    }
    sender.get();
    assertThat(ends.there().poll()).isNull();
  }

  /** There is no room for such an array; to ask for it again and again brings it all the same. */
  @Test
  default void pollsBringAnArrayThatIsLargerThanTheReceiveWindow() throws Exception {
    Ends ends =
        stage()
            .ends(options ->
                options.inboxBytes(1 << 16).connectionInboxBytes(1 << 16).maxFrameBytes(1 << 14));
    int[] large = (int[]) SeededArrays.withSeed(9).array(ElementType.INT, 1 << 18);
    int[] target = new int[large.length];
    ArrayInfo info = new ArrayInfo();
    for (int i = 0; i < 4; i++) {
      Running<Receipt> send =
          Running.start(() -> ends.here().send(ArraySlice.of(large), SendOptions.processed()));
      if (i % 2 == 0) {
        assertThat(eventually(ends.there()::poll).ints()).isEqualTo(large);
      } else {
        Described.awaitPeerHeldUp(ends.there());
        Eventually.until(
            "it came", () -> came(ends.there(), ArraySlice.of(target), info, Duration.ZERO));
        assertThat(target).isEqualTo(large);
      }
      send.get();
    }
  }

  @Test
  default void pollsBringAnArrayThatIsLargerThanTheReceiveWindowInPlainMode() throws Exception {
    Ends ends = stage().ends(options -> options.plain(ElementType.INT).inboxBytes(1 << 16));
    int[] large = (int[]) SeededArrays.withSeed(9).array(ElementType.INT, 1 << 18);
    Running<Receipt> send = Running.start(() -> ends.here().send(large));
    assertThat(eventually(ends.there()::poll).ints()).isEqualTo(large);
    send.get();
    ends.here().closeNow();
  }

  @Test
  default void anArrayThatDoesNotFitIsStillThereForATimedReceive() throws Exception {
    Ends ends = stage().ends();
    ArrayInfo info = new ArrayInfo();
    ends.here().send(ArraySlice.of(new int[] {1, 2, 3}), SendOptions.handedOff());
    assertThatThrownBy(
            () -> ends.there().receiveInto(ArraySlice.of(new int[2]), info, Eventually.LONG))
        .isInstanceOf(TargetMismatchException.class);
    assertThatThrownBy(
            () -> ends.there().receiveInto(ArraySlice.of(new int[2]), info, Duration.ZERO))
        .isInstanceOf(TargetMismatchException.class);
    assertThat(eventually(ends.there()::poll).ints()).containsExactly(1, 2, 3);
  }

  /** A receive that does not wait need not wait for the rest of an array that does not fit. */
  @Test
  default void anArrivingArrayThatDoesNotFitIsToldToAReceiveThatDoesNotWait() throws Exception {
    Ends ends = stage().ends();
    int[] large = (int[]) SeededArrays.withSeed(10).array(ElementType.INT, 1 << 20);
    Running<Receipt> send =
        Running.start(() -> ends.here().send(ArraySlice.of(large), SendOptions.processed()));
    Described.awaitPeerHeldUp(ends.there());
    assertThatThrownBy(() ->
            ends.there().receiveInto(ArraySlice.of(new int[2]), new ArrayInfo(), Duration.ZERO))
        .isInstanceOf(TargetMismatchException.class);
    assertThat(eventually(ends.there()::poll).ints()).isEqualTo(large);
    send.get();
  }

  /** Nothing came, and nothing will come, are two answers. */
  @Test
  default void theEndIsAnExceptionAndNotNothing() throws Exception {
    Ends ends = stage().ends();
    ends.here().send(new int[] {1});
    Running<Void> close = Running.calling(ends.here()::close);
    assertThat(eventually(ends.there()::poll).ints()).containsExactly(1);
    close.get();
    ArrayInfo info = new ArrayInfo();
    assertThatThrownBy(() -> ends.there().receive(Eventually.LONG))
        .isInstanceOf(ConnectionClosedException.class);
    assertThatThrownBy(() -> ends.there().poll()).isInstanceOf(ConnectionClosedException.class);
    assertThatThrownBy(() -> ends.there().receiveInto(ArraySlice.of(new int[1]), info, BRIEF))
        .isInstanceOf(ConnectionClosedException.class);
    assertThatThrownBy(() -> ends.there().receiveLeased(BRIEF))
        .isInstanceOf(ConnectionClosedException.class);
    assertThatThrownBy(() -> ends.here().poll()).isInstanceOf(ConnectionClosedException.class);
  }

  @Test
  default void everyArrayUntilTheGoodbyeIsOneCall() throws Exception {
    Ends ends = stage().ends();
    List<Integer> fresh = new ArrayList<>();
    List<Integer> into = new ArrayList<>();
    int[] target = new int[3];
    Running<Void> receiving =
        Running.start(() -> {
          ends.there().channel(1).receiveEach(array -> fresh.add(array.ints()[0]));
          ends.there()
              .receiveEachInto(
                  ArraySlice.of(target), info -> into.add(target[0] + 100 * info.count()));
          return null;
        });
    for (int i = 0; i < 3; i++) {
      ends.here().channel(1).send(new int[] {i});
      ends.here().send(new int[] {i, i});
    }
    Eventually.until("the first channel's are taken", () -> fresh.size() == 3);
    Running<Void> close = Running.calling(ends.here()::close);
    receiving.get();
    close.get();
    assertThat(fresh).containsExactly(0, 1, 2);
    assertThat(into).containsExactly(200, 201, 202);
  }

  @Test
  default void anActionThatThrowsEndsTheLoop() throws Exception {
    Ends ends = stage().ends();
    ends.here().send(new int[] {1});
    ends.here().send(new int[] {2});
    assertThatThrownBy(() ->
            ends.there()
                .receiveEach(array -> {
                  throw new java.io.IOException("no room for " + array.ints()[0]);
                }))
        .isInstanceOf(java.io.IOException.class)
        .hasMessage("no room for 1");
    assertThat(ends.there().receive().ints()).containsExactly(2);
  }

  @Test
  default void subscriptionsHaveTimesToo() throws Exception {
    Listener listener = stage().transport().listen(stage().address());
    Connection client = stage().transport().connect(listener.address());
    Subscription updates = client.subscribe("weights", SubscribeOptions.defaults());
    assertThat(updates.poll()).isNull();
    assertThat(updates.receive(BRIEF)).isNull();
    listener.publish("weights", ArraySlice.of(new int[] {4}));
    ReceivedArray array = updates.receive(Eventually.LONG);
    assertThat(array).isNotNull();
    listener.publish("weights", ArraySlice.of(new int[] {5}));
    int[] target = new int[1];
    assertThat(updates.receiveInto(ArraySlice.of(target), new ArrayInfo(), Eventually.LONG))
        .isTrue();
    assertThat(target).containsExactly(5);
    updates.close();
    assertThatThrownBy(updates::poll).isInstanceOf(ConnectionClosedException.class);
  }

  @Test
  default void aListenerWaitsForAWhileToo() throws Exception {
    Listener listener = stage().transport().listen(stage().address());
    assertThat(listener.accept(Duration.ZERO)).isNull();
    assertThat(listener.accept(BRIEF)).isNull();
    Connection here = stage().transport().connect(listener.address());
    Connection there = listener.accept(Eventually.LONG);
    assertThat(there).isNotNull();
    here.send(new int[] {1});
    here.closeNow();
    listener.close();
    assertThatThrownBy(() -> listener.accept(BRIEF)).isInstanceOf(ConnectionClosedException.class);
  }

  @Test
  default void aHandlersConnectionHasNothingToPoll() throws Exception {
    Connection connection =
        stage()
            .transport()
            .connect(stage().transport().listen(stage().address()).address(), (from, array) -> {});
    assertThatThrownBy(connection::poll)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("this connection's arrays go to its handler");
    assertThatThrownBy(() -> connection.receive(BRIEF)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  default void waitingForNothingAllocatesNothing() throws Exception {
    assumeTrue(AllocationMeter.isSupported(), "this JVM counts what threads allocate");
    Ends ends = stage().ends();
    ArraySlice target = ArraySlice.of(new int[1]);
    ArrayInfo info = new ArrayInfo();
    int calls = 200;
    for (Duration time : List.of(Duration.ZERO, Duration.ofNanos(20_000))) {
      long bytes =
          AllocationMeter.bytesPerRun(() -> {
            for (int i = 0; i < calls; i++) {
              assertThatNothingCame(ends.there().receiveInto(target, info, time));
            }
          });
      assertThat(bytes).as("bytes for %d calls that wait for %s", calls, time).isLessThan(calls);
    }
  }

  private static void assertThatNothingCame(boolean came) {
    if (came) {
      throw new AssertionError("nobody has sent an array");
    }
  }
}
