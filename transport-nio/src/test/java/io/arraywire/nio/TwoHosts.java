package io.arraywire.nio;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * Two hosts and a router between them, each a network namespace of Linux with a kernel's whole
 * network to itself. A partition happens in the router, which then drops what it should forward:
 * the hosts keep their links, their addresses and their neighbour, and are told nothing. So does
 * what makes their network slow or bad.
 *
 * <p>Makes them only where {@code ARRAYWIRE_NETWORKS} is {@code true}: a build that happens to run
 * as root leaves the networks of its machine alone. Takes root and {@code ip} of iproute2, and what
 * else a method names. Where they are missing a loud line is printed and the test is aborted, but
 * where {@code CI} is set it fails. For one thread.
 */
final class TwoHosts implements AutoCloseable {
  private static final String ASKED = "ARRAYWIRE_NETWORKS";

  // Of 192.0.2.0/24, which is for documentation (RFC 5737): nobody's, should it ever get out.
  private static final String LEFT = "192.0.2.2";
  private static final String LEFT_ROUTER = "192.0.2.1";
  private static final String RIGHT = "192.0.2.130";
  private static final String RIGHT_ROUTER = "192.0.2.129";
  private static final String PREFIX = "/25";

  /** The router's, one to each host. */
  private static final List<String> PORTS = List.of("left", "right");

  private static final int FIRST_TABLE = 101;

  /** In bytes, of which half is the kernel's own. */
  private static final int SMALL_WINDOW = 64 << 10;

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String name =
      "arraywire-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
  private final String left = name + "-left";
  private final String right = name + "-right";
  private final String router = name + "-router";
  private final List<String> namespaces = new ArrayList<>();
  private @Nullable PacketProgram packets;

  private TwoHosts() {}

  /** Makes them, or aborts the test where that is not possible. */
  static TwoHosts createOrAbort() throws IOException, InterruptedException {
    if (!Boolean.parseBoolean(System.getenv(ASKED))) {
      String words = "!!! NETWORKS WERE NOT TESTED, nobody asked (" + ASKED + "=true asks) !!!";
      System.err.println(words);
      return Assumptions.abort(words);
    }
    TwoHosts hosts = new TwoHosts();
    try {
      hosts.addNamespaces();
      hosts.connect();
      return hosts;
    } catch (Throwable e) {
      hosts.close();
      throw e;
    }
  }

  private void addNamespaces() throws InterruptedException {
    for (String namespace : List.of(router, left, right)) {
      try {
        run("ip", "netns", "add", namespace);
      } catch (IOException e) {
        throw abort("PARTITIONS OF THE NETWORK", "root and ip of iproute2", e);
      }
      namespaces.add(namespace);
    }
  }

  private static AssertionError abort(String what, String takes, IOException cause) {
    String words =
        "!!! "
            + what
            + " WERE NOT TESTED, which takes "
            + takes
            + " (user="
            + System.getProperty("user.name")
            + ", cause="
            + cause.getMessage()
            + ") !!!";
    if (Boolean.parseBoolean(System.getenv("CI"))) {
      return new AssertionError(words, cause);
    }
    System.err.println(words);
    return Assumptions.abort(words);
  }

  private void connect() throws IOException, InterruptedException {
    join(left, LEFT, "left", LEFT_ROUTER);
    join(right, RIGHT, "right", RIGHT_ROUTER);
    sysctl(router, "net/ipv4/ip_forward", "1");
  }

  private static void sysctl(String namespace, String name, String value)
      throws IOException, InterruptedException {
    String write = "echo '" + value + "' > /proc/sys/" + name;
    run("ip", "netns", "exec", namespace, "sh", "-c", write);
  }

  private void join(String host, String address, String port, String gateway)
      throws IOException, InterruptedException {
    in(router, "link", "add", port, "type", "veth", "peer", "name", "uplink", "netns", host);
    in(router, "address", "add", gateway + PREFIX, "dev", port);
    in(router, "link", "set", port, "up");
    in(host, "address", "add", address + PREFIX, "dev", "uplink");
    in(host, "link", "set", "uplink", "up");
    in(host, "route", "add", "default", "via", gateway);
  }

  /** What goes before a command that is to run on the one host. */
  List<String> onLeft() {
    return inNamespace(left);
  }

  /** What goes before a command that is to run on the other host. */
  List<String> onRight() {
    return inNamespace(right);
  }

  /** The address of the one host. */
  String left() {
    return LEFT;
  }

