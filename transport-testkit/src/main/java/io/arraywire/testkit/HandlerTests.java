package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.TimedOutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What handlers may do, and what that does to others. */
interface HandlerTests {
  TransportStage stage();

  @Test
  default void aHandlerThatThrowsRejectsThatArrayAlone() throws Exception {
    AtomicInteger taken = new AtomicInteger();
    Connection connection =
        stage()
            .connectionTo((from, array) -> {
              if (array.tag() == 1) {
                throw new IllegalArgumentException("no thirteen please");
              }
              if (array.tag() == 2) {
                throw new StackOverflowError("an error, too");
              }
              taken.incrementAndGet();
            });
    List<CompletionStage<Receipt>> sent = new ArrayList<>();
    for (int tag = 0; tag < 4; tag++) {
      sent.add(connection.sendAsync(ArraySlice.of(new int[9]), SendOptions.processed().tag(tag)));
    }
    Eventually.get(sent.get(0));
    assertThat(Eventually.failure(sent.get(1)))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageNotContaining("IllegalArgumentException")
        .hasMessageContaining("no thirteen please");
    assertThat(Eventually.failure(sent.get(2)))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageNotContaining("StackOverflowError")
        .hasMessageContaining("cause=an error, too)");
    Eventually.get(sent.get(3));
    assertThat(taken).hasValue(2);
    assertThat(connection.isOpen()).isTrue();
    connection.close();
  }

  /** What it threw may hold what a peer sent, or be unable to say anything. */
  @Test
  default void whateverAHandlerThrowsItsArrayIsRefusedAndTheNextOneIsHandled() throws Exception {
    Connection connection =
        stage()
            .connectionTo((from, array) -> {
              if (array.tag() == 1) {
                throw new IllegalArgumentException("cannot read " + "a.".repeat(array.count()));
              }
              if (array.tag() == 2) {
                throw new UnspeakableException();
              }
            });
    List<CompletionStage<Receipt>> sent = new ArrayList<>();
    for (int tag = 0; tag < 4; tag++) {
      sent.add(
          connection.sendAsync(ArraySlice.of(new byte[50_000]), SendOptions.processed().tag(tag)));
    }
    Eventually.get(sent.get(0));
    assertThat(Eventually.failure(sent.get(1)))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("cannot read a.a.a.");
    assertThat(Eventually.failure(sent.get(2)))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("unspeakable");
    Eventually.get(sent.get(3));
    connection.close();
  }

