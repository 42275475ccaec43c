package io.arraywire.benchmarks.network;

import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Network;

/**
 * Hosts that are containers on a bridge network of an engine. Nothing of them can be shaped from
 * inside, since an image from scratch has no commands; it is done from this machine, in their
 * network namespaces.
 */
final class ContainerBridge implements HostNetwork {
  private static final int ID_LETTERS = 12;

  private final JvmImage image;
  private final Network network = Network.newNetwork();
  private final List<JvmContainer> containers = new CopyOnWriteArrayList<>();
  private final Thread hook = new Thread(this::remove, "remove-containers");

  private ContainerBridge(JvmImage image) {
    this.image = image;
    // Ctrl-C, too, leaves nothing behind.
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Why there is no engine, or null if there is one. */
  static @Nullable String unavailable() {
    try {
      DockerClientFactory.instance().client();
      return null;
    } catch (RuntimeException | LinkageError e) {
      return Failures.words(e);
    }
  }

  /**
   * Builds the image and makes a network without hosts.
   *
   * @param baseImage what the image is made from; null for nothing but a runtime of this Java
   * @param says told what is built
   */
  static ContainerBridge open(@Nullable String baseImage, Consumer<String> says)
      throws IOException {
    JvmImage image = JvmImage.build(baseImage, says);
    ContainerBridge bridge = new ContainerBridge(image);
    try {
      bridge.network.getId();
      return bridge;
    } catch (RuntimeException e) {
      bridge.close();
      throw new IOException("the engine makes no network: " + Failures.words(e), e);
    }
  }

  @Override
  public String kind() {
    return "containers";
  }

  @Override
  public NetworkHost start(
      String name,
      Class<?> main,
      long heapBytes,
      List<String> jvmOptions,
      @Nullable PrintStream log)
      throws IOException {
    JvmContainer container =
        new JvmContainer(image.name(), network, image.arguments(main, heapBytes, jvmOptions));
    containers.add(container);
    try {
      container.start();
    } catch (RuntimeException e) {
      container.stop();
      throw new IOException("a container does not start: " + Failures.words(e), e);
    }
    ChildJvm jvm = ChildJvm.of(name, container.process(), log);
    String label =
        name
            + ": container "
            + container.getContainerId().substring(0, ID_LETTERS)
            + ", address "
            + container.address();
    return new NetworkHost(
        jvm,
        label,
        container.address(),
        List.of("nsenter", "--target", container.pid(), "--net", "--"));
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    remove();
  }

  private void remove() {
    try {
      // Those that have ended already are no more.
      containers.forEach(JvmContainer::stop);
      network.close();
      image.remove();
    } catch (RuntimeException e) {
      System.err.println("containers, or what they need, are left behind: " + Failures.words(e));
    }
  }
}
