package io.arraywire.examples.npy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpyWriterTest {
  @TempDir Path dir;

  /** Reading what NumPy wrote and writing it again must give the same bytes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "f4-le",
        "f4-be",
        "f8-le",
        "f8-be",
        "i1-one",
        "i2-le",
        "i2-be",
        "i4-le",
        "i4-be",
        "i8-le",
        "i8-be",
        "u1-one",
        "u2-le",
        "u2-be",
        "u4-le",
        "u4-be",
        "u8-le",
        "u8-be",
        "f2-le",
        "f2-be",
        "bf16",
        "b1-one",
        "version1",
        "no-dimensions",
        "empty",
        "one-dimension"
      })
  void writesTheBytesThatNumPyWrites(String name) throws IOException {
    byte[] golden;
    try (InputStream in = NpyWriterTest.class.getResourceAsStream(name + ".npy")) {
      golden = in.readAllBytes();
    }
    Path file = Files.write(dir.resolve("golden.npy"), golden);

    NpyArray array = NpyReader.read(file);
    Path copy = dir.resolve("copy.npy");
    NpyWriter.write(copy, array.header(), array.elements());

    assertThat(Files.readAllBytes(copy)).isEqualTo(golden);
    assertThat(leftovers()).isEmpty();
  }

  /** Around the window of 1 MiB, from a slice that does not begin at 0. */
  @ParameterizedTest
  @EnumSource(ElementType.class)
  void everyTypeSurvivesARoundTripAtEverySize(ElementType type) throws IOException {
    int edge = (1 << 20) / type.bytes();
    for (int count : new int[] {0, 1, 2, 17, edge - 1, edge, edge + 1, 3 * edge + 5}) {
      ArraySlice slice = random(type, count);
      Path file = dir.resolve("round.npy");
      NpyWriter.write(file, new NpyHeader(NpyDtype.of(type), List.of((long) count)), slice);

      NpyArray read = NpyReader.read(file);
      assertThat(read.header().shape()).containsExactly((long) count);
      Object expected = type.newArray(count);
      System.arraycopy(slice.array(), slice.offset(), expected, 0, count);
      ElementType back = type == ElementType.CHAR ? ElementType.UINT16 : type;
      assertThat(read.elements().type()).isEqualTo(back);
      if (type == ElementType.CHAR) {
        short[] shorts = new short[count];
        for (int i = 0; i < count; i++) {
          shorts[i] = (short) ((char[]) expected)[i];
        }
        expected = shorts;
      }
      assertThat(read.elements().array()).as("count %d", count).isEqualTo(expected);
    }
  }

  /** More than 2 GiB of bytes: needs a heap of 5 GiB and 3 GiB of disk. */
  @Test
  @Tag("slow")
  void moreThanTwoGibibytes() throws IOException {
    int count = (1 << 29) + 3;
    float[] floats = new float[count];
    for (int i = 0; i < count; i++) {
      floats[i] = Float.intBitsToFloat(i * 0x9e3779b9 & 0x7f7fffff);
    }
    Path file = dir.resolve("big.npy");
    NpyHeader header = new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of((long) count));
    NpyWriter.write(file, header, ArraySlice.of(floats));

    assertThat(Files.size(file)).isEqualTo(128 + 4L * count);
    float[] read = (float[]) NpyReader.read(file).elements().array();
    assertThat(java.util.Arrays.mismatch(floats, read)).isEqualTo(-1);
  }

  @Test
  void theHeaderEndsAtAMultipleOf64() throws IOException {
    for (int dimensions = 0; dimensions <= NpyHeader.MAX_DIMENSIONS; dimensions++) {
      Path file = dir.resolve("header.npy");
      List<Long> shape = Stream.generate(() -> 1L).limit(dimensions).toList();
      NpyWriter.write(
          file, new NpyHeader(NpyDtype.of(ElementType.BYTE), shape), ArraySlice.of(new byte[1]));

      byte[] bytes = Files.readAllBytes(file);
      assertThat((bytes.length - 1) % 64).isZero();
      assertThat(bytes[bytes.length - 2]).isEqualTo((byte) '\n');
      assertThat(NpyReader.read(file).header().shape()).isEqualTo(shape);
    }
  }

  @Test
  void theLongestHeaderFitsVersion1() {
    List<Long> shape =
        Stream.generate(() -> Long.MAX_VALUE).limit(NpyHeader.MAX_DIMENSIONS).toList();

    byte[] bytes =
        NpyWriter.headerBytes(new NpyHeader(NpyDtype.of(ElementType.FLOAT), shape)).array();
    assertThat(bytes.length).isLessThan(0xffff);
    assertThat(bytes[6]).isEqualTo((byte) 1);
    assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).endsWith(" \n");
  }

  @Test
  void takesThePlaceOfAnOlderFile() throws IOException {
    Path file =
        Files.writeString(dir.resolve("old.npy"), "something longer than a header".repeat(9));

    NpyWriter.write(file, floats(3), ArraySlice.of(new float[3]));

    assertThat(Files.size(file)).isEqualTo(128 + 12);
    assertThat(leftovers()).isEmpty();
  }

  @Test
  void aFailedWriteLeavesNothingAndKeepsTheOldFile() throws IOException {
    Path file = Files.createDirectory(dir.resolve("directory.npy"));
    Files.writeString(file.resolve("inside"), "so that it cannot be replaced");

    assertThatThrownBy(() -> NpyWriter.write(file, floats(3), ArraySlice.of(new float[3])))
        .isInstanceOf(IOException.class);

    assertThat(file.resolve("inside")).exists();
    assertThat(leftovers()).isEmpty();
  }

  @Test
  void namesTheDirectoryThatIsMissing() {
    Path file = dir.resolve("missing").resolve("a.npy");

    assertThatThrownBy(() -> NpyWriter.write(file, floats(3), ArraySlice.of(new float[3])))
        .isInstanceOfAny(NoSuchFileException.class, AccessDeniedException.class)
        .hasMessageContaining("missing");
  }

  @Test
  void headerAndElementsMustAgree() {
    Path file = dir.resolve("a.npy");

    assertThatThrownBy(() -> NpyWriter.write(file, floats(3), ArraySlice.of(new float[4])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("length=4");
    assertThatThrownBy(() -> NpyWriter.write(file, floats(3), ArraySlice.of(new int[3])))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(file).doesNotExist();
  }

  private static NpyHeader floats(long count) {
    return new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of(count));
  }

  private List<Path> leftovers() throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.filter(file -> file.toString().endsWith(".part")).toList();
    }
  }

  private static ArraySlice random(ElementType type, int count) {
    Random random = new Random(count);
    Object array = type.newArray(count + 3);
    for (int i = 0; i < count + 3; i++) {
      switch (type.carrier()) {
        case FLOAT -> Array.setFloat(array, i, random.nextFloat());
        case INT -> Array.setInt(array, i, random.nextInt());
        case DOUBLE -> Array.setDouble(array, i, random.nextDouble());
        case LONG -> Array.setLong(array, i, random.nextLong());
        case SHORT -> Array.setShort(array, i, (short) random.nextInt());
        case CHAR -> Array.setChar(array, i, (char) random.nextInt());
        case BYTE -> Array.setByte(array, i, (byte) random.nextInt());
        case BOOLEAN -> Array.setBoolean(array, i, random.nextBoolean());
        default -> throw new IllegalStateException("not a carrier: " + type);
      }
    }
    return ArraySlice.ofArray(array, 2, count).as(type);
  }
}
