package io.arraywire;

/**
 * A handler that is told type and count first and answers with the array to fill.
 *
 * <p>Costs a hop to the handler's executor before the elements are read, and saves the copies that
 * a fresh array's growth would cost; see {@link ArrayInput#receive()}.
 */
public interface TargetingArrayHandler extends ArrayHandler {

  /**
   * Answers where the next array is to be put.
   *
   * @param connection where it comes from
   * @param header what is known of it before its first element
   * @return a slice of the same type with room for at least {@link ArrayHeader#count()} elements;
   *     it belongs to Arraywire until {@link #onArray} is called with it or the connection ends
   * @throws Exception to refuse the array: its elements are read and dropped, and its sender is
   *     told as if {@link #onArray} had thrown; an answer that does not fit does the same
   */
  ArraySlice target(Connection connection, ArrayHeader header) throws Exception;
}