  /** The address of the other host. */
  String right() {
    return RIGHT;
  }

  /** Nothing gets from one to the other from here on. */
  void part() throws IOException, InterruptedException {
    in(router, "rule", "add", "pref", "1", "blackhole");
  }

  /** Everything gets through again. */
  void rejoin() throws IOException, InterruptedException {
    in(router, "rule", "delete", "pref", "1");
  }

  /**
   * Lets only so much through from here on, each way: a queue that holds all that comes, and a
   * window so small that this is little. One that drops what does not fit leaves it to chance for
   * how long TCP mends before anything arrives: a segment that is lost once more is sent after a
   * timeout, which doubles each time. Takes the token bucket of Linux.
   *
   * @param rate as {@code tc} takes it
   */
  void slow(String rate) throws InterruptedException {
    try {
      for (String host : List.of(left, right)) {
        sysctl(host, "net/ipv4/tcp_rmem", "4096 " + SMALL_WINDOW + " " + SMALL_WINDOW);
      }
      for (String port : PORTS) {
        queue(port, "tbf", "rate", rate, "burst", "16kb", "limit", "16mb");
      }
    } catch (IOException e) {
      throw abort("SLOW LINKS", "tc of iproute2 and tbf in the kernel", e);
    }
  }

  /**
   * Treats packets badly from here on, each way. Takes netem of Linux; where the kernel lacks it, a
   * loud line is printed, and {@link PacketProgram} does the same with Python and TUN devices.
   */
  void worsen(BadLink bad) throws InterruptedException {
    try {
      for (String port : PORTS) {
        List<String> netem = new ArrayList<>(List.of("netem"));
        netem.addAll(bad.netem());
        queue(port, netem.toArray(String[]::new));
      }
    } catch (IOException e) {
      System.err.println(
          "!!! THIS KERNEL HAS NO NETEM, a program of user space does it instead (cause="
              + e.getMessage()
              + ") !!!");
      worsenInUserSpace(bad);
    }
  }

  private void worsenInUserSpace(BadLink bad) throws InterruptedException {
    try {
      for (String port : PORTS) {
        in(router, "tuntap", "add", PacketProgram.device(port), "mode", "tun");
        in(router, "link", "set", PacketProgram.device(port), "up");
      }
      packets = PacketProgram.start(inNamespace(router), PORTS, bad);
      // What comes in at a port goes to the program, and comes out of it at the other's device.
      for (String port : PORTS) {
        String table = String.valueOf(FIRST_TABLE + PORTS.indexOf(port));
        in(router, "route", "add", "default", "dev", PacketProgram.device(port), "table", table);
        in(router, "rule", "add", "pref", "2", "iif", port, "lookup", table);
      }
    } catch (IOException e) {
      throw abort("BAD LINKS", "netem in the kernel, or Python and /dev/net/tun", e);
    }
  }

  /** What TCP of a host has counted, by the name that the kernel gives it. */
  static long tcpCount(List<String> host, String name) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(host);
    command.addAll(List.of("cat", "/proc/net/snmp", "/proc/net/netstat"));
    // Lines come in pairs: names, then values.
    String[] lines = run(command.toArray(String[]::new)).split("\n");
    for (int i = 0; i + 1 < lines.length; i += 2) {
      int at = lines[i].startsWith("Tcp") ? List.of(lines[i].split(" ")).indexOf(name) : -1;
      if (at > 0) {
        return Long.parseLong(lines[i + 1].split(" ")[at]);
      }
    }
    throw new IOException("the kernel does not count this (name=" + name + ")");
  }

  private void queue(String port, String... discipline) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("tc", "-netns", router, "qdisc", "add", "dev", port, "root"));
    command.addAll(Arrays.asList(discipline));
    run(command.toArray(String[]::new));
  }

  private static List<String> inNamespace(String namespace) {
    return List.of("ip", "netns", "exec", namespace);
  }

  private static void in(String namespace, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("ip", "-netns", namespace));
    command.addAll(Arrays.asList(arguments));
    run(command.toArray(String[]::new));
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(
          "a command failed (command="
              + String.join(" ", command)
              + ", said="
              + words.trim()
              + ")");
    }
    return words;
  }

  @Override
  public void close() {
    if (packets != null) {
      packets.close();
    }
    for (String namespace : namespaces) {
      try {
        // Its interfaces go with it, once nobody runs in it.
        run("ip", "netns", "delete", namespace);
      } catch (IOException e) {
        System.err.println("a network namespace is left behind: " + e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
