package io.arraywire.benchmarks.network;

import io.arraywire.benchmarks.TwoJvms;
import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Hosts of a network that is as a profile says. Each gets what makes it so, and before any of them
 * is used, a pair of them measures whether it is. Every JVM has a host of its own.
 */
public final class ProfiledHosts implements JvmHosts, AutoCloseable {
  private final HostNetwork network;
  private final NetworkProfile profile;
  private final Consumer<String> says;
  private final @Nullable PrintStream log;
  private final @Nullable Relay relay;
  private final NetworkReport report;

  private ProfiledHosts(
      HostNetwork network, NetworkProfile profile, Consumer<String> says, @Nullable PrintStream log)
      throws IOException {
    this.network = network;
    this.profile = profile;
    this.says = says;
    this.log = log;
    relay = profile.delay().isZero() ? null : relayUnlessTheKernelDelays();
    NetworkFindings found =
        Probe.measure(
            (name, receiverMain, senderMain, heapBytes, jvmOptions, pairLog, meeting) ->
                startPair(
                    name,
                    network.classPath(),
                    receiverMain,
                    senderMain,
                    heapBytes,
                    jvmOptions,
                    pairLog,
                    meeting),
            profile);
    String complaint = profile.complaint(found);
    if (complaint != null) {
      throw new IOException(
          "the network is not what it was made to be: "
              + complaint
              + " (network="
              + profile.word()
              + ", applied="
              + applied()
              + ", measured="
              + found.words()
              + ")");
    }
    report = new NetworkReport(profile, network.kind(), relay != null, applied(), found);
  }

  /**
   * Makes a network's hosts be as a profile says, and measures it.
   *
   * @param network the network; closed if this fails, and otherwise with what this returns
   * @param profile what it is to be like
   * @param says told of each host, and of what is done in another way than usual
   * @param log where the standard error of JVMs goes that are not a contender's, or null for
   *     nowhere
   */
  static ProfiledHosts of(
      HostNetwork network, NetworkProfile profile, Consumer<String> says, @Nullable PrintStream log)
      throws IOException {
    try {
      return new ProfiledHosts(network, profile, says, log);
    } catch (IOException | RuntimeException | Error e) {
      network.close();
      throw e;
    }
  }

  private @Nullable Relay relayUnlessTheKernelDelays() throws IOException {
    NetworkHost host =
        network.start(
            "relay", network.classPath(), RelayProcess.class, Relay.HEAP_BYTES, List.of(), log);
    try {
      host.run(profile.commands(NetworkHost.DEVICE));
    } catch (IOException e) {
      if (!isOfAKernelWithoutDelay(e)) {
        throw e;
      }
      says.accept(
          "!!! THIS KERNEL DOES NOT DELAY PACKETS, a relay delays what is in them: TCP ends there,"
              + " and does not see the delay (cause="
              + e.getMessage()
              + ") !!!");
      says.accept(host.label());
      return new Relay(host, profile.delay());
    }
    host.jvm().close();
    return null;
  }

  /** What tc says, today and before it had words of its own, of a discipline that is not there. */
  private static boolean isOfAKernelWithoutDelay(IOException failure) {
    String words = String.valueOf(failure.getMessage());
    return words.contains("qdisc kind is unknown")
        || words.contains("RTNETLINK answers: No such file or directory");
  }

  /** What was done to each host, in words. */
  private String applied() {
    if (relay != null) {
      return "a relay that holds what it reads for " + profile.delay().toMillis() + " ms, each way";
    }
    List<List<String>> commands = profile.commands(NetworkHost.DEVICE);
    return commands.isEmpty()
        ? "nothing"
        : commands.stream()
            .map(each -> String.join(" ", each))
            .collect(Collectors.joining(", ", "on each host ", ""));
  }

  @Override
  public TwoJvms start(
      String name,
      Class<?> receiverMain,
      Class<?> senderMain,
      long heapBytes,
      List<String> jvmOptions,
      @Nullable PrintStream pairLog,
      Meeting meeting)
      throws IOException {
    return startJvms(
        name,
        network.classPath(),
        receiverMain,
        senderMain,
        heapBytes,
        jvmOptions,
        pairLog,
        meeting);
  }

  @Override
  public JvmHosts running(Path archive) {
    return new OtherBuildHosts(this, network.path(archive));
  }

  @Override
  public String path(Path file) {
    return network.path(file);
  }

  /** As {@link #start}, with the class path that the JVMs have on their hosts. */
  TwoJvms startJvms(
      String name,
      String classPath,
      Class<?> receiverMain,
      Class<?> senderMain,
      long heapBytes,
      List<String> jvmOptions,
      @Nullable PrintStream pairLog,
      Meeting meeting)
      throws IOException {
    HostPair pair =
        startPair(
            name, classPath, receiverMain, senderMain, heapBytes, jvmOptions, pairLog, meeting);
    return new TwoJvms(pair.receiver().jvm(), pair.sender().jvm());
  }

  private HostPair startPair(
      String name,
      String classPath,
      Class<?> receiverMain,
      Class<?> senderMain,
      long heapBytes,
      List<String> jvmOptions,
      @Nullable PrintStream pairLog,
      Meeting meeting)
      throws IOException {
    List<ChildJvm> started = new ArrayList<>();
    try {
      NetworkHost receiver =
          start(
              started,
              name + " receiver",
              classPath,
              receiverMain,
              heapBytes,
              with(jvmOptions, LISTEN_ON, "0.0.0.0"),
              pairLog);
      String towards = relay == null ? receiver.address() : relay.address();
      NetworkHost sender =
          start(
              started,
              name + " sender",
              classPath,
              senderMain,
              heapBytes,
              with(jvmOptions, CONNECT_TO, towards),
              pairLog);
      Way way = relay == null ? port -> port : port -> relay.carry(receiver.address(), port);
      meeting.connect(receiver.jvm(), sender.jvm(), way);
      return new HostPair(receiver, sender);
    } catch (IOException | RuntimeException | Error e) {
      started.forEach(ChildJvm::close);
      throw e;
    }
  }

  private NetworkHost start(
      List<ChildJvm> started,
      String name,
      String classPath,
      Class<?> main,
      long heapBytes,
      List<String> jvmOptions,
      @Nullable PrintStream hostLog)
      throws IOException {
    NetworkHost host = network.start(name, classPath, main, heapBytes, jvmOptions, hostLog);
    started.add(host.jvm());
    if (relay == null) {
      host.run(profile.commands(NetworkHost.DEVICE));
    }
    says.accept(host.label());
    return host;
  }

  private static List<String> with(List<String> options, String property, String value) {
    List<String> more = new ArrayList<>(options);
    more.add("-D" + property + "=" + value);
    return more;
  }

  @Override
  public String java() {
    return network.java();
  }

  @Override
  public int javaFeature() {
    return network.javaFeature();
  }

  @Override
  public NetworkReport report() {
    return report;
  }

  @Override
  public void close() {
    network.close();
  }
}
