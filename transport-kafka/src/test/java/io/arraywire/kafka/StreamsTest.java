package io.arraywire.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.LogAndContinueExceptionHandler;
import org.junit.jupiter.api.Test;

/** The serdes in a topology, without a broker. */
class StreamsTest {
  private static Properties properties() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "rolling-mean");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
    properties.put(
        StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG,
        LogAndContinueExceptionHandler.class.getName());
    return properties;
  }

  @Test
  void theMeanRolls() {
    try (TopologyTestDriver driver =
        new TopologyTestDriver(RollingMean.topology("samples", "means", 2, 3), properties())) {
      TestInputTopic<String, float[]> samples =
          driver.createInputTopic("samples", new StringSerializer(), new FloatArraySerializer());
      TestOutputTopic<String, float[]> means =
          driver.createOutputTopic("means", new StringDeserializer(), new FloatArrayDeserializer());
      samples.pipeInput("a", new float[] {0, 30});
      samples.pipeInput("a", new float[] {2, 10});
      samples.pipeInput("b", new float[] {7, 7});
      samples.pipeInput("a", new float[] {4, 20});
      samples.pipeInput("a", new float[] {6, 0});
      List<float[]> values = means.readValuesToList();
      assertThat(values.get(0)).containsExactly(0, 30);
      assertThat(values.get(1)).containsExactly(1, 20);
      assertThat(values.get(2)).containsExactly(7, 7);
      assertThat(values.get(3)).usingComparatorWithPrecision(1e-5f).containsExactly(2, 20);
      assertThat(values.get(4)).usingComparatorWithPrecision(1e-5f).containsExactly(4, 10);
    }
  }

  @Test
  void aPoisonRecordIsPassedOverWhereTheApplicationSaysSo() {
    try (TopologyTestDriver driver =
        new TopologyTestDriver(RollingMean.topology("samples", "means", 1, 2), properties())) {
      driver
          .createInputTopic("samples", new StringSerializer(), new ByteArraySerializer())
          .pipeInput("a", new byte[] {1, 2, 3});
      driver
          .createInputTopic("samples", new StringSerializer(), new FloatArraySerializer())
          .pipeInput("a", new float[] {5});
      assertThat(
              driver
                  .createOutputTopic(
                      "means", new StringDeserializer(), new FloatArrayDeserializer())
                  .readValue())
          .containsExactly(5);
    }
  }
}
