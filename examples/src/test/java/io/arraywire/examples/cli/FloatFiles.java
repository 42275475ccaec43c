package io.arraywire.examples.cli;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Makes {@code .npy} files of floats. */
final class FloatFiles {
  private FloatFiles() {}

  /** What a file holds. */
  interface Content {
    float at(int index);
  }

  /** A file of one dimension, in little-endian order. */
  static Path write(Path file, int count, Content content) throws IOException {
    return write(file, ByteOrder.LITTLE_ENDIAN, List.of((long) count), content);
  }

  /** A file, whose directories are made. */
  static Path write(Path file, ByteOrder order, List<Long> shape, Content content)
      throws IOException {
    NpyHeader header = new NpyHeader(NpyDtype.of(ElementType.FLOAT, order), shape);
    float[] elements = new float[Math.toIntExact(header.count())];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = content.at(i);
    }
    Files.createDirectories(file.getParent());
    NpyWriter.write(file, header, ArraySlice.of(elements));
    return file;
  }
}
