package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.examples.report.Units;
import io.arraywire.nio.NioTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds out what makes transfers of this machine slow, or its limits low. It changes nothing. What
 * can be tried is tried, over one connection to itself; the rest is read from the kernel's files.
 */
final class Doctor {
  private static final int ZERO_COPY_JDK = 22;
  private static final int LEAST_PROCESSORS = 2;
  private static final long LEAST_DESCRIPTORS = 4_096;
  private static final long LEAST_BUFFER = 4L << 20;
  private static final double MUCH_STOLEN = 0.02;

  /** Large enough for the library to look for the socket's descriptor. */
  private static final int TRIED_ELEMENTS = 1 << 18;

  private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";
  private static final String OPENED = "--add-opens java.base/sun.nio.ch=ALL-UNNAMED";
  private static final Pattern UNPACED = Pattern.compile("TCP (\\S+) in place of ([^\\s,;]+)");
  private static final Pattern PACED = Pattern.compile("paced by TCP (\\S+) \\(([^)]*)");

  private final SystemFiles files;
  private final int jdk;
  private final int processors;
  private final long heapBytes;

  /**
   * Makes one.
   *
   * @param files what the kernel tells
   * @param jdk the feature version of the JDK
   * @param processors how many the JVM may use
   * @param heapBytes the largest heap
   */
  Doctor(SystemFiles files, int jdk, int processors, long heapBytes) {
    this.files = files;
    this.jdk = jdk;
    this.processors = processors;
    this.heapBytes = heapBytes;
  }

  /** All of it, in the order in which to read it. */
  List<Finding> findings() throws InterruptedException {
    String described = described();
    List<Finding> findings = new ArrayList<>();
    findings.add(jdk());
    findings.add(zeroCopy(described));
    findings.add(congestionControl(described));
    findings.add(socketBuffers());
    findings.add(processors());
    findings.add(stolen());
    findings.add(memory());
    findings.add(descriptors());
    findings.add(encryption());
    return findings;
  }

  /** What a connection of this process to itself says of itself. */
  private static String described() throws InterruptedException {
    try (Transport transport = NioTransport.create(TransportOptions.defaults());
        Listener listener =
            transport.listen(Transport.address("localhost:0"), (from, array) -> {});
        Connection connection = transport.connect(listener.address())) {
      connection.send(new float[TRIED_ELEMENTS], SendOptions.processed());
      return connection.describe();
    } catch (ArraywireException e) {
      return "no connection within this host: " + e.getMessage();
    }
  }

  private Finding jdk() {
    String version = "Java " + Runtime.version() + ", " + System.getProperty("java.vendor");
    return jdk >= ZERO_COPY_JDK
        ? Finding.ok("JDK", version)
        : Finding.improvable(
            "JDK",
            version + ": each side copies an array once between the heap and the socket",
            "run on JDK " + ZERO_COPY_JDK + " or later, which moves large arrays without a copy");
  }

  /** Whether large arrays go without a copy, as this very process has just sent one. */
  Finding zeroCopy(String described) {
    String name = "zero-copy";
    if (described.contains("without staging")) {
      return Finding.ok(
          name,
          "active: large arrays go from the heap to the socket; your own program needs " + NATIVE);
    }
    String why =
        described.contains("staged: ")
            ? described.replaceFirst(".*?staged: ", "").replaceFirst("[;,].*", "")
            : described;
    String cure =
        jdk < ZERO_COPY_JDK
            ? "run on JDK 22 or later, built by one, with " + NATIVE
            : why.contains("native access")
                ? "start the JVM with " + NATIVE
                : why.contains("lacks its part")
                    ? "build with this JDK: mvn clean install -DskipTests"
                    : null;
    return cure == null
        ? Finding.ok(name, "not active, and not possible here: " + why)
        : Finding.improvable(name, "not active: " + why, cure);
  }

  /** Whether large arrays within the host are held back by the system's congestion control. */
  Finding congestionControl(String described) {
    String name = "congestion control";
    String system = files.read("/proc/sys/net/ipv4/tcp_congestion_control");
    Matcher paced = PACED.matcher(described);
    if (paced.find()) {
      return Finding.improvable(
          name,
          paced.group(1)
              + " is active and holds back connections within this host: large arrays take twice"
              + " the time",
          jdk < ZERO_COPY_JDK
              ? "start the JVM with " + OPENED
              : "start the JVM with "
                  + NATIVE
                  + ", or run sysctl -w net.ipv4.tcp_congestion_control=cubic");
    }
    Matcher unpaced = UNPACED.matcher(described);
    if (unpaced.find()) {
      return Finding.ok(
          name,
          unpaced.group(2)
              + " is active; within this host Arraywire uses "
              + unpaced.group(1)
              + " instead, in your own program with "
              + (jdk < ZERO_COPY_JDK ? OPENED : NATIVE));
    }
    return system == null
        ? Finding.unknown(name, "cannot be read on this system")
        : Finding.ok(name, system + " is active");
  }

