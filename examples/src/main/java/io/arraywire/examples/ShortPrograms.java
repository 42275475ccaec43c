package io.arraywire.examples;

import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.LagPolicy;
import io.arraywire.Listener;
import io.arraywire.OfferStatus;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Limits;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import io.arraywire.security.Tls;
import io.arraywire.source.ArraySource;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/**
 * Short programs, one for each thing that a service does with arrays. The API is measured by them:
 * a public type that neither these programs nor similar ones need must have a reason.
 *
 * <p>{@link HelloArrays} is the first, {@link EchoService} the one that stays up.
 */
public final class ShortPrograms {
  private ShortPrograms() {}

  /** Sends a request and waits for the reply; then the same without waiting. */
  static List<Float> askAndAnswer() throws Exception {
    float[] weights = {1, 2, 3};
    try (Listener server =
            NioTransport.listen(
                "localhost:0",
                Handlers.answering(query -> Message.of(scaled(weights, query.floats()[0]))));
        Connection client = NioTransport.connect(server.address())) {
      ReceivedArray reply = client.call(new float[] {2}, Duration.ofSeconds(10));
      CompletableFuture<ReceivedArray> later = client.request(new float[] {10});
      return List.of(reply.floats()[2], later.get().floats()[2]);
    }
  }

  private static float[] scaled(float[] weights, float factor) {
    float[] scaled = weights.clone();
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] *= factor;
    }
    return scaled;
  }

  /** One query, two arrays back: the ten rows that are most similar, and how similar they are. */
  static String search(float[][] rows, float[] query) throws Exception {
    try (Listener server =
            NioTransport.listen(
                "localhost:0",
                Handlers.answering(asked -> {
                  Best top = Best.of(rows, asked.floats(), 10);
                  return Message.of("ids", top.ids()).with("scores", top.scores());
                }));
        Connection client = NioTransport.connect(server.address())) {
      Message reply = client.call(query, Duration.ofSeconds(10)).message();
      int[] ids = reply.ints("ids");
      float[] scores = reply.floats("scores");
      return Arrays.toString(ids) + Arrays.toString(scores);
    }
  }

  /** What an index of vectors finds, which is here all of them, one by one. */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares two of them.
  private record Best(int[] ids, float[] scores) {
    static Best of(float[][] rows, float[] query, int most) {
      float[] similarities = new float[rows.length];
      for (int row = 0; row < rows.length; row++) {
        for (int i = 0; i < query.length; i++) {
          similarities[row] += rows[row][i] * query[i];
        }
      }
      int[] ids =
          IntStream.range(0, rows.length)
              .boxed()
              .sorted(Comparator.comparingDouble(row -> -similarities[row]))
              .limit(most)
              .mapToInt(Integer::intValue)
              .toArray();
      float[] scores = new float[ids.length];
      for (int i = 0; i < ids.length; i++) {
        scores[i] = similarities[ids[i]];
      }
      return new Best(ids, scores);
    }
  }

  /** Receives every frame of a camera into the same memory, until the camera says goodbye. */
  static List<String> intoOwnMemory(int frames) throws Exception {
    try (Listener listener = NioTransport.listen("localhost:0");
        Connection camera = NioTransport.connect(listener.address());
        Connection screen = listener.accept()) {
      new Thread(() -> film(camera, frames)).start();
      List<String> shown = new ArrayList<>();
      float[] frame = new float[1 << 10];
      screen.receiveEachInto(
          frame, info -> shown.add(frame[0] + " " + Arrays.toString(info.shape())));
      return shown;
    }
  }

  private static void film(Connection camera, int frames) {
    try {
      float[] image = new float[8 * 16];
      for (int i = 0; i < frames; i++) {
        image[0] = i;
        camera.send(image, SendOptions.defaults().shape(8, 16));
      }
      camera.close();
    } catch (Exception e) {
      camera.closeNow();
    }
  }

  /** Never waits, waits a little, and waits for the far side. */
  static List<Object> waiting() throws Exception {
    try (Listener listener = NioTransport.listen("localhost:0", (from, array) -> {});
        Connection client = NioTransport.connect(listener.address())) {
      OfferStatus offered = client.offer(new int[] {1});
      ReceivedArray nothing = client.receive(Duration.ofMillis(10));
      client.send(new int[] {2}, SendOptions.processed().timeout(Duration.ofSeconds(10)));
      return List.of(offered, nothing == null);
    }
  }

  /** Publishes from both ends; a subscriber that lags gets the latest. */
  static List<Integer> publishAndSubscribe() throws Exception {
    SubscribeOptions latest = SubscribeOptions.defaults().policy(LagPolicy.DROP_OLDEST);
    try (Listener server = NioTransport.listen("localhost:0");
        Connection client = NioTransport.connect(server.address());
        Connection accepted = server.accept();
        Subscription weights = client.subscribe("weights", latest);
        Subscription gradients = accepted.subscribe("gradients", latest)) {
      server.publish("weights", new int[] {4});
      client.publish("gradients", new int[] {5});
      return List.of(weights.receive().ints()[0], gradients.receive().ints()[0]);
    }
  }

  /** Sends what lies in no array: a buffer, rows, and a file past the heap. */
  static List<float[]> notOnlyArrays(float[] samples, float[][] table, Path weights)
      throws Exception {
    List<float[]> arrays = new CopyOnWriteArrayList<>();
    try (Listener listener =
            NioTransport.listen("localhost:0", (from, array) -> arrays.add(array.floats()));
        Connection client = NioTransport.connect(listener.address())) {
      client.send(FloatBuffer.wrap(samples, 100, 200));
      client.send(ArraySource.rows(table), SendOptions.defaults().shape(table.length, 3));
      client.send(ArraySource.file(weights, ElementType.FLOAT), SendOptions.processed());
      return arrays;
    }
  }

  /**
   * Sends memory of a {@code MemorySegment}, which JDK 22 brought; any thread may read it. Here it
   * is an {@code Object}, so that older JDKs compile the program.
   */
  static float[] memorySegment(Object segment) throws Exception {
    try (Listener listener = NioTransport.listen("localhost:0");
        Connection client = NioTransport.connect(listener.address());
        Connection server = listener.accept()) {
      client.send(ArraySource.segment(segment, ElementType.FLOAT));
      return server.receive().floats();
    }
  }

  /** Encrypted; the authority vouches for every peer that gets in. */
  static float encrypted(Path certificate, Path key, Path authority) throws Exception {
    Tls tls = Tls.server(certificate, key).trust(authority).requireClientCertificate();
    TransportOptions options = TransportOptions.builder().tls(tls).build();
    try (Transport transport = NioTransport.create(options);
        Listener server =
            transport.listen(
                Transport.address("localhost:0"),
                Handlers.answering(query -> Message.of(scaled(query.floats(), 2))));
        Connection client = transport.connect(server.address())) {
      return client.call(new float[] {21}, Duration.ofSeconds(10)).floats()[0];
    }
  }

  /** The bytes for a broker, a file or the body of a request. */
  static float[] withoutAConnection(float[] features, long id) throws Exception {
    byte[] record = ArrayMessage.encode(Message.of(features).tag(id));
    return ArrayMessage.decode(record, Limits.ofBytes(1 << 20)).floats();
  }

  /** Chooses a codec by its name. */
  static String chosenCodec() throws Exception {
    TransportOptions options = TransportOptions.builder().codec("data-output").build();
    try (Transport transport = NioTransport.create(options);
        Listener listener = transport.listen(Transport.address("localhost:0"));
        Connection client = transport.connect(listener.address())) {
      return client.agreement().sendCodec();
    }
  }
}
