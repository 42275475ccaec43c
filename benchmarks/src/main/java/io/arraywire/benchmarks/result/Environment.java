package io.arraywire.benchmarks.result;

import com.sun.management.OperatingSystemMXBean;
import io.arraywire.examples.report.Json;
import io.arraywire.examples.report.Units;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where and how something was measured.
 *
 * @param checkout the state of the sources
 * @param command the command line, word by word
 * @param started when
 * @param cpu the processor's model, or {@code unknown}
 * @param processors how many of them Java may use
 * @param memoryBytes of the machine, or of the container
 * @param arch such as {@code amd64}
 * @param kernel its name and version, and how its TCP finds the rate at which it sends
 * @param javaVendor the vendor of the JDK
 * @param javaVersion its version
 * @param vm the name of the virtual machine
 */
public record Environment(
    Checkout checkout,
    List<String> command,
    Instant started,
    String cpu,
    int processors,
    long memoryBytes,
    String arch,
    String kernel,
    String javaVendor,
    String javaVersion,
    String vm) {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final Path CONGESTION_CONTROL =
      Path.of("/proc/sys/net/ipv4/tcp_congestion_control");
  private static final String UNKNOWN = "unknown";

  /**
   * This machine and this Java, now.
   *
   * @param command the command line, word by word
   * @return the environment
   */
  public static Environment here(List<String> command) {
    return new Environment(
        Checkout.here(),
        List.copyOf(command),
        Instant.now().truncatedTo(ChronoUnit.SECONDS),
        cpu(CPU_INFO),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize(),
        System.getProperty("os.arch"),
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + ", TCP "
            + congestionControl(),
        System.getProperty("java.vendor"),
        Runtime.version().toString(),
        System.getProperty("java.vm.name"));
  }

  /**
   * How TCP finds the rate at which it sends, where nobody asks for something else.
   *
   * @return the kernel's name for it, or {@code unknown}
   */
  public static String congestionControl() {
    try {
      return Files.readString(CONGESTION_CONTROL).strip();
    } catch (IOException e) {
      // Another system's, or hidden.
      return UNKNOWN;
    }
  }

  /** Java does not tell; Linux does, except for some processors. */
  static String cpu(Path info) {
    try (Stream<String> lines = Files.lines(info)) {
      return lines
          .filter(line -> line.startsWith("model name") && line.contains(":"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(UNKNOWN);
    } catch (IOException | java.io.UncheckedIOException e) {
      return UNKNOWN;
    }
  }

  /**
   * All of it for JSON.
   *
   * @return members of an object
   */
  public Map<String, @Nullable Object> members() {
    Map<String, @Nullable Object> members = checkout.members();
    members.put("command", command);
    members.put("started", started);
    members.put(
        "machine",
        Json.object(
            "cpu", cpu, "processors", processors, "memoryBytes", memoryBytes, "arch", arch));
    members.put("kernel", kernel);
    members.put("jdk", Json.object("vendor", javaVendor, "version", javaVersion, "vm", vm));
    return members;
  }

  static Environment parse(Members members) throws IOException {
    Members machine = members.object("machine");
    Members jdk = members.object("jdk");
    return new Environment(
        Checkout.parse(members),
        members.texts("command"),
        members.instant("started"),
        machine.text("cpu"),
        (int) machine.whole("processors"),
        machine.whole("memoryBytes"),
        machine.text("arch"),
        members.text("kernel"),
        jdk.text("vendor"),
        jdk.text("version"),
        jdk.text("vm"));
  }

  /**
   * All of it in words.
   *
   * @return what each is, and what it is here
   */
  public Map<String, String> words() {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("Command", commandLine());
    words.put("Started", started.toString());
    words.putAll(identity());
    return words;
  }

  /**
   * What two measurements must have in common to count as one.
   *
   * @return what each is, and what it is here
   */
  public Map<String, String> identity() {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("Commit", checkout.label());
    words.put(
        "Machine",
        cpu + ", " + processors + " processors, " + Units.bytes(memoryBytes) + ", " + arch);
    words.put("Kernel", kernel);
    words.put("JDK", javaVendor + " " + javaVersion + ", " + vm);
    return words;
  }

  /** As one would type it. */
  private String commandLine() {
    return command.stream()
        .map(Environment::withoutDirectory)
        .map(Environment::quoted)
        .collect(Collectors.joining(" "));
  }

  /** A directory of the machine tells a reader nothing, and may be private. */
  private static String withoutDirectory(String word) {
    return word.replaceFirst("(^|(?<==))/(.*/)?(?=[^/])", "");
  }

  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./,:=+@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
