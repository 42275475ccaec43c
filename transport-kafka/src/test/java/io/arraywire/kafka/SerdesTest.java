package io.arraywire.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Limits;
import io.arraywire.message.Message;
import io.arraywire.message.MessageOptions;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Serializers and deserializers, the same for each type, without a broker. */
class SerdesTest {
  private static final String TOPIC = "features";

  static Stream<Arguments> primitives() {
    return Stream.of(
        Arguments.of(new FloatArraySerde(), new float[] {1, -0f, Float.NaN, Float.MIN_VALUE}),
        Arguments.of(new IntArraySerde(), new int[] {1, -1, Integer.MIN_VALUE}),
        Arguments.of(new DoubleArraySerde(), new double[] {1, -0d, Double.MAX_VALUE}),
        Arguments.of(new LongArraySerde(), new long[] {1, -1, Long.MIN_VALUE}),
        Arguments.of(new ShortArraySerde(), new short[] {1, -1, Short.MIN_VALUE}),
        Arguments.of(new CharArraySerde(), new char[] {1, 'x', Character.MAX_VALUE}),
        Arguments.of(new ByteArraySerde(), new byte[] {1, -1, Byte.MIN_VALUE}),
        Arguments.of(new BooleanArraySerde(), new boolean[] {true, false, true}));
  }

  @ParameterizedTest
  @MethodSource("primitives")
  <T> void anArrayComesBack(Serde<T> serde, T array) {
    byte[] bytes = serde.serializer().serialize(TOPIC, new RecordHeaders(), array);
    assertThat(serde.deserializer().deserialize(TOPIC, bytes)).isEqualTo(array);
    assertThat(serde.deserializer().deserialize(TOPIC, new RecordHeaders(), bytes))
        .isEqualTo(array);
  }

