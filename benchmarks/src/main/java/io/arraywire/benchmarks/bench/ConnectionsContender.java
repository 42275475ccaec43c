package io.arraywire.benchmarks.bench;

import io.arraywire.Listener;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One way to serve many connections at the same time. Each connection moves the first elements of a
 * {@code float[]} of its own into a {@code float[]} of another JVM over loopback, one array after
 * the other.
 */
interface ConnectionsContender extends Participant {

  /** Why it cannot run with so many connections here, or null if it can. */
  default @Nullable String unavailable(int connections) {
    return null;
  }

  @Override
  default Pair start(BenchSettings settings, @Nullable PrintStream log) throws IOException {
    return ConnectionsPair.start(this, settings, log);
  }

  /**
   * Opens the receiving end on the loopback address. From then on it takes arrays, each into the
   * target of its connection, and acknowledges each when all of it is there.
   *
   * @param targets where arrays go, for as many connections as will come
   */
  Receiver listen(Targets targets) throws Exception;

  /**
   * Opens the sending end.
   *
   * @param port where the receiving end listens
   * @param sources what each connection sends, from index 0 on; it does not change
   */
  Sender connect(int port, float[][] sources) throws Exception;

  /** The receiving end. */
  interface Receiver extends AutoCloseable {

    /**
     * The receiving end of this library.
     *
     * @param listener what the connections come to
     * @param end ends all that was begun for it
     */
    static Receiver of(Listener listener, Runnable end) {
      return of(((InetSocketAddress) listener.address()).getPort(), end);
    }

    /**
     * The receiving end of a library that ends without an exception.
     *
     * @param port where it listens
     * @param end ends all that was begun for it
     */
    static Receiver of(int port, Runnable end) {
      return new Receiver() {
        @Override
        public int port() {
          return port;
        }

        @Override
        public void close() {
          end.run();
        }
      };
    }

    /** Where it listens. */
    int port() throws Exception;

    @Override
    void close() throws IOException;
  }

  /** The sending end, for use by one thread. */
  interface Sender extends AutoCloseable {

    /**
     * Runs all loops at the same time until they are to end. Every connection sends at least once.
     *
     * @param count elements in each array
     * @param loops told of each array, from any thread
     */
    void run(int count, ClosedLoops loops) throws Exception;

    @Override
    void close() throws IOException;
  }
}
