package io.arraywire.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A broker in a process of its own, which can be killed. */
final class BrokerProcess implements AutoCloseable {
  private final BrokerSettings settings;
  private Process process;

  private BrokerProcess(BrokerSettings settings) {
    this.settings = settings;
  }

  static BrokerProcess start(Path dir) throws IOException {
    BrokerProcess broker = new BrokerProcess(BrokerSettings.in(dir));
    broker.startAgain();
    return broker;
  }

  String address() {
    return settings.address();
  }

  void create(String topic, int partitions) throws Exception {
    settings.create(topic, partitions);
  }

  /** SIGKILL: nothing is flushed, nobody is told. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
  }

  /** What it prints is in the file {@code output} beside its settings. */
  void startAgain() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                "kafka.Kafka",
                settings.file().toString())
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(settings.file().resolveSibling("output").toFile()))
            .start();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
