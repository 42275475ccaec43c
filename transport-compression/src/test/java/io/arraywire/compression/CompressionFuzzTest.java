package io.arraywire.compression;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;

/**
 * Hostile blocks: each is refused as malformed, or becomes as many elements as it must, and nothing
 * is written beside them. What was decoded is encoded again and comes back.
 *
 * <p>The first three bytes say the type, the count and where the block lies.
 */
@Tag("newest")
class CompressionFuzzTest {
  private static final int SETTING_BYTES = 3;
  private static final int GAP = 3;

  @FuzzTest
  void shuffleZstd(byte[] data) throws ProtocolException {
    decode(Compression.shuffleZstd(), data);
  }

  @FuzzTest
  void shuffleLz4(byte[] data) throws ProtocolException {
    decode(Compression.shuffleLz4(), data);
  }

  @FuzzTest
  void halves(byte[] data) throws ProtocolException {
    decode(data.length % 2 == 0 ? Compression.bf16() : Compression.fp16(), data);
  }

  private static void decode(Codec codec, byte[] data) throws ProtocolException {
    byte[] setting = Arrays.copyOf(data, SETTING_BYTES);
    byte[] block = Arrays.copyOfRange(data, Math.min(data.length, SETTING_BYTES), data.length);
    ElementType[] types =
        Arrays.stream(ElementType.values())
            .filter(codec.encoding()::supports)
            .toArray(ElementType[]::new);
    ElementType type = types[(setting[0] & 0xff) % types.length];
    int count = 1 + (setting[1] & 0xff) * ((setting[2] & 0x7e) + 1);
    count = Math.min(count, Encoding.MAX_BLOCK_BYTES / type.bytes());
    if (block.length == 0 || block.length >= count * type.bytes()) {
      return; // The engine lets none of these through.
    }
    ByteBuffer source =
        (setting[2] & 1) == 0
            ? ByteBuffer.wrap(block)
            : ByteBuffer.allocateDirect(block.length).put(block).flip();
    Object target = Samples.array(type, count + 2 * GAP, Samples.Kind.SAME);
    byte[] before = Samples.bytes(type, target, 0, count + 2 * GAP);
    boolean whole = false;
    try {
      codec.decode(type, source, target, GAP, count);
      whole = true;
    } catch (ProtocolException e) {
      if (!ErrorCode.MALFORMED_PAYLOAD.isOf(e)) {
        throw e;
      }
    }
    byte[] after = Samples.bytes(type, target, 0, count + 2 * GAP);
    int edge = GAP * type.bytes();
    int end = after.length - edge;
    if (Arrays.mismatch(before, 0, edge, after, 0, edge) >= 0
        || Arrays.mismatch(before, end, before.length, after, end, after.length) >= 0) {
      throw new AssertionError("written beside the target");
    }
    if (whole) {
      again(codec, type, target, count);
    }
  }

  private static void again(Codec codec, ElementType type, Object elements, int count)
      throws ProtocolException {
    ByteBuffer target = ByteBuffer.allocate(count * type.bytes() - 1);
    codec.encode(type, elements, GAP, count, target);
    if (target.position() == 0) {
      return;
    }
    Object decoded = type.newArray(count);
    codec.decode(type, target.flip(), decoded, 0, count);
    byte[] expected = Samples.bytes(type, elements, GAP, count);
    if (!Arrays.equals(expected, Samples.bytes(type, decoded, 0, count))
        && codec.encoding().loss() == null) {
      throw new AssertionError("it does not come back");
    }
  }
}
