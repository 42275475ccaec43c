package io.arraywire.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.chaos.broker.TestBroker;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What takes gigabytes. */
@Tag("slow")
@Timeout(600)
class LargestArrayIT {
  /** 1 GiB in pieces: more than a thousand records of one key. */
  @Test
  void aGibibytePassesInPieces(@TempDir Path dir) throws Exception {
    try (TestBroker broker = TestBroker.start(dir)) {
      broker.create("gibibyte", 1);
      pass(broker.address());
    }
  }

  private static void pass(String address) throws Exception {
    float[] weights = new float[1 << 28];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = i % 16_777_213;
    }
    ArrayAssembler<String> assembler =
        ArrayAssembler.within(AssemblyOptions.defaults().arrayBytes(1L << 30));
    List<ArrayRecord<String>> got = new ArrayList<>();
    try (KafkaProducer<String, byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", address),
                new StringSerializer(),
                new ByteArraySerializer());
        Consumer<String, ByteBuffer> consumer = SentArrays.consumer(address, "gibibyte", 1)) {
      ArrayProducer.over(producer)
          .send(new ProducerRecord<>("gibibyte", "k", Message.of(weights)))
          .join();
      while (got.isEmpty()) {
        for (ConsumerRecord<String, ByteBuffer> record : consumer.poll(Duration.ofSeconds(1))) {
          got.addAll(assembler.add(record));
        }
      }
    }
    float[] back = got.get(0).message().floats();
    assertThat(back.length).isEqualTo(1 << 28);
    assertThat(java.util.Arrays.mismatch(back, weights)).isEqualTo(-1);
  }
}
