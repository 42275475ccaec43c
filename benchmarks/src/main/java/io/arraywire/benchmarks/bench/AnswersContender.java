package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * One way to answer the requests of many clients, some of which may take long: each request is an
 * array of floats, and the same array is the answer. Both ends have it in a {@code float[]}.
 */
interface AnswersContender extends Participant {

  /** Why it cannot run here, or null if it can. */
  default @Nullable String unavailable() {
    return null;
  }

  @Override
  default Pair start(BenchSettings settings, @Nullable PrintStream log) throws IOException {
    return AnswersPair.start(this, settings, log);
  }

  /**
   * Opens the answering end on the loopback address; it lives as long as the process.
   *
   * @param slow which requests wait
   * @param count elements in each request
   * @return the port
   */
  int listen(SlowAnswers slow, int count) throws Exception;

  /**
   * Connects one client, with a connection of its own.
   *
   * @param port where the answering end listens
   * @param count elements in each request
   */
  Client connect(int port, int count) throws Exception;

  /** Whether it can ask without waiting for the answers. */
  default boolean asks() {
    return false;
  }

  /**
   * Connects one that asks without waiting, if it can.
   *
   * @param port where the answering end listens
   * @param count elements in each request
   */
  default Asking ask(int port, int count) throws Exception {
    throw new UnsupportedOperationException("it waits for answers (contender=" + name() + ")");
  }

  /** The number of a request, which its first element has as its bits. */
  static int number(float first) {
    return Float.floatToRawIntBits(first);
  }

  /** A connection whose requests follow each other without waiting, for use by one thread. */
  interface Asking extends AutoCloseable {

    /**
     * Makes a request and returns at once, or when it has left.
     *
     * @param request told of the answer, from any thread
     */
    void ask(PacedRequest request) throws Exception;

    /** Ends the connection at once. */
    @Override
    void close() throws IOException;
  }

  /** A connection. Several threads make requests at the same time. */
  interface Client extends AutoCloseable {

    /**
     * Makes a request and waits for the answer.
     *
     * @param request what is asked
     * @param answer where the answer goes, as long as the request
     */
    void request(float[] request, float[] answer) throws Exception;

    /** Ends the connection at once; a request that waits fails. Any thread. */
    @Override
    void close() throws IOException;
  }
}
