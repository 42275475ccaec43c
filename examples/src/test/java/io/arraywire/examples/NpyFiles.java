package io.arraywire.examples;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
    Random random = new Random(count);
    for (int i = 0; i < count; i++) {
      switch (type.carrier()) {
        case FLOAT -> Array.setFloat(array, i, Float.intBitsToFloat(random.nextInt()));
        case INT -> Array.setInt(array, i, random.nextInt());
        case DOUBLE -> Array.setDouble(array, i, Double.longBitsToDouble(random.nextLong()));
        case LONG -> Array.setLong(array, i, random.nextLong());
        case SHORT -> Array.setShort(array, i, (short) random.nextInt());
        case CHAR -> Array.setChar(array, i, (char) random.nextInt());
        case BYTE -> Array.setByte(array, i, (byte) random.nextInt());
        case BOOLEAN -> Array.setBoolean(array, i, random.nextBoolean());
        default -> throw new IllegalStateException("not a carrier: " + type);
      }
    }
    NpyWriter.write(file, new NpyHeader(dtype, dimensions), ArraySlice.ofArray(array).as(type));
    return file;
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
