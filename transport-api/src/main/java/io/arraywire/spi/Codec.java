package io.arraywire.spi;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ProtocolException;
import java.nio.ByteBuffer;

/**
 * A strategy for one {@link Encoding}: how this side turns elements into bytes and back.
 *
 * <p>A codec is a set of pure functions without sockets or state. The encoding alone says which
 * bytes an array becomes, so any two codecs of one encoding interoperate; {@code CodecContract} in
 * the test kit checks it, {@code BlockCodecContract} where it is in blocks. To plug in one of your
 * own, implement this in one class, give it to {@link
 * io.arraywire.TransportOptions.Builder#codecs}, or publish a {@link CodecProvider}.
 *
 * <p><b>Blocks.</b> Where the encoding {@linkplain Encoding#isInBlocks is in blocks}, each call
 * encodes or decodes one block, by the rules that the two methods name. The engine writes and reads
 * the heads of blocks, and the blocks that travel raw.
 *
 * <p><b>Threads.</b> One instance serves all connections and threads at once. <b>Garbage.</b> These
 * methods run once per chunk; they should allocate nothing that outlives the call.
 */
public interface Codec {

  /**
   * The name of the strategy.
   *
   * @return lower case with hyphens, unique among the codecs of a process, for example {@code
   *     direct}
   */
  String name();

  /**
   * The bytes it reads and writes.
   *
   * @return the encoding
   */
  Encoding encoding();

  /**
   * Encodes elements.
   *
   * <p>In blocks: encodes all of them as one block, from the target's position on, which is
   * advanced by 1 to {@link ByteBuffer#remaining()} bytes. There is room for less than the elements
   * take where they are plain. A codec that needs as much leaves the position where it was: the
   * block then travels raw. The elements take at most {@link Encoding#MAX_BLOCK_BYTES}.
   *
   * @param type the element type, one for which {@link Encoding#supports} is true
   * @param array an array of that type; not to be kept
   * @param index the first element to encode
   * @param count how many, at least 1
   * @param target where the bytes go, from its position on, which is advanced by exactly {@code
   *     count * encoding().elementBytes(type)}; there is room for them. May be a heap or a direct
   *     buffer, at any alignment and in any byte order setting, which the codec may change
   */
  void encode(ElementType type, Object array, int index, int count, ByteBuffer target);

  /**
   * Decodes elements.
   *
   * <p>In blocks: decodes one block, which is what remains in the source, all of it, and has less
   * bytes than its elements. The codec refuses a block that holds more or fewer than {@code count}
   * elements, or bytes behind them. No more than {@code count} elements may be written, whatever
   * the block says of itself.
   *
   * @param type the element type, one for which {@link Encoding#supports} is true
   * @param source the bytes, from its position on, which is advanced by exactly {@code count *
   *     encoding().elementBytes(type)}; they are all there. As for {@code encode} otherwise. They
   *     come from a peer: any value must be decoded or refused
   * @param array an array of that type; not to be kept
   * @param index where the first element goes
   * @param count how many, at least 1
   * @throws ProtocolException if the bytes are not what the encoding prescribes
   */
  void decode(ElementType type, ByteBuffer source, Object array, int index, int count)
      throws ProtocolException;

  /**
   * What the strategy wants of the transport beneath, and what it costs.
   *
   * @return the traits, the same at every call
   */
  default CodecTraits traits() {
    return CodecTraits.DIRECT;
  }
}
