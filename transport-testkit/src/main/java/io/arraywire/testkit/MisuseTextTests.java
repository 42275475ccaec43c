package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.LeasedArray;
import io.arraywire.Listener;
import io.arraywire.RequestOptions;
import io.arraywire.RowReader;
import io.arraywire.RowWriter;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.message.Message;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.Transports;
import io.arraywire.testkit.CallerErrors.Call;
import io.arraywire.testkit.TransportStage.Ends;
import java.net.SocketAddress;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * What a caller is told of a mistake fits into a line of a log, however much the caller has given.
 * It has fewer than 300 characters, no control characters, no names of packages.
 */
interface MisuseTextTests {
  /** Given wherever a name is wanted. */
  String NAME = "name of a thing\r\n\u001b[31m" + "of a user's ".repeat(100);

  /** The most dimensions that there may be, each as long as it gets. */
  long[] DIMENSIONS = dimensions(Long.MAX_VALUE);

  TransportStage stage();

  private static long[] dimensions(long each) {
    long[] dimensions = new long[ArrayAttributes.MAX_DIMENSIONS];
    Arrays.fill(dimensions, each);
    return dimensions;
  }

  /** An address that no transport has heard of. */
  final class ForeignAddressOfAUserWhoLikesNamesThatAreLongerThanALineOfThisFileMayBeAndThenSome
      extends SocketAddress {
    private static final long serialVersionUID = 1;

    @Override
    public String toString() {
      return NAME;
    }
  }

  /** Something that is no array. */
  final class Thing {}

  private static void assertShort(String what, Call call) {
    Throwable failure = catchThrowable(() -> call.run());
    assertThat(failure).as(what).isNotNull();
    assertThat(failure.getStackTrace())
        .as(what)
        .anyMatch(frame -> frame.getClassName().startsWith(MisuseTextTests.class.getName()));
    CallerErrors.assertShort(what, failure);
  }

  private static void assertShort(Map<String, Call> calls, Class<?>... types) {
    calls.forEach((what, call) -> {
      assertThat(catchThrowable(() -> call.run())).as(what).isInstanceOfAny(types);
      assertShort(what, call);
    });
  }

  @Test
  default void namesAndOptions() {
    Encoding named = Encoding.custom(200, "x".repeat(500), ByteOrder.BIG_ENDIAN, type -> 4);
    Duration negative = Duration.ofSeconds(Long.MIN_VALUE);
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("type", () -> ElementType.named(NAME));
    calls.put("codec", () -> Codecs.named(NAME));
    calls.put("transport", () -> Transports.create(NAME, TransportOptions.defaults()));
    calls.put(
        "blank encoding",
        () -> Encoding.custom(200, " \n".repeat(500), ByteOrder.BIG_ENDIAN, type -> 4));
    calls.put(
        "code", () -> Encoding.custom(Integer.MIN_VALUE, NAME, ByteOrder.BIG_ENDIAN, type -> 4));
    calls.put("sizes", () -> Encoding.custom(200, NAME, ByteOrder.BIG_ENDIAN, type -> -1));
    calls.put(
        "two codecs have the same name; list each once",
        () ->
            TransportOptions.builder()
                .codecs(new CustomCodec(named), new CustomCodec(named))
                .build());
    calls.put(
        "plain mode with sessions",
        () ->
            TransportOptions.builder()
                .plain(ElementType.FLOAT)
                .sessionTimeout(Duration.ofSeconds(Long.MAX_VALUE))
                .build());
    calls.put("timeout", () -> TransportOptions.builder().sendTimeout(negative).build());
    calls.put("timeout of a send", () -> SendOptions.processed().timeout(negative));
    calls.put("timeout of a request", () -> RequestOptions.defaults().timeout(negative));
    calls.put("queue", () -> SubscribeOptions.defaults().queueBytes(Integer.MIN_VALUE));
    calls.put("negative shape", () -> ArrayAttributes.of(0, dimensions(Long.MIN_VALUE), Map.of()));
    calls.put("long shape", () -> ArrayAttributes.of(0, new long[1_000_000], Map.of()));
    calls.put("metadata", () -> ArrayAttributes.of(0, new long[0], Map.of(NAME, NAME)));
    calls.put("no array", () -> ArraySlice.ofArray(new Thing()));
    calls.put("an array of arrays", () -> ArraySlice.ofArray(new Thing[1][1][1]));
    assertShort(calls, IllegalArgumentException.class);
  }

  @Test
  default void addressesOfOtherKinds() {
    SocketAddress foreign =
        new ForeignAddressOfAUserWhoLikesNamesThatAreLongerThanALineOfThisFileMayBeAndThenSome();
    Transport transport = stage().transport();
    assertShort("connect", () -> transport.connect(foreign));
    assertShort("listen", () -> transport.listen(foreign));
  }

  @Test
  default void attributesAndSubjects() throws Exception {
    Ends ends = stage().ends();
    Listener listener = stage().closing(stage().transport().listen(stage().address()));
    Connection here = ends.here();
    ArraySlice slice = ArraySlice.of(new int[6]);
    SendOptions shaped = SendOptions.handedOff().tag(Long.MIN_VALUE).shape(DIMENSIONS);
    ArrayAttributes attributes = ArrayAttributes.of(Long.MIN_VALUE, DIMENSIONS, Map.of());
    SendOptions full =
        SendOptions.handedOff().shape(many()).metadata("key", "v".repeat(Message.MAX_VALUE_BYTES));
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("send", () -> here.send(slice, shaped));
    calls.put("sendAsync", () -> here.sendAsync(slice, shaped));
    calls.put("offer", () -> here.offer(slice, shaped));
    calls.put("publish", () -> listener.publish("news", slice, attributes));
    calls.put("publish on", () -> listener.publish(NAME, slice));
    calls.put("subscribers", () -> listener.subscribers(NAME));
    calls.put("subscribe", () -> here.subscribe(NAME, SubscribeOptions.defaults()));
    calls.put("channel", () -> here.channel(Integer.MIN_VALUE));
    calls.put("two attributes", () -> here.send(Message.of(new int[1]), full));
    assertShort(calls, IllegalArgumentException.class);
  }

