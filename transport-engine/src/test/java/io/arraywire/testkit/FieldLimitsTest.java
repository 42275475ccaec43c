package io.arraywire.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.SendOptions;
import io.arraywire.Subscription;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.message.Message;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.HandshakeMessage.Kind;
import io.arraywire.wire.Preamble;
import io.arraywire.wire.SessionOffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every field of {@code docs/protocol.md} at the least and the most that the tables of the page
 * say, and one beyond each: rows of the page without a case here fail, and cases without a row.
 */
class FieldLimitsTest {
  private static final int CHANNELS = 8;
  private static final int SUBSCRIPTIONS = 5;
  private static final int FIRST_CREDIT = 1 << 20;
  private static final int MAX_ARRAY_BYTES = 1 << 17;
  private static final int MAX_FRAME_BYTES = 1 << 16;

  /** Requests have numbers from here on, where the highest one is asked for. */
  private static final int HIGHEST_REQUEST = 5;

  /** What the page says in words, in the connections of this test. */
  private static final Map<String, Long> WORDS =
      Map.ofEntries(
          Map.entry("channels - 1", CHANNELS - 1L),
          Map.entry("subscriptions - 1", SUBSCRIPTIONS - 1L),
          Map.entry("the next", 2L),
          Map.entry("max_array_bytes", (long) MAX_ARRAY_BYTES),
          Map.entry("max_frame_bytes", (long) MAX_FRAME_BYTES),
          Map.entry("those that have come", 3L),
          Map.entry("the last that was sent", 1L),
          Map.entry("what it was", (long) FIRST_CREDIT),
          Map.entry("the highest that has come", (long) HIGHEST_REQUEST),
          Map.entry("the last request", 1L),
          Map.entry("the rest of its section", 8L),
          Map.entry("65,536 bytes of them", 1L << 16),
          Map.entry("the rest of the payload", 6L),
          Map.entry("its elements", 4L),
          Map.entry("those of the message", (long) hello().length));

  /** Brings one value of one field to a connection that is made for it. */
  private interface Probe {
    /** What the value is refused with, or null. */
    @Nullable ErrorCode refusal(long value) throws Exception;
  }

  /** A row of the page. */
  record Row(String field, long least, long most, String less, String more) {
    @Override
    public String toString() {
      return field;
    }
  }

  private static long number(String cell) {
    String text = cell.replace("`", "").replace(" in Java", "");
    Long word = WORDS.get(text);
    if (word != null) {
      return word;
    }
    BigInteger value = BigInteger.ZERO;
    int sign = 1;
    for (String term : text.replace(" - ", " -").split(" ")) {
      sign = term.startsWith("-") ? -1 : 1;
      String digits = term.substring(sign < 0 ? 1 : 0);
      BigInteger next =
          digits.startsWith("2^")
              ? BigInteger.ONE.shiftLeft(Integer.parseInt(digits.substring(2)))
              : new BigInteger(digits);
      value = value.add(next.multiply(BigInteger.valueOf(sign)));
    }
    return value.longValue();
  }

  private static Stream<Row> rows(String heading) throws IOException {
    return ProtocolPageTest.table(heading).stream()
        .map(cells ->
            new Row(
                cells.get(0).replaceFirst(" \\(.*", ""),
                number(cells.get(1)),
                number(cells.get(2)),
                cells.get(3),
                cells.get(cells.size() - 1)));
  }

  static Stream<Row> fieldsOfFrames() throws IOException {
    return rows("### Fields");
  }

  static Stream<Row> fieldsOfPreambles() throws IOException {
    return rows("#### Limits of a preamble");
  }

  static Stream<Row> fieldsOfHandshakes() throws IOException {
    return rows("#### Limits of a hello");
  }

