package io.arraywire.nio;

import io.arraywire.ArrayHandler;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.TransportOptions;
import io.arraywire.chaos.process.AnsweringProcess;
import io.arraywire.security.AcceptLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures what an idle connection costs the listening process: a listener in one JVM, its peers in
 * another, and the heap that is in use after a full collection, with and without them.
 *
 * <pre>
 * java -cp CLASSPATH io.arraywire.nio.IdleConnections 10000 accept PT5S PT10M
 * </pre>
 *
 * <p>The arguments: how many, whether connections are accepted or go to a {@code handler}, the
 * heartbeat interval, how long they are held. Both processes need a descriptor per connection
 * ({@code ulimit -n}).
 */
public final class IdleConnections {
  /** Peers that come first, so that what is loaded or made once is not counted. */
  private static final int WARM_UP = 20;

  /** What the collector of newer JDKs fills gaps with. */
  private static final String GAP = "[Ljdk.internal.vm.FillerElement;";

  private static final Duration PATIENCE = Duration.ofMinutes(20);

  private IdleConnections() {}

  /** What was measured, in bytes for each connection, and the classes with the most of it. */
  record Cost(
      int connections,
      long heapBytes,
      List<String> classes,
      Duration held,
      Duration listenersProcessorTime) {
    long perConnection() {
      return heapBytes / connections;
    }

    @Override
    public String toString() {
      return String.format(
          "%d idle connections, all open after %s; heap bytes each: %d; the listener's processor"
              + " time: %.2f %% of one core",
          connections,
          held,
          perConnection(),
          100.0 * listenersProcessorTime.toNanos() / held.toNanos());
    }
  }

  /**
   * Measures and prints, or plays one of the two sides.
   *
   * @param arguments as above
   */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("listener")) {
      listener(arguments[1].equals("handler"), Duration.parse(arguments[2]));
      return;
    }
    if (arguments[0].equals("peers")) {
      peers(
          Integer.parseInt(arguments[1]),
          Duration.parse(arguments[2]),
          Integer.parseInt(arguments[3]));
      return;
    }
    Cost cost =
        measure(
            Integer.parseInt(arguments[0]),
            arguments[1],
            Duration.parse(arguments[2]),
            Duration.parse(arguments[3]));
    System.out.println(cost);
    cost.classes().forEach(System.out::println);
  }

  static Cost measure(int connections, String mode, Duration heartbeat, Duration hold)
      throws Exception {
    try (Side listener = new Side("listener", mode, heartbeat.toString())) {
      String port = listener.line();
      try (Side first = new Side("peers", WARM_UP + "", heartbeat.toString(), port)) {
        first.line();
        listener.ask("wait " + WARM_UP);
        List<String> classesBefore = listener.histogram();
        try (Side peers = new Side("peers", connections + "", heartbeat.toString(), port)) {
          peers.line();
          listener.ask("wait " + (WARM_UP + connections));
          // Long enough that all have made their checks, and sent and received heartbeats.
          Duration before = listener.processorTime();
          long begin = System.nanoTime();
          Thread.sleep(hold.toMillis());
          Duration held = Duration.ofNanos(System.nanoTime() - begin);
          Duration used = listener.processorTime().minus(before);
          String open = listener.ask("open");
          if (!open.equals(WARM_UP + connections + "")) {
            throw new IllegalStateException("connections were lost (open=" + open + ")");
          }
          return cost(classesBefore, listener.histogram(), connections, held, used);
        }
      }
    }
  }

  /**
   * The classes that have more bytes than before, most first. What the JVM makes for itself
   * meanwhile, code above all, is not on the heap that its histogram of live objects counts; what
   * the collector fills gaps with is no object of the program.
   */
  private static Cost cost(
      List<String> before, List<String> after, int connections, Duration held, Duration used) {
    record Grown(String name, long bytes, double instances) {}
    List<Grown> grown = new ArrayList<>();
    for (String line : after) {
      String[] columns = line.trim().split("\\s+");
      long instances = Long.parseLong(columns[1]);
      long bytes = Long.parseLong(columns[2]);
      for (String old : before) {
        String[] oldColumns = old.trim().split("\\s+");
        if (oldColumns[3].equals(columns[3])) {
          instances -= Long.parseLong(oldColumns[1]);
          bytes -= Long.parseLong(oldColumns[2]);
        }
      }
      if (bytes >= connections && !columns[3].equals(GAP)) {
        grown.add(new Grown(columns[3], bytes, (double) instances / connections));
      }
    }
    grown.sort((one, other) -> Long.compare(other.bytes, one.bytes));
    long all = grown.stream().mapToLong(each -> each.bytes).sum();
    List<String> classes =
        grown.stream()
            .map(each ->
                String.format(
                    "%8.1f bytes %6.2f instances  %s",
                    (double) each.bytes / connections, each.instances, each.name))
            .toList();
    return new Cost(connections, all, classes, held, used);
  }

  // The listening side; answers what it is asked on its standard input.

  private static void listener(boolean withHandler, Duration heartbeat) throws Exception {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ArrayHandler ignoring = (connection, array) -> {};
    try (SelectorTransport transport = transport(heartbeat);
        Listener listener =
            withHandler ? transport.listen(anyPort, ignoring) : transport.listen(anyPort)) {
      say(((InetSocketAddress) listener.address()).getPort() + "");
      int accepted = 0;
      BufferedReader questions =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String question = questions.readLine();
          question != null;
          question = questions.readLine()) {
        if (question.startsWith("wait ")) {
          int wanted = Integer.parseInt(question.substring(5));
          for (; !withHandler && accepted < wanted; accepted++) {
            listener.accept();
          }
          say("here");
        } else if (question.equals("open")) {
          say(open(transport) + "");
        }
      }
    }
  }

  private static long open(SelectorTransport transport) {
    return transport.anyLoop().selector().keys().stream()
        .filter(key -> key.isValid() && key.attachment() instanceof NioLink)
        .count();
  }

  private static SelectorTransport transport(Duration heartbeat) {
    return new SelectorTransport(
        TransportOptions.builder()
            .heartbeatInterval(heartbeat)
            .acceptLimits(AcceptLimits.none())
            .build(),
        NioOptions.builder().eventLoops(1).build(),
        SocketIo::of);
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  // The peers.

  private static void peers(int count, Duration heartbeat, int port) throws Exception {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try (SelectorTransport transport = transport(heartbeat)) {
      List<Connection> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(transport.connect(address));
      }
      say("connected " + all.size());
      // Until its end.
      while (System.in.read() >= 0) {
        continue;
      }
    }
  }

  /** One side, in a process of its own. */
  private static final class Side extends AnsweringProcess {

    Side(String... arguments) throws IOException {
      super(IdleConnections.class, List.of("-Xmx512m", "-XX:+UseSerialGC"), PATIENCE, arguments);
    }

    Duration processorTime() {
      return process().info().totalCpuDuration().orElseThrow();
    }

    List<String> histogram() throws IOException {
      return LiveObjects.of(process()).stream()
          .filter(line -> line.matches("\\s*\\d+:\\s+\\d.*"))
          .toList();
    }
  }
}
