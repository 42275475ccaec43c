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

/** A second copy of the elements would need memory for it. */
class CopiesTest {
  private static final String TOPIC = "features";
  private static final int ELEMENTS = 300_000;

  /** Headers, buffer objects, and what the first calls of a JVM need. */
  private static final long SMALL = 32 << 10;

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

  private static long allocated(Supplier<Object> call) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    kept = call.get();
    long before = threads.getCurrentThreadAllocatedBytes();
    kept = call.get();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }
}
