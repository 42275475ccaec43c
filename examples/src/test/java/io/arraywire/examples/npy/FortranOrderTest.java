package io.arraywire.examples.npy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Elements in Fortran order, against the definition: sums of products of indexes and strides. */
class FortranOrderTest {
  @TempDir Path dir;

  /** The second file is larger than the reader's window, so that the order goes on beyond it. */
  @ParameterizedTest
  @CsvSource({"2, 3, 4", "3, 300, 700", "1, 5, 1", "7, 1, 2"})
  void eachElementGoesWhereItsIndexesSay(int a, int b, int c) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4 * a * b * c).order(ByteOrder.LITTLE_ENDIAN);
    int[] expected = new int[a * b * c];
    for (int k = 0; k < c; k++) {
      for (int j = 0; j < b; j++) {
        for (int i = 0; i < a; i++) {
          int value = i + 1_000 * j + 1_000_000 * k;
          bytes.putInt(value);
          expected[(i * b + j) * c + k] = value;
        }
      }
    }
    String shape = "(" + a + ", " + b + ", " + c + ")";
    String header = "{'descr': '<i4', 'fortran_order': True, 'shape': " + shape + ", }";
    String padded = header + " ".repeat(117 - header.length()) + "\n";
    Path file = dir.resolve("fortran.npy");
    ByteBuffer all = ByteBuffer.allocate(128 + bytes.capacity()).order(ByteOrder.LITTLE_ENDIAN);
    all.put(NpyReader.MAGIC).put((byte) 1).put((byte) 0).putShort((short) 118);
    all.put(padded.getBytes(StandardCharsets.ISO_8859_1)).put(bytes.flip());
    Files.write(file, all.array());

    NpyArray read = NpyReader.read(file);
    assertThat(read.elements().array()).isEqualTo(expected);
    assertThat(read.header().shape()).containsExactly((long) a, (long) b, (long) c);
  }

  @Test
  void oneDimensionHasOneOrder() {
    assertThat(FortranOrder.matters(List.of())).isFalse();
    assertThat(FortranOrder.matters(List.of(5L))).isFalse();
    assertThat(FortranOrder.matters(List.of(1L, 5L, 1L))).isFalse();
    assertThat(FortranOrder.matters(List.of(2L, 0L, 3L))).isFalse();
    assertThat(FortranOrder.matters(List.of(2L, 1L, 3L))).isTrue();
  }
}
