package io.arraywire.testkit;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;

/**
 * Hostile payloads: every codec on the class path whose elements have a fixed size, and the
 * prefixes of the encodings. Those whose elements travel in blocks have targets of their own,
 * beside them.
 */
@Tag("newest")
class CodecFuzzTest {
  private static final int MOST_PAYLOAD_BYTES = 512;

  private static final List<Codec> CODECS = codecs();

  private static List<Codec> codecs() {
    List<Codec> codecs = new ArrayList<>(Codecs.installed());
    codecs.removeIf(codec -> codec.encoding().isInBlocks());
    codecs.addAll(FuzzCodec.all((type, array) -> {}));
    return List.copyOf(codecs);
  }

  /** Elements in any place in memory, behind any bytes in place of the prefix. */
  @FuzzTest
  void decode(FuzzedDataProvider data) throws ProtocolException {
    Codec codec = data.pickValue(CODECS);
    Encoding encoding = codec.encoding();
    ElementType type = data.pickValue(ElementType.values());
    if (!encoding.supports(type)) {
      type = ElementType.FLOAT;
    }
    boolean direct = data.consumeBoolean();
    int gap = data.consumeInt(0, 9);
    int index = data.consumeInt(0, 5);
    int room = data.consumeInt(0, 5);
    int declared = data.consumeInt(0, 3) == 3 ? data.consumeInt() : data.consumeInt(0, 300);
    byte[] bytes = data.consumeRemainingAsBytes();

    prefix(encoding, type, declared & Integer.MAX_VALUE, bytes);
    int width = encoding.elementBytes(type);
    byte[] elements =
        Arrays.copyOf(bytes, Math.min(bytes.length, MOST_PAYLOAD_BYTES) / width * width);
    int count = elements.length / width;
    if (count > 0) {
      ByteBuffer source =
          direct
              ? ByteBuffer.allocateDirect(gap + elements.length + room)
              : ByteBuffer.allocate(gap + elements.length + room);
      source.position(gap);
      source.put(elements).flip().position(gap);
      elements(codec, type, source, elements, index, room);
    }
  }

  private static void check(boolean holds, String otherwise, Object subject) {
    if (!holds) {
      throw new AssertionError(otherwise + ": " + subject);
    }
  }

  /** Only what the encoding itself writes is let through, byte by byte. */
  private static void prefix(Encoding encoding, ElementType type, int declared, byte[] bytes) {
    int length = encoding.prefixBytes(type, declared);
    check(length <= Encoding.MAX_PREFIX_BYTES, "a long prefix", encoding);
    byte[] right = new byte[length];
    encoding.putPrefix(type, declared, ByteBuffer.wrap(right));
    // Mostly right, or nothing would ever pass.
    byte[] shown = right.clone();
    for (int i = 0; i < Math.min(length, bytes.length); i++) {
      shown[i] ^= bytes[i];
    }
    boolean accepted = true;
    ByteBuffer source = ByteBuffer.wrap(shown);
    try {
      encoding.checkPrefix(type, declared, source);
      check(!source.hasRemaining(), "a prefix that was not read", encoding);
    } catch (ProtocolException e) {
      accepted = false;
    }
    check(accepted == Arrays.equals(shown, right), "a wrong answer to a prefix", encoding);
    try {
      encoding.checkPrefix(type, declared, ByteBuffer.wrap(Arrays.copyOf(bytes, length)));
      check(Arrays.equals(Arrays.copyOf(bytes, length), right), "a wrong prefix", encoding);
    } catch (ProtocolException e) {
      // Refused.
    }
  }

  private static void elements(
      Codec codec, ElementType type, ByteBuffer source, byte[] elements, int index, int room)
      throws ProtocolException {
    Encoding encoding = codec.encoding();
    int width = encoding.elementBytes(type);
    int count = elements.length / width;
    boolean acceptable = true;
    for (int i = 0; i < elements.length; i += width) {
      acceptable &= FuzzCodec.accepts(encoding, elements[i]);
    }
    Object array = type.newArray(index + count + room);
    for (int i = 0; i < index + count + room; i++) {
      NaiveElements.setBits(type, array, i, -1);
    }
    int end = source.limit();
    try {
      codec.decode(type, source, array, index, count);
      check(acceptable, "malformed elements were accepted", codec);
    } catch (ProtocolException e) {
      check(!acceptable, "right elements were refused", codec);
      return;
    }
    check(source.position() == end, "the position is elsewhere", codec);
    Object expected = FuzzCodec.decoded(encoding, type, elements, count);
    Object edge = type.newArray(1);
    NaiveElements.setBits(type, edge, 0, -1);
    for (int i = 0; i < index + count + room; i++) {
      boolean inside = i >= index && i < index + count;
      check(
          NaiveElements.same(type, array, i, inside ? expected : edge, inside ? i - index : 0),
          inside ? "another element" : "written beside the elements",
          codec);
    }
    if (type != ElementType.BOOLEAN && encoding.hasPlainElements()) {
      byte[] again = new byte[elements.length];
      codec.encode(type, array, index, count, ByteBuffer.wrap(again));
      check(Arrays.equals(again, elements), "other bytes when encoded again", codec);
    }
  }
}
