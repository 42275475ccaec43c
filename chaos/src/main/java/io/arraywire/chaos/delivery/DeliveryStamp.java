package io.arraywire.chaos.delivery;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.Delivery;
import io.arraywire.ElementType;
import io.arraywire.SendOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What an array says of itself: its number and the seed of its elements. It travels in the array's
 * tag and metadata, so framed mode only. Immutable.
 *
 * @param stream where it was sent
 * @param sequence its number there
 * @param seed what its elements were made from, beside stream and sequence
 */
record DeliveryStamp(DeliveryStream stream, long sequence, long seed) {
  private static final String KEY = "delivery";
  private static final int MAGIC = 0x44535450;
  private static final int BYTES = 4 * Integer.BYTES + 2 * Long.BYTES;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  SendOptions options(Delivery delivery) {
    ByteBuffer metadata = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    metadata.putInt(MAGIC);
    metadata.putInt(stream.sender()).putInt(stream.session()).putInt(stream.channel());
    metadata.putLong(sequence).putLong(seed);
    return new SendOptions(
        ArrayAttributes.tagged(sequence).with(KEY, HexFormat.of().formatHex(metadata.array())),
        delivery);
  }

  /** The stamp of an array that came, or null if it has none that makes sense. */
  static @Nullable DeliveryStamp of(ArrayHeader header) {
    String stamped = header.attributes().metadata().get(KEY);
    if (stamped == null || stamped.length() != 2 * BYTES) {
      return null;
    }
    byte[] bytes;
    try {
      bytes = HexFormat.of().parseHex(stamped);
    } catch (IllegalArgumentException e) {
      return null;
    }
    ByteBuffer metadata = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (metadata.getInt() != MAGIC) {
      return null;
    }
    DeliveryStream stream =
        new DeliveryStream(metadata.getInt(), metadata.getInt(), metadata.getInt());
    DeliveryStamp stamp = new DeliveryStamp(stream, metadata.getLong(), metadata.getLong());
    boolean consistent =
        stream.channel() == header.channel() && stamp.sequence == header.attributes().tag();
    return consistent ? stamp : null;
  }

  /** The array of this stamp, the same in every JVM; by splitmix64 (Steele, Lea, Flood 2014). */
  ArraySlice array(ElementType type, int count) {
    Object array = type.newArray(count);
    long state = seed ^ stream.sender() * GOLDEN ^ (long) stream.session() << 32;
    state ^= (stream.channel() + sequence * 256) * GOLDEN;
    for (int i = 0; i < count; i++) {
      state += GOLDEN;
      long bits = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
      bits = (bits ^ (bits >>> 27)) * 0x94d049bb133111ebL;
      ElementBits.set(type, array, i, bits ^ (bits >>> 31));
    }
    return ArraySlice.ofArray(array).as(type);
  }
}
