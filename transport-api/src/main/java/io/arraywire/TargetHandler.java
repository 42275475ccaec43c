package io.arraywire;

import org.jspecify.annotations.Nullable;

/**
 * Is told type and count of an array first and answers with the memory to fill; see {@link
 * Handlers#withTargets}.
 *
 * <p>What has come of an array before the answer, at most {@link TransportOptions#inboxBytes()}, is
 * copied to the target; all the rest is put there at once, without the copies that a fresh array's
 * growth would cost, see {@link ArrayInput#receive()}.
 *
 * <p><b>Channels.</b> Arrays of different channels of a connection, and of different connections,
 * arrive at the same time: between {@link #target} and {@link ArrayHandler#onArray} of an array,
 * both are called for others. What a handler keeps of the array being filled it keeps for each
 * connection <i>and</i> {@linkplain ArrayHeader#channel() channel}, and one piece of memory may be
 * the target of one array at a time. For one channel the calls take turns: {@code target}, {@code
 * onArray}, {@code target}.
 *
 * <p><b>Memory.</b> The count is the sender's word, of which nothing may have come yet. With peers
 * that are not trusted, bound what all targets together may take, or answer null and set {@link
 * TransportOptions#arrivalBytes()}.
 */
@FunctionalInterface
public interface TargetHandler {

  /**
   * Answers where the next array is to be put.
   *
   * @param connection where it comes from
   * @param header what is known of it before its first element
   * @return null for a fresh array, whose memory grows as its bytes come, as without targets; or a
   *     slice of the same type with room for at least {@link ArrayHeader#count()} elements; it
   *     belongs to Arraywire until {@link ArrayHandler#onArray} is called with it, this method is
   *     called for the channel's next array (its sender has then withdrawn this one), or the
   *     connection ends
   * @throws Exception to refuse the array: its elements are read and dropped, and its sender is
   *     told as if {@link ArrayHandler#onArray} had thrown; an answer that does not fit does the
   *     same
   */
  @Nullable ArraySlice target(Connection connection, ArrayHeader header) throws Exception;
}
