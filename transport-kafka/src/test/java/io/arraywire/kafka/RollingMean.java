package io.arraywire.kafka;

import java.util.Arrays;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.Stores;

/**
 * A Kafka Streams application: for each key the mean, element by element, of the last arrays of a
 * topic. The program of {@code docs/kafka.md} and {@code docs/scaling.md}.
 */
final class RollingMean {
  private RollingMean() {}

  /**
   * Runs until it is told to end. The topics must exist.
   *
   * @param arguments the brokers, the topic of the samples, that of the means, how many elements a
   *     sample has, and how many samples a mean is of
   */
  public static void main(String[] arguments) {
    Topology topology =
        topology(
            arguments[1],
            arguments[2],
            Integer.parseInt(arguments[3]),
            Integer.parseInt(arguments[4]));
    KafkaStreams streams = new KafkaStreams(topology, properties(arguments[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
    streams.start();
    System.out.println("computing means of " + arguments[1] + " into " + arguments[2]);
  }

  /** Of an application that reads a topic from its beginning and shows each mean at once. */
  static Properties properties(String brokers) {
    Properties properties = new Properties();
    properties.put("application.id", "rolling-mean");
    properties.put("bootstrap.servers", brokers);
    properties.put("replication.factor", 1);
    properties.put("commit.interval.ms", 100);
    properties.put("statestore.cache.max.bytes", 0);
    properties.put("auto.offset.reset", "earliest");
    // A record that is no array is logged and passed over.
    properties.put(
        "deserialization.exception.handler",
        "org.apache.kafka.streams.errors.LogAndContinueExceptionHandler");
    return properties;
  }

  static Topology topology(String from, String to, int width, int arrays) {
    FloatArraySerde floats = new FloatArraySerde();
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(from, Consumed.with(Serdes.String(), floats))
        .filter((key, sample) -> sample.length == width)
        .groupByKey(Grouped.with(Serdes.String(), floats))
        .aggregate(
            () -> new float[0],
            (key, sample, last) -> appended(last, sample, width * arrays),
            Materialized.<String, float[]>as(Stores.inMemoryKeyValueStore("last"))
                .withKeySerde(Serdes.String())
                .withValueSerde(floats))
        .toStream()
        .mapValues(last -> mean(last, width))
        .to(to, Produced.with(Serdes.String(), floats));
    return builder.build();
  }

  /** The last elements of both. */
  private static float[] appended(float[] last, float[] sample, int most) {
    int kept = Math.min(last.length, most - sample.length);
    float[] all = Arrays.copyOfRange(last, last.length - kept, last.length + sample.length);
    System.arraycopy(sample, 0, all, kept, sample.length);
    return all;
  }

  private static float[] mean(float[] last, int width) {
    float[] mean = new float[width];
    for (int i = 0; i < last.length; i++) {
      mean[i % width] += last[i] * width / last.length;
    }
    return mean;
  }
}