  /** As many dimensions as there may be, of nothing. */
  private static long[] many() {
    long[] many = DIMENSIONS.clone();
    many[0] = 0;
    return many;
  }

  @Test
  default void whatWasNotAgreed() throws Exception {
    Encoding floatsOnly =
        Encoding.custom(
            200,
            "floats ".repeat(80),
            ByteOrder.BIG_ENDIAN,
            type -> type == ElementType.FLOAT ? 4 : 0);
    Ends ends = stage().ends(options -> options.codecs(new CustomCodec(floatsOnly)));
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("send", () -> ends.here().send(new int[1]));
    calls.put(
        "sendAsync",
        () -> ends.here().sendAsync(ArraySlice.of(new int[1]), SendOptions.processed()));
    calls.put("offer", () -> ends.here().offer(ArraySlice.of(new int[1])));
    calls.put(
        "request",
        () -> {
          var unused = ends.here().request(ArraySlice.of(new int[1]), RequestOptions.defaults());
        });
    assertShort(calls, IllegalArgumentException.class);
  }

  @Test
  default void whatPlainModeHasNot() throws Exception {
    Ends ends = stage().ends(options -> options.plain(ElementType.FLOAT));
    ArraySlice slice = ArraySlice.of(new float[6]);
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("shape", () -> ends.here().send(slice, SendOptions.handedOff().shape(DIMENSIONS)));
    calls.put(
        "request",
        () -> {
          var unused = ends.here().request(slice, RequestOptions.defaults());
        });
    calls.put("subscribe", () -> ends.here().subscribe("news", SubscribeOptions.defaults()));
    calls.put("delivery", () -> ends.here().send(slice, SendOptions.processed()));
    calls.put("another type", () -> ends.here().send(new int[1]));
    assertShort(calls, IllegalArgumentException.class, IllegalStateException.class);
  }

  @Test
  default void rowsAndLeases() throws Exception {
    Ends ends = stage().ends();
    RowReader reader = RowReader.of(ends.there(), ElementType.INT, 6);
    RowWriter writer = RowWriter.of(ends.here(), ElementType.INT, 3, 2, SendOptions.processed());
    Object[][] other = new Thing[1][1];
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("capacity", () -> RowReader.of(ends.there(), ElementType.INT, Integer.MIN_VALUE));
    calls.put(
        "row length",
        () -> RowWriter.of(ends.here(), ElementType.INT, -1, 2, SendOptions.processed()));
    calls.put(
        "batch",
        () ->
            RowWriter.of(
                ends.here(),
                ElementType.INT,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                SendOptions.processed()));
    calls.put(
        "timeout",
        () ->
            RowWriter.of(
                ends.here(),
                ElementType.INT,
                3,
                2,
                SendOptions.processed().timeout(Duration.ofSeconds(Long.MAX_VALUE))));
    calls.put("read into", () -> reader.read(other, 0));
    calls.put("read into a slice", () -> reader.read(ArraySlice.of(new float[6])));
    calls.put("write", () -> writer.write(other, 0));
    calls.put("write a slice", () -> writer.write(ArraySlice.of(new int[2])));
    calls.put("offset", () -> writer.write(new int[3], Integer.MIN_VALUE));
    ends.here().send(new int[3]);
    LeasedArray lease = ends.there().receiveLeased();
    calls.put("lease", () -> lease.floats(0));
    calls.put("segment", () -> lease.ints(Integer.MIN_VALUE));
    assertShort(
        calls,
        IllegalArgumentException.class,
        IllegalStateException.class,
        IndexOutOfBoundsException.class);
    lease.close();
    assertShort("lease that is closed", () -> lease.ints(0));
    writer.close();
    assertShort("writer that is closed", () -> writer.write(new int[3], 0));
  }

  @Test
  default void handlersThatAreInTheWay() throws Exception {
    CompletableFuture<Connection> accepted = new CompletableFuture<>();
    CompletableFuture<Listener> listening = new CompletableFuture<>();
    CompletableFuture<Throwable> receives = new CompletableFuture<>();
    CompletableFuture<Throwable> awaits = new CompletableFuture<>();
    Listener listener =
        stage()
            .transport()
            .listen(
                stage().address(),
                (from, array) -> {
                  accepted.complete(from);
                  receives.complete(catchThrowable(() -> from.receive()));
                  awaits.complete(catchThrowable(() -> Eventually.get(listening).awaitClosed()));
                });
    listening.complete(listener);
    Connection connection = stage().transport().connect(listener.address());
    connection.send(new int[3]);
    Connection from = Eventually.get(accepted);
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("accept", () -> listener.accept());
    calls.put("receive", () -> from.receive());
    calls.put("receive on a channel", () -> from.channel(1).receive());
    calls.put("lease", () -> from.receiveLeased());
    calls.put("receive into", () -> from.receiveInto(ArraySlice.of(new int[3], 0, 3)));
    assertShort(calls, IllegalStateException.class);
    CallerErrors.assertShort("receive in the handler", Eventually.get(receives));
    CallerErrors.assertShort("awaitClosed in the handler", Eventually.get(awaits));
    assertThat(Eventually.get(receives)).hasMessageContaining("handler=lambda in MisuseTextTests");
  }
}
