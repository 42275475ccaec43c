package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * One way to answer the requests of many clients, some of which may take long. Each request is an
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

  /** Whether {@link #ask} is supported: requests that do not wait for earlier answers. */
  default boolean asks() {
    return false;
  }

  /**
   * Connects for requests that do not wait for earlier answers, if {@link #asks}.
   *
   * @param port where the answering end listens
   * @param count elements in each request
   */
  default Asking ask(int port, int count) throws Exception {
    throw new UnsupportedOperationException("it waits for answers (contender=" + name() + ")");
  }

  /** The number of a request: the bits of its first element. */
  static int number(float first) {
    return Float.floatToRawIntBits(first);
  }

  /** A connection whose requests follow each other without waiting, for use by one thread. */
  interface Asking extends AutoCloseable {

    /**
     * Sends a request and returns without its answer.
     *
     * @param request gets the answer or the failure, from any thread
     */
    void ask(PacedRequest request) throws Exception;

    /** Ends the connection at once. */
    @Override
    void close() throws IOException;
  }

  /** A connection. Several threads may make requests at the same time. */
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
