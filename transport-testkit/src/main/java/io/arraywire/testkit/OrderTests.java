package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.testkit.TransportStage.Ends;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Arrays arrive in the order in which they were sent, however many are in flight. */
interface OrderTests {
  TransportStage stage();

  @Test
  default void thousandsOfArraysCrossInBothDirectionsInOrder() throws Exception {
    Ends ends = stage().ends();
    List<Running<Void>> all =
        List.of(
            Running.start(() -> sendNumbered(ends.here(), 4000)),
            Running.start(() -> sendNumbered(ends.there(), 4000)),
            Running.start(() -> receiveNumbered(ends.here(), 4000)),
            Running.start(() -> receiveNumbered(ends.there(), 4000)));
    for (Running<Void> each : all) {
      each.get();
    }
  }

  /** Some small, some of a frame, some of several. */
  private static int length(int number) {
    return number % 500 == 0 ? 40_000 : number % 97;
  }

  private static Void sendNumbered(Connection connection, int arrays) throws Exception {
    List<CompletionStage<Receipt>> sent = new ArrayList<>();
    for (int i = 0; i < arrays; i++) {
      int[] array = new int[length(i)];
      Arrays.fill(array, i);
      sent.add(connection.sendAsync(ArraySlice.of(array), SendOptions.processed().tag(i)));
    }
    Eventually.all(sent);
    return null;
  }

  private static Void receiveNumbered(Connection connection, int arrays) throws Exception {
    for (int i = 0; i < arrays; i++) {
      ReceivedArray array = connection.receive();
      assertThat(array.tag()).isEqualTo(i);
      assertThat(array.header().sequence()).isEqualTo(i + 1);
      assertThat(array.count()).isEqualTo(length(i));
      for (int element : array.ints()) {
        if (element != i) {
          throw new AssertionError("array " + i + " holds an element of " + element);
        }
      }
    }
    return null;
  }

  @Test
  default void severalSendersOnOneConnectionDoNotMixTheirArrays() throws Exception {
    int senders = 4;
    int arrays = 300;
    Ends ends = stage().ends();
    List<Running<Void>> running = new ArrayList<>();
    for (int sender = 0; sender < senders; sender++) {
      long name = sender;
      running.add(
          Running.start(() -> {
            for (int i = 0; i < arrays; i++) {
              long[] array = new long[1 + (i % 50 == 0 ? 20_000 : i)];
              Arrays.fill(array, name << 32 | i);
              Receipt unused =
                  ends.here().send(ArraySlice.of(array), SendOptions.handedOff().tag(name));
            }
            return null;
          }));
    }
    int[] next = new int[senders];
    for (int i = 0; i < senders * arrays; i++) {
      ReceivedArray array = ends.there().receive();
      int sender = (int) array.tag();
      assertThat(array.header().sequence()).isEqualTo(i + 1);
      for (long element : array.longs()) {
        if (element != ((long) sender << 32 | next[sender])) {
          throw new AssertionError(
              "array "
                  + next[sender]
                  + " of sender "
                  + sender
                  + " holds "
                  + Long.toHexString(element));
        }
      }
      next[sender]++;
    }
    for (Running<Void> each : running) {
      each.get();
    }
  }

  @Test
  default void waitingReceiversAreServedInTurn() throws Exception {
    Ends ends = stage().ends();
    List<Running<ReceivedArray>> receivers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      receivers.add(Running.start(() -> ends.there().receive()));
      Described.awaitReceivers(ends.there(), i + 1);
    }
    for (int i = 0; i < 20; i++) {
      ends.here().send(new int[] {i});
    }
    for (int i = 0; i < 20; i++) {
      assertThat(receivers.get(i).get().ints()).containsExactly(i);
    }
  }
}
