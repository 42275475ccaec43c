package io.arraywire.benchmarks.network;

import io.arraywire.benchmarks.TwoJvms;
import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hosts on which pairs of JVMs run, and how the one JVM reaches the other. For use by one
 * thread.
 */
public interface JvmHosts {
  /** System property of a JVM: the address to listen on; the loopback address without it. */
  String LISTEN_ON = "arraywire.bench.listen-on";

  /** System property of a JVM: the address to connect to; the loopback address without it. */
  String CONNECT_TO = "arraywire.bench.connect-to";

  /** How the two of them meet. */
  @FunctionalInterface
  interface Meeting {
    /**
     * Tells both what they need to connect.
     *
     * @param receiver the one that receives, just started
     * @param sender the one that sends, just started
     * @param way from the sender to the receiver
     * @throws IOException if one of them fails
     */
    void connect(ChildJvm receiver, ChildJvm sender, Way way) throws IOException;
  }

  /** The way from a sender to its receiver. */
  @FunctionalInterface
  interface Way {
    /**
     * Where the sender finds a port of the receiver, at the address that {@link #CONNECT_TO} says.
     *
     * @param port on which the receiver listens
     * @return the port to connect to
     * @throws IOException if what is between them fails
     */
    String through(String port) throws IOException;
  }

  /**
   * Starts a pair and connects it. If that fails, neither is left.
   *
   * @param name what to call them, before "receiver" and "sender"
   * @param receiverMain the main class of the one that receives
   * @param senderMain the main class of the one that sends
   * @param heapBytes the heap of each
   * @param jvmOptions further options for both
   * @param log where their standard error goes, or null for nowhere
   * @param meeting connects them
   * @return both
   * @throws IOException if one cannot be started, or they do not connect
   */
  TwoJvms start(
      String name,
      Class<?> receiverMain,
      Class<?> senderMain,
      long heapBytes,
      List<String> jvmOptions,
      @Nullable PrintStream log,
      Meeting meeting)
      throws IOException;

  /**
   * The same hosts for JVMs that run another build of this program.
   *
   * @param archive the other build, a jar with all that it needs; one of those that the hosts were
   *     made for
   * @return the hosts; closed with these
   */
  JvmHosts running(Path archive);

  /**
   * Where these JVMs find a file of this machine.
   *
   * @param file one of those that the hosts were made for
   * @return its path there
   */
  default String path(Path file) {
    return file.toAbsolutePath().toString();
  }

  /**
   * The version of Java that these JVMs are.
   *
   * @return in words, such as {@code 25.0.3}
   */
  default String java() {
    return System.getProperty("java.version");
  }

  /**
   * The feature release of that Java.
   *
   * @return such as 25
   */
  default int javaFeature() {
    return Runtime.version().feature();
  }

  /**
   * What is known of the network between them.
   *
   * @return it, or null where it is the loopback interface
   */
  @Nullable NetworkReport report();

  /**
   * What the title of a table says of it.
   *
   * @return words that begin with a comma, or none
   */
  default String label() {
    NetworkReport report = report();
    return report == null ? "" : ", " + report.title();
  }
}
