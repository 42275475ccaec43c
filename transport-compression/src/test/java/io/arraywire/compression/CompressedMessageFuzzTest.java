package io.arraywire.compression;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ProtocolException;
import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Limits;
import io.arraywire.message.Message;
import io.arraywire.message.Part;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;

/**
 * Hostile array messages where the codecs of their blocks are present: each is refused as such, or
 * its elements are the same whatever memory it came in, and when it is written without codecs.
 */
@Tag("newest")
class CompressedMessageFuzzTest {
  private static final Limits LIMITS = Limits.ofBytes(16 << 10);

  @FuzzTest
  void decode(byte[] data) throws ArraywireException {
    Message message;
    try {
      message = ArrayMessage.decode(data, LIMITS);
    } catch (ProtocolException e) {
      if (e.getMessage().length() > 300) {
        throw new AssertionError("a long text", e);
      }
      return;
    }
    ByteBuffer direct = ByteBuffer.allocateDirect(data.length + 3).position(3).put(data);
    same(message, ArrayMessage.decode(direct.position(3), LIMITS));
    same(message, ArrayMessage.decode(ArrayMessage.encode(message), LIMITS));
  }

  private static void same(Message one, Message other) {
    if (!one.toString().equals(other.toString())
        || !one.attributes().equals(other.attributes())
        || one.tag() != other.tag()) {
      throw new AssertionError(one + " became " + other);
    }
    for (int i = 0; i < one.parts().size(); i++) {
      if (!Arrays.equals(elements(one.parts().get(i)), elements(other.parts().get(i)))) {
        throw new AssertionError("other elements in part " + i + " of " + one);
      }
    }
  }

  private static byte[] elements(Part part) {
    ArraySlice slice = part.slices().get(0);
    return Samples.bytes(slice.type(), slice.array(), slice.offset(), slice.length());
  }
}
