package io.arraywire.compression;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import io.arraywire.spi.MemoryKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;

/** Floats as {@code bf16} or {@code fp16}, two bytes each, little-endian. */
final class HalfCodec implements Codec {
  private static final CodecTraits TRAITS = new CodecTraits(MemoryKind.DIRECT, false, 2, 2);
  private static final int MOST = Encoding.MAX_BLOCK_BYTES / Float.BYTES;

  /** Memory for one block. */
  private static final class Work {
    private final short[] halves = new short[MOST];
    private final byte[] bytes = new byte[MOST * Short.BYTES];
    private final ShortBuffer view =
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asShortBuffer();
  }

  private static final Spare<Work> SPARE = new Spare<>(Work::new, work -> {});

  private final Encoding encoding;
  private final boolean bf16;

  HalfCodec(Encoding encoding, boolean bf16) {
    this.encoding = encoding;
    this.bf16 = bf16;
  }

  @Override
  public String name() {
    return encoding.name();
  }

  @Override
  public Encoding encoding() {
    return encoding;
  }

  @Override
  public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    Work work = SPARE.take();
    try {
      float[] floats = (float[]) array;
      short[] halves = work.halves;
      if (bf16) {
        for (int i = 0; i < count; i++) {
          halves[i] = Halves.toBf16(Float.floatToRawIntBits(floats[index + i]));
        }
      } else {
        for (int i = 0; i < count; i++) {
          halves[i] = Halves.toFp16(Float.floatToRawIntBits(floats[index + i]));
        }
      }
      work.view.put(0, halves, 0, count);
      target.put(work.bytes, 0, count * Short.BYTES);
    } finally {
      SPARE.giveBack(work);
    }
  }

  @Override
  public void decode(ElementType type, ByteBuffer source, Object array, int index, int count)
      throws ProtocolException {
    if (source.remaining() != count * Short.BYTES || count > MOST) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "a block of floats of 16 bits has another length than its elements",
          "bytes",
          source.remaining(),
          "elements",
          count);
    }
    Work work = SPARE.take();
    try {
      source.get(work.bytes, 0, count * Short.BYTES);
      short[] halves = work.halves;
      work.view.get(0, halves, 0, count);
      float[] floats = (float[]) array;
      if (bf16) {
        for (int i = 0; i < count; i++) {
          floats[index + i] = Float.intBitsToFloat(Halves.fromBf16(halves[i]));
        }
      } else {
        for (int i = 0; i < count; i++) {
          floats[index + i] = Float.intBitsToFloat(Halves.fromFp16(halves[i]));
        }
      }
    } finally {
      SPARE.giveBack(work);
    }
  }

  @Override
  public CodecTraits traits() {
    return TRAITS;
  }

  @Override
  public String toString() {
    return name();
  }
}
