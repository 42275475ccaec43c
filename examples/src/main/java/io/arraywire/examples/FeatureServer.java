package io.arraywire.examples;

import io.arraywire.ArraywireException;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.Transport;
import io.arraywire.TransportCounters;
import io.arraywire.TransportOptions;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import io.arraywire.security.Tls;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The server of the tutorial: answers a request of ids with the features of each. {@link
 * FeatureClient} asks it.
 *
 * <p>Any thread may ask or {@linkplain #put change} it.
 */
public final class FeatureServer {
  private static final int DIMENSIONS = 4;
  private static final int MOST_IDS = 10_000;

  private final Map<Integer, float[]> features = new ConcurrentHashMap<>();

  /** A server without features. */
  public FeatureServer() {}

  /**
   * Sets the features of an id.
   *
   * @param id the id
   * @param values four features, which belong to the server from now on
   */
  public void put(int id, float... values) {
    features.put(id, values);
  }

  /**
   * Answers a request.
   *
   * @param query an {@code int[]} of ids
   * @return part {@code features} of shape {@code [ids, 4]}, zeros for unknown ids, and part {@code
   *     known}, which says for each id whether it is known
   * @throws ArraywireException for too many ids; the caller gets the text
   */
  public Message lookUp(ReceivedArray query) throws ArraywireException {
    int[] ids = query.ints();
    if (ids.length > MOST_IDS) {
      throw ArraywireException.refusal("ask for fewer ids", "ids", ids.length, "limit", MOST_IDS);
    }
    float[][] rows = new float[ids.length][];
    boolean[] known = new boolean[ids.length];
    for (int i = 0; i < ids.length; i++) {
      float[] row = features.get(ids[i]);
      known[i] = row != null;
      rows[i] = row == null ? new float[DIMENSIONS] : row;
    }
    return Message.rows("features", rows).with("known", known);
  }

  /**
   * The options of the server.
   *
   * @param folder has {@code server.pem}, {@code server.key} and {@code ca.pem}; null for no TLS
   * @param counters counts what the server does
   * @return the options
   */
  static TransportOptions options(@Nullable Path folder, TransportCounters counters) {
    TransportOptions.Builder options =
        TransportOptions.builder().maxArrayBytes(1 << 20).observer(counters);
    if (folder != null) {
      options.tls(
          Tls.server(folder.resolve("server.pem"), folder.resolve("server.key"))
              .trust(folder.resolve("ca.pem"))
              .requireClientCertificate());
    }
    return options.build();
  }

  /**
   * Serves until SIGTERM.
   *
   * @param arguments where to listen, for example {@code :4711}; then, for TLS, the folder with the
   *     certificates
   * @throws Exception if it cannot listen there
   */
  public static void main(String[] arguments) throws Exception {
    FeatureServer server = new FeatureServer();
    server.put(1, 0.5f, 1, -2, 4);
    server.put(2, 8, -0.25f, 0, 1);
    TransportCounters counters = TransportCounters.create();
    Path folder = arguments.length > 1 ? Path.of(arguments[1]) : null;
    try (Transport transport = NioTransport.create(options(folder, counters));
        Listener listener =
            transport.listen(Transport.address(arguments[0]), Handlers.answering(server::lookUp))) {
      System.out.println("listening on " + listener.address());
      listener.closeOnShutdown().awaitClosed();
    }
    System.out.println("answered " + counters.snapshot().arraysSent());
  }
}
