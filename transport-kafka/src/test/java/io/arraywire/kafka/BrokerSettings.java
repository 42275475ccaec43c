package io.arraywire.kafka;

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
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** Files and address of a broker that is its own controller (KRaft). */
record BrokerSettings(Path file, String address) {

  /** Settings with free ports and a formatted directory, as {@code kafka-storage format} does. */
  static BrokerSettings in(Path dir) throws IOException {
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
            "offsets.topic.replication.factor=1",
            "offsets.topic.num.partitions=1",
            "group.initial.rebalance.delay.ms=0",
            // A killed broker may come back once its session is over.
            "broker.session.timeout.ms=1500",
            "broker.heartbeat.interval.ms=300",
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
    return new BrokerSettings(file, "localhost:" + port);
  }

  void create(String topic, int partitions) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      admin
          .createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
          .all()
          .get(60, TimeUnit.SECONDS);
    }
  }
}