  /** As the consumer gives it: read-only or not, on or off the heap, in the middle of a fetch. */
  @ParameterizedTest
  @MethodSource("primitives")
  <T> void aBufferIsReadInPlaceAndLeftAsItWas(Serde<T> serde, T array) {
    byte[] bytes = serde.serializer().serialize(TOPIC, array);
    for (ByteBuffer fetch :
        new ByteBuffer[] {
          ByteBuffer.allocate(bytes.length + 13), ByteBuffer.allocateDirect(bytes.length + 13)
        }) {
      fetch.position(5);
      fetch.put(bytes).position(5).limit(5 + bytes.length);
      for (ByteBuffer each : new ByteBuffer[] {fetch, fetch.asReadOnlyBuffer()}) {
        assertThat(serde.deserializer().deserialize(TOPIC, new RecordHeaders(), each))
            .isEqualTo(array);
        assertThat(each.position()).isEqualTo(5);
        assertThat(each.limit()).isEqualTo(5 + bytes.length);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("primitives")
  <T> void aTombstonePasses(Serde<T> serde, T array) {
    assertThat(serde.serializer().serialize(TOPIC, new RecordHeaders(), null)).isNull();
    assertThat(serde.deserializer().deserialize(TOPIC, new RecordHeaders(), (byte[]) null))
        .isNull();
    assertThat(serde.deserializer().deserialize(TOPIC, new RecordHeaders(), (ByteBuffer) null))
        .isNull();
  }

  @ParameterizedTest
  @MethodSource("primitives")
  <T> void anArrayWithoutElementsComesBack(Serde<T> serde, T array) {
    @SuppressWarnings("unchecked")
    T none = (T) Array.newInstance(array.getClass().getComponentType(), 0);
    assertThat(serde.deserializer().deserialize(TOPIC, serde.serializer().serialize(TOPIC, none)))
        .isEqualTo(none);
  }

  @ParameterizedTest
  @MethodSource("primitives")
  <T> void anyEncodingIsReadAndTheNameChoosesOne(Serde<T> serde, T array) throws Exception {
    serde.configure(
        Map.of(ArrayRecordConfig.ENCODING, "raw-be", "arraywire.checksum", "true"), false);
    byte[] bytes = serde.serializer().serialize(TOPIC, array);
    assertThat(bytes)
        .isEqualTo(
            ArrayMessage.encode(
                Message.of(ArraySlice.ofArray(array)),
                MessageOptions.defaults().encoding(io.arraywire.Encoding.RAW_BIG_ENDIAN)));
    assertThat(serde.deserializer().deserialize(TOPIC, bytes)).isEqualTo(array);
  }

  @ParameterizedTest
  @MethodSource("primitives")
  <T> void anotherTypeIsRefusedWithItsName(Serde<T> serde, T array) {
    Object other = array instanceof float[] ? new long[3] : new float[3];
    byte[] bytes = new ArraySliceSerializer().serialize(TOPIC, ArraySlice.ofArray(other));
    assertThatThrownBy(() -> serde.deserializer().deserialize(TOPIC, bytes))
        .isInstanceOfSatisfying(
            ArrayRecordException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.TARGET_MISMATCH);
              assertThat(e.topic()).isEqualTo(TOPIC);
              assertThat(e.partition()).isEqualTo(ArrayRecordException.UNKNOWN);
              assertThat(e)
                  .hasMessageContaining("topic=features")
                  .hasMessageContaining("type=" + ElementType.of(other).typeName())
                  .hasMessageContaining("expected=" + ElementType.of(array).typeName());
            });
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void aSliceKeepsItsType(ElementType type) {
    ArraySliceSerde serde = new ArraySliceSerde();
    Object array = type.newArray(7);
    ArraySlice slice = ArraySlice.ofArray(array, 2, 4).as(type);
    ArraySlice back =
        serde.deserializer().deserialize(TOPIC, serde.serializer().serialize(TOPIC, slice));
    assertThat(back.type()).isEqualTo(type);
    assertThat(back.length()).isEqualTo(4);
  }

  @Test
  void aMessageKeepsTagShapeAttributesAndParts() {
    MessageSerde serde = new MessageSerde();
    Message one =
        Message.of(ArraySlice.of(new float[] {0, 1, 2, 3, 4, 5, 6}, 1, 6), 2, 3)
            .tag(-7)
            .attribute("unit", "K");
    Message back =
        serde.deserializer().deserialize(TOPIC, serde.serializer().serialize(TOPIC, one));
    assertThat(back.floats()).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(back.tag()).isEqualTo(-7);
    assertThat(back.parts().get(0).shape()).containsExactly(2, 3);
    assertThat(back.attributes()).isEqualTo(Map.of("unit", "K"));
    Message parts = Message.of("ids", new int[] {1, 2}).with("scores", new float[] {3, 4});
    back = serde.deserializer().deserialize(TOPIC, serde.serializer().serialize(TOPIC, parts));
    assertThat(back.ints("ids")).containsExactly(1, 2);
    assertThat(back.floats("scores")).containsExactly(3, 4);
    byte[] several = serde.serializer().serialize(TOPIC, parts);
    assertThatThrownBy(() -> new IntArrayDeserializer().deserialize(TOPIC, several))
        .isInstanceOf(ArrayRecordException.class)
        .hasMessageContaining("MessageDeserializer");
  }

  /** The bytes are an array message, so everything that reads one reads a record. */
  @Test
  void aRecordIsAnArrayMessage() throws Exception {
    byte[] bytes = new FloatArraySerializer().serialize(TOPIC, new float[] {1, 2});
    assertThat(ArrayMessage.decode(bytes, Limits.ofBytes(8)).floats()).containsExactly(1, 2);
    assertThat(bytes).hasSize(64 + 8);
  }

  @Test
  void theLimitIsThatOfTheProperties() {
    byte[] bytes = new FloatArraySerializer().serialize(TOPIC, new float[3]);
    FloatArrayDeserializer deserializer = new FloatArrayDeserializer();
    deserializer.configure(Map.of(ArrayRecordConfig.MAX_BYTES, 12), false);
    assertThat(deserializer.deserialize(TOPIC, bytes)).hasSize(3);
    deserializer.configure(Map.of(ArrayRecordConfig.MAX_BYTES, "11"), false);
    assertThatThrownBy(() -> deserializer.deserialize(TOPIC, bytes))
        .isInstanceOfSatisfying(
            ArrayRecordException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.FRAME_TOO_LARGE))
        .hasMessageContaining("limit=11");
  }

  @Test
  void wrongPropertiesAreRefused() {
    FloatArraySerde serde = new FloatArraySerde();
    assertThatThrownBy(() -> serde.configure(Map.of(ArrayRecordConfig.ENCODING, "raw"), false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("present=[raw-le, raw-be, shuffle-zstd, shuffle-lz4, bf16, fp16]");
    // Connections have these encodings, records have not.
    for (String name : new String[] {"protobuf", "java-object"}) {
      assertThatThrownBy(() -> serde.configure(Map.of(ArrayRecordConfig.ENCODING, name), false))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(name)
          .hasMessageContaining("present=[raw-le, raw-be");
    }
    assertThatThrownBy(() -> serde.configure(Map.of(ArrayRecordConfig.CHECKSUM, "yes"), false))
        .isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> serde.configure(Map.of(ArrayRecordConfig.MAX_BYTES, "-1"), false))
        .isInstanceOf(ConfigException.class);
  }

  /** Whatever bytes a topic has, there is an array or a typed failure. */
  @Test
  void damagedBytesEndInATypedFailure() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    MessageSerde serde = new MessageSerde();
    Message[] samples = {
      Message.of(new float[] {1, 2, 3}),
      Message.of(new long[6], 2, 3).tag(1).attribute("k", "v"),
      Message.of("a", new byte[] {1}).with("b", new double[] {2}, 1)
    };
    int failures = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = serde.serializer().serialize(TOPIC, samples[i % samples.length]);
      switch (random.nextInt(3)) {
        case 0 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
        case 1 -> bytes = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length));
        default -> bytes = java.util.Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(9));
      }
      try {
        serde.deserializer().deserialize(TOPIC, new RecordHeaders(), ByteBuffer.wrap(bytes));
      } catch (ArrayRecordException e) {
        failures++;
        assertThat(e.getMessage()).hasSizeLessThan(300).contains("topic=features");
      }
    }
    assertThat(failures).isGreaterThan(10_000);
  }

  @Test
  void aDefaultIsWhatTheDocumentationSays() {
    assertThat(ArrayRecordConfig.defaultOptions().checksum()).isFalse();
    assertThat(ArrayRecordConfig.defaultOptions().encoding().name()).isEqualTo("raw-le");
    assertThat(ArrayRecordConfig.DEFAULT_MAX_BYTES).isEqualTo(64L << 20);
    assertThat(SplitOptions.defaults().pieceBytes()).isEqualTo(1_000_000);
    assertThat(SplitOptions.defaults().messages().checksum()).isFalse();
    assertThat(AssemblyOptions.defaults().arrayBytes()).isEqualTo(64L << 20);
    assertThat(AssemblyOptions.defaults().pendingBytes()).isEqualTo(256L << 20);
    assertThat(AssemblyOptions.defaults().deadline()).isEqualTo(java.time.Duration.ofMinutes(10));
    assertThatThrownBy(() -> SplitOptions.defaults().pieceBytes(15))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("pieceBytes=15");
    assertThatThrownBy(() -> AssemblyOptions.defaults().arrayBytes(-1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> AssemblyOptions.defaults().pendingBytes(1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> AssemblyOptions.defaults().deadline(java.time.Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
