package io.arraywire;

import io.arraywire.source.ArraySink;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the memory for an array by its type and count, before its elements arrive; see {@link
 * Handlers#withTargets}.
 *
 * <p>An {@link ArraySlice} is the usual answer; an {@link ArraySink} of a file takes an array of
 * any size without heap for it.
 *
 * <p>The bytes of an array that arrive before the answer, at most {@link
 * TransportOptions#inboxBytes()}, are copied to the target. The rest goes there directly, without
 * the copies that a fresh array's growth would cost, see {@link ArrayInput#receive()}.
 *
 * <p><b>Threads and channels.</b> {@link Handlers} says which threads call it. Arrays of different
 * channels of a connection, and of different connections, arrive at the same time. Between {@link
 * #target} and {@link ArrayHandler#onArray} of an array, both are called for others. So a handler
 * keeps a note of the array being filled for each connection <i>and</i> {@linkplain
 * ArrayHeader#channel() channel}. One piece of memory may be the target of one array at a time. For
 * one channel the calls alternate: {@code target}, {@code onArray}, {@code target}.
 *
 * <p><b>Memory.</b> The count is what the sender declares; no element may have arrived yet. With
 * peers that you do not trust, limit what all targets together take, or answer null and set {@link
 * TransportOptions#arrivalBytes()}.
 */
@FunctionalInterface
public interface TargetHandler {

  /**
   * Answers where the next array is to be put.
   *
   * @param connection where it comes from
   * @param header what is known of it before its first element
   * @return null for a fresh array, whose memory grows as its bytes come, as without targets.
   *     Otherwise a slice of the same type with room for at least {@link ArrayHeader#count()}
   *     elements, or another sink of that type. It belongs to Arraywire until {@link
   *     ArrayHandler#onArray} is called with it, or the connection ends. It is also the handler's
   *     again when this method is called for the channel's next array: its sender has then
   *     withdrawn this one
   * @throws Exception to refuse the array. Its elements are read and dropped, and its sender is
   *     told as if {@link ArrayHandler#onArray} had thrown. An answer that does not fit does the
   *     same
   */
  @Nullable ArraySink target(Connection connection, ArrayHeader header) throws Exception;
}