  @ParameterizedTest
  @MethodSource({"fieldsOfFrames", "fieldsOfPreambles", "fieldsOfHandshakes"})
  void isTakenAtItsLimitsAndRefusedBeyond(Row row) throws Exception {
    Probe probe = Objects.requireNonNull(PROBES.get(row.field()), row.field());
    assertThat(probe.refusal(row.least())).as("the least, %d", row.least()).isNull();
    assertThat(probe.refusal(row.most()))
        .as("the most, %s", Long.toUnsignedString(row.most()))
        .isNull();
    if (!row.less().equals("-")) {
      assertThat(probe.refusal(row.least() - 1))
          .as("less than %d", row.least())
          .isEqualTo(ErrorCode.valueOf(row.less()));
    }
    if (!row.more().equals("-")) {
      assertThat(probe.refusal(row.most() + 1))
          .as("more than %d", row.most())
          .isEqualTo(ErrorCode.valueOf(row.more()));
    }
  }

  @Test
  void thePageHasARowForEveryCase() throws IOException {
    assertThat(
            Stream.of(fieldsOfFrames(), fieldsOfPreambles(), fieldsOfHandshakes())
                .flatMap(rows -> rows)
                .map(Row::field))
        .containsExactlyInAnyOrderElementsOf(PROBES.keySet());
  }

  // What is brought.

  private static final Map<String, Probe> PROBES = new LinkedHashMap<>();

  static {
    PROBES.put("flags", value -> after(open(), pong().with(h -> h.flags = (int) value)));
    PROBES.put("attribute bytes", FieldLimitsTest::attributeBytes);
    PROBES.put("channel", value -> after(open(), pong().with(h -> h.channel = (int) value)));
    PROBES.put(
        "number of a subscription",
        value ->
            after(open(), pong().with(h -> h.channel = FrameLayout.SUBSCRIPTION | (int) value)));
    PROBES.put(
        "sequence of an array",
        value -> after(open(), bytes(1), bytes(1).with(h -> h.sequence = value)));
    PROBES.put("tag", value -> after(open(), bytes(1).with(h -> h.tag = value)));
    PROBES.put("element count", FieldLimitsTest::elementCount);
    PROBES.put("array bytes", value -> after(open(), begun(value, value == 0 ? 0 : 1)));
    PROBES.put(
        "index of the first element in a CHUNK",
        value -> after(open(), begun(9, 3), RawFrame.chunk(begun(9, 3), value, new byte[1])));
    PROBES.put(
        "payload bytes of an ARRAY with elements",
        value -> after(open(), begun(MAX_ARRAY_BYTES, (int) value)));
    PROBES.put(
        "payload bytes of a CHUNK",
        value -> {
          RawFrame first = begun(MAX_ARRAY_BYTES, 1);
          return after(open(), first, RawFrame.chunk(first, 1, new byte[(int) value]));
        });
    PROBES.put(
        "payload bytes of a control frame",
        value -> after(open(), RawFrame.control(FrameType.PONG, 0, new byte[(int) value])));
    PROBES.put(
        "acknowledged sequence",
        value -> after(havingSent(), RawFrame.control(FrameType.ACK, value)));
    PROBES.put(
        "sequence of a REJECTED",
        value ->
            after(
                havingSent(),
                RawFrame.control(
                    FrameType.REJECTED,
                    value,
                    FaultBody.write(new ArraywireException(ErrorCode.REJECTED, "no")))));
    PROBES.put("credit of a channel", value -> after(open(), credit(value, FIRST_CREDIT)));
    PROBES.put("credit of all channels", value -> after(open(), credit(FIRST_CREDIT, value)));
    PROBES.put(
        "request of a CANCEL",
        value ->
            after(
                open(),
                with(RawSections.REQUEST, HIGHEST_REQUEST),
                RawFrame.control(FrameType.CANCEL, 0).with(h -> h.tag = value)));
    PROBES.put("session_sequence", FieldLimitsTest::sessionSequence);
    PROBES.put("request", value -> after(open(), with(RawSections.REQUEST, value)));
    PROBES.put("reply", value -> after(havingAsked(), with(RawSections.REPLY, value)));
    PROBES.put("publication", FieldLimitsTest::publication);
    PROBES.put("error code of a fault", value -> after(havingAsked(), fault((int) value, 0)));
    PROBES.put("text bytes of a fault", value -> after(havingAsked(), fault(1, (int) value)));
    PROBES.put("subject, in bytes", value -> subscribe("x".repeat((int) value), 1, 1));
    PROBES.put("policy", value -> subscribe("news", value, 1));
    PROBES.put("queue_bytes", value -> subscribe("news", 1, value));
    PROBES.put("elements of a block", FieldLimitsTest::elementsOfABlock);
    PROBES.put("bytes of a block", FieldLimitsTest::bytesOfABlock);
    PROBES.put(
        "bytes of a raw block", value -> blocks(4, new byte[(int) value], 4, true, (int) value));
    PROBES.put("count in plain mode", FieldLimitsTest::countInPlainMode);

    PROBES.put("least version", value -> preamble((int) value, 2, hello(), header -> {}));
    PROBES.put("most version", value -> preamble(2, (int) value, hello(), header -> {}));
    PROBES.put("message bytes", FieldLimitsTest::messageBytes);
    PROBES.put(
        "bytes 6 and 7",
        value -> preamble(2, 2, hello(), header -> header.putShort(6, (short) value)));
    PROBES.put(
        "bytes 16 to 19",
        value -> preamble(2, 2, hello(), header -> header.putInt(16, (int) value)));
    hello("max_array_bytes", 4);
    hello("max_frame_bytes", 5);
    hello("channels", 11);
    hello("channel_credit", 12);
    hello("connection_credit", 13);
    hello("heartbeat_millis", 14);
    hello("subscriptions", 21);
    hello("session_millis", 15);
    hello("element_types, a code", 2);
    hello("native_order", 3);
    PROBES.put(
        "encodings, a code",
        value -> answer(new RawFields().message(1, encoding(value)).toBytes()));
    PROBES.put("wire_version in a welcome", FieldLimitsTest::wireVersion);
  }

