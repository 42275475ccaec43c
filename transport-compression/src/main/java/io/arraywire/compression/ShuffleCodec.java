package io.arraywire.compression;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import io.arraywire.spi.MemoryKind;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/** Planes of bytes, each compressed by itself. */
final class ShuffleCodec implements Codec {
  /** Into the codec's memory, into planes, compressed, and into the frame; and back. */
  private static final CodecTraits TRAITS = new CodecTraits(MemoryKind.DIRECT, false, 4, 4);

  private final Encoding encoding;
  private final Spare<ShuffleWork> spare;

  ShuffleCodec(Encoding encoding, Supplier<BlockCompressor> compressors) {
    this.encoding = encoding;
    spare = new Spare<>(() -> new ShuffleWork(compressors.get()), ShuffleWork::close);
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
    ShuffleWork work = spare.take();
    try {
      work.encode(type, array, index, count, target);
    } finally {
      spare.giveBack(work);
    }
  }

  @Override
  public void decode(ElementType type, ByteBuffer source, Object array, int index, int count)
      throws ProtocolException {
    ShuffleWork work = spare.take();
    try {
      work.decode(type, source, array, index, count);
    } finally {
      spare.giveBack(work);
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
