package io.arraywire.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;

/**
 * A broker that is its own controller, in this JVM or in a process of its own, which can be killed:
 * the class that {@code kafka-server-start} runs.
 */
final class TestBroker {
  private final Path settings;
  private final String address;
  private final boolean apart;
  private KafkaRaftServer server;
  private Process process;

  private TestBroker(Path settings, String address, boolean apart) {
    this.settings = settings;
    this.address = address;
    this.apart = apart;
  }

  static TestBroker start(Path dir) throws IOException {
    return start(dir, false);
  }

  /** In a process of its own; what it prints is in the file {@code output} of the directory. */
  static TestBroker startProcess(Path dir) throws IOException {
    return start(dir, true);
  }

  private static TestBroker start(Path dir, boolean apart) throws IOException {
    int port;
    int controller;
    try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = one.getLocalPort();
      controller = other.getLocalPort();
    }
    Path file = dir.resolve("server.properties");
    Files.writeString(
        file,
        String.join(
            "\n",
            "process.roles=broker,controller",
            "node.id=1",
            "controller.quorum.voters=1@localhost:" + controller,
            "listeners=PLAINTEXT://localhost:" + port + ",CONTROLLER://localhost:" + controller,
            "advertised.listeners=PLAINTEXT://localhost:" + port,
            "controller.listener.names=CONTROLLER",
            "log.dirs=" + dir.resolve("log").toString().replace('\\', '/'),
            "auto.create.topics.enable=false",
            // A killed broker may come back once its session is over.
            "broker.session.timeout.ms=1500",
            "broker.heartbeat.interval.ms=300",
            ""));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int code =
        StorageTool.execute(
            new String[] {"format", "-t", "4L6g3nShT-eMCtK--X86sw", "-c", file.toString()},
            new PrintStream(said, true, StandardCharsets.UTF_8));
    if (code != 0) {
      throw new IOException("cannot format: " + said.toString(StandardCharsets.UTF_8));
    }
    TestBroker broker = new TestBroker(file, "localhost:" + port, apart);
    broker.startAgain();
    return broker;
  }

  String address() {
    return address;
  }

  void create(String topic) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      admin
          .createTopics(List.of(new NewTopic(topic, 1, (short) 1)))
          .all()
          .get(60, TimeUnit.SECONDS);
    }
  }

  /** SIGKILL: nothing is flushed, nobody is told. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
  }

  void stop() {
    if (apart) {
      process.destroyForcibly();
      process.onExit().join();
    } else {
      server.shutdown();
      server.awaitShutdown();
    }
  }

  void startAgain() throws IOException {
    if (!apart) {
      server =
          new KafkaRaftServer(new KafkaConfig(Utils.loadProps(settings.toString())), Time.SYSTEM);
      server.startup();
      return;
    }
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
                settings.toString())
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(settings.resolveSibling("output").toFile()))
            .start();
  }
}
