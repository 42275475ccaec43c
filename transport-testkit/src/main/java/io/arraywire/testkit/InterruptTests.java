package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ElementType;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.testkit.Running.Kind;
import io.arraywire.testkit.TransportStage.Ends;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/**
 * An interrupted caller is let go, has its array back, and has harmed neither the connection nor
 * anybody's data; whatever kind of thread it is.
 */
interface InterruptTests {
  TransportStage stage();

  @Test
  default void anInterruptedSenderHasItsArrayBackAndTheFarSideSeesNoneOfIt() throws Exception {
    for (Kind kind : Running.kinds()) {
      Ends ends = stage().ends();
      int[] large = new int[Elements.TOO_MANY_TO_BE_ON_THE_WAY];
      Arrays.fill(large, 1);
      ends.here().send(new int[] {7});
      Running<Receipt> send = Running.start(kind, () -> ends.here().send(large));
      Described.awaitPeerHeldUp(ends.there());
      send.interrupt();
      assertThat(send.failure()).isInstanceOf(InterruptedException.class);
      Arrays.fill(large, 2);
      assertThat(ends.there().receive().ints()).containsExactly(7);
      Running<ReceivedArray> receive = Running.start(() -> ends.there().receive());
      int[] next = new int[100_000];
      Arrays.fill(next, 3);
      ends.here().send(ArraySlice.of(next), SendOptions.processed());
      assertThat(receive.get().ints()).isEqualTo(next);
      ends.here().close();
    }
  }

  @Test
  default void aSenderThatIsInterruptedAtAnyMomentTearsNothing() throws Exception {
    for (Kind kind : Running.kinds()) {
      Ends ends = stage().ends();
      int rounds = 150;
      Set<Long> returned = new HashSet<>();
      Set<Long> delivered = new HashSet<>();
      Running<Void> receiver =
          Running.start(() -> {
            while (true) {
              ReceivedArray array = ends.there().receive();
              for (int element : array.ints()) {
                if (element != array.tag()) {
                  throw new AssertionError(
                      "array " + array.tag() + " is torn: it holds " + element);
                }
              }
              if (array.tag() == rounds) {
                return null;
              }
              delivered.add(array.tag());
            }
          });
      for (int i = 0; i < rounds; i++) {
        int[] array = new int[i % 3 == 0 ? 1000 : 200_000];
        Arrays.fill(array, i);
        long tag = i;
        Semaphore begun = new Semaphore(0);
        Running<Receipt> send =
            Running.start(
                kind,
                () -> {
                  begun.release();
                  return ends.here().send(ArraySlice.of(array), SendOptions.handedOff().tag(tag));
                });
        begun.acquire();
        for (int spin = 0; spin < i * 200; spin++) {
          Thread.onSpinWait();
        }
        send.interrupt();
        try {
          send.get();
          returned.add(tag);
        } catch (InterruptedException e) {
          // Withdrawn, or in flight already; whole in either case.
        }
        Arrays.fill(array, -1);
      }
      int[] last = new int[10];
      Arrays.fill(last, rounds);
      ends.here().send(ArraySlice.of(last), SendOptions.handedOff().tag(rounds));
      receiver.get();
      assertThat(delivered).containsAll(returned);
      ends.here().close();
    }
  }

  @Test
  default void anInterruptedReceiverHasItsMemoryBackAndLosesNothing() throws Exception {
    for (Kind kind : Running.kinds()) {
      HalfSentArray array = HalfSentArray.on(stage());
      Running<ReceivedArray> receive =
          Running.start(kind, () -> array.connection.receiveInto(array.target));
      Described.awaitReceivers(array.connection, 1);
      array.sendHalf();
      receive.interrupt();
      assertThat(receive.failure()).isInstanceOf(InterruptedException.class);
      array.assertTargetIsFreeAndNothingLost();
    }
  }

  @Test
  default void interruptedReceiversOfEveryKindLoseNothing() throws Exception {
    for (Kind kind : Running.kinds()) {
      Ends ends = stage().ends();
      for (int i = 0; i < 10; i++) {
        for (Callable<?> waiting :
            List.<Callable<?>>of(
                ends.there()::receive,
                () -> ends.there().receiveInto(ArraySlice.of(new int[9], 0, 9)),
                ends.there()::receiveLeased)) {
          Running<?> receive = Running.start(kind, waiting);
          Described.awaitReceivers(ends.there(), 1);
          receive.interrupt();
          assertThat(receive.failure()).isInstanceOf(InterruptedException.class);
          Described.awaitReceivers(ends.there(), 0);
        }
        ends.here().send(new int[] {i});
        assertThat(ends.there().receive().ints()).containsExactly(i);
      }
      ends.here().close();
    }
  }

