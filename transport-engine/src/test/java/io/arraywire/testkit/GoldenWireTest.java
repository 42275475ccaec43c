package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.ConnectionLostException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.LagPolicy;
import io.arraywire.ProtocolException;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteErrorException;
import io.arraywire.RemoteRejectedException;
import io.arraywire.Reply;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.spi.Codec;
import io.arraywire.testkit.BareConnection.Taken;
import io.arraywire.testkit.BareConnection.Taking;
import io.arraywire.wire.AttributesBody;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The bytes of wire version 2, which another program wrote by the protocol's page, are what we
 * write and what we read.
 */
class GoldenWireTest {
  private static final float[] VALUES = {1f, -2.5f, 0.1f};
  private static final ArrayAttributes ATTRIBUTES =
      ArrayAttributes.of(0x0102030405060708L, new long[] {2, 3}, Map.of("unit", "K"));

  private static final byte[] TOKEN = "open sesame".getBytes(StandardCharsets.UTF_8);

  private static final Codec LITTLE = codec(Encoding.RAW_LITTLE_ENDIAN);
  private static final Codec BIG = codec(Encoding.RAW_BIG_ENDIAN);
  private static final Codec OBJECT = codec(Encoding.JAVA_OBJECT);
  private static final Codec PROTOBUF = codec(Encoding.PROTOBUF);

  /** Each type of frame and each message has its file. */
  @Test
  void everyFrameTypeHasAFile() {
    Set<FrameType> there =
        Stream.of(
                "array",
                "array-chunks",
                "ack",
                "ping",
                "pong",
                "error",
                "goodbye",
                "abort",
                "rejected",
                "credit",
                "cancel",
                "subscribe",
                "subscribed",
                "unsubscribe",
                "unsubscribed")
            .map(GoldenWireTest::type)
            .collect(Collectors.toSet());

    assertThat(there).containsExactlyInAnyOrder(FrameType.values());
  }

  // What we write.

  @Test
  void handshakeMessagesAreWrittenSo() {
    assertThat(Preamble.write(2, 2, HandshakeMessage.hello(hello(new byte[0]))))
        .isEqualTo(golden("hello"));
    assertThat(Preamble.write(2, 2, HandshakeMessage.hello(hello(TOKEN))))
        .isEqualTo(golden("hello-token"));
    assertThat(Preamble.write(2, 2, HandshakeMessage.welcome(welcome(), 2)))
        .isEqualTo(golden("welcome"));
    assertThat(Preamble.write(2, 2, HandshakeMessage.reject(refusal())))
        .isEqualTo(golden("reject"));
  }

  @Test
  void arraysAreWrittenSo() {
    assertThat(array(LITTLE, VALUES, true)).isEqualTo(golden("array"));
    assertThat(array(LITTLE, VALUES, false)).isEqualTo(golden("array-unchecked"));
    assertThat(array(LITTLE, new float[0], true)).isEqualTo(golden("array-empty"));
    assertThat(array(BIG, VALUES, true)).isEqualTo(golden("array-raw-be"));
    assertThat(array(OBJECT, VALUES, true)).isEqualTo(golden("array-java-object"));
    assertThat(array(PROTOBUF, VALUES, true)).isEqualTo(golden("array-protobuf"));
  }

  @Test
  void attributesChunksAndAcknowledgementsAreWrittenSo() {
    FrameHeader first = arrayHeader(LITTLE, 6, 24);
    first.tag = ATTRIBUTES.tag();
    byte[] body = AttributesBody.write(ATTRIBUTES);
    first.attributeBytes = body.length;
    assertThat(frame(first, true, body, encoded(LITTLE, new float[] {0, 1, 2, 3, 4, 5})))
        .isEqualTo(golden("array-attributes"));

    byte[] payload = encoded(LITTLE, VALUES);
    FrameHeader chunk = arrayHeader(LITTLE, 3, 2);
    chunk.type = FrameType.CHUNK;
    assertThat(
            concat(
                frame(arrayHeader(LITTLE, 3, 12), true, Arrays.copyOf(payload, 8)),
                frame(chunk, true, Arrays.copyOfRange(payload, 8, 12))))
        .isEqualTo(golden("array-chunks"));

    FrameHeader acknowledging = arrayHeader(LITTLE, 3, 12);
    acknowledging.sequence = 2;
    acknowledging.flags = FrameLayout.FLAG_ACKNOWLEDGES;
    acknowledging.acknowledged = 2;
    assertThat(frame(acknowledging, true, payload)).isEqualTo(golden("array-acknowledging"));
  }

