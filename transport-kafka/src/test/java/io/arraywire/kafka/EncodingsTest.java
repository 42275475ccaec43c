package io.arraywire.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.message.Message;
import io.arraywire.message.MessageOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records in encodings in blocks, which come by the service loader, and hostile ones. */
class EncodingsTest {
  private static final String TOPIC = "features";
  private static final int HEADER_BYTES = 64;

  private static <S extends Serde<?>> S configured(S serde, String encoding) {
    serde.configure(Map.of(ArrayRecordConfig.ENCODING, encoding), false);
    return serde;
  }

  @ParameterizedTest
  @MethodSource("io.arraywire.kafka.SerdesTest#primitives")
  <T> void aCompressedArrayOfEachTypeComesBackToEveryReader(Serde<T> serde, T array) {
    int count = 40_000;
    @SuppressWarnings("unchecked")
    T large = (T) ElementType.of(array).newArray(count);
    System.arraycopy(array, 0, large, 777, java.lang.reflect.Array.getLength(array));
    int raw = serde.serializer().serialize(TOPIC, large).length;
    for (String encoding : new String[] {"shuffle-zstd", "shuffle-lz4"}) {
      configured(serde, encoding);
      byte[] bytes = serde.serializer().serialize(TOPIC, large);
      assertThat(bytes.length).isLessThan(raw / 20);
      assertThat(serde.deserializer().deserialize(TOPIC, bytes)).isEqualTo(large);
      // Readers that were told nothing, on and off the heap.
      ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
      ArraySlice slice =
          new ArraySliceDeserializer()
              .deserialize(TOPIC, new RecordHeaders(), direct.asReadOnlyBuffer());
      assertThat(slice.array()).isEqualTo(large);
    }
  }

  @Test
  void whatLosesBitsIsUsedWhereItIsNamed() {
    float[] floats = {1, -2.5f, 0.1f};
    FloatArraySerde serde = configured(new FloatArraySerde(), "bf16");
    byte[] bytes = serde.serializer().serialize(TOPIC, floats);
    assertThat(new FloatArrayDeserializer().deserialize(TOPIC, bytes))
        .containsExactly(1, -2.5f, 0.10009765625f);
    configured(serde, "fp16");
    bytes = serde.serializer().serialize(TOPIC, floats);
    assertThat(new FloatArrayDeserializer().deserialize(TOPIC, bytes))
        .containsExactly(1, -2.5f, 0.0999755859375f);
    assertThat(new FloatArraySerializer().serialize(TOPIC, floats)[6])
        .isEqualTo((byte) Encoding.RAW_LITTLE_ENDIAN.code());
    LongArraySerde longs = configured(new LongArraySerde(), "bf16");
    assertThatThrownBy(() -> longs.serializer().serialize(TOPIC, new long[3]))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("encoding=bf16")
        .hasMessageContaining("type=long")
        .hasMessageContaining("topic=features");
  }

  @Test
  void aMessageKeepsShapeTagAndAttributesInBlocks() {
    MessageSerde serde = configured(new MessageSerde(), "shuffle-zstd");
    Message message = Message.of(new double[30_000], 3, 10_000).tag(9).attribute("unit", "K");
    Message back =
        serde.deserializer().deserialize(TOPIC, serde.serializer().serialize(TOPIC, message));
    assertThat(back).hasToString(message.toString());
    assertThat(back.tag()).isEqualTo(9);
    assertThat(back.attributes()).isEqualTo(Map.of("unit", "K"));
  }

