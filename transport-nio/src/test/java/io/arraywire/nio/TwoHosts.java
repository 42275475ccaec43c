package io.arraywire.nio;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/**
 * Two hosts and a router between them, each a network namespace of Linux with a kernel's whole
 * network to itself. A partition happens in the router, which then drops what it should forward:
 * the hosts keep their links, their addresses and their neighbour, and are told nothing.
 *
 * <p>Takes root and {@code ip} of iproute2. Where they are missing a loud line is printed and the
 * test is aborted, but where {@code CI} is set it fails. For one thread.
 */
final class TwoHosts implements AutoCloseable {
  // Of 192.0.2.0/24, which is for documentation (RFC 5737): nobody's, should it ever get out.
  private static final String LEFT = "192.0.2.2";
  private static final String LEFT_ROUTER = "192.0.2.1";
  private static final String RIGHT = "192.0.2.130";
  private static final String RIGHT_ROUTER = "192.0.2.129";
  private static final String PREFIX = "/25";
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String name =
      "arraywire-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
  private final String left = name + "-left";
  private final String right = name + "-right";
  private final String router = name + "-router";
  private final List<String> namespaces = new ArrayList<>();

  private TwoHosts() {}

  /** Makes them, or aborts the test where that is not possible. */
  static TwoHosts createOrAbort() throws IOException, InterruptedException {
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
        abort(e);
      }
      namespaces.add(namespace);
    }
  }

  private static void abort(IOException cause) {
    String words =
        "!!! PARTITIONS OF THE NETWORK WERE NOT TESTED: they take root and ip of iproute2 (user="
            + System.getProperty("user.name")
            + ", cause="
            + cause.getMessage()
            + ") !!!";
    if (Boolean.parseBoolean(System.getenv("CI"))) {
      throw new AssertionError(words, cause);
    }
    System.err.println(words);
    Assumptions.abort(words);
  }

  private void connect() throws IOException, InterruptedException {
    join(left, LEFT, "left", LEFT_ROUTER);
    join(right, RIGHT, "right", RIGHT_ROUTER);
    run("ip", "netns", "exec", router, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward");
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
    return List.of("ip", "netns", "exec", left);
  }

  /** What goes before a command that is to run on the other host. */
  List<String> onRight() {
    return List.of("ip", "netns", "exec", right);
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

  private static void in(String namespace, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("ip", "-netns", namespace));
    command.addAll(Arrays.asList(arguments));
    run(command.toArray(String[]::new));
  }

  private static void run(String... command) throws IOException, InterruptedException {
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
  }

  @Override
  public void close() {
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
