package io.arraywire.testkit.simulation;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.message.Message;
import io.arraywire.message.Part;
import io.arraywire.message.PartTable;
import io.arraywire.testkit.RunsCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Arrays and messages that follow from their tag, so that each end can say what should be in them.
 */
final class Payload {
  private static final List<String> NAMES = List.of("ids", "scores", "rest");

  private Payload() {}

  /** One array, or one to three parts, each raw or in a codec that it names. */
  static Message of(long tag, int bytes) {
    if ((tag & 0x30) != 0x30) {
      return Message.of(elements(tag, bytes));
    }
    int parts = 1 + (int) Long.remainderUnsigned(Choices.mixed(tag), NAMES.size());
    Message message = Message.of(NAMES.get(0), elements(Choices.mixed(tag), bytes / parts));
    for (int i = 1; i < parts; i++) {
      message = message.with(NAMES.get(i), elements(Choices.mixed(tag + i), bytes / parts));
    }
    for (int i = 0; i < parts; i++) {
      message = message.codec(NAMES.get(i), codec(Choices.mixed(tag - i)));
    }
    return message;
  }

  private static @Nullable String codec(long any) {
    return switch ((int) (any & 3)) {
      case 0 -> "raw-be";
      case 1 -> RunsCodec.CODEC.name();
      default -> null;
    };
  }

  /** What a transport is given of it. */
  static ArraySlice slice(Message message, ArrayAttributes attributes) {
    PartTable table = attributes.parts();
    return table == null
        ? message.parts().get(0).slices().get(0)
        : ArraySlice.ofParts(message, (int) table.payloadBytes());
  }

  private static ArraySlice elements(long tag, int bytes) {
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

  /** The arrays are the caller's again, and the caller puts something else into them. */
  static void spoil(Message message) {
    for (Part part : message.parts()) {
      part.slices().forEach(Payload::spoil);
    }
  }

  private static void spoil(ArraySlice slice) {
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

  /** Of elements, types and names. */
  static long hash(Message message) {
    long hash = message.parts().size();
    for (Part part : message.parts()) {
      hash = hash * 31 + part.name().hashCode();
      hash = hash * 31 + part.type().ordinal();
      for (ArraySlice slice : part.slices()) {
        hash = hash * 31 + hash(slice);
      }
    }
    return hash;
  }

  private static long hash(ArraySlice slice) {
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
