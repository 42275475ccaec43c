package io.arraywire.benchmarks.bench;

import com.github.luben.zstd.Zstd;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ProtocolException;
import io.arraywire.compression.Compression;
import io.arraywire.frame.BlockHead;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Deflater;

/**
 * How many times smaller elements become.
 *
 * @param shuffleZstd by that encoding, on the wire
 * @param shuffleLz4 by that encoding, on the wire
 * @param bf16 by that encoding, on the wire; it loses bits
 * @param bf16Error the largest relative error of what comes back; 0.01 is one percent
 * @param zstd3 their bytes by zstd, level 3, in pieces of 256 KiB: the batches of {@code
 *     arrow-flight-zstd}
 * @param deflate6 their bytes by deflate, level 6, which is gzip's
 * @param deflate1 their bytes by deflate, level 1
 */
record Ratios(
    double shuffleZstd,
    double shuffleLz4,
    double bf16,
    double bf16Error,
    double zstd3,
    double deflate6,
    double deflate1) {
  private static final int BLOCK = Encoding.MAX_BLOCK_BYTES / Float.BYTES;

  /** What is smaller or larger has an error in other words. */
  private static final float LEAST = 0x1p-126f;

  private static final float MOST = 3.39e38f;

  private static final int BATCH_BYTES = 256 << 10;
  private static final int LEVEL_OF_GZIP = 6;

  /** What these elements become; there is at least one. */
  static Ratios of(float[] elements) throws ProtocolException {
    return new Ratios(
        encoded(Compression.shuffleZstd(), elements),
        encoded(Compression.shuffleLz4(), elements),
        encoded(Compression.bf16(), elements),
        error(Compression.bf16(), elements),
        zstd(elements, Zstd.defaultCompressionLevel()),
        deflated(elements, LEVEL_OF_GZIP),
        deflated(elements, Deflater.BEST_SPEED));
  }

  private static double encoded(Codec codec, float[] elements) {
    long bytes = 0;
    for (int index = 0; index < elements.length; index += BLOCK) {
      int count = Math.min(BLOCK, elements.length - index);
      ByteBuffer block = block(codec, elements, index, count);
      bytes += BlockHead.BYTES + (block.hasRemaining() ? block.remaining() : count * Float.BYTES);
    }
    return (double) elements.length * Float.BYTES / bytes;
  }

  /** An encoded block; nothing if it travels raw. */
  private static ByteBuffer block(Codec codec, float[] elements, int index, int count) {
    ByteBuffer block = ByteBuffer.allocateDirect(count * Float.BYTES - 1);
    codec.encode(ElementType.FLOAT, elements, index, count, block);
    return block.flip();
  }

  private static double error(Codec codec, float[] elements) throws ProtocolException {
    double largest = 0;
    float[] decoded = new float[BLOCK];
    for (int index = 0; index < elements.length; index += BLOCK) {
      int count = Math.min(BLOCK, elements.length - index);
      codec.decode(ElementType.FLOAT, block(codec, elements, index, count), decoded, 0, count);
      for (int i = 0; i < count; i++) {
        double element = elements[index + i];
        if (Math.abs(element) >= LEAST && Math.abs(element) <= MOST) {
          largest = Math.max(largest, Math.abs((element - decoded[i]) / element));
        }
      }
    }
    return largest;
  }

  private static double zstd(float[] elements, int level) {
    int batch = BATCH_BYTES / Float.BYTES;
    ByteBuffer bytes = ByteBuffer.allocate(BATCH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    byte[] room = new byte[Math.toIntExact(Zstd.compressBound(BATCH_BYTES))];
    long packed = 0;
    for (int index = 0; index < elements.length; index += batch) {
      int count = Math.min(batch, elements.length - index);
      bytes.asFloatBuffer().put(elements, index, count);
      packed +=
          Zstd.compressByteArray(
              room, 0, room.length, bytes.array(), 0, count * Float.BYTES, level);
    }
    return (double) elements.length * Float.BYTES / packed;
  }

  private static double deflated(float[] elements, int level) {
    Deflater deflater = new Deflater(level);
    ByteBuffer bytes = ByteBuffer.allocate(Encoding.MAX_BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    byte[] room = new byte[Encoding.MAX_BLOCK_BYTES];
    try {
      for (int index = 0; index < elements.length; index += BLOCK) {
        int count = Math.min(BLOCK, elements.length - index);
        bytes.asFloatBuffer().put(elements, index, count);
        deflater.setInput(bytes.array(), 0, count * Float.BYTES);
        while (!deflater.needsInput()) {
          deflater.deflate(room);
        }
      }
      deflater.finish();
      while (!deflater.finished()) {
        deflater.deflate(room);
      }
      return (double) deflater.getBytesRead() / deflater.getBytesWritten();
    } finally {
      deflater.end();
    }
  }
}