  private static TransportOptions.Builder options() {
    return EngineBench.options()
        .codecs(EngineBench.RAW_LE, RunsCodec.CODEC)
        .checksums(Checksums.UNWANTED)
        .maxArrayBytes(MAX_ARRAY_BYTES)
        .maxFrameBytes(MAX_FRAME_BYTES);
  }

  private static FlowOffer flow() {
    return new FlowOffer(CHANNELS, FIRST_CREDIT, FIRST_CREDIT, 0, SUBSCRIPTIONS);
  }

  private static EngineBench open() {
    return open(options());
  }

  private static EngineBench open(TransportOptions.Builder options) {
    return EngineBench.acceptor(options).open(EngineBench.offer(flow()));
  }

  private static @Nullable ErrorCode after(EngineBench bench, RawFrame... frames) {
    bench.feed(frames);
    return refusal(bench);
  }

  private static @Nullable ErrorCode refusal(EngineBench bench) {
    if (bench.connection.isOpen()) {
      bench.connection.closeNow();
      bench.pump();
      return null;
    }
    bench.end();
    return Objects.requireNonNull(bench.handler.cause, bench.connection.describe()).code();
  }

  private static RawFrame pong() {
    return RawFrame.control(FrameType.PONG, 0);
  }

  /** A whole array of so many bytes. */
  private static RawFrame bytes(int count) {
    return begun(count, count);
  }

  /** An array of so many bytes, and the first of them. */
  private static RawFrame begun(long count, int payload) {
    return RawFrame.array(
            Encoding.RAW_LITTLE_ENDIAN.code(), ElementType.BYTE.code(), 1, count, new byte[payload])
        .with(header -> header.arrayBytes = count);
  }

  private static RawFrame with(int kind, long value) {
    return bytes(1).withAttributes(new RawSections().number(kind, value).toBytes());
  }

  private static RawFrame credit(long ofChannel, long ofAll) {
    return RawFrame.control(FrameType.CREDIT, 0)
        .with(header -> {
          header.tag = ofChannel;
          header.count = ofAll;
        });
  }

  private static EngineBench havingSent() {
    EngineBench bench = open();
    bench.connection.sendAsync(ArraySlice.of(new byte[1]), SendOptions.processed());
    bench.pump();
    return bench;
  }

  private static EngineBench havingAsked() {
    EngineBench bench = open();
    var unused = bench.connection.request(ArraySlice.of(new byte[1]));
    bench.pump();
    return bench;
  }

