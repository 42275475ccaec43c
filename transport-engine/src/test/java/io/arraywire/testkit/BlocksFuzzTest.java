package io.arraywire.testkit;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameType;
import io.arraywire.testkit.BareConnection.Taking;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/**
 * Hostile blocks in frames that are right otherwise. What the engine makes of them is compared with
 * what the protocol's page says, read once more with all of them at once.
 */
@Tag("newest")
class BlocksFuzzTest {
  private static final int SETTING_BYTES = 5;

  /** As many small blocks as are borne without a doubt. */
  private static final int MOST_SMALL = 150;

  private static final byte[] HELLO = hello();
  private static final byte[] GOODBYE = RawFrame.control(FrameType.GOODBYE, 0).bytes();

  private static byte[] hello() {
    Offer all = EngineBench.offer();
    return EngineBench.preambled(
        HandshakeMessage.hello(
            new Offer(
                Map.of(1, "raw-le", RunsCodec.ENCODING.code(), RunsCodec.ENCODING.name()),
                all.elementTypes(),
                ByteOrder.LITTLE_ENDIAN,
                all.maxArrayBytes(),
                all.maxFrameBytes(),
                false,
                new byte[0],
                "a fuzzer",
                all.flow())));
  }

  /**
   * Which call takes it and in which portions, the type, the count, where the payload is cut;
   * blocks.
   */
  @FuzzTest
  void blocks(byte[] data) {
    byte[] setting = Arrays.copyOf(data, SETTING_BYTES);
    Taking taking = Taking.values()[(setting[0] & 7) % Taking.values().length];
    int portion = new int[] {Integer.MAX_VALUE, 1, 3, 100}[(setting[0] >> 3) & 3];
    ElementType type = ElementType.values()[(setting[1] & 0xff) % ElementType.values().length];
    int count = (setting[2] & 0xff) | (setting[3] & 0xff) << 8;
    byte[] payload = Arrays.copyOfRange(data, Math.min(data.length, SETTING_BYTES), data.length);
    int cut =
        (setting[4] & 0xff) == 0 ? payload.length : Math.min(payload.length, setting[4] & 0xff);

    Expected expected = new Expected(type, count);
    byte[] first = Arrays.copyOf(payload, cut);
    byte[] rest = Arrays.copyOfRange(payload, cut, payload.length);
    expected.frame(first, false);
    RawFrame array = RawFrame.array(RunsCodec.ENCODING.code(), type.code(), 1, count, first);
    array.with(header -> header.arrayBytes = (long) count * type.bytes());
    RawFrame chunk = RawFrame.chunk(array, expected.done, rest);
    boolean goesOn = expected.end == null && expected.done < count && rest.length > 0;
    if (goesOn) {
      expected.frame(rest, true);
    }
    if (expected.small > MOST_SMALL) {
      return;
    }
    if (expected.end == null && expected.done < count) {
      expected.end = ErrorCode.TRUNCATED;
    }

    BareConnection receiver =
        new BareConnection(
            Role.ACCEPTOR,
            TransportOptions.builder()
                .codecs(EngineBench.RAW_LE, RunsCodec.CODEC)
                .checksums(Checksums.UNWANTED),
            taking,
            there -> Math.min(there, portion));
    receiver.feed(HELLO, array.bytes());
    if (goesOn) {
      receiver.feed(chunk.bytes());
    }
    if (expected.end == null) {
      receiver.feed(GOODBYE);
    }
    ArraywireException cause = receiver.end();
    ErrorCode code = cause == null ? null : cause.code();
    if (code != expected.end) {
      throw new AssertionError("another end (expected=" + expected.end + ")", cause);
    }
    if (receiver.taken.size() != (code == null ? 1 : 0)) {
      throw new AssertionError("arrays delivered: " + receiver.taken);
    }
    if (code == null) {
      int at =
          NaiveElements.firstDifference(
              type, expected.elements, 0, receiver.taken.get(0).elements(), 0, count);
      if (at >= 0) {
        throw new AssertionError("another element at " + at);
      }
    }
  }

  /** What the page says of the frames. */
  private static final class Expected {
    final ElementType type;
    final int count;
    final Object elements;
    int done;
    int small;
    @Nullable ErrorCode end;

    Expected(ElementType type, int count) {
      this.type = type;
      this.count = count;
      elements = type.newArray(count);
    }

    void frame(byte[] payload, boolean chunk) {
      int width = type.bytes();
      int left = count - done;
      int least = chunk ? 1 : count > 0 ? 9 : 0;
      if (payload.length < least || payload.length > (long) left * (8 + width)) {
        end = ErrorCode.BAD_LENGTH;
        return;
      }
      boolean first = !chunk;
      ByteBuffer bytes = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
      while (end == null && bytes.hasRemaining()) {
        end = block(bytes, width, first);
        first = false;
      }
    }

    private @Nullable ErrorCode block(ByteBuffer bytes, int width, boolean first) {
      if (bytes.remaining() < 9) {
        return ErrorCode.BAD_LENGTH;
      }
      int word = bytes.getInt();
      long many = bytes.getInt() & 0xffffffffL;
      int length = word & 0x7fffffff;
      if (many < 1 || many > count - done || many * width > 65536) {
        return ErrorCode.BAD_LENGTH;
      }
      if (length < 1 || length > bytes.remaining()) {
        return ErrorCode.BAD_LENGTH;
      }
      if (word < 0 ? length != many * width : length >= many * width) {
        return ErrorCode.COUNT_MISMATCH;
      }
      if (!first && many * width < 512 && many < count - done) {
        small++;
      }
      int stop = bytes.position() + length;
      if (word < 0) {
        for (int i = 0; i < many; i++) {
          set(bits(bytes, width), 1);
        }
        return null;
      }
      long wanted = done + many;
      while (bytes.position() < stop) {
        if (stop - bytes.position() < 1 + width) {
          return ErrorCode.MALFORMED_PAYLOAD;
        }
        int run = 1 + (bytes.get() & 0xff);
        long bits = bits(bytes, width);
        if (done + run > wanted) {
          return ErrorCode.MALFORMED_PAYLOAD;
        }
        set(bits, run);
      }
      return done == wanted ? null : ErrorCode.MALFORMED_PAYLOAD;
    }

    private static long bits(ByteBuffer bytes, int width) {
      long bits = 0;
      for (int k = 0; k < width; k++) {
        bits |= (bytes.get() & 0xffL) << (8 * k);
      }
      return bits;
    }

    private void set(long bits, int run) {
      // All bytes but 0 are true.
      long value = type == ElementType.BOOLEAN && bits != 0 ? 1 : bits;
      for (int i = 0; i < run; i++) {
        NaiveElements.setBits(type, elements, done++, value);
      }
    }
  }
}
