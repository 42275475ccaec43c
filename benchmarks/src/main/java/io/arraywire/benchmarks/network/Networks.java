package io.arraywire.benchmarks.network;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes networks. */
public final class Networks {
  private Networks() {}

  /**
   * Makes a network of containers, or of network namespaces.
   *
   * @param profile what it is to be like
   * @param baseImage an image that has {@code java}, for the containers; null for one from scratch
   * @param kind what its hosts are
   * @param files other builds of this program that JVMs may run there, too, and data that they read
   * @param says told what is done, line by line
   * @param log where the standard error of JVMs goes that are not a contender's, or null for
   *     nowhere
   * @return the network, measured
   * @throws IOException if it cannot be made here, or is not what it should be
   */
  public static ProfiledHosts open(
      NetworkProfile profile,
      HostKind kind,
      @Nullable String baseImage,
      List<Path> files,
      Consumer<String> says,
      @Nullable PrintStream log)
      throws IOException {
    if (kind == HostKind.NAMESPACES) {
      return ProfiledHosts.of(NamespaceNetwork.open(), profile, says, log);
    }
    ContainerLogs.limit(log != null);
    String noEngine = ContainerBridge.unavailable();
    if (noEngine == null) {
      return ProfiledHosts.of(ContainerBridge.open(baseImage, files, says), profile, says, log);
    }
    if (baseImage != null) {
      throw new IOException("--base-image takes a container engine (engine=" + noEngine + ")");
    }
    NamespaceNetwork namespaces;
    try {
      namespaces = NamespaceNetwork.open();
    } catch (IOException e) {
      throw new IOException(
          "a test network needs a container engine, or root and the command ip of iproute2 (engine="
              + noEngine
              + ", namespaces="
              + e.getMessage()
              + ")",
          e);
    }
    says.accept(
        "!!! NO CONTAINER ENGINE, network namespaces of this machine instead (engine="
            + noEngine
            + ") !!!");
    return ProfiledHosts.of(namespaces, profile, says, log);
  }
}
