package io.arraywire.benchmarks.network;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A bridge to which hosts are connected, each of which runs one JVM. */
interface HostNetwork extends AutoCloseable {

  /** What its hosts are made of, in the plural. */
  String kind();

  /** The version of Java on its hosts, in words. */
  default String java() {
    return System.getProperty("java.version");
  }

  /** The feature release of that Java. */
  default int javaFeature() {
    return Runtime.version().feature();
  }

  /** The class path, on a host, of the build that this JVM runs. */
  String classPath();

  /**
   * Where a host has a file of this machine: another build, which is its class path, or data.
   *
   * @param file one of those that the network was made for
   */
  String path(Path file);

  /**
   * Starts a JVM on a host of its own.
   *
   * @param name what to call it
   * @param classPath its class path on the host, as {@link #classPath} gives it
   * @param main its main class
   * @param heapBytes its heap
   * @param jvmOptions further options for it
   * @param log where its standard error goes, or null for nowhere
   * @return the host; it ends with the JVM, or else with the network
   * @throws IOException if that fails; then nothing of it is left
   */
  NetworkHost start(
      String name,
      String classPath,
      Class<?> main,
      long heapBytes,
      List<String> jvmOptions,
      @Nullable PrintStream log)
      throws IOException;

  @Override
  void close();
}
