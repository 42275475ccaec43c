package io.arraywire.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
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

  private static long allocated(Supplier<Object> call) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    kept = call.get();
    long before = threads.getCurrentThreadAllocatedBytes();
    kept = call.get();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }
}
