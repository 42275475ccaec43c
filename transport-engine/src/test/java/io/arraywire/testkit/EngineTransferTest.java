package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.Delivery;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameType;
import io.arraywire.memory.Portions;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import io.arraywire.spi.MemoryKind;
import io.arraywire.testkit.EngineBench.Recorder;
import io.arraywire.testkit.EngineBench.TargetingRecorder;
import io.arraywire.wire.AttributesBody;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two engines, byte by byte, on the test's own thread. */
@Tag("newest")
class EngineTransferTest {
  private static final boolean THOROUGH = Boolean.getBoolean("arraywire.test.thorough");

  private static final CodecTraits ELEMENTWISE = new CodecTraits(MemoryKind.HEAP, true, 1, 1);

  private static Codec codec(Encoding encoding, CodecTraits traits) {
    return SimpleCodec.of(encoding)
        .named((traits.elementwise() ? "each-" : "") + encoding.name())
        .asking(() -> traits);
  }

  /** Throws at every third array. */
  private static final class Grumbler extends Recorder {
    private int taken;

    @Override
    public void onArray(Connection connection, ReceivedArray array) throws Exception {
      if (++taken % 3 == 0) {
        throw new IllegalArgumentException("grumble " + array.tag());
      }
      super.onArray(connection, array);
    }
  }

  private record Sent(
      Object elements, long tag, Delivery delivery, CompletableFuture<Receipt> result) {}

  private static Sent send(EngineBench from, SeededArrays arrays, long tag, int mostElements) {
    ElementType type = arrays.between(0, 1) == 0 ? ElementType.FLOAT : ElementType.INT;
    int count = arrays.between(0, 3) == 0 ? arrays.between(0, mostElements) : arrays.between(0, 50);
    int offset = arrays.between(0, 3);
    Object all = arrays.array(type, count + offset + 2);
    Object elements = type.newArray(count);
    System.arraycopy(all, offset, elements, 0, count);
    SendOptions options =
        (arrays.between(0, 1) == 0 ? SendOptions.processed() : SendOptions.handedOff()).tag(tag);
    if (arrays.between(0, 4) == 0) {
      options = options.metadata("key", "v".repeat(arrays.between(0, 512)));
    }
    if (arrays.between(0, 4) == 0) {
      options = options.shape(1, count);
    }
    List<String> codecs = from.connection.agreement().codecs();
    String codec = codecs.get(arrays.between(0, codecs.size() - 1));
    if (!codec.startsWith("each") && arrays.between(0, 1) == 0) {
      options = options.codec(codec);
    }
    CompletableFuture<Receipt> result =
        from.connection
            .sendAsync(ArraySlice.ofArray(all, offset, count), options)
            .toCompletableFuture();
    return new Sent(elements, tag, options.delivery(), result);
  }

  private static TransportOptions.Builder randomOptions(SeededArrays arrays) {
    CodecTraits[] traits = {CodecTraits.DIRECT, CodecTraits.HEAP, CodecTraits.DIRECT, ELEMENTWISE};
    Encoding[] encodings = {
      Encoding.RAW_LITTLE_ENDIAN, Encoding.RAW_BIG_ENDIAN, Encoding.JAVA_OBJECT, Encoding.PROTOBUF
    };
    Codec first =
        codec(
            encodings[arrays.between(0, encodings.length - 1)],
            traits[arrays.between(0, traits.length - 1)]);
    List<Codec> codecs = new ArrayList<>(List.of(first));
    for (Encoding encoding : encodings) {
      if (!encoding.equals(first.encoding())) {
        codecs.add(codec(encoding, traits[arrays.between(0, traits.length - 1)]));
      }
    }
    return TransportOptions.builder()
        .codecs(codecs)
        .checksums(Checksums.of(arrays.between(0, 1) == 0))
        .chunkBytes(arrays.between(0, 1) == 0 ? 64 << 10 : arrays.between(1024, 8192))
        .maxFrameBytes(arrays.between(0, 1) == 0 ? 1 << 20 : arrays.between(1024, 8192))
        .inboxBytes(arrays.between(0, 2) == 0 ? 0 : arrays.between(0, 1 << 18));
  }

  @Test
  void anythingGoes() {
    // Each with a seed of its own; a night has more of them than a change.
    for (int round = 0; round < (THOROUGH ? 60 : 15); round++) {
      SeededArrays.check(EngineTransferTest::simulate);
    }
  }

