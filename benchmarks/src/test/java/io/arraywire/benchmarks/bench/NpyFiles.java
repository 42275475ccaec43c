package io.arraywire.benchmarks.bench;

import io.arraywire.ArraySlice;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Files of arrays for tests. */
final class NpyFiles {
  private NpyFiles() {}

  /** Writes floats, and returns the path. */
  static Path write(Path file, float... elements) throws IOException {
    return write(file, ArraySlice.of(elements));
  }

  /** The same with elements of any type. */
  static Path write(Path file, ArraySlice elements) throws IOException {
    NpyHeader header =
        new NpyHeader(NpyDtype.of(elements.type()), List.of((long) elements.length()));
    NpyWriter.write(file, header, elements);
    return file;
  }
}
