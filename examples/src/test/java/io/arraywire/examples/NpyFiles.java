package io.arraywire.examples;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;

/** Files for tests to send. */
public final class NpyFiles {
  private NpyFiles() {}

  /** Writes a file of random bits, which for floats means NaNs of all kinds too. */
  public static Path random(Path file, String descr, long... shape) throws IOException {
    NpyDtype dtype = NpyDtype.parse(descr);
    List<Long> dimensions = new ArrayList<>();
    long count = 1;
    for (long dimension : shape) {
      dimensions.add(dimension);
      count *= dimension;
    }
    ElementType type = dtype.type();
    Object array = type.newArray((int) count);
    fill(array, new SplittableRandom(count));
    NpyWriter.write(file, new NpyHeader(dtype, dimensions), ArraySlice.ofArray(array).as(type));
    return file;
  }

  /** Element by element of its own kind: by reflection the largest take seconds. */
  private static void fill(Object array, SplittableRandom random) {
    if (array instanceof float[] floats) {
      for (int i = 0; i < floats.length; i++) {
        floats[i] = Float.intBitsToFloat(random.nextInt());
      }
    } else if (array instanceof int[] ints) {
      for (int i = 0; i < ints.length; i++) {
        ints[i] = random.nextInt();
      }
    } else if (array instanceof double[] doubles) {
      for (int i = 0; i < doubles.length; i++) {
        doubles[i] = Double.longBitsToDouble(random.nextLong());
      }
    } else if (array instanceof long[] longs) {
      for (int i = 0; i < longs.length; i++) {
        longs[i] = random.nextLong();
      }
    } else if (array instanceof short[] shorts) {
      for (int i = 0; i < shorts.length; i++) {
        shorts[i] = (short) random.nextInt();
      }
    } else if (array instanceof char[] chars) {
      for (int i = 0; i < chars.length; i++) {
        chars[i] = (char) random.nextInt();
      }
    } else if (array instanceof byte[] bytes) {
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) random.nextInt();
      }
    } else {
      boolean[] booleans = (boolean[]) array;
      for (int i = 0; i < booleans.length; i++) {
        booleans[i] = random.nextBoolean();
      }
    }
  }

  /** One dimension of zeros, which takes no place on most disks. */
  static Path zeros(Path file, String descr, int length) throws IOException {
    NpyDtype dtype = NpyDtype.parse(descr);
    NpyHeader header = new NpyHeader(dtype, List.of((long) length));
    NpyWriter.write(
        file, header, ArraySlice.ofArray(dtype.type().newArray(length)).as(dtype.type()));
    return file;
  }

  /** The real data set that the demo sends. */
  public static Path digits(Path file) throws IOException {
    try (InputStream in =
        new GZIPInputStream(
            NpyFiles.class.getResourceAsStream("/io/arraywire/examples/demo/digits.npy.gz"))) {
      Files.write(file, in.readAllBytes());
    }
    return file;
  }
}
