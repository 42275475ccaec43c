package io.arraywire.benchmarks.bench;

/**
 * A module of Python that a contender imports.
 *
 * @param name what is imported, such as {@code zmq}
 * @param distribution what pip installs, such as {@code pyzmq}
 */
record PythonModule(String name, String distribution) {
  /** All contenders have it. */
  static final PythonModule NUMPY = new PythonModule("numpy", "numpy");
}
