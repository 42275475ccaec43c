package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.LeasedArray;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteErrorException;
import io.arraywire.SendOptions;
import io.arraywire.TimedOutException;
import io.arraywire.Transport;
import io.arraywire.testkit.TransportStage.Ends;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** However a connection ends, nothing that was promised is lost and nobody is left waiting. */
interface CloseTests {
  TransportStage stage();

  // The orderly end.

  @Test
  default void closeRightAfterThousandsOfSendsLosesNoneOfThem() throws Exception {
    for (int round = 0; round < 5; round++) {
      ClosedWatch watch = new ClosedWatch();
      Connection connection = stage().connectionTo(watch);
      Completions sends = new Completions();
      for (int i = 0; i < 3000; i++) {
        sends.add(
            connection.sendAsync(
                ArraySlice.of(new int[i % 1000 == 0 ? 50_000 : i % 31]), SendOptions.handedOff()));
      }
      connection.close();
      assertThat(watch.next()).isNull();
      assertThat(watch.arrays()).isEqualTo(3000);
      sends.assertAllSucceededOnce();
    }
  }

  @Test
  default void whatHadLeftIsInDoubtWhenThisSideClosesAtOnce() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Connection connection =
        stage()
            .connectionTo((from, array) -> {
              begun.countDown();
              goOn.await();
            });
    try {
      var sent = connection.sendAsync(ArraySlice.of(new int[3]), SendOptions.processed());
      Eventually.until("the handler has it", begun);
      connection.closeNow();
      assertThat(Eventually.failure(sent)).isInstanceOf(DeliveryUnknownException.class);
    } finally {
      goOn.countDown();
    }
  }

  @Test
  default void closeLosesNothingForAReceiverWhoComesLate() throws Exception {
    Ends ends = stage().ends();
    for (int i = 0; i < 500; i++) {
      ends.here().send(new int[] {i});
    }
    ends.here().close();
    for (int i = 0; i < 500; i++) {
      assertThat(ends.there().receive().ints()).containsExactly(i);
    }
    assertThatThrownBy(() -> ends.there().receive())
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("closed by the peer");
    assertThat(ends.there().isOpen()).isFalse();
    assertThat(ends.here().isOpen()).isFalse();
  }

  @Test
  default void whatThePeerStillSendsIsHandledWhileThisSideCloses() throws Exception {
    for (int round = 0; round < 10; round++) {
      TaggedWatch watch = new TaggedWatch();
      Listener listener = stage().transport().listen(stage().address());
      Connection here = stage().transport().connect(listener.address(), watch);
      Connection there = listener.accept();
      Completions sends = new Completions();
      CountDownLatch some = new CountDownLatch(200);
      Running<Integer> sender =
          Running.start(() -> {
            int tag = 0;
            while (there.isOpen()) {
              sends.awaitFewerThan(500);
              sends.add(
                  there.sendAsync(
                      ArraySlice.of(new int[tag % 100]), SendOptions.processed().tag(tag)));
              tag++;
              some.countDown();
            }
            return tag;
          });
      Eventually.until("some arrays are in flight", some);
      here.close();
      assertThat(sender.get()).isPositive();
      List<Throwable> failures = sends.outcomes();
      for (int tag = 0; tag < failures.size(); tag++) {
        Throwable failure = failures.get(tag);
        int times = watch.times(tag);
        if (failure == null) {
          assertThat(times).as("array " + tag + ", which was processed").isEqualTo(1);
        } else {
          assertThat(failure).as("array " + tag).isInstanceOf(ConnectionClosedException.class);
          assertThat(times).as("array " + tag + ", whose send failed").isZero();
        }
      }
      there.close();
    }
  }

  @Test
  default void bothSidesMayCloseAtOnce() throws Exception {
    Listener listener = null;
    for (int round = 0; round < 40; round++) {
      ClosedWatch watchHere = new ClosedWatch();
      ClosedWatch watchThere = new ClosedWatch();
      HandlerWithConnection there = new HandlerWithConnection(watchThere);
      if (listener != null) {
        listener.close();
      }
      Transport transport = stage().transport();
      listener = transport.listen(stage().address(), there);
      Connection here = transport.connect(listener.address(), watchHere);
      here.send(ArraySlice.of(new int[1]), SendOptions.processed());
      Connection far = there.connection();
      Completions sends = new Completions();
      for (int i = 0; i < 50; i++) {
        sends.add(here.sendAsync(ArraySlice.of(new int[i]), SendOptions.handedOff()));
        sends.add(far.sendAsync(ArraySlice.of(new int[i]), SendOptions.handedOff()));
      }
      CyclicBarrier start = new CyclicBarrier(2);
      Running<Void> one = closing(start, here);
      Running<Void> other = closing(start, far);
      one.get();
      other.get();
      assertThat(watchHere.next()).isNull();
      assertThat(watchThere.next()).isNull();
      assertThat(watchHere.arrays()).isEqualTo(50);
      assertThat(watchThere.arrays()).isEqualTo(51);
      sends.assertAllSucceededOnce();
    }
  }

  private static Running<Void> closing(CyclicBarrier start, Connection connection) {
    return Running.calling(() -> {
      start.await();
      connection.close();
    });
  }

  @Test
  default void closeMayBeCalledByManyThreadsAndAgain() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Connection connection = stage().connectionTo(watch);
    for (int i = 0; i < 1000; i++) {
      connection.sendAsync(ArraySlice.of(new int[i]), SendOptions.handedOff());
    }
    CyclicBarrier start = new CyclicBarrier(6);
    List<Running<Void>> closings = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      closings.add(closing(start, connection));
    }
    for (Running<Void> each : closings) {
      each.get();
    }
    connection.close();
    connection.closeNow();
    assertThat(watch.next()).isNull();
    assertThat(watch.arrays()).isEqualTo(1000);
  }

  @Test
  default void aHandlerMayCloseItsOwnConnection() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    ArrayHandler handler =
        new ArrayHandler() {
          @Override
          public void onArray(Connection from, ReceivedArray array) throws Exception {
            watch.onArray(from, array);
            if (array.tag() == 5) {
              from.close();
            }
          }

          @Override
          public void onClosed(Connection from, @Nullable ArraywireException cause) {
            watch.onClosed(from, cause);
          }
        };
    Connection connection = stage().connectionTo(handler);
    for (int tag = 0; tag < 6; tag++) {
      connection.send(ArraySlice.of(new int[1]), SendOptions.processed().tag(tag));
    }
    assertThat(watch.next()).isNull();
    Eventually.until("the close is heard of", () -> !connection.isOpen());
    assertThatThrownBy(() -> connection.send(new int[1]))
        .isInstanceOf(ConnectionClosedException.class);
    connection.close();
    assertThat(watch.arrays()).isEqualTo(6);
  }

  @Test
  default void arraysThatNobodyTookBeforeCloseAreNotAcknowledged() throws Exception {
    Ends ends = stage().ends();
    List<CompletionStage<Receipt>> sent = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      sent.add(ends.there().sendAsync(ArraySlice.of(new int[i * 5000]), SendOptions.processed()));
    }
    assertThat(ends.here().receive().count()).isZero();
    Eventually.get(sent.get(0));
    ends.here().close();
    for (CompletionStage<Receipt> each : sent.subList(1, sent.size())) {
      assertThat(Eventually.failure(each)).isInstanceOf(ConnectionClosedException.class);
    }
    assertThatThrownBy(() -> ends.here().receive())
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("closed here");
  }

  @Test
  default void closeEndsWaitingReceivers() throws Exception {
    Ends ends = stage().ends();
    List<Running<?>> receivers = new ArrayList<>();
    for (Callable<?> receive : everyReceive(ends.here())) {
      receivers.add(Running.start(receive));
    }
    Described.awaitReceivers(ends.here(), receivers.size());
    ends.here().close();
    for (Running<?> each : receivers) {
      assertThat(each.failure()).isInstanceOf(ConnectionClosedException.class);
    }
  }

  private static List<Callable<?>> everyReceive(Connection connection) {
    return List.of(
        connection::receive,
        () -> connection.receiveInto(ArraySlice.of(new int[5], 0, 5)),
        connection::receiveLeased);
  }

  @Test
  default void aPeerThatReadsNothingIsNotWaitedForForEver() throws Exception {
    Ends ends =
        stage().ends(options -> options.closeTimeout(Duration.ofMillis(300)), options -> options);
    CompletionStage<Receipt> sent =
        ends.here()
            .sendAsync(
                ArraySlice.of(new int[Elements.TOO_MANY_TO_BE_ON_THE_WAY]),
                SendOptions.handedOff());
    Described.awaitPeerHeldUp(ends.there());
    assertThatThrownBy(() -> ends.here().close())
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.CLOSE_TIMEOUT::isOf)
        .hasMessageContaining("closeTimeout=PT0.3S");
    assertThat(Eventually.failure(sent)).isInstanceOf(ArraywireException.class);
    ends.here().close();
  }

  @Test
  default void aPeerThatHoldsUpACloseIsToldThatItWasClosed() throws Exception {
    Ends ends =
        stage().ends(options -> options.closeTimeout(Duration.ofMillis(300)), options -> options);
    CompletionStage<Receipt> sent =
        ends.here().sendAsync(ArraySlice.of(new int[3]), SendOptions.processed());
    Described.awaitWaiting(ends.there(), 1);
    assertThatThrownBy(() -> ends.here().close()).matches(ErrorCode.CLOSE_TIMEOUT::isOf);
    assertThat(Eventually.failure(sent)).isInstanceOf(DeliveryUnknownException.class);
    assertThatThrownBy(() -> ends.there().receiveEach(array -> {}))
        .isInstanceOf(RemoteErrorException.class)
        .hasMessageContaining("it closed the connection")
        .hasMessageContaining("closeTimeout=PT0.3S")
        .extracting("code")
        .isEqualTo(ErrorCode.CLOSE_TIMEOUT);
  }

  // The end at once.

  @Test
  default void closeNowEndsWaitingSendsAndReceives() throws Exception {
    Ends ends = stage().ends();
    Running<Receipt> send =
        Running.start(() -> ends.here().send(new int[Elements.TOO_MANY_TO_BE_ON_THE_WAY]));
    Running<Receipt> behind =
        Running.start(() -> ends.here().send(ArraySlice.of(new int[1]), SendOptions.processed()));
    List<Running<?>> receivers = new ArrayList<>();
    for (Callable<?> receive : everyReceive(ends.here())) {
      receivers.add(Running.start(receive));
    }
    Described.awaitReceivers(ends.here(), receivers.size());
    Described.awaitPeerHeldUp(ends.there());
    ends.here().closeNow();
    assertThat(send.failure()).isInstanceOf(ConnectionClosedException.class);
    // It may have been the first to leave.
    assertThat(behind.failure())
        .isInstanceOfAny(ConnectionClosedException.class, DeliveryUnknownException.class);
    for (Running<?> each : receivers) {
      assertThat(each.failure()).isInstanceOf(ConnectionClosedException.class);
    }
    // The far end was in the middle of an array, which it must not give to anybody.
    assertThatThrownBy(
            () -> {
              while (true) {
                assertThat(ends.there().receive().count())
                    .isLessThan(Elements.TOO_MANY_TO_BE_ON_THE_WAY);
              }
            })
        .isInstanceOf(ArraywireException.class)
        .isNotInstanceOf(ConnectionClosedException.class);
    ends.here().close();
  }

  @Test
  default void everySendCompletesExactlyOnceHoweverTheConnectionEnds() throws Exception {
    for (int round = 0; round < 12; round++) {
      ClosedWatch watch = new ClosedWatch();
      Connection connection = stage().connectionTo(watch);
      Completions sends = new Completions();
      CountDownLatch some = new CountDownLatch(100);
      List<Running<Void>> senders = new ArrayList<>();
      for (int sender = 0; sender < 3; sender++) {
        SendOptions options = sender == 0 ? SendOptions.processed() : SendOptions.handedOff();
        senders.add(
            Running.start(() -> {
              while (connection.isOpen()) {
                sends.awaitFewerThan(500);
                sends.add(connection.sendAsync(ArraySlice.of(new int[500]), options));
                some.countDown();
              }
              sends.add(connection.sendAsync(ArraySlice.of(new int[500]), options));
              return null;
            }));
      }
      Eventually.until("some arrays are in flight", some);
      if (round % 2 == 0) {
        connection.closeNow();
      } else {
        connection.close();
      }
      for (Running<Void> each : senders) {
        each.get();
      }
      int succeeded = 0;
      for (Throwable failure : sends.outcomes()) {
        if (failure == null) {
          succeeded++;
        } else if (round % 2 == 0) {
          assertThat(failure)
              .isInstanceOfAny(ConnectionClosedException.class, DeliveryUnknownException.class);
        } else {
          assertThat(failure).isInstanceOf(ConnectionClosedException.class);
        }
      }
      watch.next();
      if (round % 2 == 1) {
        // What was accepted before an orderly close was all handled.
        assertThat(watch.arrays()).isEqualTo(succeeded);
      }
    }
  }

  @Test
  default void whatWasDroppedNoLongerWaits() throws Exception {
    Ends ends = stage().ends();
    CompletionStage<Receipt> sent =
        ends.here()
            .sendAsync(
                ArraySlice.of(new int[Elements.TOO_MANY_TO_BE_ON_THE_WAY]),
                SendOptions.handedOff());
    Described.awaitPeerHeldUp(ends.there());
    assertThat(ends.here().describe()).contains("queuedBytes[channel 0]=");
    ends.here().closeNow();
    assertThat(Eventually.failure(sent)).isInstanceOf(ConnectionClosedException.class);
    assertThat(ends.here().describe()).doesNotContain("queuedBytes");
    assertThat(ends.here().load().queuedBytes()).isZero();
  }

  @Test
  default void aLeaseOutlivesItsConnection() throws Exception {
    Ends ends = stage().ends();
    long[] array = (long[]) SeededArrays.withSeed(6).array(ElementType.LONG, 50_000);
    Running<LeasedArray> receive = Running.start(() -> ends.there().receiveLeased());
    Described.awaitReceivers(ends.there(), 1);
    ends.here().send(array);
    try (LeasedArray lease = receive.get()) {
      ends.there().closeNow();
      ends.here().closeNow();
      long[] copy = new long[array.length];
      lease.copyTo(ArraySlice.of(copy));
      assertThat(copy).isEqualTo(array);
    }
  }

  // Listeners and transports.

  @Test
  default void aClosedListenerFreesItsAddressAndSparesAcceptedConnections() throws Exception {
    Transport transport = stage().transport();
    Listener listener = transport.listen(stage().address());
    Connection here = stage().transport().connect(listener.address());
    Connection there = listener.accept();
    Connection neverAccepted = stage().transport().connect(listener.address());
    Running<Connection> waiting =
        Running.start(() -> {
          listener.accept();
          return listener.accept();
        });
    here.send(new int[1]);
    there.receive();
    Eventually.until(
        "the second connection is accepted",
        () -> waiting.thread().getState() == Thread.State.TIMED_WAITING);
    listener.close();
    assertThat(waiting.failure()).isInstanceOf(ConnectionClosedException.class);
    assertThatThrownBy(listener::accept)
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("the listener is closed");
    here.send(new int[2]);
    assertThat(there.receive().count()).isEqualTo(2);
    transport.listen(listener.address()).close();
    listener.close();
    assertThat(neverAccepted.remoteAddress()).isNotNull();
  }

  @Test
  default void aClosedListenerClosesWhatNobodyAccepted() throws Exception {
    Transport transport = stage().transport();
    Listener listener = transport.listen(stage().address());
    Connection first = stage().transport().connect(listener.address());
    // Before there is another: on different threads the later may be the first to come out.
    Connection accepted = listener.accept();
    Connection second = stage().transport().connect(listener.address());
    accepted.send(new int[3]);
    assertThat(first.receive().count()).isEqualTo(3);
    listener.close();
    assertThatThrownBy(second::receive).isInstanceOf(ArraywireException.class);
    accepted.send(new int[4]);
    assertThat(first.receive().count()).isEqualTo(4);
  }

  @Test
  default void aClosedListenerDrainsTheConnectionsOfItsHandler() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener = stage().transport().listen(stage().address(), watch);
    Connection connection = stage().transport().connect(listener.address());
    Completions sends = new Completions();
    for (int i = 0; i < 500; i++) {
      sends.add(connection.sendAsync(ArraySlice.of(new int[i]), SendOptions.processed()));
    }
    listener.close();
    assertThat(watch.next()).isNull();
    long processed = sends.outcomes().stream().filter(failure -> failure == null).count();
    assertThat(watch.arrays()).isEqualTo((int) processed);
    connection.close();
  }

  @Test
  default void aClosedTransportClosesEverythingAtOnce() throws Exception {
    Transport transport = stage().transport();
    Listener listener = transport.listen(stage().address());
    Connection here = transport.connect(listener.address());
    Connection there = listener.accept();
    Running<ReceivedArray> receive = Running.start(there::receive);
    Described.awaitReceivers(there, 1);
    CompletionStage<Receipt> sent =
        here.sendAsync(
            ArraySlice.of(new int[Elements.TOO_MANY_TO_BE_ON_THE_WAY]), SendOptions.processed());
    Running<Connection> accept = Running.start(listener::accept);
    transport.close();
    assertThat(receive.failure()).isInstanceOf(ArraywireException.class);
    assertThat(Eventually.failure(sent)).isInstanceOf(ArraywireException.class);
    assertThat(accept.failure()).isInstanceOf(ConnectionClosedException.class);
    assertThat(here.isOpen()).isFalse();
    assertThatThrownBy(() -> transport.connect(listener.address()))
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("the transport is closed");
    assertThatThrownBy(() -> transport.listen(stage().address()))
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("the transport is closed");
    transport.close();
    here.close();
    there.close();
    listener.close();
  }
}