  /** The limit is of what the elements take in memory, however small a record is. */
  @Test
  void theLimitCountsElementsAndNotBytesOfTheRecord() {
    byte[] bytes =
        configured(new FloatArraySerde(), "shuffle-zstd")
            .serializer()
            .serialize(TOPIC, new float[250_000]);
    assertThat(bytes.length).isLessThan(10_000);
    FloatArrayDeserializer deserializer = new FloatArrayDeserializer();
    deserializer.configure(Map.of(ArrayRecordConfig.MAX_BYTES, 1_000_000), false);
    assertThat(deserializer.deserialize(TOPIC, bytes)).hasSize(250_000);
    deserializer.configure(Map.of(ArrayRecordConfig.MAX_BYTES, 999_999), false);
    assertThatThrownBy(() -> deserializer.deserialize(TOPIC, bytes))
        .isInstanceOfSatisfying(
            ArrayRecordException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.FRAME_TOO_LARGE))
        .hasMessageContaining("limit=999999");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shuffle-zstd", "shuffle-lz4", "fp16"})
  void piecesOfALargeArrayAreInBlocks(String name) {
    Encoding encoding =
        List.of(Encoding.SHUFFLE_ZSTD, Encoding.SHUFFLE_LZ4, Encoding.FLOAT_FP16).stream()
            .filter(each -> each.name().equals(name))
            .findAny()
            .orElseThrow();
    float[] weights = new float[200_000];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = i / 1_000;
    }
    MockProducer<String, byte[]> producer =
        new MockProducer<>(
            true, new RoundRobinPartitioner(), new StringSerializer(), new ByteArraySerializer());
    SplitOptions options =
        SplitOptions.defaults()
            .pieceBytes(300_000)
            .messages(MessageOptions.defaults().encoding(encoding));
    CompletableFuture<?> sent =
        ArrayProducer.over(producer, options)
            .send(new ProducerRecord<>(TOPIC, 0, "k", Message.of(weights).tag(3)));
    assertThat(sent).isCompleted();
    ArrayAssembler<String> assembler = ArrayAssembler.within(AssemblyOptions.defaults());
    List<ArrayRecord<String>> got = new ArrayList<>();
    int total = 0;
    for (int i = 0; i < producer.history().size(); i++) {
      ProducerRecord<String, byte[]> record = producer.history().get(i);
      assertThat(record.value()[6]).isEqualTo((byte) encoding.code());
      total += record.value().length;
      got.addAll(assembler.add(ArrayAssemblerTest.at(i, record)));
    }
    assertThat(producer.history().size()).isEqualTo(3);
    assertThat(total).isLessThan(410_000);
    assertThat(got).hasSize(1);
    assertThat(got.get(0).message().floats()).isEqualTo(weights);
    assertThat(got.get(0).message().tag()).isEqualTo(3);
  }

  // Hostile records.

  private static byte[] sealed(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, 60);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(60, (int) crc.getValue());
    return bytes;
  }

  private static byte[] record(String encoding) {
    float[] floats = new float[20_000];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = i / 50;
    }
    return configured(new FloatArraySerde(), encoding).serializer().serialize(TOPIC, floats);
  }

  private static final String[] ALL = {
    "raw-le", "raw-be", "shuffle-zstd", "shuffle-lz4", "bf16", "fp16"
  };

  @Test
  void everyPrefixIsATypedFailure() {
    FloatArrayDeserializer deserializer = new FloatArrayDeserializer();
    for (String encoding : ALL) {
      byte[] whole = record(encoding);
      for (int length = 0; length < whole.length; length += length < 300 ? 1 : 313) {
        byte[] prefix = Arrays.copyOf(whole, length);
        assertThatThrownBy(() -> deserializer.deserialize(TOPIC, prefix))
            .isInstanceOfSatisfying(
                ArrayRecordException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.TRUNCATED));
      }
    }
  }

  /** One byte is another one, behind a header whose checksum is right. */
  @Test
  void everyByteMayBeAnotherOne() {
    Random random = new Random(28);
    FloatArrayDeserializer deserializer = new FloatArrayDeserializer();
    deserializer.configure(Map.of(ArrayRecordConfig.MAX_BYTES, 1 << 20), false);
    int failures = 0;
    for (String encoding : ALL) {
      byte[] whole = record(encoding);
      for (int i = 0; i < Math.min(whole.length, 1_000); i++) {
        byte[] changed = whole.clone();
        changed[i] ^= (byte) (1 + random.nextInt(255));
        try {
          float[] floats =
              deserializer.deserialize(TOPIC, i < HEADER_BYTES ? sealed(changed) : changed);
          assertThat(floats.length).isLessThanOrEqualTo(1 << 18);
        } catch (ArrayRecordException e) {
          failures++;
          assertThat(e.getMessage()).hasSizeLessThan(300).contains("topic=features");
        }
      }
    }
    assertThat(failures).isGreaterThan(300);
  }

  /** A first piece of some KiB announces 24 MiB, and unfinished arrays leave room for 2. */
  @Test
  void whatAFirstPieceAnnouncesTakesNoMemoryBeyondPendingBytes() {
    MockProducer<String, byte[]> producer =
        new MockProducer<>(
            true, new RoundRobinPartitioner(), new StringSerializer(), new ByteArraySerializer());
    SplitOptions split =
        SplitOptions.defaults()
            .pieceBytes(24 << 20)
            .messages(MessageOptions.defaults().encoding(Encoding.SHUFFLE_ZSTD));
    ArrayProducer<String> arrays = ArrayProducer.over(producer, split);
    Message message = Message.of(new double[6 << 20]).attribute("unit", "K");
    ArrayAssembler<String> assembler =
        ArrayAssembler.within(
            AssemblyOptions.defaults().arrayBytes(50 << 20).pendingBytes(50 << 20));
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
    long allocated = 0;
    List<ArrayRecord<String>> results = List.of();
    for (String key : List.of("a", "b", "c")) {
      assertThat(results).isEmpty();
      int at = producer.history().size();
      assertThat(arrays.send(new ProducerRecord<>(TOPIC, 0, key, message))).isCompleted();
      ProducerRecord<String, byte[]> first = producer.history().get(at);
      assertThat(first.value().length).isLessThan(100_000);
      long before = threads.getCurrentThreadAllocatedBytes();
      results = assembler.add(ArrayAssemblerTest.at(at, first));
      allocated = threads.getCurrentThreadAllocatedBytes() - before;
    }
    assertThat(results).hasSize(1);
    assertThat(results.get(0).failure().code()).isEqualTo(ErrorCode.MEMORY_BUDGET);
    assertThat(allocated).isLessThan(2 << 20);
  }

  /**
   * Records of 100 bytes that announce 64 MiB, the default limit, and 8 EiB are refused, and no
   * memory is taken for what they announce.
   */
  @Test
  void giantSizesTakeNoMemory() {
    FloatArrayDeserializer deserializer = new FloatArrayDeserializer();
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
    for (String encoding : ALL) {
      byte[] small =
          configured(new FloatArraySerde(), encoding)
              .serializer()
              .serialize(TOPIC, new float[] {1, 1, 1, 1, 1, 1, 1, 1});
      for (long count : new long[] {1 << 24, 1L << 31, 1L << 61, Long.MAX_VALUE, -1}) {
        byte[] giant = small.clone();
        ByteBuffer.wrap(giant)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(32, count)
            .putLong(40, 4 * count);
        sealed(giant);
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> deserializer.deserialize(TOPIC, giant))
            .isInstanceOf(ArrayRecordException.class);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4 << 20);
      }
    }
  }
}