  /** A message whose table of parts takes as much as it may, less what a request's number takes. */
  private static Message largest() {
    ArraySlice element = ArraySlice.of(new byte[1]);
    Message message = Message.of("0".repeat(240), element);
    for (int i = 1; i < 255; i++) {
      message = message.with(Integer.toString(1000 + i).repeat(60), element);
    }
    return message.with("z".repeat(208), element);
  }

  /** What is not zero is beyond, or exactly what the attributes of the largest message take. */
  private static @Nullable ErrorCode attributeBytes(long value) {
    if (value == 0) {
      return after(open(), bytes(1));
    }
    EngineBench sender = EngineBench.connector(options()).open(EngineBench.offer(flow()));
    var unused = sender.connection.request(largest());
    sender.pump();
    RawFrame frame = sender.frame(FrameType.ARRAY);
    assertThat(frame.attributes()).hasSize(FrameLayout.MAX_ATTRIBUTE_BYTES);
    return after(open(), frame.with(header -> header.attributeBytes = (int) value));
  }

  private static @Nullable ErrorCode elementCount(long value) {
    return after(open(options().maxArrayBytes(Long.MAX_VALUE)), begun(value, value == 0 ? 0 : 1));
  }

  private static @Nullable ErrorCode sessionSequence(long value) {
    EngineBench bench = EngineBench.acceptor(options().sessionTimeout(Duration.ofSeconds(20)));
    bench.feed(
        EngineBench.preambled(
            HandshakeMessage.hello(
                EngineBench.offer(flow()), new SessionOffer(60_000, new byte[0], new byte[0]))));
    assertThat(bench.connection.agreement().sessionTimeout()).isPositive();
    bench.out.reset();
    bench.feed(with(RawSections.SESSION, value));
    return bench.linkClosed || !bench.frames().stream().allMatch(FieldLimitsTest::isNoError)
        ? ErrorCode.MALFORMED_PAYLOAD
        : null;
  }

  private static boolean isNoError(RawFrame frame) {
    return frame.type() != FrameType.ERROR;
  }

  private static @Nullable ErrorCode publication(long value) throws Exception {
    EngineBench bench = EngineBench.connector(options()).open(EngineBench.offer(flow()));
    Running<Subscription> subscribing = Running.start(() -> bench.connection.subscribe("news"));
    Eventually.until(
        "it has asked",
        () -> {
          bench.pump();
          return bench.outBytes().length > 0;
        });
    int number = bench.frame(FrameType.SUBSCRIBE).header().channel;
    bench.feed(RawFrame.control(FrameType.SUBSCRIBED, 0).with(h -> h.channel = number));
    assertThat(subscribing.get().subject()).isEqualTo("news");
    return after(bench, with(RawSections.PUBLICATION, value).with(h -> h.channel = number));
  }

  /**
   * A reply that says why there is none: its section has room for a text of 8 bytes, or of none.
   */
  private static RawFrame fault(int code, int textBytes) {
    int room = textBytes == 0 ? 0 : 8;
    ByteBuffer attributes = ByteBuffer.allocate(32 + room).order(ByteOrder.LITTLE_ENDIAN);
    attributes.put(new RawSections().number(RawSections.REPLY, 1).toBytes());
    attributes.putShort((short) 19).putShort((short) 1).putInt(16 + room);
    attributes.putInt(code).putInt(textBytes).put("a reason".getBytes(US_ASCII), 0, room);
    return bytes(0).withAttributes(attributes.array());
  }

  private static @Nullable ErrorCode subscribe(String subject, long policy, long queueBytes) {
    byte[] body =
        new RawFields().text(1, subject).number(2, policy).number(3, queueBytes).toBytes();
    return after(
        open(),
        RawFrame.control(FrameType.SUBSCRIBE, 0, body)
            .with(header -> header.channel = FrameLayout.SUBSCRIPTION));
  }