  private Finding socketBuffers() {
    String name = "socket buffers";
    OptionalLong receive = files.number("/proc/sys/net/ipv4/tcp_rmem", 2);
    OptionalLong send = files.number("/proc/sys/net/ipv4/tcp_wmem", 2);
    if (receive.isEmpty() || send.isEmpty()) {
      return Finding.unknown(name, "cannot be read on this system");
    }
    String found =
        "up to "
            + Units.bytes(receive.getAsLong())
            + " to receive, "
            + Units.bytes(send.getAsLong())
            + " to send";
    long least = Math.min(receive.getAsLong(), send.getAsLong());
    return least >= LEAST_BUFFER
        ? Finding.ok(name, found)
        : Finding.improvable(
            name,
            found + ": too small to fill a fast link with a long round trip",
            "run sysctl -w net.ipv4.tcp_rmem=\"4096 131072 16777216\" net.ipv4.tcp_wmem=\"4096"
                + " 16384"
                + " 16777216\"");
  }

  private Finding processors() {
    String name = "processors";
    String group = files.controlGroup();
    OptionalLong quota = files.number(group + "/cpu.max", 0);
    OptionalLong period = files.number(group + "/cpu.max", 1);
    StringBuilder found = new StringBuilder(processors + " for this JVM");
    if (quota.isPresent() && period.isPresent() && period.getAsLong() > 0) {
      double share = (double) quota.getAsLong() / period.getAsLong();
      found.append(String.format(Locale.ROOT, ", the container may use %.2f", share));
      OptionalLong throttled = files.named(group + "/cpu.stat", "nr_throttled");
      if (throttled.isPresent() && throttled.getAsLong() > 0) {
        return Finding.improvable(
            name,
            found
                + ": at that limit its threads were stopped "
                + Units.times(throttled.getAsLong())
                + ", each for up to a tenth of a second",
            "raise the CPU limit of the container, or remove it");
      }
    }
    return processors >= LEAST_PROCESSORS
        ? Finding.ok(name, found.toString())
        : Finding.improvable(
            name,
            found + ": a thread that polls for data keeps all others waiting",
            "give it two or more, or use NioOptions.waitStrategy(WaitStrategy::sleeping)");
  }

  /** Time that the host gave to others while this virtual machine had work. */
  private Finding stolen() {
    String name = "stolen time";
    for (String line : files.lines("/proc/stat")) {
      String[] fields = line.split("\\s+", -1);
      if (fields[0].equals("cpu") && fields.length > 8) {
        double all = 0;
        for (int i = 1; i <= 8; i++) {
          all += Double.parseDouble(fields[i]);
        }
        double stolen = Double.parseDouble(fields[8]) / Math.max(1, all);
        String found =
            String.format(
                Locale.ROOT, "%.1f %% of the CPU time since this machine started", 100 * stolen);
        return stolen <= MUCH_STOLEN
            ? Finding.ok(name, found)
            : Finding.improvable(
                name,
                found + " went to other virtual machines of the host: times vary",
                "use a host or an instance with processors of its own");
      }
    }
    return Finding.unknown(name, "cannot be read on this system");
  }

  private Finding memory() {
    String name = "memory";
    String heap = Units.bytes(heapBytes) + " of heap for this command";
    OptionalLong limit = files.number(files.controlGroup() + "/memory.max", 0);
    if (limit.isEmpty()) {
      OptionalLong old = files.number("/sys/fs/cgroup/memory/memory.limit_in_bytes", 0);
      // Without a limit version 1 has a number that no machine reaches.
      limit = old.isPresent() && old.getAsLong() < 1L << 60 ? old : OptionalLong.empty();
    }
    if (limit.isEmpty()) {
      return Finding.ok(name, heap + "; no limit of a container");
    }
    String found = heap + ", the container may use " + Units.bytes(limit.getAsLong());
    return heapBytes < limit.getAsLong() - limit.getAsLong() / 10
        ? Finding.ok(name, found)
        : Finding.improvable(
            name,
            found + ": no room is left for memory beside the heap",
            "set -XX:MaxRAMPercentage=60, or raise the memory limit of the container");
  }

  private Finding descriptors() {
    String name = "file descriptors";
    for (String line : files.lines("/proc/self/limits")) {
      if (line.startsWith("Max open files")) {
        String soft = line.substring("Max open files".length()).strip().split("\\s+", -1)[0];
        if (!soft.matches("\\d{1,18}")) {
          return Finding.ok(name, soft);
        }
        long number = Long.parseLong(soft);
        return number >= LEAST_DESCRIPTORS
            ? Finding.ok(name, "up to " + number + " for a process")
            : Finding.improvable(
                name,
                "up to " + number + " for a process, and each connection takes one",
                "run ulimit -n 65536, or set LimitNOFILE=65536 in the unit of systemd, or give --ulimit nofile=65536 to docker run");
      }
    }
    return Finding.unknown(name, "cannot be read on this system");
  }

  private Finding encryption() {
    String name = "TLS";
    String found = files.read("/proc/cpuinfo");
    if (found == null) {
      return Finding.unknown(name, "cannot be read on this system");
    }
    return Pattern.compile("(?m)^(flags|Features)\\s*:.*\\baes\\b").matcher(found).find()
        ? Finding.ok(name, "fast: the processor has instructions for AES")
        : Finding.improvable(
            name,
            "slow: the processor has no instructions for AES",
            "use a processor with them, or have the virtual machine show them (cpu: host)");
  }
}