  /** Fails to say what it is. */
  final class UnspeakableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no words");
    }
  }

  @Test
  default void aTargetThatIsRefusedOrDoesNotFitRejectsThatArrayAlone() throws Exception {
    AtomicInteger taken = new AtomicInteger();
    Connection connection =
        stage()
            .connectionTo(
                Handlers.ofArrays((from, array) -> taken.incrementAndGet())
                    .withTargets((from, header) ->
                        switch ((int) header.attributes().tag()) {
                          case 1 -> throw new IllegalStateException("not today");
                          case 2 -> ArraySlice.of(new int[header.count() - 1]);
                          case 3 -> ArraySlice.of(new float[header.count()]);
                          default -> ArraySlice.of(new int[header.count()]);
                        }));
    List<CompletionStage<Receipt>> sent = new ArrayList<>();
    for (int tag = 0; tag < 5; tag++) {
      sent.add(
          connection.sendAsync(ArraySlice.of(new int[50_000]), SendOptions.processed().tag(tag)));
    }
    Eventually.get(sent.get(0));
    assertThat(Eventually.failure(sent.get(1)))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageNotContaining("IllegalStateException")
        .hasMessageContaining("not today");
    assertThat(Eventually.failure(sent.get(2)))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("room=49999");
    assertThat(Eventually.failure(sent.get(3)))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("targetType=float");
    Eventually.get(sent.get(4));
    assertThat(taken).hasValue(2);
    connection.close();
  }

  /**
   * Arrays of several channels and peers arrive at the same time, each in the target that was named
   * for it. The targets of one channel come one after the other.
   */
  @Test
  default void targetsOfChannelsAndPeersStayApart() throws Exception {
    int channels = 4;
    int rounds = 3;
    TargetNotes notes = new TargetNotes();
    Listener listener =
        stage().transport().listen(stage().address(), Handlers.ofArrays(notes).withTargets(notes));
    var connector = stage().transport();
    List<CompletionStage<Receipt>> sent = new ArrayList<>();
    List<Connection> peers =
        List.of(connector.connect(listener.address()), connector.connect(listener.address()));
    for (int round = 0; round < rounds; round++) {
      for (Connection peer : peers) {
        for (int channel = 1; channel <= channels; channel++) {
          int seed = (peers.indexOf(peer) * rounds + round) * channels + channel;
          sent.add(
              peer.channel(channel)
                  .sendAsync(
                      ArraySlice.of(TargetNotes.numbered(seed, 60_000 - 100 * seed)),
                      SendOptions.processed().tag(seed)));
        }
      }
    }
    Eventually.all(sent);
    assertThat(notes.faults()).isEmpty();
    assertThat(notes.taken()).hasSize(peers.size() * channels * rounds).doesNotHaveDuplicates();
    for (Connection peer : peers) {
      peer.close();
    }
  }

  @Test
  default void aHandlerThatHangsHoldsUpItsOwnConnectionOnly() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    AtomicInteger others = new AtomicInteger();
    ArrayHandler handler =
        (from, array) -> {
          if (array.tag() == 1) {
            hanging.countDown();
            letGo.await();
          } else {
            others.incrementAndGet();
          }
        };
    Listener listener = stage().transport().listen(stage().address(), handler);
    var connector = stage().transport();
    Connection stuck = connector.connect(listener.address());
    CompletionStage<Receipt> first =
        stuck.sendAsync(ArraySlice.of(new int[1]), SendOptions.processed().tag(1));
    Eventually.until("the handler hangs", hanging);
    List<CompletionStage<Receipt>> behind = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      behind.add(stuck.sendAsync(ArraySlice.of(new int[50_000]), SendOptions.processed()));
    }
    Connection lively = connector.connect(listener.address());
    for (int i = 0; i < 500; i++) {
      lively.send(ArraySlice.of(new int[i]), SendOptions.processed());
    }
    assertThat(others).hasValue(500);
    assertThat(first.toCompletableFuture()).isNotDone();
    letGo.countDown();
    Eventually.get(first);
    Eventually.all(behind);
  }

  /** Where the program gives an executor. */
  @Test
  default void aHandlerNeverRunsOnAnIoThread() throws Exception {
    ProbingCodec codec = new ProbingCodec();
    ExecutorService threads = Executors.newCachedThreadPool();
    stage().<AutoCloseable>closing(threads::shutdownNow);
    Set<Thread> handlers = ConcurrentHashMap.newKeySet();
    Connection connection =
        stage()
            .connectionTo(
                options -> options.codecs(codec).handlerExecutor(threads),
                Handlers.ofArrays(
                        (from, array) -> {
                          handlers.add(Thread.currentThread());
                          // Not a call that waits: one that does may move bytes meanwhile.
                          var unused =
                              from.sendAsync(ArraySlice.of(array.ints()), SendOptions.processed());
                        })
                    .withTargets((from, header) -> {
                      handlers.add(Thread.currentThread());
                      return ArraySlice.of(new int[header.count()]);
                    }));
    for (int i = 0; i < 50; i++) {
      connection.send(ArraySlice.of(new int[i]), SendOptions.processed());
      connection.receive();
    }
    assertThat(codec.threads()).isNotEmpty();
    assertThat(handlers).isNotEmpty().doesNotContainAnyElementsOf(codec.threads());
  }

  @Test
  default void whatDependsOnASendDoesNotBlockAnIoThread() throws Exception {
    var ends = stage().ends();
    CountDownLatch letGo = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(1);
    CompletionStage<Void> dependent =
        ends.here()
            .sendAsync(ArraySlice.of(new int[1]), SendOptions.processed())
            .thenAccept(receipt -> {
              blocked.countDown();
              try {
                letGo.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    ends.there().receive();
    Eventually.until("the dependent action runs", blocked);
    ends.here().send(new int[2]);
    assertThat(ends.there().receive().count()).isEqualTo(2);
    ends.there().send(new int[3]);
    assertThat(ends.here().receive().count()).isEqualTo(3);
    letGo.countDown();
    Eventually.get(dependent);
  }

  @Test
  default void onClosedIsCalledOnceAfterTheLastArray() throws Exception {
    List<String> calls = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch closed = new CountDownLatch(1);
    Connection connection =
        stage()
            .connectionTo(
                new ArrayHandler() {
                  @Override
                  public void onArray(Connection from, ReceivedArray array) {
                    calls.add("array " + array.tag());
                  }

                  @Override
                  public void onClosed(Connection from, @Nullable ArraywireException cause) {
                    calls.add("closed " + cause);
                    closed.countDown();
                  }
                });
    for (int i = 0; i < 3; i++) {
      connection.sendAsync(ArraySlice.of(new int[i]), SendOptions.handedOff().tag(i));
    }
    connection.close();
    Eventually.until("onClosed was called", closed);
    assertThat(calls).containsExactly("array 0", "array 1", "array 2", "closed null");
  }

  @Test
  default void aHandlerThatReceivesOnItsOwnConnectionIsToldSoAtOnce() throws Exception {
    Connection connection =
        stage()
            .connectionTo((from, array) -> {
              var unused = from.receive();
            });
    assertThatThrownBy(() -> connection.send(ArraySlice.of(new int[3]), SendOptions.processed()))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("a handler cannot receive on its own connection")
        .hasMessageContaining("channel=0");
  }

  @Test
  default void whatFailsInAHandlerThatOthersWaitForNamesTheHandlerAndTheWayOut() throws Exception {
    assertThat(HandlerDeadlock.failure(stage(), HandlerDeadlock.Call.SEND))
        .isInstanceOf(DeliveryUnknownException.class)
        .hasMessageStartingWith(
            "the far side did not acknowledge the array in time; the handler here keeps 1 array"
                + " waiting until it returns; if the far side waits for that, neither goes on: use"
                + " sendAsync, a stage or another thread (timeout=PT1S, channel=0, peer=")
        .hasMessageContaining("waitingHandler=HandlerDeadlock.Busy of channel 0")
        .satisfies(failure ->
            assertThat(failure.waitingHandler()).contains("HandlerDeadlock.Busy of channel 0"));
    assertThat(HandlerDeadlock.failure(stage(), HandlerDeadlock.Call.REQUEST))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.REQUEST_TIMEOUT::isOf)
        .hasMessageStartingWith(
            "the request was not answered in time: the handler here keeps 1 array waiting until it"
                + " returns; if the far side waits for that, neither goes on: use sendAsync, a stage"
                + " or another thread (request=")
        .hasMessageContaining("waitingHandler=HandlerDeadlock.Busy of channel 0");
  }

  /** Arrays wait for it, but the far side does not. */
  @Test
  default void aHandlerThatSendsWhileOthersWaitForItGetsOn() throws Exception {
    AtomicInteger answered = new AtomicInteger();
    Connection connection =
        stage()
            .connectionTo((from, array) -> {
              from.send(array.slice(), SendOptions.processed());
              answered.incrementAndGet();
            });
    List<CompletionStage<Receipt>> sent = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      sent.add(connection.sendAsync(ArraySlice.of(new int[i]), SendOptions.processed()));
    }
    for (int i = 0; i < 100; i++) {
      assertThat(connection.receive().count()).isEqualTo(i);
    }
    Eventually.all(sent);
    assertThat(answered).hasValue(100);
  }
}
