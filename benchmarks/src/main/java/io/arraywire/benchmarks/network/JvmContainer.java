package io.arraywire.benchmarks.network;

import com.github.dockerjava.api.model.ContainerNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;

/** A container that runs one JVM, which is told what to do over its standard input. */
final class JvmContainer extends GenericContainer<JvmContainer> {
  private final ContainerProcess process = new ContainerProcess();

  /**
   * Makes one that has not started.
   *
   * @param image what it is made from
   * @param network its only network
   * @param objects what it becomes one of
   * @param arguments what its {@code java} gets
   */
  JvmContainer(String image, Network network, EngineObjects objects, List<String> arguments) {
    super(image);
    setNetwork(network);
    withLabels(objects.label(null));
    setCommand(arguments.toArray(String[]::new));
    // An image from scratch has no such directory, and libraries unpack native code there.
    setTmpFsMapping(Map.of("/tmp", "rw,exec"));
    withCreateContainerCmdModifier(
        command -> command.withStdinOpen(true).withStdInOnce(true).withAttachStdin(true));
  }

  @Override
  protected void containerIsCreated(String id) {
    try {
      process.attach(getDockerClient(), this, id);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its process. */
  Process process() {
    return process;
  }

  /** Its address in its only network. */
  String address() {
    return getContainerInfo().getNetworkSettings().getNetworks().values().stream()
        .map(ContainerNetwork::getIpAddress)
        .findFirst()
        .orElseThrow();
  }

  /** The number of its process, as the engine's machine knows it. */
  String pid() {
    return String.valueOf(getContainerInfo().getState().getPidLong());
  }
}
