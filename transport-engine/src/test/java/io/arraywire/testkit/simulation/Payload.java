package io.arraywire.testkit.simulation;

import io.arraywire.ArraySlice;

/** Arrays that follow from their tag, so that each end can say what should be in them. */
final class Payload {
  private Payload() {}

  static ArraySlice of(long tag, int bytes) {
    long state = Choices.mixed(tag);
    // One in four gets smaller in blocks.
    int runs = (tag & 12) == 12 ? 5 : 0;
    switch ((int) (tag & 3)) {
      case 0 -> {
        int[] ints = new int[bytes / Integer.BYTES];
        for (int i = 0; i < ints.length; i++) {
          ints[i] = (int) Choices.mixed(state + (i >>> runs));
        }
        return ArraySlice.of(ints);
      }
      case 1 -> {
        long[] longs = new long[bytes / Long.BYTES];
        for (int i = 0; i < longs.length; i++) {
          longs[i] = Choices.mixed(state + (i >>> runs));
        }
        return ArraySlice.of(longs);
      }
      case 2 -> {
        float[] floats = new float[bytes / Float.BYTES];
        for (int i = 0; i < floats.length; i++) {
          floats[i] = (int) Choices.mixed(state + (i >>> runs));
        }
        return ArraySlice.of(floats);
      }
      default -> {
        byte[] all = new byte[bytes];
        for (int i = 0; i < all.length; i++) {
          all[i] = (byte) Choices.mixed(state + (i >>> runs));
        }
        return ArraySlice.of(all);
      }
    }
  }

  /** The array is the caller's again, and the caller puts something else into it. */
  static void spoil(ArraySlice slice) {
    int end = slice.offset() + slice.length();
    for (int i = slice.offset(); i < end; i++) {
      if (slice.array() instanceof int[] ints) {
        ints[i] = ~ints[i];
      } else if (slice.array() instanceof long[] longs) {
        longs[i] = ~longs[i];
      } else if (slice.array() instanceof float[] floats) {
        floats[i] = -floats[i] - 1;
      } else if (slice.array() instanceof byte[] bytes) {
        bytes[i] = (byte) ~bytes[i];
      }
    }
  }

  static long hash(ArraySlice slice) {
    long hash = slice.length();
    int end = slice.offset() + slice.length();
    for (int i = slice.offset(); i < end; i++) {
      long bits = 0;
      if (slice.array() instanceof int[] ints) {
        bits = ints[i];
      } else if (slice.array() instanceof long[] longs) {
        bits = longs[i];
      } else if (slice.array() instanceof float[] floats) {
        bits = Float.floatToRawIntBits(floats[i]);
      } else if (slice.array() instanceof byte[] bytes) {
        bits = bytes[i];
      }
      hash = hash * 0x9e3779b97f4a7c15L + bits;
    }
    return hash;
  }
}