  @Test
  void controlFramesAreWrittenSo() {
    assertThat(control(FrameType.ACK, 2, 0)).isEqualTo(golden("ack"));
    assertThat(control(FrameType.PING, 0, 0xfedcba9876543210L)).isEqualTo(golden("ping"));
    assertThat(control(FrameType.PONG, 0, 0xfedcba9876543210L)).isEqualTo(golden("pong"));
    assertThat(control(FrameType.GOODBYE, 0, 0)).isEqualTo(golden("goodbye"));
    assertThat(control(FrameType.ABORT, 1, 0)).isEqualTo(golden("abort"));
    FrameHeader credit = new FrameHeader().clear(FrameType.CREDIT);
    credit.channel = 7;
    credit.tag = 3 << 19;
    credit.count = 20 << 20;
    credit.flags = FrameLayout.FLAG_ACKNOWLEDGES;
    credit.acknowledged = 2;
    assertThat(frame(credit, false, new byte[0])).isEqualTo(golden("credit"));
    assertThat(control(FrameType.CANCEL, 0, 1)).isEqualTo(golden("cancel"));
    assertThat(control(FrameType.ERROR, 0, 0, FaultBody.write(tooLarge())))
        .isEqualTo(golden("error"));
    ArraywireException full =
        new ArraywireException(
            ErrorCode.REJECTED, "the handler threw java.io.IOException: disk full");
    assertThat(control(FrameType.REJECTED, 1, 0, FaultBody.write(full)))
        .isEqualTo(golden("rejected"));
  }

