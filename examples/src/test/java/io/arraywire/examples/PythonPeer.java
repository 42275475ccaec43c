package io.arraywire.examples;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Delivery;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.examples.cli.Outcome;
import io.arraywire.message.Message;
import io.arraywire.security.Tls;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.Transports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The Java end of {@code python/tests}. One process does many jobs at a time, since starting a JVM
 * takes longer than most of them: {@code PythonPeer jobs} reads lines {@code ID<TAB>WORD<TAB>WORD},
 * each of which begins a job, and {@code ID}, which ends one; each line that it prints begins with
 * the job's {@code ID<TAB>}, and its last one is {@code ended}, with what went wrong. One job as a
 * process of its own, which a test can kill:
 *
 * <pre>
 * PythonPeer serve TRANSPORT CODEC          sends arrays back, answers requests, publishes
 * PythonPeer ask TRANSPORT CODEC PORT N     N requests to a Python server
 * PythonPeer echo TRANSPORT CODEC PORT N    arrays of all types, of N elements at most, to a Python server that sends
 *                                           them back
 * PythonPeer follow TRANSPORT CODEC PORT N  takes N arrays of a subject that Python publishes
 * PythonPeer keep TRANSPORT CODEC PORT N    sends N arrays within a session
 * PythonPeer parts TRANSPORT CODEC PORT     messages whose parts name codecs, to a Python server
 * PythonPeer numbered TRANSPORT CODEC       checks {@link NumberedBytes} that come, and sends as many
 * PythonPeer command WORD...                runs ./arraywire, and prints its status and what it complains of
 * PythonPeer program WORD...                the same; then a line "out LINE" or "err LINE" for each, and "status N"
 * </pre>
 *
 * <p>CODEC may be several, with commas between them. An array or message whose attributes name a
 * {@code codec} is sent back by that one. Behind the codec may stand {@code +DIRECTORY}: then TLS
 * is spoken, both sides have certificates, and those of docs/tls.md are there.
 */
final class PythonPeer implements ArrayHandler, RequestHandler {
  private static final long REFUSED_TAG = 666;
  private static final long PUBLISHED_TAG = 777;
  private static final long COUNTED_TAG = 888;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int IN_FLIGHT = 100;
  private static final long MAX_ARRAY_BYTES = 8L << 30;

  /** Lengths of arrays, around those at which buffers and frames end; as in test_java.py. */
  private static final int[] COUNTS = {
    0, 1, 15, 16, 17, 255, 257, 4095, 4097, 16_383, 16_385, 65_535, 65_536, 65_537, 262_145,
    1_000_003
  };

  private final CompletableFuture<Listener> listener = new CompletableFuture<>();
  private final AtomicLong counted = new AtomicLong();

  private PythonPeer() {}

