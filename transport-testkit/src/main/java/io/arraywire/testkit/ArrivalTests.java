package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayHandler;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.TargetHandler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Memory of arrays that arrive for handlers. */
interface ArrivalTests {
  TransportStage stage();

  /** Notes which arrays came whole. */
  final class Whole implements ArrayHandler, TargetHandler {
    final List<Long> tags = new CopyOnWriteArrayList<>();
    final boolean targets;

    Whole(boolean targets) {
      this.targets = targets;
    }

    @Override
    public @Nullable ArraySlice target(Connection from, ArrayHeader header) {
      return targets && header.attributes().tag() % 2 == 0
          ? ArraySlice.of(new int[header.count()])
          : null;
    }

    @Override
    public void onArray(Connection from, ReceivedArray array) {
      int seed = (int) array.tag();
      if (!Arrays.equals(array.ints(), TargetNotes.numbered(seed, array.count()))) {
        throw new IllegalArgumentException("wrong elements");
      }
      tags.add(array.tag());
    }
  }

  /** A handler may leave it to the library where an array is put, each time anew. */
  @Test
  default void anArrayWithoutTargetGrowsAsItComes() throws Exception {
    Whole whole = new Whole(true);
    Connection connection = stage().connectionTo(Handlers.ofArrays(whole).withTargets(whole));
    List<CompletionStage<Receipt>> sent = new ArrayList<>();
    for (int tag = 1; tag <= 6; tag++) {
      sent.add(
          connection.sendAsync(
              ArraySlice.of(TargetNotes.numbered(tag, 40_000 * tag)),
              SendOptions.processed().tag(tag)));
    }
    Eventually.all(sent);
    assertThat(whole.tags).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    connection.close();
  }

  /** An array for which there is no memory is refused alone; memory comes back. */
  @Test
  default void arraysForHandlersTakeNoMoreThanTheirLimit() throws Exception {
    Whole whole = new Whole(false);
    Handlers arrays = Handlers.ofArrays(whole);
    for (Handlers handler : List.of(arrays.withTargets(whole), arrays)) {
      Connection connection =
          stage().connectionTo(options -> options.arrivalBytes(2 << 20), handler);
      for (int round = 0; round < 4; round++) {
        assertThatThrownBy(() ->
                connection.send(
                    ArraySlice.of(TargetNotes.numbered(1, 600_000)),
                    SendOptions.processed().tag(1)))
            .isInstanceOf(RemoteRejectedException.class)
            .hasMessageContaining("arrayBytes=2400000")
            .hasMessageContaining("arrivalBytes=2097152");
        connection.send(
            ArraySlice.of(TargetNotes.numbered(2, 300_001)), SendOptions.processed().tag(2));
      }
      connection.close();
    }
  }

  /** A request for which there is no memory is answered with that, and is not open any more. */
  @Test
  default void aRequestThatGetsNoMemoryIsOver() throws Exception {
    Connection connection =
        stage()
            .connectionTo(
                options -> options.arrivalBytes(2 << 20).maxOpenRequests(1),
                Handlers.ofRequests((from, request, reply) -> reply.send(request.slice())));
    for (int count = 1; count <= 20; count++) {
      assertThat(Eventually.failure(connection.request(ArraySlice.of(new byte[3 << 20]))))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("arrivalBytes=2097152");
      assertThat(Eventually.get(connection.request(ArraySlice.of(new byte[count]))).count())
          .isEqualTo(count);
    }
    connection.close();
  }

  /** What a handler has in hand counts; so does what others have. */
  @Test
  default void whatAHandlerHasInHandCounts() throws Exception {
    CountDownLatch inHand = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    AtomicInteger taken = new AtomicInteger();
    Connection connection =
        stage()
            .connectionTo(
                options -> options.arrivalBytes(2 << 20),
                (from, array) -> {
                  if (array.tag() == 1) {
                    inHand.countDown();
                    letGo.await();
                  }
                  taken.incrementAndGet();
                });
    int[] elements = new int[340_000];
    CompletionStage<Receipt> first =
        connection.channel(1).sendAsync(ArraySlice.of(elements), SendOptions.processed().tag(1));
    Eventually.until("the handler has the array", inHand);
    assertThatThrownBy(() -> connection.send(ArraySlice.of(elements), SendOptions.processed()))
        .isInstanceOf(RemoteRejectedException.class);
    letGo.countDown();
    Eventually.get(first);
    connection.send(ArraySlice.of(elements), SendOptions.processed());
    assertThat(taken).hasValue(2);
    connection.close();
  }
}
