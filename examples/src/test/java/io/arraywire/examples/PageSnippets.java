package io.arraywire.examples;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionLoad;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.LagPolicy;
import io.arraywire.LeasedArray;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.client.AddressStatus;
import io.arraywire.client.ArraywireClient;
import io.arraywire.client.ClientStatus;
import io.arraywire.client.ClientSubscription;
import io.arraywire.client.PublicationHandler;
import io.arraywire.client.RequestDeadline;
import io.arraywire.message.Message;
import io.arraywire.micrometer.ArraywireMetrics;
import io.arraywire.nio.NioOptions;
import io.arraywire.nio.NioTransport;
import io.arraywire.nio.WaitStrategy;
import io.arraywire.security.AcceptLimits;
import io.arraywire.security.Identity;
import io.arraywire.security.Tls;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.io.DataOutputStream;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The blocks of Java that README.md, the tutorial and the how-to pages have and that are in no
 * other program, as the compiler sees them. {@link PageSnippetsTest} compares the pages with this
 * file, and runs what can run without another process.
 */
final class PageSnippets {
  /** Ids and scores. */
  record Result(int[] ids, float[] scores) {}

  /** Stands for an index of the reader's. */
  interface Index {
    Message search(float[] query);

    Message search(float[] query, Duration most);
  }

  /** Stands for weights of the reader's. */
  interface Weights {
    void load(float[] weights);

    void loadAll();
  }

  /** Stands for a model of the reader's. */
  interface Model {
    void learn(float[] sample);

    float[] score(float[] features);
  }

  private PageSnippets() {}

  // --- README ---

  static Listener answering(Index index) throws Exception {
    Listener server =
        NioTransport.listen(":4711", Handlers.answering(query -> index.search(query.floats())));
    return server;
  }

  static int asked(Connection client, float[] query) throws Exception {
    Message top = client.call(query, Duration.ofSeconds(1)).message();
    int[] ids = top.ints("ids");
    float[] scores = top.floats("scores");
    return ids.length + scores.length;
  }

  static void tagged(Connection client, float[] image) throws Exception {
    client.send(
        image, SendOptions.processed().tag(42).shape(480, 640).timeout(Duration.ofSeconds(5)));
  }

  static void handled(Model model) throws Exception {
    try (Listener server =
        NioTransport.listen(":4711", (from, array) -> model.learn(array.floats()))) {
      server.closeOnShutdown().awaitClosed();
    }
  }

  static Subscription published(Listener server, Connection client, float[] weights)
      throws Exception {
    server.publish("weights", weights);
    Subscription latest =
        client.subscribe("weights", SubscribeOptions.defaults().policy(LagPolicy.DROP_OLDEST));
    return latest;
  }

  static void session(float[] readings) throws Exception {
    TransportOptions options =
        TransportOptions.builder()
            .sessionTimeout(Duration.ofMinutes(1))
            .tls(Tls.client().trust(Path.of("ca.pem")))
            .build();
    Connection client =
        NioTransport.create(options).connect(Transport.address("db.example.org:4711"));
    client.send(readings, SendOptions.session());
  }

  // --- docs/tutorial.md ---

  static TransportOptions tutorialMetrics(MeterRegistry registry) {
    ArraywireMetrics metrics = ArraywireMetrics.create(Tags.of("service", "features"));
    metrics.bindTo(registry);
    TransportOptions options = TransportOptions.builder().observer(metrics).build();
    return options;
  }

  // --- docs/how-to/deploy.md ---

  static void stayingUp(String address, Handlers handlers) throws Exception {
    try (Listener server = NioTransport.listen(address, handlers)) {
      server.closeOnShutdown().awaitClosed();
    }
  }

  static TransportOptions known() {
    TransportOptions options =
        TransportOptions.builder()
            .tls(
                Tls.server(Path.of("server.pem"), Path.of("server.key"))
                    .trust(Path.of("ca.pem"))
                    .requireClientCertificate())
            .build();
    return options;
  }

  static TransportOptions watched(MeterRegistry registry) {
    ArraywireMetrics metrics = ArraywireMetrics.create();
    metrics.bindTo(registry);
    TransportOptions watched = TransportOptions.builder().observer(metrics).build();
    return watched;
  }

  // --- docs/client.md ---

  static void asService(float[] query, float[] sample) throws Exception {
    Transport transport = NioTransport.create(TransportOptions.defaults());
    ArraywireClient client = ArraywireClient.over(transport, "a:4711", "b:4711").build();

    float[] scores = client.call(query, Duration.ofMillis(200)).floats();
    client.send(sample, SendOptions.processed());
    assert scores.length > 0;
  }

  static Handlers inTime(Index index) {
    Handlers handlers =
        Handlers.ofRequests((connection, request, reply) -> {
          Duration left = RequestDeadline.of(request).orElse(Duration.ofSeconds(1));
          reply.send(index.search(request.floats(), left));
        });
    return handlers;
  }

  static ClientSubscription kept(ArraywireClient client, Weights model) throws Exception {
    return client.subscribe(
        "weights",
        SubscribeOptions.defaults(),
        new PublicationHandler() {
          @Override
          public void onArray(ReceivedArray weights) {
            model.load(weights.floats());
          }

          @Override
          public void onGap(ArraywireException cause) {
            model.loadAll();
          }
        });
  }

  static boolean health(ArraywireClient client) {
    ClientStatus status = client.status();
    boolean ready = status.ready(); // would a call find a connection?
    for (AddressStatus each : status.addresses()) {
      System.out.println(
          each.address() + " " + each.state() + " " + each.inFlight() + " " + each.lastFailure());
    }
    return ready;
  }

