package io.arraywire.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.arraywire.ArraySlice;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Serializers, deserializers, producer and assembler do their work in the call: what they throw has
 * the frames of the code that called. Only what a broker says comes on another thread, by the stage
 * of {@link ArrayProducer#send}, which is waited for.
 */
class CallerErrorsTest {
  private static final String TOPIC = "weights";
  private static final byte[] WRONG = {1, 2, 3};

  private static void assertTraced(Class<?> type, ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    assertThat(failure).isInstanceOf(type);
    assertThat(failure.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(CallerErrorsTest.class.getName()));
    assertThat(failure.getMessage()).hasSizeLessThan(300);
  }

  @Test
  void whatSerdesThrow() {
    try (MessageSerializer serializer = new MessageSerializer();
        MessageDeserializer messages = new MessageDeserializer();
        FloatArrayDeserializer floats = new FloatArrayDeserializer();
        ArraySliceDeserializer slices = new ArraySliceDeserializer()) {
      assertTraced(
          ConfigException.class,
          () -> serializer.configure(Map.of("arraywire.encoding", "none such"), false));
      serializer.configure(Map.of("arraywire.encoding", "bf16"), false);
      assertTraced(
          SerializationException.class,
          () -> serializer.serialize(TOPIC, Message.of(ArraySlice.of(new long[1]))));
      assertTraced(ArrayRecordException.class, () -> messages.deserialize(TOPIC, WRONG));
      assertTraced(ArrayRecordException.class, () -> floats.deserialize(TOPIC, WRONG));
      assertTraced(
          ArrayRecordException.class,
          () -> slices.deserialize(TOPIC, new RecordHeaders(), ByteBuffer.wrap(WRONG)));
    }
  }

  @Test
  void whatAProducerThrows() {
    try (MockProducer<String, byte[]> producer =
        new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer())) {
      ArrayProducer<String> arrays =
          ArrayProducer.over(producer, SplitOptions.defaults().pieceBytes(16));
      Message large = Message.of(new int[100]);
      assertTraced(
          IllegalArgumentException.class,
          () -> arrays.send(new ProducerRecord<>(TOPIC, null, large)));
      CompletableFuture<RecordMetadata> sent =
          arrays.send(new ProducerRecord<>(TOPIC, "key", Message.of(new int[1])));
      producer.errorNext(new TimeoutException("no broker"));
      Throwable wrapper = catchThrowable(sent::get);
      assertThat(wrapper)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(TimeoutException.class);
      assertThat(wrapper.getStackTrace())
          .anyMatch(frame -> frame.getClassName().equals(CallerErrorsTest.class.getName()));
    }
  }

  /** What cannot be read is a result that another thread may have got; each reader fails alone. */
  @Test
  void whatAnAssemblerReports() throws Exception {
    ArrayAssembler<String> assembler =
        ArrayAssembler.within(AssemblyOptions.defaults().deadline(Duration.ofSeconds(10)));
    ArrayRecord<String> unread =
        CompletableFuture.supplyAsync(
                new Read(
                    assembler, ArrayAssemblerTest.at(7, new ProducerRecord<>(TOPIC, "key", WRONG))))
            .get();
    // A method reference has no frame of its own class.
    assertTraced(ArrayRecordException.class, () -> unread.message());
    Throwable first = catchThrowable(unread::message);
    Throwable second = catchThrowable(unread::message);
    assertThat(first).isNotSameAs(second).hasCause(unread.failure());
  }

  /** A class of its own, which leaves no frame of the test's. */
  private static final class Read implements Supplier<ArrayRecord<String>> {
    private final ArrayAssembler<String> assembler;
    private final ConsumerRecord<String, ByteBuffer> record;

    Read(ArrayAssembler<String> assembler, ConsumerRecord<String, ByteBuffer> record) {
      this.assembler = assembler;
      this.record = record;
    }

    @Override
    public ArrayRecord<String> get() {
      return assembler.add(record).get(0);
    }
  }
}
