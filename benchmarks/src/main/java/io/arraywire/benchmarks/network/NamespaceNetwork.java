package io.arraywire.benchmarks.network;

import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hosts that are network namespaces of Linux, each with a kernel's whole network to itself. They
 * are on a bridge in a namespace of its own, so that this machine's network is not touched. Takes
 * root and {@code ip} of iproute2. Files and processes are this machine's.
 */
final class NamespaceNetwork implements HostNetwork {
  // Of 192.0.2.0/24, which is for documentation (RFC 5737): nobody's, should it ever get out.
  private static final String PREFIX = "192.0.2.";
  private static final String MASK = "/24";
  private static final int MOST_HOSTS = 254;
  private static final String BRIDGE = "bridge0";
  private static final AtomicInteger COUNT = new AtomicInteger();

  /** What each is called: by the process that made it, its number there, and what it is. */
  private static final Pattern NAME = Pattern.compile("arraywire-(\\d{1,18})-\\d+-(\\d+|bridge)");

  private final String name =
      "arraywire-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
  private final String bridge = name + "-bridge";
  private final Cleanup cleanup = new Cleanup("delete-namespaces", this::delete);
  private boolean closed;
  private int hosts;

  private NamespaceNetwork() {}

  /**
   * Makes one without hosts. What processes have left that were killed is removed before.
   *
   * @throws IOException if that is not possible here; the text says why
   */
  static NamespaceNetwork open() throws IOException {
    delete(NamespaceNetwork::isOfTheDead);
    NamespaceNetwork network = new NamespaceNetwork();
    try {
      network.add(network.bridge);
      in(network.bridge, "link", "add", BRIDGE, "type", "bridge");
      in(network.bridge, "link", "set", BRIDGE, "up");
      return network;
    } catch (IOException | RuntimeException | Error e) {
      network.close();
      throw e;
    }
  }

  @Override
  public String kind() {
    return "network namespaces";
  }

  @Override
  public String classPath() {
    return ChildJvm.ownClassPath();
  }

  @Override
  public String path(Path file) {
    return file.toAbsolutePath().toString();
  }

  @Override
  public NetworkHost start(
      String hostName,
      String classPath,
      Class<?> main,
      long heapBytes,
      List<String> jvmOptions,
      @Nullable PrintStream log)
      throws IOException {
    String namespace = name + "-" + ++hosts;
    if (hosts > MOST_HOSTS) {
      throw new IOException("the network has no more addresses (hosts=" + hosts + ")");
    }
    String address = PREFIX + hosts;
    String port = "port" + hosts;
    add(namespace);
    in(
        bridge,
        ("link add " + port + " type veth peer name " + NetworkHost.DEVICE + " netns " + namespace)
            .split(" ", -1));
    in(bridge, "link", "set", port, "master", BRIDGE, "up");
    in(namespace, "address", "add", address + MASK, "dev", NetworkHost.DEVICE);
    in(namespace, "link", "set", NetworkHost.DEVICE, "up");
    in(namespace, "link", "set", "lo", "up");
    List<String> inside = List.of("ip", "netns", "exec", namespace);
    List<String> command = new ArrayList<>(inside);
    command.add(ChildJvm.java());
    command.addAll(
        ChildJvm.arguments(Runtime.version().feature(), classPath, main, heapBytes, jvmOptions));
    ChildJvm jvm = ChildJvm.of(hostName, new ProcessBuilder(command).start(), log);
    return new NetworkHost(
        jvm,
        hostName + ": network namespace " + namespace + ", address " + address,
        address,
        inside);
  }

  private synchronized void add(String namespace) throws IOException {
    if (closed) {
      // The process is ending, and nobody would delete it.
      throw new IOException("the network was closed (namespace=" + namespace + ")");
    }
    HostCommand.run("ip", "netns", "add", namespace);
  }

  private static void in(String namespace, String... arguments) throws IOException {
    HostCommand.run(List.of("ip", "-netns", namespace), List.of(arguments));
  }

  private static boolean isOfTheDead(String namespace) {
    Matcher parts = NAME.matcher(namespace);
    return parts.matches() && ProcessHandle.of(Long.parseLong(parts.group(1))).isEmpty();
  }

  /** Those that there are, whichever process made them. */
  private static List<String> listed() throws IOException {
    // A number may follow the name.
    return HostCommand.run("ip", "netns", "list")
        .lines()
        .map(line -> line.split(" ", 2)[0])
        .toList();
  }

  private static void delete(Predicate<String> which) throws IOException {
    for (String namespace : listed()) {
      if (which.test(namespace)) {
        delete(namespace);
      }
    }
  }

  private static void delete(String namespace) throws IOException {
    try {
      // Its interfaces go with it, once nobody runs in it.
      HostCommand.run("ip", "netns", "delete", namespace);
    } catch (IOException e) {
      // Another run may have deleted it at the same time.
      if (listed().contains(namespace)) {
        System.err.println("a network namespace is left behind: " + e.getMessage());
      }
    }
  }

  private synchronized void delete() {
    closed = true;
    // A thread that was interrupted has to tidy up, too.
    boolean interrupted = Thread.interrupted();
    try {
      delete(namespace -> namespace.startsWith(name + "-"));
    } catch (IOException e) {
      System.err.println("network namespaces are left behind: " + e.getMessage());
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    cleanup.close();
  }
}