  private static void simulate(SeededArrays arrays) throws Exception {
    EngineBench one = EngineBench.connector(randomOptions(arrays));
    EngineBench other =
        EngineBench.acceptor(
            randomOptions(arrays),
            switch (arrays.between(0, 2)) {
              case 0 -> new Recorder();
              case 1 -> new TargetingRecorder();
              default -> new Grumbler();
            });
    boolean grumbles = other.handler instanceof Grumbler;
    List<EngineBench> both = List.of(one, other);
    for (EngineBench bench : both) {
      bench.portions(
          Portions.random(arrays.between(0, 1 << 20)), Portions.random(arrays.between(0, 1 << 20)));
    }
    EngineBench.join(one, other);
    List<Sent> there = new ArrayList<>();
    List<Sent> back = new ArrayList<>();
    int rounds = arrays.between(1, 6);
    for (int i = 0; i < rounds; i++) {
      for (int k = arrays.between(0, 12); k > 0; k--) {
        there.add(send(one, arrays, there.size() + 1, 40_000));
      }
      for (int k = arrays.between(0, 12); k > 0; k--) {
        back.add(send(other, arrays, back.size() + 1, 40_000));
      }
      EngineBench.join(one, other, () -> arrays.between(1, 1 << arrays.between(0, 17)));
    }
    // The last ones are still to be sent when somebody closes.
    there.add(send(one, arrays, there.size() + 1, 40_000));
    back.add(send(other, arrays, back.size() + 1, 40_000));
    int closers = arrays.between(1, 3);
    if ((closers & 1) != 0) {
      one.core.beginClose();
    }
    if ((closers & 2) != 0) {
      other.core.beginClose();
    }
    EngineBench.join(one, other, () -> arrays.between(1, 1 << arrays.between(0, 17)));
    check(there, other, one, grumbles);
    check(back, one, other, false);
    one.assertEnded(null);
    other.assertEnded(null);
  }

  private static void check(
      List<Sent> sent, EngineBench receiver, EngineBench sender, boolean grumbles)
      throws Exception {
    List<Sent> expected = new ArrayList<>();
    for (int i = 0; i < sent.size(); i++) {
      Sent array = sent.get(i);
      assertThat(array.result).as("send %d of %s", i, sender.connection.describe()).isDone();
      if (grumbles && i % 3 == 2) {
        if (array.delivery == Delivery.PROCESSED) {
          assertThatThrownBy(array.result::get)
              .hasCauseInstanceOf(RemoteRejectedException.class)
              .hasMessageContaining("grumble " + array.tag);
        } else {
          assertThat(array.result).isCompleted();
        }
      } else {
        assertThat(array.result).as("send %d", i).isCompleted();
        expected.add(array);
      }
    }
    List<ReceivedArray> received = receiver.handler.arrays;
    assertThat(received).hasSize(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      Sent array = expected.get(i);
      ReceivedArray actual = received.get(i);
      assertThat(actual.tag()).isEqualTo(array.tag);
      assertThat(actual.count()).isEqualTo(Array.getLength(array.elements));
      ElementType type = ElementType.of(array.elements);
      for (int k = 0; k < actual.count(); k++) {
        assertThat(NaiveElements.same(type, array.elements, k, actual.slice().array(), k)).isTrue();
      }
      Receipt receipt = array.result.get();
      assertThat(receipt.elements()).isEqualTo(actual.count());
      assertThat(receipt.wireBytes()).as("wireBytes").isEqualTo(actual.receipt().wireBytes());
      assertThat(receipt.channelOperations()).isPositive();
    }
  }

  // Receipts.

  private record Ends(EngineBench one, EngineBench other) {
    static Ends of(TransportOptions.Builder there, TransportOptions.Builder here) {
      return of(there, here, new Recorder());
    }

    static Ends of(
        TransportOptions.Builder there, TransportOptions.Builder here, Recorder handler) {
      Ends ends = new Ends(EngineBench.connector(there), EngineBench.acceptor(here, handler));
      EngineBench.join(ends.one, ends.other);
      return ends;
    }

    Receipt send(Object array, SendOptions options) throws Exception {
      CompletableFuture<Receipt> result =
          one.connection.sendAsync(ArraySlice.ofArray(array), options).toCompletableFuture();
      EngineBench.join(one, other);
      assertThat(result).isDone();
      return result.get();
    }

    ReceivedArray last() {
      return other.handler.arrays.get(other.handler.arrays.size() - 1);
    }