  /**
   * Runs until it is killed, or done.
   *
   * @param arguments see above
   * @throws Exception if anything fails
   */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("jobs")) {
      jobs();
    } else {
      run(arguments, System.out::println);
    }
  }

  private static void jobs() throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Map<String, Thread> threads = new HashMap<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split("\t", -1);
      String id = words[0];
      if (words.length == 1) {
        threads.get(id).interrupt();
      } else {
        String[] arguments = Arrays.copyOfRange(words, 1, words.length);
        Thread thread = new Thread(() -> job(id, arguments), "job " + line);
        threads.put(id, thread);
        thread.start();
      }
    }
    threads.values().forEach(Thread::interrupt);
  }

  private static void job(String id, String[] arguments) {
    String end = "";
    try {
      run(arguments, line -> System.out.println(id + "\t" + line));
    } catch (InterruptedException e) {
      end = " by the test";
    } catch (Exception | AssertionError e) {
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      end = " by " + trace.toString().replace(System.lineSeparator(), " | ");
    }
    System.out.println(id + "\tended" + end);
  }

  private static TransportOptions options(String codec, boolean listens) {
    String[] parts = codec.split("\\+", 2);
    Codec[] codecs = Stream.of(parts[0].split(",")).map(Codecs::named).toArray(Codec[]::new);
    TransportOptions.Builder options =
        TransportOptions.builder()
            .codecs(codecs)
            .sessionTimeout(PATIENCE)
            .maxArrayBytes(MAX_ARRAY_BYTES);
    if (parts.length == 2) {
      Path folder = Path.of(parts[1]);
      String name = listens ? "server" : "client";
      Path certificate = folder.resolve(name + ".pem");
      Path key = folder.resolve(name + ".key");
      Path authority = folder.resolve("ca.pem");
      options.tls(
          listens
              ? Tls.server(certificate, key).trust(authority).requireClientCertificate()
              : Tls.client().certificate(certificate, key).trust(authority));
    }
    return options.build();
  }

  private static void run(String[] arguments, Consumer<String> out) throws Exception {
    if (arguments[0].equals("command")) {
      Outcome outcome = Outcome.run(Arrays.copyOfRange(arguments, 1, arguments.length));
      out.accept(outcome.status() + " " + outcome.err().strip());
      return;
    }
    if (arguments[0].equals("program")) {
      Outcome outcome = Outcome.run(Arrays.copyOfRange(arguments, 1, arguments.length));
      outcome.outLines().forEach(line -> out.accept("out " + line));
      outcome.errLines().forEach(line -> out.accept("err " + line));
      out.accept("status " + outcome.status());
      return;
    }
    boolean numbered = arguments[0].equals("numbered");
    boolean listens = numbered || arguments[0].equals("serve");
    try (Transport transport = Transports.create(arguments[1], options(arguments[2], listens))) {
      if (listens) {
        PythonPeer peer = new PythonPeer();
        Listener listener =
            transport.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                numbered ? numbered() : Handlers.ofArrays(peer).withRequests(peer));
        peer.listener.complete(listener);
        out.accept("listening on " + listener.address());
        listener.awaitClosed();
        return;
      }
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[3]));
      try (Connection connection = transport.connect(address)) {
        switch (arguments[0]) {
          case "ask" -> ask(connection, Integer.parseInt(arguments[4]), out);
          case "echo" -> echo(connection, Integer.parseInt(arguments[4]), out);
          case "follow" -> follow(connection, Integer.parseInt(arguments[4]), out);
          case "parts" -> parts(connection, out);
          case "keep" -> keep(connection, Integer.parseInt(arguments[4]), out);
          default -> throw new IllegalArgumentException(arguments[0]);
        }
      }
    }
  }

  @Override
  public void onArray(Connection connection, ReceivedArray array) throws Exception {
    if (array.tag() == REFUSED_TAG) {
      throw new IllegalArgumentException("this test does not like it");
    }
    if (array.tag() == COUNTED_TAG) {
      long expected = counted.getAndIncrement();
      if (array.longs()[0] != expected) {
        throw new IllegalArgumentException(array.longs()[0] + " is not " + expected);
      }
      return;
    }
    ArrayAttributes attributes = array.header().attributes();
    if (array.tag() == PUBLISHED_TAG) {
      listener.join().publish("ticks", array.slice(), attributes);
      return;
    }
    SendOptions options = new SendOptions(attributes, Delivery.HANDED_OFF);
    String codec = attributes.metadata().get("codec");
    connection
        .channel(array.header().channel())
        .send(array.slice(), codec == null ? options : options.codec(codec));
  }

  @Override
  public void onRequest(Connection connection, ReceivedArray request, Reply reply) {
    if (request.count() == 0) {
      reply.fail("there is no such table");
    } else if (request.tag() != REFUSED_TAG) {
      reply.send(request.slice());
    }
  }

  private static void ask(Connection connection, int count, Consumer<String> out) throws Exception {
    List<CompletionStage<ReceivedArray>> stages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      float[] query = new float[16];
      Arrays.fill(query, i);
      stages.add(connection.request(ArraySlice.of(query), RequestOptions.defaults()));
      if (i >= IN_FLIGHT) {
        check(i - IN_FLIGHT, stages.get(i - IN_FLIGHT));
      }
    }
    for (int i = Math.max(0, count - IN_FLIGHT); i < count; i++) {
      check(i, stages.get(i));
    }
    out.accept("answered " + count);
  }

  private static void check(int i, CompletionStage<ReceivedArray> stage) throws Exception {
    float[] answer =
        stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS).floats();
    if (answer.length != 16 || answer[15] != 2f * i) {
      throw new AssertionError("request " + i + ": " + Arrays.toString(answer));
    }
  }

  private static void echo(Connection connection, int most, Consumer<String> out) throws Exception {
    int arrays = 0;
    for (ElementType type : connection.agreement().elementTypes()) {
      for (int count : IntStream.of(COUNTS).filter(each -> each <= most).toArray()) {
        Object array = random(type, count);
        connection.send(
            ArraySlice.ofArray(array).as(type),
            SendOptions.handedOff().tag(++arrays).metadata("key", "value"));
        ReceivedArray back = connection.receive(PATIENCE);
        if (back == null
            || back.tag() != arrays
            || back.type() != type
            || !back.header().attributes().metadata().equals(Map.of("key", "value"))
            || !Objects.deepEquals(back.slice().array(), array)) {
          throw new AssertionError(count + " of " + type + " are not what was sent: " + back);
        }
      }
    }
    out.accept("echoed " + arrays);
  }

  /** Random bits as elements of a type. */
  private static Object random(ElementType type, int count) {
    byte[] bytes = new byte[count * type.bytes()];
    new Random(count).nextBytes(bytes);
    ByteBuffer bits = ByteBuffer.wrap(bytes);
    switch (type.carrier()) {
      case FLOAT -> {
        float[] array = new float[count];
        bits.asFloatBuffer().get(array);
        return array;
      }
      case INT -> {
        int[] array = new int[count];
        bits.asIntBuffer().get(array);
        return array;
      }
      case DOUBLE -> {
        double[] array = new double[count];
        bits.asDoubleBuffer().get(array);
        return array;
      }
      case LONG -> {
        long[] array = new long[count];
        bits.asLongBuffer().get(array);
        return array;
      }
      case SHORT -> {
        short[] array = new short[count];
        bits.asShortBuffer().get(array);
        return array;
      }
      case CHAR -> {
        char[] array = new char[count];
        bits.asCharBuffer().get(array);
        return array;
      }
      case BYTE -> {
        return bytes;
      }
      case BOOLEAN -> {
        boolean[] array = new boolean[count];
        for (int i = 0; i < count; i++) {
          array[i] = bytes[i] < 0;
        }
        return array;
      }
      default -> throw new IllegalArgumentException(type.toString());
    }
  }

  private static void follow(Connection connection, int count, Consumer<String> out)
      throws Exception {
    try (Subscription ticks = connection.subscribe("ticks", SubscribeOptions.defaults())) {
      out.accept("subscribed");
      for (int i = 1; i <= count; i++) {
        ReceivedArray tick = ticks.receive(PATIENCE);
        if (tick == null || tick.tag() != i || tick.doubles()[0] != i) {
          throw new AssertionError("tick " + i + ": " + tick);
        }
      }
    }
    out.accept("followed " + count);
  }

  private static void keep(Connection connection, int count, Consumer<String> out)
      throws Exception {
    for (int i = 0; i < count; i++) {
      connection.send(ArraySlice.of(new long[] {i}), SendOptions.session());
    }
    out.accept("kept " + count);
  }

  private static void parts(Connection connection, Consumer<String> out) throws Exception {
    Message message = CodedParts.message().tag(1).attribute("unit", "K");
    connection.send(message, SendOptions.processed());
    connection.send(CodedParts.floats(), SendOptions.processed().codec("bf16"));
    connection.call(message, PATIENCE);
    out.accept("sent");
  }

  /**
   * An array, whose tag is its length, comes without memory for it. It goes back with every bit
   * inverted.
   */
  private static Handlers numbered() {
    return Handlers.ofArrays(
            (connection, array) -> connection.sendAsync(NumberedBytes.source(array.tag(), ~0)))
        .withTargets((connection, header) -> NumberedBytes.sink(0));
  }
}
