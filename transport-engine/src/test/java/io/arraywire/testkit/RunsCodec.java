package io.arraywire.testkit;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A codec in blocks, for tests: runs of equal elements, each one byte for how many there are, less
 * one, and the element, little-endian. It refuses blocks that hold more or fewer than they must.
 */
public final class RunsCodec implements Codec {
  public static final Encoding ENCODING =
      Encoding.customInBlocks(210, "runs", ByteOrder.LITTLE_ENDIAN, type -> true);

  public static final RunsCodec CODEC = new RunsCodec();

  private static final int LONGEST_RUN = 256;

  private RunsCodec() {}

  @Override
  public String name() {
    return "runs";
  }

  @Override
  public Encoding encoding() {
    return ENCODING;
  }

  @Override
  public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    int from = target.position();
    for (int i = 0; i < count; ) {
      long bits = NaiveElements.bits(type, array, index + i);
      int run = 1;
      while (run < LONGEST_RUN
          && i + run < count
          && NaiveElements.bits(type, array, index + i + run) == bits) {
        run++;
      }
      if (target.remaining() < 1 + type.bytes()) {
        target.position(from);
        return;
      }
      target.put((byte) (run - 1));
      for (int k = 0; k < type.bytes(); k++) {
        target.put((byte) (bits >>> (8 * k)));
      }
      i += run;
    }
  }

  @Override
  public void decode(ElementType type, ByteBuffer source, Object array, int index, int count)
      throws ProtocolException {
    int done = 0;
    while (source.remaining() > type.bytes()) {
      int run = 1 + (source.get() & 0xff);
      long bits = 0;
      for (int k = 0; k < type.bytes(); k++) {
        bits |= (source.get() & 0xffL) << (8 * k);
      }
      if (run > count - done) {
        throw refusal("a block holds more elements than it must", count);
      }
      for (int k = 0; k < run; k++) {
        NaiveElements.setBits(type, array, index + done + k, bits);
      }
      done += run;
    }
    if (done < count) {
      throw refusal("a block holds fewer elements than it must", count);
    }
  }

  private static ProtocolException refusal(String text, int count) {
    return new ProtocolException(ErrorCode.MALFORMED_PAYLOAD, text, "elements", count);
  }
}