  static void closedAtTheEnd(ArraywireClient client) {
    // If nothing else ends your service in order:
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> {
              try {
                client.close();
              } catch (ArraywireException e) {
                System.err.println(
                    "the client was closed, and may not have finished all calls: " + e);
              }
            }));
  }

  // --- docs/operators.md ---

  static TransportOptions exposed() {
    TransportOptions exposed =
        TransportOptions.builder()
            .tls(
                Tls.server(Path.of("server.pem"), Path.of("server.key"))
                    .trust(Path.of("ca.pem"))
                    .requireClientCertificate())
            .authenticator(peer -> {
              String name = peer.certificates().get(0).getSubjectX500Principal().getName();
              return name.equals("CN=client")
                  ? Identity.of(name).publishing().maxArrayBytes(64 << 20)
                  : null;
            })
            .acceptLimits(AcceptLimits.defaults().connections(2000).connectionsPerAddress(100))
            .maxArrayBytes(64 << 20)
            .build();
    return exposed;
  }

  // --- docs/how-to/size-memory.md ---

  static TransportOptions sized() {
    TransportOptions options =
        TransportOptions.builder()
            .memoryBudgetBytes(256 << 20)
            .inboxBytes(256 << 10)
            .connectionInboxBytes(1 << 20)
            .sendQueueBytes(1 << 20)
            .maxArrayBytes(32 << 20)
            .build();
    return options;
  }

  static long withoutGarbage(Connection connection) throws Exception {
    long sum = 0;
    float[] frame = new float[1 << 20];
    ArrayInfo info = new ArrayInfo();
    connection.receiveInto(frame, info);
    try (LeasedArray lease = connection.receiveLeased()) {
      sum += lease.header().count();
    }
    return sum + info.count();
  }

  // --- docs/how-to/tune-for-latency.md ---

  static Handlers onTheLoop(float[] weights) {
    Handlers scores =
        Handlers.answering(query -> Message.of(dot(query.floats(), weights))).onLoop();
    return scores;
  }

  private static float[] dot(float[] a, float[] b) {
    float sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return new float[] {sum};
  }

  static Transport polling() {
    NioOptions polling = NioOptions.builder().waitStrategy(WaitStrategy::busy).build();
    Transport transport = NioTransport.create(TransportOptions.defaults(), polling);
    return transport;
  }

  static void urgent(Connection client, float[] urgent) throws Exception {
    client.channel(1).send(urgent);
  }

  // --- docs/how-to/tune-for-throughput.md ---

  static void inFlight(Connection client, List<float[]> arrays) throws Exception {
    Deque<CompletableFuture<Receipt>> inFlight = new ArrayDeque<>();
    for (float[] each : arrays) {
      if (inFlight.size() == 4) {
        inFlight.remove().get();
      }
      inFlight.add(client.sendAsync(each).toCompletableFuture());
    }
    for (CompletableFuture<Receipt> each : inFlight) {
      each.get();
    }
  }

  static TransportOptions far() {
    TransportOptions far =
        TransportOptions.builder().inboxBytes(64 << 20).connectionInboxBytes(64 << 20).build();
    return far;
  }

  // --- docs/how-to/debug-slowness.md ---

  static void describe(Connection connection) {
    System.out.println(connection.describe());
    ConnectionLoad load = connection.load();
    System.out.println(
        load.queuedBytes() + " queued, " + load.waitingBytes() + " not received yet");
  }

  // --- docs/how-to/migrate-from-data-output-stream.md ---

  static void oldWay(DataOutputStream out, float[] floats) throws Exception {
    out.writeInt(floats.length);
    for (float each : floats) {
      out.writeFloat(each);
    }
  }

  static Listener plain(SocketAddress address, Consumer<float[]> sink) throws Exception {
    TransportOptions plain = TransportOptions.builder().plain(ElementType.FLOAT).build();
    Transport transport = NioTransport.create(plain);
    Listener listener = transport.listen(address, (from, array) -> sink.accept(array.floats()));
    return listener;
  }

  static void plainSender(Transport transport, SocketAddress address, float[] floats)
      throws Exception {
    Connection connection = transport.connect(address);
    connection.send(floats);
    connection.close();
  }

  // --- docs/how-to/migrate-from-netty.md ---

  static Listener whole(String address, Model model, float[] features, Collection<float[]> scores)
      throws Exception {
    Listener server =
        NioTransport.listen(
            address, Handlers.answering(query -> Message.of(model.score(query.floats()))));
    Connection client = NioTransport.connect(server.address());
    client.request(features).thenAccept(reply -> scores.add(reply.floats()));
    return server;
  }

  // --- docs/how-to/migrate-from-grpc.md ---

  static Listener method(String address, Function<float[], Result> search) throws Exception {
    Listener server =
        NioTransport.listen(
            address,
            Handlers.answering(query -> {
              Result top = search.apply(query.floats());
              return Message.of("ids", top.ids()).with("scores", top.scores());
            }));
    return server;
  }

  static Message calls(Transport transport, float[] features) throws Exception {
    ArraywireClient client = ArraywireClient.over(transport, "a:4711", "b:4711").build();
    Message answer = client.idempotent().call(features, Duration.ofMillis(200)).message();
    return answer;
  }

  // --- docs/how-to/migrate-from-zeromq.md ---

  static float[] latest(String address) throws Exception {
    Listener server = NioTransport.listen(address);
    Connection client = NioTransport.connect(server.address());
    SubscribeOptions latest = SubscribeOptions.defaults().policy(LagPolicy.DROP_OLDEST);
    Subscription weights = client.subscribe("weights", latest);
    server.publish("weights", new float[] {0.5f, 1});
    float[] newest = weights.receive().floats();
    client.close();
    server.close();
    return newest;
  }
}
