package io.arraywire.chaos.broker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * A broker that is its own controller (KRaft), at free ports of the loopback. It is the class that
 * {@code kafka-server-start} runs, in this JVM or in a process of its own. A module that uses it
 * has {@code kafka_2.13} among its own dependencies. For one thread at a time.
 */
public final class TestBroker implements AutoCloseable {
  private static final int KILL_SECONDS = 30;
  private static final int CREATE_SECONDS = 60;

  /** They start in half the time. */
  private static final List<String> SHORT_LIVED =
      List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private final Path settings;
  private final String address;
  private final @Nullable List<String> options;
  private @Nullable KafkaRaftServer server;
  private @Nullable Process process;

  private TestBroker(Path settings, String address, @Nullable List<String> options) {
    this.settings = settings;
    this.address = address;
    this.options = options;
  }

  /**
   * Starts a broker in this JVM.
   *
   * @param dir a directory, empty or not there yet, for its settings and its log
   * @return the broker
   * @throws IOException if the directory cannot be written
   */
  public static TestBroker start(Path dir) throws IOException {
    return start(dir, 0, null);
  }

  /**
   * Starts a broker in this JVM, at a port that clients know.
   *
   * @param dir as above
   * @param port where clients find it
   * @return the broker
   * @throws IOException if the directory cannot be written, or another program has the port
   */
  public static TestBroker start(Path dir, int port) throws IOException {
    return start(dir, port, null);
  }

  /**
   * Starts a broker in a process of its own, with the class path of this one.
   *
   * @param dir a directory, empty or not there yet, for its settings, its log, and the file {@code
   *     output} with what it prints
   * @return the broker
   * @throws IOException if the directory cannot be written, or there is no such process
   */
  public static TestBroker startProcess(Path dir) throws IOException {
    return startProcess(dir, SHORT_LIVED);
  }

  /**
   * Starts a broker in a process of its own.
   *
   * @param dir as above
   * @param options of its JVM
   * @return the broker
   * @throws IOException if the directory cannot be written, or there is no such process
   */
  public static TestBroker startProcess(Path dir, List<String> options) throws IOException {
    return start(dir, 0, List.copyOf(options));
  }

  private static TestBroker start(Path dir, int wanted, @Nullable List<String> options)
      throws IOException {
    int port;
    int controller;
    try (ServerSocket one = new ServerSocket(wanted, 1, InetAddress.getLoopbackAddress());
        ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = one.getLocalPort();
      controller = other.getLocalPort();
    }
    Files.createDirectories(dir);
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
            // What a topic need not keep is gone soon, for those that write without an end.
            "log.retention.check.interval.ms=1000",
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
    TestBroker broker = new TestBroker(file, "localhost:" + port, options);
    broker.startAgain();
    return broker;
  }

  /**
   * Where clients find it.
   *
   * @return host and port, the same after {@link #startAgain}
   */
  public String address() {
    return address;
  }

  /**
   * Creates a topic of one partition.
   *
   * @param topic its name
   * @throws ExecutionException if there is one of that name
   * @throws InterruptedException if the thread is interrupted
   * @throws TimeoutException if the broker does not answer within a minute
   */
  public void create(String topic)
      throws ExecutionException, InterruptedException, TimeoutException {
    create(topic, 1);
  }

  /**
   * Creates a topic.
   *
   * @param topic its name
   * @param partitions how many
   * @throws ExecutionException if there is one of that name
   * @throws InterruptedException if the thread is interrupted
   * @throws TimeoutException if the broker does not answer within a minute
   */
  public void create(String topic, int partitions)
      throws ExecutionException, InterruptedException, TimeoutException {
    create(topic, partitions, Map.of());
  }

  /**
   * Creates a topic that has settings of its own.
   *
   * @param topic its name
   * @param partitions how many
   * @param settings as in {@code org.apache.kafka.common.config.TopicConfig}
   * @throws ExecutionException if there is one of that name
   * @throws InterruptedException if the thread is interrupted
   * @throws TimeoutException if the broker does not answer within a minute
   */
  public void create(String topic, int partitions, Map<String, String> settings)
      throws ExecutionException, InterruptedException, TimeoutException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      admin
          .createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)))
          .all()
          .get(CREATE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /**
   * Kills the process (SIGKILL): nothing is flushed, no client is told.
   *
   * @throws InterruptedException if the thread is interrupted
   * @throws IllegalStateException if it has no process of its own, or that does not end
   */
  public void kill() throws InterruptedException {
    Process killed = process;
    if (killed == null || !killed.destroyForcibly().waitFor(KILL_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the broker has no process, or that does not end");
    }
  }

  /** Ends the broker: in order where it is in this JVM, else its process. */
  public void stop() {
    KafkaRaftServer here = server;
    if (here != null) {
      here.shutdown();
      here.awaitShutdown();
      server = null;
    }
    if (process != null) {
      process.destroyForcibly();
      var unused = process.onExit().join();
      process = null;
    }
  }

  /**
   * Starts a broker at the same address and with the same log.
   *
   * @throws IOException if its settings cannot be read, or there is no such process
   */
  public void startAgain() throws IOException {
    List<String> ofProcess = options;
    if (ofProcess == null) {
      KafkaRaftServer here =
          new KafkaRaftServer(new KafkaConfig(Utils.loadProps(settings.toString())), Time.SYSTEM);
      here.startup();
      server = here;
      return;
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ofProcess);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add("kafka.Kafka");
    command.add(settings.toString());
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(settings.resolveSibling("output").toFile()))
            .start();
  }

  @Override
  public void close() {
    stop();
  }
}
