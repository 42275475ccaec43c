package io.arraywire.examples;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.RequestOptions;
import io.arraywire.nio.NioTransport;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

/**
 * Answers which rows of a table of embeddings are similar to a query.
 *
 * <p>A request is a {@code float[]} of one embedding's length. The reply is a {@code float[]}, the
 * cosine similarity of each row. If the request's tag is a number k, it is an {@code int[]}: the k
 * rows that are most similar, best first. Several queries are worked on at once, each on a thread
 * of the common pool, so replies overtake each other.
 */
public final class SimilarityService implements RequestHandler {
  private final float[] table;
  private final int dimensions;

  /**
   * Serves a table.
   *
   * @param table the embeddings one behind another, not to be changed any more
   * @param dimensions the length of each, at least 1
   * @throws IllegalArgumentException if the table does not hold whole embeddings
   */
  public SimilarityService(float[] table, int dimensions) {
    if (dimensions < 1 || table.length % dimensions != 0) {
      throw new IllegalArgumentException(
          "the table does not hold whole embeddings (elements="
              + table.length
              + ", dimensions="
              + dimensions
              + ")");
    }
    this.table = table;
    this.dimensions = dimensions;
  }

  @Override
  public void onRequest(Connection connection, ReceivedArray request, Reply reply) {
    int rows = table.length / dimensions;
    if (request.type() != ElementType.FLOAT || request.count() != dimensions) {
      reply.fail(
          "a query is a float[] of as many elements as an embedding has (dimensions="
              + dimensions
              + ", type="
              + request.type().typeName()
              + ", count="
              + request.count()
              + ")");
    } else if (request.tag() < 0 || request.tag() > rows) {
      reply.fail("there are not as many rows (asked=" + request.tag() + ", rows=" + rows + ")");
    } else {
      ForkJoinPool.commonPool().execute(() -> answer(request, reply));
    }
  }

  private void answer(ReceivedArray request, Reply reply) {
    if (reply.isCancelled()) {
      return;
    }
    float[] similarities = similarities(request.floats());
    if (request.tag() == 0) {
      reply.send(similarities);
    } else {
      reply.send(best(similarities, (int) request.tag()));
    }
  }

  private float[] similarities(float[] query) {
    float[] similarities = new float[table.length / dimensions];
    double length = Math.sqrt(product(query, 0, query, 0));
    for (int row = 0; row < similarities.length; row++) {
      int at = row * dimensions;
      double lengths = length * Math.sqrt(product(table, at, table, at));
      // A vector without a length is similar to none.
      similarities[row] = lengths == 0 ? 0 : (float) (product(query, 0, table, at) / lengths);
    }
    return similarities;
  }

  private double product(float[] a, int atA, float[] b, int atB) {
    double sum = 0;
    for (int i = 0; i < dimensions; i++) {
      sum += (double) a[atA + i] * b[atB + i];
    }
    return sum;
  }

  private static int[] best(float[] similarities, int count) {
    return IntStream.range(0, similarities.length)
        .boxed()
        .sorted(Comparator.comparingDouble(row -> -similarities[row]))
        .limit(count)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /**
   * Serves three embeddings of two dimensions and asks about them.
   *
   * @param arguments none
   * @throws Exception if that fails
   */
  public static void main(String[] arguments) throws Exception {
    SimilarityService service = new SimilarityService(new float[] {1, 0, 0, 1, 1, 1}, 2);
    try (Listener listener = NioTransport.listen("localhost:0", Handlers.ofRequests(service));
        Connection client = NioTransport.connect(listener.address())) {
      ArraySlice query = ArraySlice.of(new float[] {3, 0});
      CompletableFuture<ReceivedArray> all = client.request(query);
      CompletableFuture<ReceivedArray> best =
          client.request(query, RequestOptions.defaults().tag(2));
      System.out.println(Arrays.toString(all.get().floats())); // [1.0, 0.0, 0.70710677]
      System.out.println(Arrays.toString(best.get().ints())); // [0, 2]
    }
  }
}