    void close() {
      one.core.beginClose();
      EngineBench.join(one, other);
      one.assertEnded(null);
      other.assertEnded(null);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void receiptsAreExact(boolean direct) throws Exception {
    CodecTraits traits = direct ? CodecTraits.DIRECT : CodecTraits.HEAP;
    int copies = direct ? 1 : 2;
    for (Encoding encoding :
        List.of(
            Encoding.RAW_LITTLE_ENDIAN,
            Encoding.RAW_BIG_ENDIAN,
            Encoding.JAVA_OBJECT,
            Encoding.PROTOBUF)) {
      Ends ends =
          Ends.of(
              TransportOptions.builder().codecs(codec(encoding, traits)).chunkBytes(4096),
              TransportOptions.builder().codecs(codec(encoding, traits)),
              new TargetingRecorder());
      for (int count :
          new int[] {0, 1, 2, 1015, 1016, 1017, 1023, 1024, 1025, 2048, 5000, 262144}) {
        SendOptions options = SendOptions.processed();
        if (count % 2 == 0) {
          options = options.shape(count).metadata("unit", "K");
        }
        Receipt receipt = ends.send(new float[count], options);
        long encoded = encoding.encodedBytes(ElementType.FLOAT, count);
        int prefix = encoding.prefixBytes(ElementType.FLOAT, count);
        int firstElements = Math.min(count, (4096 - prefix) / 4);
        long frames = 1 + (count - firstElements + 1023L) / 1024;
        long attributes = AttributesBody.write(options.attributes()).length;
        assertThat(receipt.elements()).isEqualTo(count);
        assertThat(receipt.wireBytes()).isEqualTo(64 * frames + attributes + encoded);
        assertThat(receipt.copiedBytes()).isEqualTo(copies * encoded);
        assertThat(receipt.pooledBytes()).isZero();
        assertThat(receipt.channelOperations()).isBetween(1L, frames);
        Receipt theirs = ends.last().receipt();
        assertThat(theirs.elements()).isEqualTo(count);
        assertThat(theirs.wireBytes()).isEqualTo(receipt.wireBytes());
        // The bench reads into direct memory whatever the codec asks for: the codec's copy alone.
        // Bytes that come before the handler names its target go into fresh memory. It grows, which
        // copies them once more at most. Then they are copied into the target.
        assertThat(theirs.copiedBytes()).isBetween(4L * count, 12L * count);
        assertThat(theirs.pooledBytes()).isZero();
        assertThat(theirs.channelOperations()).isPositive();
      }
      ends.close();
    }
  }

  @Test
  void everyReadOfAnArrayIsCounted() throws Exception {
    Ends ends = Ends.of(EngineBench.options(), EngineBench.options(), new TargetingRecorder());
    ends.other.portions(Portions.oneByte(), Portions.everything());
    ends.one.portions(Portions.everything(), Portions.oneByte());
    Receipt receipt = ends.send(new byte[1000], SendOptions.processed());
    assertThat(receipt.channelOperations()).isEqualTo(1064);
    assertThat(ends.last().receipt().channelOperations()).isEqualTo(1064);
    ends.close();
    for (Codec codec : List.of(EngineBench.JAVA_OBJECT, EngineBench.PROTOBUF)) {
      Ends prefixed = Ends.of(EngineBench.options(), EngineBench.options().codecs(codec));
      prefixed.other.portions(Portions.oneByte(), Portions.everything());
      Receipt sent = prefixed.send(new float[100], SendOptions.processed().tag(1).shape(10, 10));
      assertThat(prefixed.last().receipt().channelOperations()).isEqualTo(sent.wireBytes());
      prefixed.close();
    }
  }

  @Test
  void unknownCopiesSayThatTheyAreUnknown() throws Exception {
    CodecTraits unknown =
        new CodecTraits(MemoryKind.DIRECT, false, (int) Receipt.UNKNOWN, (int) Receipt.UNKNOWN);
    Codec codec = codec(Encoding.RAW_LITTLE_ENDIAN, unknown);
    Ends ends = Ends.of(EngineBench.options().codecs(codec), EngineBench.options().codecs(codec));
    Receipt receipt = ends.send(new float[20000], SendOptions.processed());
    assertThat(receipt.copiedBytes()).isEqualTo(Receipt.UNKNOWN);
    assertThat(ends.last().receipt().copiedBytes()).isEqualTo(Receipt.UNKNOWN);
    ends.close();
  }

  @Test
  void elementwiseCodecsMoveEachElementByItself() throws Exception {
    Codec codec = codec(Encoding.RAW_LITTLE_ENDIAN, ELEMENTWISE);
    Ends ends = Ends.of(EngineBench.options().codecs(codec), EngineBench.options().codecs(codec));
    for (int count : new int[] {0, 1, 2, 1000}) {
      Receipt receipt = ends.send(new int[count], SendOptions.processed());
      // The header is not elements.
      assertThat(receipt.channelOperations()).isEqualTo(1 + count);
      assertThat(ends.last().receipt().channelOperations()).isEqualTo(1 + count);
    }
    ends.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"FLOAT", "DOUBLE", "BYTE"})
  void elementwiseCodecsInPlainMode(ElementType type) throws Exception {
    Codec other = codec(Encoding.RAW_LITTLE_ENDIAN, CodecTraits.DIRECT);
    Codec codec = codec(Encoding.RAW_BIG_ENDIAN, ELEMENTWISE);
    Ends ends =
        Ends.of(
            EngineBench.options().codecs(other, codec).plain(type),
            EngineBench.options().codecs(other, codec).plain(type));
    for (int count : new int[] {0, 1, 2, 1000}) {
      Object array = type.newArray(count);
      Receipt receipt = ends.send(array, SendOptions.handedOff());
      // The count, then the elements, as DataOutput writes them.
      assertThat(receipt.channelOperations()).isEqualTo(1 + count);
      assertThat(receipt.wireBytes()).isEqualTo(4 + (long) count * type.bytes());
      assertThat(ends.last().receipt().channelOperations()).isEqualTo(1 + count);
      assertThat(ends.last().receipt().wireBytes()).isEqualTo(receipt.wireBytes());
    }
    ends.close();
  }