  /** So many equal bytes, as {@link RunsCodec} has them. */
  private static byte[] run(int elements) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (int left = elements; left > 0; left -= 256) {
      content.write(Math.min(left, 256) - 1);
      content.write(1);
    }
    return content.size() == 0 ? new byte[2] : content.toByteArray();
  }

  /** One block of an array of bytes; of negative bytes are said as many as there are. */
  private static @Nullable ErrorCode blocks(
      int count, byte[] content, int elements, boolean raw, int bytes) {
    int said = bytes < 0 ? content.length : bytes;
    byte[] block =
        ByteBuffer.allocate(8 + content.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(raw ? said | 1 << 31 : said)
            .putInt(elements)
            .put(content)
            .array();
    return after(
        open(),
        RawFrame.array(RunsCodec.ENCODING.code(), ElementType.BYTE.code(), 1, count, block)
            .with(header -> header.arrayBytes = count));
  }

  /** One element has no smaller block than a raw one. */
  private static @Nullable ErrorCode elementsOfABlock(long value) {
    return value <= 1
        ? blocks(70_000, new byte[1], (int) value, true, -1)
        : blocks(70_000, run((int) value), (int) value, false, -1);
  }

  /** A raw block of one byte is the least; the most has the six bytes of three runs. */
  private static @Nullable ErrorCode bytesOfABlock(long value) {
    return value <= 1
        ? blocks(1, new byte[1], 1, true, (int) value)
        : blocks(600, run(600), 600, false, (int) value);
  }

  private static @Nullable ErrorCode countInPlainMode(long value) {
    EngineBench bench =
        EngineBench.acceptor(options().codecs(EngineBench.RAW_BE).plain(ElementType.BYTE));
    bench.feed(ByteBuffer.allocate(4).putInt((int) value).array());
    return refusal(bench);
  }

  // Handshakes.

  /** The last one of several counts, as protobuf has it; of repeated ones it is one more. */
  private static void hello(String field, int number) {
    PROBES.put(field, value -> answer(new RawFields().element(number, value).toBytes()));
  }

  private static byte[] encoding(long code) {
    return new RawFields().element(1, code).text(2, "some").toBytes();
  }

  private static byte[] hello() {
    return HandshakeMessage.hello(EngineBench.offer(flow()));
  }

  /** What a listener makes of a preamble that is right but for a change, and of its message. */
  private static @Nullable ErrorCode preamble(
      int least, int most, byte[] message, Consumer<ByteBuffer> change) {
    byte[] bytes = Preamble.write(least, most, message);
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    change.accept(header);
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, Preamble.BYTES - Integer.BYTES);
    header.putInt(Preamble.BYTES - Integer.BYTES, (int) checksum.getValue());
    EngineBench bench = EngineBench.acceptor(options());
    bench.feed(bytes);
    return answer(bench);
  }

  /** A field that nobody knows fills the largest message, and the one beyond is only announced. */
  private static @Nullable ErrorCode messageBytes(long value) {
    byte[] hello = hello();
    int room = Preamble.MAX_MESSAGE_BYTES - hello.length - 3;
    byte[] message =
        value < Preamble.MAX_MESSAGE_BYTES
            ? hello
            : new RawFields().raw(hello).bytes(15, new byte[room]).toBytes();
    return preamble(2, 2, message, header -> header.putInt(8, (int) value));
  }

  /** What a listener makes of a hello that is right but for what comes behind. */
  private static @Nullable ErrorCode answer(byte[] more) {
    byte[] fields = Objects.requireNonNull(RawFields.bytesIn(hello(), 1));
    EngineBench bench = EngineBench.acceptor(options());
    bench.feed(
        EngineBench.preambled(
            new RawFields().message(1, new RawFields().raw(fields).raw(more).toBytes()).toBytes()));
    return answer(bench);
  }

  private static @Nullable ErrorCode answer(EngineBench bench) {
    HandshakeMessage answer = bench.handshake();
    if (answer.kind() == Kind.WELCOME) {
      bench.connection.closeNow();
      bench.pump();
      return null;
    }
    return Objects.requireNonNull(answer.fault()).code();
  }

  private static @Nullable ErrorCode wireVersion(long value) {
    EngineBench bench = EngineBench.connector(options());
    bench.feed(
        EngineBench.preambled(HandshakeMessage.welcome(EngineBench.offer(flow()), (int) value)));
    return refusal(bench);
  }
}
