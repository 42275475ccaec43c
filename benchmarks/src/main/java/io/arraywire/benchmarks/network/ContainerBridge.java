package io.arraywire.benchmarks.network;

import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Network;

/**
 * Hosts that are containers on a bridge network of an engine. Nothing of them can be shaped from
 * inside, since an image from scratch has no commands. So this machine shapes them, in their
 * network namespaces.
 */
final class ContainerBridge implements HostNetwork {
  private static final int ID_LETTERS = 12;

  private final EngineObjects objects = EngineObjects.create();
  private final Cleanup cleanup = new Cleanup("remove-containers", this::remove);
  private final @Nullable String baseImage;
  private final JvmImage image;
  private final Network network;
  private boolean closed;

  private ContainerBridge(@Nullable String baseImage, List<Path> files, Consumer<String> says)
      throws IOException {
    this.baseImage = baseImage;
    try {
      image = JvmImage.build(baseImage, files, objects, says);
      network = objects.network();
      makeNetwork();
    } catch (IOException | RuntimeException | Error e) {
      cleanup.close();
      throw e;
    }
  }

  private synchronized void makeNetwork() throws IOException {
    checkNotClosed();
    try {
      network.getId();
    } catch (RuntimeException e) {
      throw new IOException("the engine makes no network: " + Failures.words(e), e);
    }
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
   * Builds the image and makes a network without hosts. What processes have left that were killed
   * is removed before.
   *
   * @param baseImage what the image is made from; null for nothing but a runtime of this Java
   * @param files other builds of this program that JVMs may run, too, and data that they read
   * @param says told what is built
   */
  static ContainerBridge open(@Nullable String baseImage, List<Path> files, Consumer<String> says)
      throws IOException {
    EngineObjects.removeThoseOfTheDead();
    return new ContainerBridge(baseImage, files, says);
  }

  @Override
  public String kind() {
    return "containers";
  }

  @Override
  public String java() {
    return baseImage == null ? HostNetwork.super.java() : image.feature() + " of " + baseImage;
  }

  @Override
  public int javaFeature() {
    return image.feature();
  }

  @Override
  public String classPath() {
    return image.classPath();
  }

  @Override
  public String path(Path file) {
    return image.path(file);
  }

  @Override
  public NetworkHost start(
      String name,
      String classPath,
      Class<?> main,
      long heapBytes,
      List<String> jvmOptions,
      @Nullable PrintStream log)
      throws IOException {
    JvmContainer container =
        new JvmContainer(
            image.name(),
            network,
            objects,
            image.arguments(classPath, main, heapBytes, jvmOptions));
    try {
      start(container);
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

  private synchronized void start(JvmContainer container) throws IOException {
    checkNotClosed();
    container.start();
  }

  /** Nothing is made while the process is ending: nobody would remove it. */
  private void checkNotClosed() throws IOException {
    if (closed) {
      throw new IOException("the network was closed");
    }
  }

  private synchronized void remove() {
    closed = true;
    objects.remove();
  }

  @Override
  public void close() {
    cleanup.close();
  }
}
