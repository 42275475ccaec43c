package io.arraywire.examples.demo;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.spi.BulkElements;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** Makes, spoils and digests arrays. */
final class Elements {
  private static final int WINDOW_BYTES = 256 << 10;

  private Elements() {}

  /**
   * Repeats an array until there are enough elements.
   *
   * @param source at least one element, unless {@code count} is 0
   * @param count how many elements to make
   * @return a new array of exactly that many
   */
  static Object tile(ArraySlice source, int count) {
    Object tiled = source.type().newArray(count);
    for (int done = 0; done < count; ) {
      int some = Math.min(count - done, source.length());
      System.arraycopy(source.array(), source.offset(), tiled, done, some);
      done += some;
    }
    return tiled;
  }

  /**
   * Overwrites elements, so that what is there afterwards must have arrived since.
   *
   * @param slice the elements
   */
  static void spoil(ArraySlice slice) {
    int from = slice.offset();
    int to = from + slice.length();
    switch (slice.type().carrier()) {
      case FLOAT -> Arrays.fill((float[]) slice.array(), from, to, -12345.678f);
      case INT -> Arrays.fill((int[]) slice.array(), from, to, 0xdeadbeef);
      case DOUBLE -> Arrays.fill((double[]) slice.array(), from, to, -12345.678);
      case LONG -> Arrays.fill((long[]) slice.array(), from, to, 0xdeadbeefdeadbeefL);
      case SHORT -> Arrays.fill((short[]) slice.array(), from, to, (short) 0xdead);
      case CHAR -> Arrays.fill((char[]) slice.array(), from, to, (char) 0xdead);
      case BYTE -> Arrays.fill((byte[]) slice.array(), from, to, (byte) 0xad);
      case BOOLEAN -> Arrays.fill((boolean[]) slice.array(), from, to, true);
      default -> throw new IllegalStateException("not a carrier: " + slice.type());
    }
  }

  /**
   * The SHA-256 of elements, so that two processes can compare them: bit-identical arrays have the
   * same, NaNs with different payloads do not.
   *
   * @param slice the elements
   * @return the digest of their little-endian bytes in hexadecimal
   */
  static String digest(ArraySlice slice) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
    ElementType type = slice.type();
    ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
    for (int done = 0; done < slice.length(); ) {
      int some = Math.min(slice.length() - done, WINDOW_BYTES / type.bytes());
      window.clear();
      BulkElements.put(
          type, slice.array(), slice.offset() + done, some, window, ByteOrder.LITTLE_ENDIAN);
      digest.update(window.flip());
      done += some;
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
