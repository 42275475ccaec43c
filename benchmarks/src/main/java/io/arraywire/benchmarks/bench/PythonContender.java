package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One way to move an array from NumPy into a {@code float[]} of a JVM over loopback, and back. This
 * is the JVM's end. The other one has the same name in {@code python/benchmarks/peers.py}.
 */
interface PythonContender extends Participant {

  /** What its other end imports beside NumPy. */
  default List<PythonModule> modules() {
    return List.of();
  }

  @Override
  default boolean acrossHosts() {
    return false;
  }

  @Override
  default Pair start(BenchSettings settings, @Nullable PrintStream log) throws IOException {
    return PythonPair.start(this, settings, log);
  }

  /**
   * Opens the JVM's end on the loopback address. It lives as long as the process, for one peer that
   * sends an array and waits until it is back.
   *
   * @param mirror puts elements that come into an array, and takes them out of it again
   * @return the port, or several with blanks between
   */
  String listen(Mirror mirror) throws Exception;
}