  @Test
  void aConnectionWritesSo() {
    BareConnection sender = connected(Role.CONNECTOR);
    sender.connection.sendAsync(ArraySlice.of(VALUES), SendOptions.handedOff());
    sender.pump();
    assertThat(sender.written()).isEqualTo(golden("array"));

    sender = connected(Role.CONNECTOR);
    sender.connection.sendAsync(
        ArraySlice.of(new float[] {9, 0, 1, 2, 3, 4, 5}, 1, 6),
        new SendOptions(ATTRIBUTES, SendOptions.handedOff().delivery()));
    sender.pump();
    assertThat(sender.written()).isEqualTo(golden("array-attributes"));

    assertThat(connected(Role.ACCEPTOR).feed(golden("ping")).written()).isEqualTo(golden("pong"));

    BareConnection receiver = connected(Role.ACCEPTOR);
    receiver.connection.sendAsync(ArraySlice.of(VALUES), SendOptions.handedOff());
    receiver.connection.sendAsync(ArraySlice.of(VALUES), SendOptions.handedOff());
    receiver.pump();
    receiver.written();
    receiver.feed(concat(golden("array"), golden("array-acknowledging")));
    assertThat(receiver.written()).isEqualTo(golden("ack"));

    BareConnection closing = connected(Role.CONNECTOR);
    closing.core.beginClose();
    closing.pump();
    assertThat(closing.written()).isEqualTo(golden("goodbye"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"array-raw-be", "array-java-object", "array-protobuf"})
  void aConnectionWritesEachEncodingSo(String name) {
    Codec codec = name.endsWith("be") ? BIG : name.endsWith("object") ? OBJECT : PROTOBUF;
    BareConnection sender =
        new BareConnection(
            Role.ACCEPTOR,
            TransportOptions.builder().codecs(codec, LITTLE),
            Taking.HANDLER,
            all -> all);
    sender.feed(golden("hello"));
    sender.written();

    sender.connection.sendAsync(ArraySlice.of(VALUES), SendOptions.handedOff());
    sender.pump();

    assertThat(sender.written()).isEqualTo(golden(name));
  }

  @Test
  void plainModeIsWrittenSo() {
    BareConnection sender = plain(Taking.HANDLER);
    sender.connection.sendAsync(ArraySlice.of(VALUES), SendOptions.handedOff());
    sender.connection.sendAsync(ArraySlice.of(new float[0]), SendOptions.handedOff());
    sender.pump();

    assertThat(sender.written()).isEqualTo(golden("plain"));
  }

  // What we read.

  @Test
  void handshakeMessagesAreReadSo() throws IOException {
    HandshakeMessage hello = handshake("hello", 2, 2);
    assertThat(hello.kind()).isEqualTo(HandshakeMessage.Kind.HELLO);
    assertOffer(hello, hello(new byte[0]));
    assertOffer(handshake("hello-token", 2, 2), hello(TOKEN));

    HandshakeMessage welcome = handshake("welcome", 2, 2);
    assertThat(welcome.kind()).isEqualTo(HandshakeMessage.Kind.WELCOME);
    assertThat(welcome.wireVersion()).isEqualTo(2);
    assertOffer(welcome, welcome());

    HandshakeMessage reject = handshake("reject", 2, 2);
    assertThat(reject.kind()).isEqualTo(HandshakeMessage.Kind.REJECT);
    assertThat(reject.fault())
        .isInstanceOf(HandshakeException.class)
        .matches(ErrorCode.NEGOTIATION_FAILED::isOf)
        .hasMessage("the listener refused: " + refusal().getMessage());
  }

  @Test
  void aHelloOfALaterVersionIsReadAllTheSame() throws IOException {
    Offer later = handshake("hello-later", 2, 3).offer();
    assertThat(later).isNotNull();
    assertThat(later.library()).isEqualTo("golden 3");
    assertThat(later.encodings()).isEqualTo(hello(new byte[0]).encodings());

    BareConnection acceptor = acceptor(Taking.HANDLER);
    acceptor.feed(golden("hello-later"));
    assertThat(acceptor.connection.agreement().wireVersion()).isEqualTo(2);
    assertThat(acceptor.connection.agreement().peer()).isEqualTo("golden 3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hello", "hello-token", "hello-later"})
  void anAcceptorTakesAHello(String name) throws IOException {
    BareConnection acceptor = acceptor(Taking.HANDLER);
    acceptor.feed(golden(name));

    assertThat(acceptor.connection.isOpen()).isTrue();
    assertThat(read(acceptor.written(), 2, 2).kind()).isEqualTo(HandshakeMessage.Kind.WELCOME);
  }

  @Test
  void aConnectorTakesAWelcome() {
    BareConnection connector = connected(Role.CONNECTOR);

    assertThat(connector.connection.agreement().elementTypes())
        .containsExactlyInAnyOrder(ElementType.FLOAT, ElementType.INT);
    assertThat(connector.connection.agreement().peer()).isEqualTo("golden 1");
  }

  @Test
  void aConnectorTakesAReject() {
    BareConnection connector =
        new BareConnection(Role.CONNECTOR, options(), Taking.HANDLER, all -> all);
    connector.feed(golden("reject"));

    assertThat(connector.end())
        .isInstanceOf(HandshakeException.class)
        .matches(ErrorCode.NEGOTIATION_FAILED::isOf)
        .hasMessageContaining("the listener refused: the two sides have no encoding in common");
  }

  @ParameterizedTest
  @EnumSource
  void arraysAreReadSo(Taking taking) {
    for (String name :
        List.of("array", "array-raw-be", "array-java-object", "array-protobuf", "array-chunks")) {
      assertTaken(taking, name, VALUES, ArrayAttributes.NONE);
    }
    assertTaken(taking, "array-empty", new float[0], ArrayAttributes.NONE);
    assertTaken(taking, "array-attributes", new float[] {0, 1, 2, 3, 4, 5}, ATTRIBUTES);
  }

  @Test
  void anArrayWithoutChecksumIsReadSo() {
    BareConnection connector =
        new BareConnection(
            Role.CONNECTOR, options().checksums(Checksums.UNWANTED), Taking.HANDLER, all -> all);
    connector.feed(golden("welcome"), golden("array-unchecked"), golden("goodbye"));

    assertThat(connector.end()).isNull();
    assertThat(floats(connector.taken.get(0))).isEqualTo(VALUES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ack", "array-acknowledging"})
  void acknowledgementsAreReadSo(String name) throws Exception {
    BareConnection sender = connected(Role.ACCEPTOR);
    List<CompletableFuture<Receipt>> sends =
        List.of(processed(sender), processed(sender), processed(sender));
    sender.pump();
    if (name.startsWith("array")) {
      sender.feed(golden("array"));
    }
    sender.feed(golden(name));

    assertThat(sends.get(0)).isCompleted();
    assertThat(sends.get(1)).isCompleted();
    assertThat(sends.get(2)).isNotDone();
  }

  @Test
  void aRefusalIsReadSo() {
    BareConnection sender = connected(Role.ACCEPTOR);
    CompletableFuture<Receipt> refused = processed(sender);
    CompletableFuture<Receipt> other = processed(sender);
    sender.pump();
    sender.feed(golden("rejected"));

    assertThat(refused)
        .failsWithin(0, TimeUnit.SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(RemoteRejectedException.class)
        .withMessageContaining("the handler threw java.io.IOException: disk full");
    assertThat(other).isNotDone();
  }

  @Test
  void anErrorIsReadSo() {
    BareConnection connection = connected(Role.ACCEPTOR);
    connection.feed(golden("error"));

    ArraywireException cause = connection.end();
    assertThat(cause)
        .isInstanceOf(RemoteErrorException.class)
        .hasMessageContaining(tooLarge().getMessage());
    assertThat(cause.code()).isEqualTo(ErrorCode.FRAME_TOO_LARGE);
  }

  @Test
  void aWithdrawnArrayIsReadSo() {
    byte[] begun = Arrays.copyOf(golden("array-chunks"), FrameLayout.HEADER_BYTES + 8);
    BareConnection receiver = connected(Role.ACCEPTOR);
    receiver.connection.sendAsync(ArraySlice.of(VALUES), SendOptions.handedOff());
    receiver.connection.sendAsync(ArraySlice.of(VALUES), SendOptions.handedOff());
    receiver.pump();
    receiver.feed(
        begun, golden("abort"), golden("array-acknowledging"), golden("pong"), golden("goodbye"));

    assertThat(receiver.end()).isNull();
    assertThat(receiver.taken).extracting(taken -> taken.header().sequence()).containsExactly(2L);
    assertThat(floats(receiver.taken.get(0))).isEqualTo(VALUES);
  }

  @ParameterizedTest
  @EnumSource
  void plainModeIsReadSo(Taking taking) {
    BareConnection receiver = plain(taking);
    receiver.feed(golden("plain"));

    assertThat(receiver.end()).isNull();
    assertThat(receiver.taken)
        .extracting(GoldenWireTest::floats)
        .containsExactly(VALUES, new float[0]);
  }

  // The files.

  @Test
  void theProgramsWriteTheFilesAgain(@TempDir Path dir) throws Exception {
    Map<String, String> folders =
        Map.of(
            "make_wire_golden.py", "wire-v2",
            "make_message_golden.py", "message-v2",
            "golden_encodings.py", "encodings");
    for (Map.Entry<String, String> each : folders.entrySet()) {
      Path written = Files.createDirectory(dir.resolve(each.getValue()));
      if (!run(each.getKey(), written)) {
        return;
      }
      Path committed =
          Path.of("../transport-testkit/src/main/resources/io/arraywire/testkit/golden")
              .resolve(each.getValue());
      assertThat(contents(written)).isNotEmpty().isEqualTo(contents(committed));
    }
  }

  /** Runs a script, or says loudly that there is no Python; where CI is set that is a failure. */
  private static boolean run(String script, Path target) throws Exception {
    String python = System.getenv().getOrDefault("ARRAYWIRE_PYTHON", "python3");
    String missing;
    try {
      Process process =
          new ProcessBuilder(
                  python,
                  Path.of("../transport-testkit/src/test/python", script).toString(),
                  target.toString())
              .redirectErrorStream(true)
              .start();
      String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(words).isZero();
      return true;
    } catch (IOException e) {
      missing = e.getMessage();
    }
    String words =
        "!!! THE GOLDEN FILES WERE NOT WRITTEN AGAIN: no Python (set ARRAYWIRE_PYTHON; cause="
            + missing
            + ") !!!";
    assertThat(Boolean.parseBoolean(System.getenv("CI"))).as(words).isFalse();
    System.out.println(words);
    Assumptions.abort(words);
    return false;
  }

  private static Map<String, String> contents(Path dir) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(dir)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".bin")).toList()) {
        contents.put(file.getFileName().toString(), Arrays.toString(Files.readAllBytes(file)));
      }
    }
    return contents;
  }

  // The values of the files.

  private static Offer hello(byte[] token) {
    return new Offer(
        Map.of(1, "raw-le", 2, "raw-be", 3, "java-object", 4, "protobuf"),
        Set.of(1, 2, 3, 4, 5, 6, 7, 8),
        ByteOrder.LITTLE_ENDIAN,
        1L << 30,
        1L << 20,
        true,
        token,
        "golden 1",
        new FlowOffer(256, 1 << 20, 16 << 20, 5000, 64));
  }

  private static BareConnection requesting(Taking taking) {
    BareConnection connection = acceptor(taking);
    connection.feed(golden("hello"));
    connection.written();
    return connection;
  }

  @Test
  void requestsRepliesAndCancellationsAreWrittenSo() {
    BareConnection requester = requesting(Taking.HANDLER);
    CompletableFuture<ReceivedArray> stage =
        requester.connection.request(ArraySlice.of(VALUES)).toCompletableFuture();
    requester.pump();
    assertThat(requester.written()).isEqualTo(golden("request"));
    stage.cancel(true);
    requester.pump();
    assertThat(requester.written()).isEqualTo(golden("cancel"));

    BareConnection replier = requesting(Taking.ANSWERING);
    replier.feed(golden("request"));
    assertThat(replier.written()).isEqualTo(golden("reply"));

    replier = requesting(Taking.FAILING);
    replier.feed(golden("request"));
    assertThat(replier.written()).isEqualTo(golden("reply-fault"));
  }

  @Test
  void requestsRepliesAndCancellationsAreReadSo() {
    BareConnection requester = requesting(Taking.HANDLER);
    CompletableFuture<ReceivedArray> stage =
        requester.connection.request(ArraySlice.of(VALUES)).toCompletableFuture();
    requester.pump();
    requester.feed(golden("reply"));
    assertThat(stage.join().floats()).isEqualTo(VALUES);
    assertThat(requester.taken).isEmpty();

    requester = requesting(Taking.HANDLER);
    stage = requester.connection.request(ArraySlice.of(VALUES)).toCompletableFuture();
    requester.pump();
    requester.feed(golden("reply-fault"));
    assertThat(stage)
        .failsWithin(Duration.ZERO)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(RemoteRejectedException.class)
        .withMessageContaining("there is no such table");

    BareConnection replier = requesting(Taking.KEEPING);
    replier.feed(golden("request"));
    assertThat(replier.replies).singleElement().matches(reply -> !reply.isCancelled());
    replier.feed(golden("cancel"));
    assertThat(replier.replies).singleElement().matches(Reply::isCancelled);
  }

  private static BareConnection subscribing(Taking taking) {
    BareConnection connection = acceptor(taking);
    connection.feed(golden("hello"));
    connection.written();
    return connection;
  }

  @Test
  void subscriptionsAreAnsweredAndPublishedSo() throws Exception {
    BareConnection publisher = subscribing(Taking.HANDLER);
    publisher.feed(golden("subscribe"));
    assertThat(publisher.written()).isEqualTo(golden("subscribed"));
    publisher.subjects.publish("prices", ArraySlice.of(VALUES), ArrayAttributes.NONE);
    publisher.pump();
    assertThat(publisher.written()).isEqualTo(golden("published"));
    publisher.feed(golden("unsubscribe"));
    assertThat(publisher.written()).isEqualTo(golden("unsubscribed"));
  }

  @Test
  void subscriptionsAreMadeAndTheirArraysReadSo() throws Exception {
    for (boolean byPublisher : new boolean[] {false, true}) {
      BareConnection subscriber = subscribing(Taking.HANDLER);
      Running<Subscription> subscribing =
          Running.start(() ->
              subscriber.connection.subscribe(
                  "prices", new SubscribeOptions(LagPolicy.DROP_OLDEST, 1 << 20)));
      Eventually.until(
          "it subscribes",
          () -> {
            subscriber.pump();
            return subscriber.out.size() > 0;
          });
      assertThat(subscriber.written()).isEqualTo(golden("subscribe"));
      subscriber.feed(golden("subscribed"), golden("published"), golden("published-gap"));
      Subscription subscription = subscribing.get();
      ReceivedArray first = subscription.receive();
      assertThat(first.floats()).isEqualTo(VALUES);
      assertThat(first.header().dropped()).isZero();
      assertThat(subscription.receive().header().dropped()).isOne();
      subscriber.pump();
      subscriber.written();
      if (byPublisher) {
        subscriber.feed(golden("unsubscribed-fault"));
        assertThatThrownBy(subscription::receive)
            .isInstanceOf(ConnectionLostException.class)
            .matches(ErrorCode.SLOW_SUBSCRIBER::isOf)
            .hasMessageContaining("the subscriber took too little");
      } else {
        subscription.close();
        subscriber.pump();
      }
      assertThat(subscriber.written()).isEqualTo(golden("unsubscribe"));
    }
  }

  /** A sender goes on as soon as the golden frame allows it, and not before. */
  @Test
  void creditIsReadSo() {
    BareConnection sender = acceptor(Taking.HANDLER);
    sender.feed(golden("hello"));
    sender.written();
    var channel = sender.connection.channel(7);
    CompletableFuture<Receipt> first =
        channel
            .sendAsync(ArraySlice.of(new byte[1]), SendOptions.processed())
            .toCompletableFuture();
    channel.sendAsync(ArraySlice.of(new byte[1]), SendOptions.processed());
    CompletableFuture<Receipt> large =
        channel
            .sendAsync(ArraySlice.of(new byte[5 << 18]), SendOptions.handedOff())
            .toCompletableFuture();
    sender.pump();
    assertThat(first).isNotDone();
    assertThat(large).isNotDone();
    sender.feed(golden("credit"));
    assertThat(first).isCompleted();
    assertThat(large).isCompleted();
  }

  private static Offer welcome() {
    return new Offer(
        Map.of(1, "raw-le", 2, "raw-be"),
        Set.of(1, 2),
        ByteOrder.BIG_ENDIAN,
        Long.MAX_VALUE,
        0xffffffffL,
        false,
        new byte[0],
        "golden 1",
        new FlowOffer(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 0xffffffffL, 0));
  }

  private static ArraywireException refusal() {
    return new HandshakeException(
        ErrorCode.NEGOTIATION_FAILED,
        "the two sides have no encoding in common; configure a codec of a common one",
        "here",
        "[raw-le(1)]",
        "peer",
        "[raw-be(2)]");
  }

  private static ArraywireException tooLarge() {
    return new ProtocolException(
        ErrorCode.FRAME_TOO_LARGE,
        "the array is larger than this side accepts (raise maxArrayBytes here)",
        "declared",
        Long.toUnsignedString(-1),
        "limit",
        1 << 30);
  }

  private static byte[] golden(String name) {
    return GoldenWire.bytes(name);
  }

  private static Codec codec(Encoding encoding) {
    return SimpleCodec.of(encoding).named(encoding.name());
  }

  // Writing by hand.

  private static byte[] array(Codec codec, float[] values, boolean checked) {
    byte[] payload = encoded(codec, values);
    return frame(arrayHeader(codec, values.length, payload.length), checked, payload);
  }

  private static byte[] encoded(Codec codec, float[] values) {
    Encoding encoding = codec.encoding();
    ByteBuffer bytes =
        ByteBuffer.allocate((int) encoding.encodedBytes(ElementType.FLOAT, values.length));
    encoding.putPrefix(ElementType.FLOAT, values.length, bytes);
    if (values.length > 0) {
      codec.encode(ElementType.FLOAT, values, 0, values.length, bytes);
    }
    return bytes.array();
  }

  private static FrameHeader arrayHeader(Codec codec, int count, int arrayBytes) {
    FrameHeader header = new FrameHeader().clear(FrameType.ARRAY);
    header.encoding = codec.encoding().code();
    header.elementType = ElementType.FLOAT.code();
    header.sequence = 1;
    header.count = count;
    header.arrayBytes = arrayBytes;
    return header;
  }

  /** A frame of the pieces, of which the last is the payload. */
  private static byte[] frame(FrameHeader header, boolean checked, byte[]... pieces) {
    byte[] body = concat(pieces);
    header.payloadBytes = pieces[pieces.length - 1].length;
    if (checked) {
      CRC32C checksum = new CRC32C();
      checksum.update(body);
      header.flags |= FrameLayout.FLAG_PAYLOAD_CHECKSUM;
      header.payloadChecksum = (int) checksum.getValue();
    }
    ByteBuffer bytes = ByteBuffer.allocate(FrameLayout.HEADER_BYTES);
    header.write(bytes);
    return concat(bytes.array(), body);
  }

  private static byte[] control(FrameType type, long sequence, long tag, byte... body) {
    FrameHeader header = new FrameHeader().clear(type);
    header.sequence = sequence;
    header.tag = tag;
    return frame(header, false, body);
  }

  private static byte[] concat(byte[]... pieces) {
    ByteBuffer all = ByteBuffer.allocate(Stream.of(pieces).mapToInt(piece -> piece.length).sum());
    for (byte[] piece : pieces) {
      all.put(piece);
    }
    return all.array();
  }

  // Reading.

  private static HandshakeMessage handshake(String name, int least, int most) throws IOException {
    return read(golden(name), least, most);
  }

  private static HandshakeMessage read(byte[] bytes, int least, int most) throws IOException {
    Preamble preamble = Preamble.read(Arrays.copyOf(bytes, Preamble.BYTES));
    byte[] message = Arrays.copyOfRange(bytes, Preamble.BYTES, bytes.length);
    assertThat(preamble.leastVersion()).isEqualTo(least);
    assertThat(preamble.mostVersion()).isEqualTo(most);
    assertThat(preamble.messageBytes()).isEqualTo(message.length);
    preamble.checkMessage(message);
    return HandshakeMessage.read(message);
  }

  private static void assertOffer(HandshakeMessage message, Offer expected) {
    assertThat(message.offer()).usingRecursiveComparison().isEqualTo(expected);
  }

  /** The type of the last frame of a file. */
  private static FrameType type(String name) {
    ByteBuffer bytes = ByteBuffer.wrap(golden(name));
    FrameHeader header = new FrameHeader();
    while (bytes.hasRemaining()) {
      try {
        header.read(bytes);
      } catch (IOException e) {
        throw new AssertionError(name, e);
      }
      bytes.position(bytes.position() + header.attributeBytes + (int) header.payloadBytes);
    }
    return header.type;
  }

  // Connections.

  private static TransportOptions.Builder options() {
    return TransportOptions.builder().codecs(LITTLE, BIG, OBJECT, PROTOBUF).inboxBytes(0);
  }

  private static BareConnection acceptor(Taking taking) {
    return new BareConnection(Role.ACCEPTOR, options(), taking, all -> all);
  }

  private static BareConnection connected(Role role) {
    BareConnection connection =
        new BareConnection(role, options().inboxBytes(1 << 20), Taking.HANDLER, all -> all);
    connection.feed(golden(role == Role.ACCEPTOR ? "hello" : "welcome"));
    connection.written();
    return connection;
  }

  private static BareConnection plain(Taking taking) {
    return new BareConnection(
        Role.ACCEPTOR, options().plain(ElementType.FLOAT), taking, all -> all);
  }

  private static CompletableFuture<Receipt> processed(BareConnection sender) {
    return sender
        .connection
        .sendAsync(ArraySlice.of(VALUES), SendOptions.processed())
        .toCompletableFuture();
  }

  private static void assertTaken(
      Taking taking, String name, float[] values, ArrayAttributes attributes) {
    for (int portion : new int[] {1, 7, Integer.MAX_VALUE}) {
      BareConnection receiver =
          new BareConnection(Role.ACCEPTOR, options(), taking, there -> Math.min(there, portion));
      receiver.feed(golden("hello"), golden(name), golden("goodbye"));

      assertThat(receiver.end()).as(name).isNull();
      assertThat(receiver.taken).as(name).hasSize(1);
      Taken taken = receiver.taken.get(0);
      assertThat(taken.header().sequence()).isEqualTo(1);
      assertThat(taken.header().attributes()).isEqualTo(attributes);
      assertThat(floats(taken)).as(name).isEqualTo(values);
    }
  }

  private static float[] floats(Taken taken) {
    return (float[]) taken.elements();
  }
}
