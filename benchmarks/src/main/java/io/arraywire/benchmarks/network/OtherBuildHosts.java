package io.arraywire.benchmarks.network;

import io.arraywire.benchmarks.TwoJvms;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hosts of a network whose JVMs run another build of this program.
 *
 * @param hosts the network's
 * @param classPath of the other build, as it is on the hosts
 */
record OtherBuildHosts(ProfiledHosts hosts, String classPath) implements JvmHosts {
  @Override
  public TwoJvms start(
      String name,
      Class<?> receiverMain,
      Class<?> senderMain,
      long heapBytes,
      List<String> jvmOptions,
      @Nullable PrintStream log,
      Meeting meeting)
      throws IOException {
    return hosts.startJvms(
        name, classPath, receiverMain, senderMain, heapBytes, jvmOptions, log, meeting);
  }

  @Override
  public JvmHosts running(Path archive) {
    return hosts.running(archive);
  }

  @Override
  public String path(Path file) {
    return hosts.path(file);
  }

  @Override
  public String java() {
    return hosts.java();
  }

  @Override
  public int javaFeature() {
    return hosts.javaFeature();
  }

  @Override
  public NetworkReport report() {
    return hosts.report();
  }
}