  // Frames.

  @Test
  void acknowledgementsFitBesideOtherFrames() {
    // Over heap memory headers and payloads share a buffer; it must not overflow, however full it
    // is.
    Codec heap = codec(Encoding.RAW_LITTLE_ENDIAN, CodecTraits.HEAP);
    for (int length = 800; length <= 960; length++) {
      String text = "x".repeat(length);
      EngineBench bench =
          EngineBench.acceptor(
                  EngineBench.options().codecs(heap).checksums(Checksums.UNWANTED),
                  new Recorder() {
                    @Override
                    public void onArray(Connection connection, ReceivedArray array) {
                      throw new IllegalStateException(text);
                    }
                  })
              .open();
      bench.writable = 0;
      for (int i = 1; i <= 16; i++) {
        bench.feed(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, i, ArraySlice.of(new float[1])));
      }
      bench.writable = Long.MAX_VALUE;
      bench.pump();
      List<RawFrame> frames = bench.frames();
      assertThat(frames).as("with texts of %d bytes", length).hasSize(17);
      assertThat(frames.get(16).type()).isEqualTo(FrameType.ACK);
    }
  }

  @Test
  void everyFillingOfABatch() throws Exception {
    // Sizes that leave 0 to 200 bytes of a batch's buffer, with something small behind them.
    for (CodecTraits traits : List.of(CodecTraits.HEAP, CodecTraits.DIRECT)) {
      Codec codec = codec(Encoding.RAW_LITTLE_ENDIAN, traits);
      EngineBench bench =
          EngineBench.acceptor(EngineBench.options().codecs(codec).checksums(Checksums.UNWANTED))
              .open();
      long sequence = 0;
      for (int left = 0; left < 200; left++) {
        int[] sizes = {65536 - 64, 65536 - 64, 65536 - 64, 65536 - 64 - left, 1};
        bench.writable = 0;
        List<CompletableFuture<Receipt>> results = new ArrayList<>();
        for (int size : sizes) {
          results.add(
              bench
                  .connection
                  .sendAsync(ArraySlice.of(new byte[size]), SendOptions.handedOff())
                  .toCompletableFuture());
        }
        bench.feed(
            RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, ++sequence, ArraySlice.of(new float[1])));
        bench.feed(RawFrame.control(FrameType.PING, 0));
        bench.writable = Long.MAX_VALUE;
        bench.pump();
        List<RawFrame> frames = bench.frames();
        assertThat(
                frames.stream()
                    .filter(frame -> frame.type() == FrameType.ARRAY)
                    .mapToInt(frame -> frame.payload().length)
                    .toArray())
            .isEqualTo(sizes);
        for (CompletableFuture<Receipt> result : results) {
          assertThat(result).isCompleted();
        }
      }
    }
  }

  @Test
  void acknowledgementsRideWithArrays() throws Exception {
    EngineBench bench =
        EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED)).open();
    bench.writable = 0;
    bench.feed(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new float[1])));
    bench.connection.sendAsync(ArraySlice.of(new float[1]), SendOptions.processed());
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    List<RawFrame> frames = bench.frames();
    assertThat(frames).hasSize(1);
    assertThat(frames.get(0).header().acknowledged).isEqualTo(1);
    assertThat(frames.get(0).header().has(2)).isTrue();
  }

  @Test
  void memoryOfTheRightKindIsUsedFromTheFirstArrayOn() throws Exception {
    // The hello is written from whatever memory there is; arrays from what their codec asks for.
    int hello = EngineBench.connector(EngineBench.options()).outBytes().length;
    EngineBench bench = EngineBench.connector(EngineBench.options(), hello);
    bench.feed(EngineBench.welcome());
    CompletableFuture<Receipt> result =
        bench
            .connection
            .sendAsync(ArraySlice.of(new float[100]), SendOptions.handedOff())
            .toCompletableFuture();
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    assertThat(result.get().copiedBytes()).isEqualTo(400);
  }

  @Test
  void anEmptyAndASmallArrayTakeOneFrame() throws Exception {
    EngineBench bench =
        EngineBench.connector(EngineBench.options().checksums(Checksums.UNWANTED)).open();
    for (int count : new int[] {0, 1, 16384}) {
      bench.connection.sendAsync(ArraySlice.of(new float[count]), SendOptions.handedOff());
      bench.pump();
      RawFrame frame = bench.frame(FrameType.ARRAY);
      assertThat(frame.header().count).isEqualTo(count);
      assertThat(frame.payload()).hasSize(4 * count);
    }
    bench.connection.sendAsync(ArraySlice.of(new float[16385]), SendOptions.handedOff());
    bench.pump();
    List<RawFrame> frames = bench.frames();
    assertThat(frames).extracting(RawFrame::type).containsExactly(FrameType.ARRAY, FrameType.CHUNK);
    assertThat(frames.get(1).payload()).hasSize(4);
  }

  // ConnectErrors.

  @Test
  void whatAHandlerThrowsReachesTheSender() {
    Ends ends =
        Ends.of(
            EngineBench.options(),
            EngineBench.options(),
            new Recorder() {
              @Override
              public void onArray(Connection connection, ReceivedArray array) throws Exception {
                switch (array.ints()[0]) {
                  case 0 -> throw new IllegalStateException("not now");
                  case 1 -> throw new java.io.IOException("disk full");
                  case 2 -> throw new StackOverflowError("deep");
                  case 3 -> throw new ArraywireException(ErrorCode.INTERNAL, "odd", "a", 1);
                  case 4 -> throw new IllegalStateException("x".repeat(5000));
                  case 5 -> throw new IllegalStateException("\ud83d\ude00".repeat(2000));
                  case 6 -> throw new IllegalStateException((String) null);
                  default -> super.onArray(connection, array);
                }
              }
            });
    String[] texts = {
      "cause=not now",
      "cause=disk full",
      "cause=deep",
      "odd (a=1)",
      "xxxx",
      "\ud83d\ude00",
      "cause=illegal state",
    };
    for (int i = 0; i <= texts.length; i++) {
      int[] array = {i};
      if (i < texts.length) {
        assertThatThrownBy(() -> ends.send(array, SendOptions.processed()))
            .cause()
            .isInstanceOf(RemoteRejectedException.class)
            .hasMessageContaining(texts[i]);
      } else {
        assertThat(catching(() -> ends.send(array, SendOptions.processed()))).isNull();
      }
    }
    assertThat(ends.other.handler.arrays).hasSize(1);
    ends.close();
  }

  /** Its text cannot be had: asking for it throws what Java does not let a getter throw. */
  private static final class Unspeakable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw Unspeakable.<RuntimeException>unchecked(new java.io.IOException("no text"));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // As Kotlin's code may.
    private static <E extends Exception> E unchecked(Exception checked) throws E {
      throw (E) checked;
    }
  }

  @Test
  void aHandlerWhoseExceptionHasNoTextRefusesItsArrayOnly() {
    Ends ends =
        Ends.of(
            EngineBench.options(),
            EngineBench.options(),
            new Recorder() {
              @Override
              public void onArray(Connection connection, ReceivedArray array) throws Exception {
                if (array.ints()[0] == 0) {
                  throw new Unspeakable();
                }
                super.onArray(connection, array);
              }
            });
    assertThatThrownBy(() -> ends.send(new int[] {0}, SendOptions.processed()))
        .cause()
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("cause=without words");
    assertThat(catching(() -> ends.send(new int[] {1}, SendOptions.processed()))).isNull();
    assertThat(ends.other.handler.arrays).hasSize(1);
    ends.close();
  }

  private static @Nullable Throwable catching(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    try {
      call.call();
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  @Test
  void aTargetThatDoesNotFitRefusesItsArrayOnly() throws Exception {
    Ends ends =
        Ends.of(
            EngineBench.options(),
            EngineBench.options(),
            new TargetingRecorder() {
              @Override
              public ArraySlice target(Connection connection, io.arraywire.ArrayHeader header)
                  throws Exception {
                return switch ((int) header.attributes().tag()) {
                  case 1 -> ArraySlice.of(new float[header.count() - 1]);
                  case 2 -> ArraySlice.of(new int[header.count()]);
                  // It goes into a fresh array.
                  case 3 -> null;
                  case 4 -> throw new IllegalStateException("no room");
                  case 5 -> ArraySlice.of(new float[header.count() + 7], 3, header.count() + 4);
                  default -> super.target(connection, header);
                };
              }
            });
    float[] array = new float[50_000];
    Arrays.setAll(new int[array.length], i -> (int) (array[i] = i));
    for (int tag = 1; tag <= 6; tag++) {
      SendOptions options = SendOptions.processed().tag(tag);
      if (tag < 5 && tag != 3) {
        assertThatThrownBy(() -> ends.send(array, options))
            .hasCauseInstanceOf(RemoteRejectedException.class);
      } else {
        ends.send(array, options);
        int offset = tag == 5 ? 3 : 0;
        assertThat(ends.last().slice().offset()).isEqualTo(offset);
        assertThat(ends.last().count()).isEqualTo(array.length);
        assertThat(ends.last().floats()).isEqualTo(array);
      }
    }
    ends.close();
  }

  @Test
  void anArrayBeyondALimitNamesBothSidesLimits() {
    Ends ends =
        Ends.of(
            EngineBench.options().maxArrayBytes(1000), EngineBench.options().maxArrayBytes(500));
    ends.one.out.reset();
    ends.other.out.reset();
    assertThatThrownBy(() -> ends.one.connection.send(ArraySlice.of(new float[126])))
        .isInstanceOf(ArrayTooLargeException.class)
        .hasMessageContaining("bytes=504")
        .hasMessageContaining("here=1000")
        .hasMessageContaining("peer=500");
    assertThatThrownBy(() -> ends.other.connection.send(ArraySlice.of(new float[126])))
        .isInstanceOf(ArrayTooLargeException.class)
        .hasMessageContaining("bytes=504")
        .hasMessageContaining("here=500")
        .hasMessageContaining("peer=1000");
    assertThat(
            ends.one
                .connection
                .sendAsync(ArraySlice.of(new float[126]), SendOptions.handedOff())
                .toCompletableFuture())
        .isCompletedExceptionally();
    ends.one.pump();
    assertThat(ends.one.outBytes()).isEmpty();
    ends.close();
  }

  @Test
  void misuseIsRefusedBeforeAnyByte() {
    EngineBench bench =
        EngineBench.connector(
                EngineBench.options().codecs(EngineBench.PROTOBUF).checksums(Checksums.UNWANTED))
            .open();
    assertThatThrownBy(
            () -> bench.connection.sendAsync(ArraySlice.of(new short[1]), SendOptions.processed()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type=short")
        .hasMessageContaining("codecs=[proto]");
    assertThatThrownBy(() ->
            bench.connection.sendAsync(
                ArraySlice.of(new float[5]), SendOptions.handedOff().shape(2, 3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("shape=[2, 3]")
        .hasMessageContaining("length=5");
    bench.pump();
    assertThat(bench.outBytes()).isEmpty();
    EngineBench plain = EngineBench.connector(EngineBench.options().plain(ElementType.FLOAT));
    for (SendOptions options :
        List.of(
            SendOptions.processed(),
            SendOptions.handedOff().tag(1),
            SendOptions.handedOff().shape(1),
            SendOptions.handedOff().metadata("unit", "K"))) {
      assertThatThrownBy(() -> plain.connection.sendAsync(ArraySlice.of(new float[1]), options))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("plain mode");
    }
    assertThatThrownBy(() -> plain.connection.sendAsync(ArraySlice.of(new int[1])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type=int");
    plain.pump();
    assertThat(plain.outBytes()).isEmpty();
  }
}
