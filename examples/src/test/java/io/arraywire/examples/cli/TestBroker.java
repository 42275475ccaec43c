package io.arraywire.examples.cli;

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
 * A broker in this JVM that is its own controller: the class that {@code kafka-server-start} runs.
 */
final class TestBroker {
  private final Path settings;
  private final String address;
  private KafkaRaftServer server;

  private TestBroker(Path settings, String address) {
    this.settings = settings;
    this.address = address;
  }

  static TestBroker start(Path dir) throws IOException {
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
            ""));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int code =
        StorageTool.execute(
            new String[] {"format", "-t", "4L6g3nShT-eMCtK--X86sw", "-c", file.toString()},
            new PrintStream(said, true, StandardCharsets.UTF_8));
    if (code != 0) {
      throw new IOException("cannot format: " + said.toString(StandardCharsets.UTF_8));
    }
    TestBroker broker = new TestBroker(file, "localhost:" + port);
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

  void stop() {
    server.shutdown();
    server.awaitShutdown();
  }

  void startAgain() throws IOException {
    server =
        new KafkaRaftServer(new KafkaConfig(Utils.loadProps(settings.toString())), Time.SYSTEM);
    server.startup();
  }
}
