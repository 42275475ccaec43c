package io.arraywire.benchmarks.result;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.PackedHistogram;

/** Times as text, for files and between processes: compressed as HdrHistogram does, in Base64. */
public final class EncodedTimes {
  private EncodedTimes() {}

  /**
   * Writes times.
   *
   * @param times any; nobody may add to them meanwhile
   * @return the text, one word
   */
  public static String encode(Histogram times) {
    ByteBuffer bytes = ByteBuffer.allocate(times.getNeededByteBufferCapacity());
    // Of a copy: a histogram keeps the buffer of its last encoding, here 240 KB, for the next one.
    byte[] encoded = new byte[times.copy().encodeIntoCompressedByteBuffer(bytes)];
    bytes.get(0, encoded);
    return Base64.getEncoder().encodeToString(encoded);
  }

  /**
   * Reads times.
   *
   * @param text what {@link #encode} wrote
   * @return the times, in little memory: there are many such histograms at the same time
   * @throws IllegalArgumentException if it is something else
   */
  public static Histogram decode(String text) {
    return decoded(text, PackedHistogram::decodeFromCompressedByteBuffer);
  }

  /**
   * Adds times. What is read lives for this call only, and is not packed. The sum of packed
   * histograms takes eight times as long, since each count has to be looked for.
   *
   * @param text what {@link #encode} wrote
   * @param into what they are added to
   * @throws IllegalArgumentException if the text is something else
   */
  static void add(String text, Histogram into) {
    into.add(decoded(text, Histogram::decodeFromCompressedByteBuffer));
  }

  private interface Decoder {
    Histogram decode(ByteBuffer bytes, long highestAtLeast) throws DataFormatException;
  }

  private static Histogram decoded(String text, Decoder decoder) {
    try {
      return decoder.decode(ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
    } catch (DataFormatException | RuntimeException e) {
      // What the decoder throws depends on where the bytes are wrong.
      throw new IllegalArgumentException("not a histogram", e);
    }
  }
}
