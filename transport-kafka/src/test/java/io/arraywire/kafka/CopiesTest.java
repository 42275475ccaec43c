package io.arraywire.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A second copy of the elements would need memory for it. */
class CopiesTest {
  private static final String TOPIC = "features";
  private static final int ELEMENTS = 300_000;

  /** Headers, buffer objects, and what the first calls of a JVM need. */
  private static final long SMALL = 32 << 10;

  /**
   * Of a record of any size: the buffer object of the consumer's bytes, the reader's own, the typed
   * view that copies, and the slice.
   */
  private static final long BESIDE_ELEMENTS = 256;

  private static final int RECORDS = 1000;

  /** Objects of a call, which are no copies. */
  private static final long FEW = 4 << 10;

  private static Object kept;

  @ParameterizedTest
  @MethodSource("io.arraywire.kafka.SerdesTest#primitives")
  <T> void elementsAreCopiedOnceEachWay(Serde<T> serde, T array) {
    @SuppressWarnings("unchecked")
    T large = (T) Array.newInstance(array.getClass().getComponentType(), ELEMENTS);
    byte[] bytes = serde.serializer().serialize(TOPIC, large);
    // As the consumer gives them: in the middle of a fetch.
    ByteBuffer fetch = ByteBuffer.allocate(bytes.length + 13);
    fetch.position(7).put(bytes).flip().position(7);
    assertThat(allocated(() -> serde.serializer().serialize(TOPIC, new RecordHeaders(), large)))
        .as("allocated to serialize")
        .isBetween((long) bytes.length, bytes.length + SMALL);
    assertThat(allocated(() -> serde.deserializer().deserialize(TOPIC, new RecordHeaders(), fetch)))
        .as("allocated to deserialize")
        .isBetween((long) ELEMENTS, bytes.length + SMALL);
    assertThat(kept).isEqualTo(large);
  }

  @ParameterizedTest
  @ValueSource(ints = {1 << 10, 8 << 10, 64 << 10})
  void readingARecordTakesItsElementsAndAConstant(int bytes) {
    byte[] record = new FloatArraySerializer().serialize(TOPIC, new float[bytes / Float.BYTES]);
    ByteBuffer fetched = ByteBuffer.wrap(record);
    RecordHeaders headers = new RecordHeaders();
    FloatArrayDeserializer deserializer = new FloatArrayDeserializer();
    long allocated =
        allocated(() -> {
          for (int i = 0; i < RECORDS; i++) {
            kept = deserializer.deserialize(TOPIC, headers, fetched);
          }
          return kept;
        });
    assertThat(allocated / RECORDS)
        .as("allocated for a record of %s bytes of elements", bytes)
        .isBetween((long) bytes, bytes + BESIDE_ELEMENTS);
  }

  /** A copy in memory that is kept allocates nothing; so what passes the encoder's is counted. */
  @ParameterizedTest
  @ValueSource(ints = {64 << 10, 1_000_000})
  void asFewCopiesAsAViewAndFewerThanAvroAndProtobuf(int bytes) {
    Map<String, FloatContender> contenders =
        FloatContender.all().stream()
            .collect(Collectors.toMap(FloatContender::name, contender -> contender));
    float[] floats = new float[bytes / Float.BYTES];
    Map<String, Long> written = new HashMap<>();
    Map<String, Long> read = new HashMap<>();
    contenders.forEach((name, contender) -> {
      ByteBuffer record = ByteBuffer.wrap(contender.serializer().serialize(TOPIC, floats));
      written.put(name, allocated(() -> contender.serializer().serialize(TOPIC, floats)));
      read.put(
          name,
          allocated(() ->
              contender
                  .deserializer()
                  .deserialize(TOPIC, new RecordHeaders(), record.duplicate())));
      assertThat(kept).as(name).isEqualTo(floats);
    });
    for (Map<String, Long> each : List.of(written, read)) {
      assertThat(each.get(FloatContender.BASE)).isBetween((long) bytes, bytes + FEW);
      assertThat(each.get(FloatContender.OURS)).isBetween((long) bytes, bytes + FEW);
      assertThat(each.get("protobuf, `repeated float`")).isGreaterThan(2L * bytes);
    }
    // Elements go into a buffer of 2 KiB, from there into the stream, and from that into a record.
    AtomicLong passed = new AtomicLong();
    ByteArrayOutputStream counting =
        new ByteArrayOutputStream() {
          @Override
          public synchronized void write(byte[] some, int offset, int length) {
            assertThat(some.length).as("the encoder's own buffer").isLessThanOrEqualTo(2 << 10);
            passed.addAndGet(length);
            super.write(some, offset, length);
          }
        };
    int record = new FloatContender.AvroFloats(counting).serialize(TOPIC, floats).length;
    assertThat(record).isGreaterThanOrEqualTo(bytes);
    assertThat(passed).hasValue(record);
  }

  private static long allocated(Supplier<Object> call) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    kept = call.get();
    long before = threads.getCurrentThreadAllocatedBytes();
    kept = call.get();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }
}
