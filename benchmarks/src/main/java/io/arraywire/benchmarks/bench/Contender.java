package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One way to move the first elements of a {@code float[]} into a {@code float[]} of another JVM
 * over loopback. Each is written to be as fast as that way can be.
 *
 * <p>Each end is used by one thread.
 */
interface Contender extends Participant {

  /** Why it cannot run on this machine, or null if it can. */
  default @Nullable String unavailable() {
    return null;
  }

  /**
   * Whether it takes part though nobody names it, if it is of another library. False for contenders
   * that compress or encrypt: name them to compare them with each other.
   */
  default boolean usual() {
    return true;
  }

  /** Whether every bit of a NaN arrives. The JDK's own streams make all of them one. */
  default boolean keepsNans() {
    return true;
  }

  /** What its encoding may make of elements; null if every bit arrives, as with all but a few. */
  default @Nullable Rounding rounding() {
    return null;
  }

  @Override
  default @Nullable String loss() {
    Rounding rounding = rounding();
    return rounding == null ? null : rounding.loss();
  }

  @Override
  default Pair start(BenchSettings settings, @Nullable PrintStream log) throws IOException {
    return ContenderPair.start(this, settings, log);
  }

  /**
   * Opens the receiving end on the loopback address.
   *
   * @param target where all arrays go, from index 0 on
   */
  Receiver listen(float[] target) throws Exception;

  /**
   * Opens the sending end.
   *
   * @param port where the receiving end listens
   * @param source what is sent, from index 0 on; it does not change
   */
  Sender connect(int port, float[] source) throws Exception;

  /** Counts the arrays that came. */
  @FunctionalInterface
  interface Tally {

    /**
     * Some more arrays came and are acknowledged.
     *
     * @param arrays how many
     * @return whether others are to come
     */
    boolean add(int arrays);
  }

  /** The receiving end. */
  interface Receiver extends AutoCloseable {

    /** Where it listens. */
    int port() throws Exception;

    /**
     * Takes arrays and acknowledges each when all of it is there. When it returns, the target has
     * what came last.
     *
     * @param count elements in each array
     * @param tally told of each array, or each batch of them; this returns when it has them all
     */
    void serve(int count, Tally tally) throws Exception;

    @Override
    void close() throws IOException;
  }

  /** The sending end. */
  interface Sender extends AutoCloseable {

    /**
     * Sends the first elements and returns when they are acknowledged.
     *
     * @param count how many
     */
    void send(int count) throws Exception;

    /**
     * Sends the first elements again and again without waiting for each.
     *
     * @param count how many elements at a time
     * @param window how many arrays may be in flight
     * @param more asked before each array, or each batch of them; if there are to be no more, this
     *     returns when all are acknowledged
     * @return how many arrays were sent
     */
    long stream(int count, int window, BooleanSupplier more) throws Exception;

    @Override
    void close() throws IOException;
  }
}
