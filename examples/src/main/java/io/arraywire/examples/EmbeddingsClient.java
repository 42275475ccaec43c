package io.arraywire.examples;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.nio.NioTransport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** Asks a Python process, {@code python/examples/embeddings.py}, for the embeddings of texts. */
public final class EmbeddingsClient {
  private EmbeddingsClient() {}

  /**
   * Prints how similar each text is to the first one, from -1 to 1.
   *
   * @param arguments host and port of the Python process, such as {@code localhost:4717}, and texts
   * @throws Exception if that fails
   */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length < 2) {
      System.err.println("usage: EmbeddingsClient HOST:PORT TEXT...");
      System.exit(2);
    }
    try (Connection connection = NioTransport.connect(arguments[0])) {
      float[] first = embedding(connection, arguments[1]);
      for (int i = 1; i < arguments.length; i++) {
        float[] other = embedding(connection, arguments[i]);
        double similarity = 0;
        for (int k = 0; k < first.length; k++) {
          similarity += (double) first[k] * other[k];
        }
        System.out.printf(Locale.ROOT, "%.2f %s%n", similarity, arguments[i]);
      }
    }
  }

  private static float[] embedding(Connection connection, String text) throws Exception {
    ArraySlice request = ArraySlice.of(text.getBytes(StandardCharsets.UTF_8));
    return connection.call(request, Duration.ofSeconds(30)).floats();
  }
}
