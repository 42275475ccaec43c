package io.arraywire.benchmarks.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.arraywire.ArraySlice;
import io.arraywire.benchmarks.network.LoopbackHosts;
import io.arraywire.examples.npy.NpyFormatException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arrays that hold what is in a file. */
class FileDataTest {
  private static final int BLOCK = 65_536;

  @TempDir private Path directory;

  private Path file(ArraySlice elements) throws Exception {
    return NpyFiles.write(directory.resolve("some.npy"), elements);
  }

  private FileData data(int count) throws Exception {
    return FileData.of(file(ArraySlice.of(Elements.random(count))));
  }

  @Test
  void theyAreItsBeginningAndBehindTheLastElementItBeginsAnew() throws Exception {
    int count = BLOCK + 17;
    float[] all = Elements.random(count);
    FileData data = data(count);
    for (int some : new int[] {1, 100, count, count + 1, 3 * count + 5}) {
      int[] bits = new int[some];
      Elements.toBits(data.elements(some), bits);
      for (int i = 0; i < some; i++) {
        assertThat(bits[i]).as("element %d of %d", i, some).isEqualTo(bits(all[i % count]));
      }
    }
    assertThat(data.label()).isEqualTo("some.npy");
    assertThat(data.facts()).containsEntry("dataElements", (long) count);
  }

  private static int bits(float element) {
    return Float.floatToRawIntBits(element);
  }

  /** The other JVM finds it by what its option says. */
  @Test
  void itIsNamedByAPathThatIsTheSameInEveryDirectory() throws Exception {
    Path relative = Path.of("").toAbsolutePath().relativize(file(ArraySlice.of(new float[] {1})));
    assertThat(relative).isRelative();
    String option = ArrayData.named(relative.toString()).jvmOption(new LoopbackHosts());
    assertThat(option).startsWith("-Darraywire.bench.data=/").endsWith("/some.npy");
    ArrayData there = ArrayData.named(option.substring(option.indexOf('=') + 1));
    assertThat(there.elements(1)).containsExactly(1f);
  }

  /** A block that has a value twice is smaller than one of the data that it stands for. */
  @Test
  void itDoesNotBeginAnewWithinABlock() throws Exception {
    assertThat(data(BLOCK).elements(2 * BLOCK)).hasSize(2 * BLOCK);
    FileData small = data(BLOCK - 1);
    assertThat(small.elements(BLOCK - 1)).hasSize(BLOCK - 1);
    assertThatExceptionOfType(UnusableDataException.class)
        .isThrownBy(() -> small.elements(BLOCK))
        .withMessageContaining("too few elements")
        .withMessageContaining("--sizes")
        .withMessageContaining("some.npy, elements=65535, least=65536)")
        .satisfies(e -> assertThat(e.file()).isEqualTo(small.path()));
  }

  @Test
  void anArrayOfAnotherTypeIsRefused() throws Exception {
    Path doubles = file(ArraySlice.of(new double[] {1}));
    assertThatExceptionOfType(UnusableDataException.class)
        .isThrownBy(() -> FileData.of(doubles))
        .withMessageContaining("float32")
        .withMessageContaining("some.npy, dtype=<f8)");
  }

  @Test
  void anEmptyArrayIsRefused() throws Exception {
    Path empty = file(ArraySlice.of(new float[0]));
    assertThatExceptionOfType(UnusableDataException.class)
        .isThrownBy(() -> FileData.of(empty))
        .withMessageContaining("no elements")
        .withMessageContaining("shape=[0]");
  }

  @Test
  void anArrayInFortranOrderIsRefused() throws Exception {
    String header = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }\n";
    Path fortran = directory.resolve("fortran.npy");
    byte[] start = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) header.length(), 0};
    try (var out = Files.newOutputStream(fortran)) {
      out.write(start);
      out.write(header.getBytes(ISO_8859_1));
      out.write(new byte[4 * Float.BYTES]);
    }
    assertThatExceptionOfType(UnusableDataException.class)
        .isThrownBy(() -> FileData.of(fortran))
        .withMessageContaining("C order")
        .withMessageContaining("shape=[2, 2]");
  }

  @Test
  void whatIsNoWholeFileIsRefused() throws Exception {
    Path text = Files.writeString(directory.resolve("text.npy"), "1 2 3");
    assertThatExceptionOfType(NpyFormatException.class).isThrownBy(() -> FileData.of(text));
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> FileData.of(directory.resolve("none.npy")));
  }
}
