package io.arraywire.kafka;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;

/** A broker in this JVM: the class that {@code kafka-server-start} runs. */
final class TestBroker implements AutoCloseable {
  private final BrokerSettings settings;
  private KafkaRaftServer server;

  private TestBroker(BrokerSettings settings) {
    this.settings = settings;
  }

  static TestBroker start(Path dir) throws IOException {
    TestBroker broker = new TestBroker(BrokerSettings.in(dir));
    broker.startAgain();
    return broker;
  }

  String address() {
    return settings.address();
  }

  void create(String topic, int partitions) throws Exception {
    settings.create(topic, partitions);
  }

  /** Ends the broker in order; nobody listens then. */
  void stop() {
    server.shutdown();
    server.awaitShutdown();
  }

  /** Starts a broker at the same address and with the same log. */
  void startAgain() throws IOException {
    Properties properties = Utils.loadProps(settings.file().toString());
    server = new KafkaRaftServer(new KafkaConfig(properties), Time.SYSTEM);
    server.startup();
  }

  @Override
  public void close() {
    stop();
  }
}