  @Test
  default void aReceiverThatIsInterruptedAtAnyMomentLosesNothing() throws Exception {
    for (Kind kind : Running.kinds()) {
      Ends ends = stage().ends();
      int arrays = 100;
      Running<Void> sender =
          Running.start(() -> {
            for (int i = 0; i < arrays; i++) {
              int[] array = new int[i % 2 == 0 ? 10 : 150_000];
              Arrays.fill(array, i);
              ends.here().send(array);
            }
            return null;
          });
      int[] target = new int[150_000];
      int next = 0;
      for (int round = 0; next < arrays; round++) {
        Semaphore begun = new Semaphore(0);
        Running<ReceivedArray> receive =
            Running.start(
                kind,
                () -> {
                  begun.release();
                  return ends.there().receiveInto(target);
                });
        begun.acquire();
        for (int spin = 0; spin < round % 50 * 400; spin++) {
          Thread.onSpinWait();
        }
        receive.interrupt();
        try {
          ReceivedArray array = receive.get();
          for (int i = 0; i < array.count(); i++) {
            if (target[i] != next) {
              throw new AssertionError("array " + next + " holds " + target[i] + " at " + i);
            }
          }
          next++;
        } catch (InterruptedException e) {
          // Not lost: a later call gets it.
        }
        Arrays.fill(target, -1);
      }
      sender.get();
      ends.here().close();
    }
  }

  @Test
  default void anInterruptedAcceptLosesNoConnection() throws Exception {
    for (Kind kind : Running.kinds()) {
      Listener listener = stage().transport().listen(stage().address());
      Running<Connection> accept = Running.start(kind, listener::accept);
      accept.interrupt();
      assertThat(accept.failure()).isInstanceOf(InterruptedException.class);
      Connection here = stage().transport().connect(listener.address());
      Connection there = listener.accept();
      here.send(new int[] {1});
      assertThat(there.receive().ints()).containsExactly(1);
      listener.close();
    }
  }

  @Test
  default void anInterruptedConnectLeavesNothingOpen() throws Exception {
    for (Kind kind : Running.kinds()) {
      RawPeer.Server server = stage().closing(stage().rawServer());
      Transport transport = stage().transport();
      Running<Connection> connect = Running.start(kind, () -> transport.connect(server.address()));
      RawPeer peer = stage().closing(server.accept());
      peer.readHandshake();
      connect.interrupt();
      assertThat(connect.failure()).isInstanceOf(InterruptedException.class);
      // It is closed, or this would not return.
      peer.readUntilClosed();
    }
  }

  @Test
  default void aThreadThatIsInterruptedAlreadyHarmsNobody() throws Exception {
    for (Kind kind : Running.kinds()) {
      Ends ends = stage().ends();
      Running<Boolean> sender =
          Running.start(
              kind,
              () -> {
                Thread.currentThread().interrupt();
                try {
                  ends.here().send(ArraySlice.of(new int[200_000]), SendOptions.processed());
                  return Thread.currentThread().isInterrupted();
                } catch (InterruptedException e) {
                  return true;
                }
              });
      assertThat(sender.get()).isTrue();
      Running<Boolean> closer =
          Running.start(
              kind,
              () -> {
                Thread.currentThread().interrupt();
                ends.here().close();
                return Thread.currentThread().isInterrupted();
              });
      assertThat(closer.get()).isTrue();
      assertThat(ends.here().isOpen()).isFalse();
    }
  }

  @Test
  default void plainModeWhichCannotWithdrawClosesInstead() throws Exception {
    Ends ends = stage().ends(options -> options.plain(ElementType.INT));
    Running<Receipt> send =
        Running.start(() -> ends.here().send(new int[Elements.TOO_MANY_TO_BE_ON_THE_WAY]));
    Described.awaitPeerHeldUp(ends.there());
    send.interrupt();
    assertThat(send.failure()).isInstanceOf(InterruptedException.class);
    CompletionStage<Receipt> next = ends.here().sendAsync(ArraySlice.of(new int[1]));
    assertThat(Eventually.failure(next)).isInstanceOf(ConnectionClosedException.class);
  }
}
