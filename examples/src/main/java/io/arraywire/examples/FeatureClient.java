package io.arraywire.examples;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.client.ArraywireClient;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import io.arraywire.security.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The client of the tutorial: asks {@link FeatureServer}, at one or several addresses. */
public final class FeatureClient {
  private FeatureClient() {}

  /**
   * The options of the client.
   *
   * @param folder has {@code client.pem}, {@code client.key} and {@code ca.pem}; null for no TLS
   * @return the options
   */
  static TransportOptions options(@Nullable Path folder) {
    TransportOptions.Builder options = TransportOptions.builder();
    if (folder != null) {
      options.tls(
          Tls.client()
              .trust(folder.resolve("ca.pem"))
              .certificate(folder.resolve("client.pem"), folder.resolve("client.key")));
    }
    return options.build();
  }

  /**
   * Asks for the features of the ids 1, 2 and 3, and prints them.
   *
   * @param arguments addresses with a comma between them, for example {@code
   *     localhost:4711,localhost:4712}; then, for TLS, the folder with the certificates
   * @throws Exception if no server answers in time
   */
  public static void main(String[] arguments) throws Exception {
    Path folder = arguments.length > 1 ? Path.of(arguments[1]) : null;
    try (Transport transport = NioTransport.create(options(folder));
        ArraywireClient client = ArraywireClient.over(transport, arguments[0].split(",")).build()) {
      int[] ids = {1, 2, 3};
      Message answer = client.idempotent().call(ids, Duration.ofSeconds(5)).message();
      float[] features = answer.floats("features");
      boolean[] known = answer.booleans("known");
      for (int i = 0; i < ids.length; i++) {
        float[] row = Arrays.copyOfRange(features, 4 * i, 4 * i + 4);
        System.out.println(ids[i] + " " + (known[i] ? Arrays.toString(row) : "unknown"));
      }
    }
  }
}
