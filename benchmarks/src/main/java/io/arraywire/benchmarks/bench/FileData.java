package io.arraywire.benchmarks.bench;

import io.arraywire.ElementType;
import io.arraywire.benchmarks.network.JvmHosts;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyLayout;
import io.arraywire.examples.npy.NpyReader;
import io.arraywire.examples.report.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The floats of a {@code .npy} file, in the order in which they lie there; behind the last comes
 * the first again.
 *
 * @param path the file
 * @param header type and shape
 * @param position where the first element lies
 */
record FileData(Path path, NpyHeader header, long position) implements ArrayData {
  /** How the name of such a file ends. */
  static final String SUFFIX = ".npy";

  /**
   * The fewest elements that may begin anew within an array: those of the largest piece that a
   * contender compresses at once. What came before in the same piece costs nothing, and no ratio
   * would be that of the data.
   */
  static final int LEAST_REPEATED = 256 << 10 >> 2;

  /** Whether a word names a file. */
  static boolean isMeantBy(String word) {
    return word.endsWith(SUFFIX);
  }

  /**
   * The data of a file.
   *
   * @throws io.arraywire.examples.npy.NpyFormatException if it is not a whole {@code .npy} file
   * @throws UnusableDataException if it has no elements, or others than {@code float32} in C order
   * @throws IOException if it cannot be read
   */
  static FileData of(Path path) throws IOException {
    NpyLayout layout = NpyReader.readLayout(path);
    NpyHeader header = layout.header();
    if (header.dtype().type() != ElementType.FLOAT) {
      throw new UnusableDataException(
          "only elements of float32 can be used; save it as np.save(file, array.astype('f4')) does",
          path,
          "dtype",
          header.dtype().descr());
    }
    if (layout.fortranOrder()) {
      throw new UnusableDataException(
          "only elements in C order can be used; save it as np.save(file, np.ascontiguousarray(array))"
              + " does",
          path,
          "shape",
          header.shape());
    }
    if (header.count() == 0) {
      throw new UnusableDataException("the file has no elements", path, "shape", header.shape());
    }
    return new FileData(path, header, layout.position());
  }

  /**
   * Checks that arrays can be cut out of it.
   *
   * @param count elements of the largest
   * @throws UnusableDataException if it has too few elements
   */
  void checkFor(int count) throws UnusableDataException {
    if (header.count() < Math.min(count, LEAST_REPEATED)) {
      throw new UnusableDataException(
          "too few elements: a contender compresses 256 KiB at once, in which they would"
              + " repeat; take smaller --sizes, or a larger file",
          path,
          "elements",
          header.count(),
          "least",
          Math.min(count, LEAST_REPEATED));
    }
  }

  /** Reads no more of the file than it needs: the heaps of contenders have room for two arrays. */
  @Override
  public float[] elements(int count) throws IOException {
    checkFor(count);
    long some = Math.min(count, header.count());
    NpyHeader beginning = new NpyHeader(header.dtype(), List.of(some));
    float[] read = (float[]) NpyReader.readElements(path, beginning, position).array();
    if (read.length == count) {
      return read;
    }
    float[] elements = new float[count];
    for (int done = 0; done < count; done += read.length) {
      System.arraycopy(read, 0, elements, done, Math.min(read.length, count - done));
    }
    return elements;
  }

  @Override
  public String label() {
    return String.valueOf(path.getFileName());
  }

  @Override
  public String word(JvmHosts hosts) {
    return hosts.path(path);
  }

  @Override
  public List<Path> files() {
    return List.of(path);
  }

  @Override
  public Map<String, @Nullable Object> facts() {
    return Json.object("dataElements", header.count());
  }
}
