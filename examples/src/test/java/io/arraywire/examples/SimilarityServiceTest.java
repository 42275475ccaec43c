package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.RequestOptions;
import io.arraywire.stream.StreamTransport;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SimilarityServiceTest {
  private static final int ROWS = 500;
  private static final int DIMENSIONS = 64;

  private static ReceivedArray get(CompletableFuture<ReceivedArray> stage) throws Exception {
    return stage.get(1, TimeUnit.MINUTES);
  }

  @Test
  void theProgramPrintsWhatItsCommentsSay() throws Exception {
    assertThat(StandardOut.of(SimilarityService::main))
        .containsExactly("[1.0, 0.0, 0.70710677]", "[0, 2]");
  }

  @Test
  void eachRowIsMostSimilarToItself() throws Exception {
    Random random = new Random(42);
    float[] table = new float[ROWS * DIMENSIONS];
    for (int i = 0; i < table.length; i++) {
      table[i] = random.nextFloat() - 0.5f;
    }
    try (Listener listener =
            StreamTransport.listen(
                new InetSocketAddress("localhost", 0),
                Handlers.ofRequests(new SimilarityService(table, DIMENSIONS)));
        Connection client = StreamTransport.connect(listener.address())) {
      List<CompletableFuture<ReceivedArray>> stages = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        ArraySlice query = ArraySlice.of(table, row * DIMENSIONS, DIMENSIONS);
        stages.add(client.request(query, RequestOptions.defaults().tag(3)).toCompletableFuture());
      }
      for (int row = 0; row < ROWS; row++) {
        assertThat(get(stages.get(row)).ints()).hasSize(3).startsWith(row);
      }
      float[] similarities =
          get(client.request(ArraySlice.of(table, 0, DIMENSIONS)).toCompletableFuture()).floats();
      assertThat(similarities).hasSize(ROWS);
      assertThat(similarities[0]).isCloseTo(1, org.assertj.core.data.Offset.offset(1e-6f));
    }
  }

  @Test
  void whatIsNoQueryIsAnsweredWithAReason() throws Exception {
    try (Listener listener =
            StreamTransport.listen(
                new InetSocketAddress("localhost", 0),
                Handlers.ofRequests(new SimilarityService(new float[] {1, 2, 3, 4}, 2)));
        Connection client = StreamTransport.connect(listener.address())) {
      assertThatThrownBy(
              () -> get(client.request(ArraySlice.of(new float[3])).toCompletableFuture()))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("dimensions=2, type=float, count=3");
      assertThatThrownBy(() ->
              get(
                  client
                      .request(ArraySlice.of(new float[2]), RequestOptions.defaults().tag(3))
                      .toCompletableFuture()))
          .hasMessageContaining("asked=3, rows=2");
    }
    assertThatThrownBy(() -> new SimilarityService(new float[3], 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("elements=3, dimensions=2");
  }
}
