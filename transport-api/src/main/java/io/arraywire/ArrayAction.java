package io.arraywire;

/**
 * What to do with each array that comes, in the thread that receives; see {@link
 * ArrayInput#receiveEach}.
 *
 * @param <T> what it gets: the array, or its description
 * @param <X> what it throws; inferred for a lambda that throws no checked exception
 */
@FunctionalInterface
public interface ArrayAction<T, X extends Exception> {

  /**
   * Takes an array.
   *
   * @param array the array, or its description
   * @throws X to end the loop
   */
  void accept(T array) throws X;
}
