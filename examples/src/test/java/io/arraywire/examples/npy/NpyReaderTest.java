package io.arraywire.examples.npy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.arraywire.ElementType;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The golden files were made by NumPy: see {@code make-golden.py} among the resources. */
class NpyReaderTest {
  private static final float[] FLOATS = {0f, -0f, 1.5f, -2.25f, Float.POSITIVE_INFINITY, Float.NaN};
  private static final double[] DOUBLES = {
    0d, -0d, 1.5d, -2.25d, Double.POSITIVE_INFINITY, Double.NaN
  };

  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({
    "f4-le, <f4", "f4-be, >f4", "f8-le, <f8", "f8-be, >f8", "i1-one, |i1", "i2-le, <i2",
    "i2-be, >i2", "i4-le, <i4", "i4-be, >i4", "i8-le, <i8", "i8-be, >i8", "u1-one, |u1",
    "u2-le, <u2", "u2-be, >u2", "u4-le, <u4", "u4-be, >u4", "u8-le, <u8", "u8-be, >u8",
    "f2-le, <f2", "f2-be, >f2", "bf16, |V2", "b1-one, |b1"
  })
  void everyTypeInBothByteOrders(String name, String descr) throws IOException {
    NpyArray read = NpyReader.read(golden(name));

    assertThat(read.header().dtype().descr()).isEqualTo(descr);
    assertThat(read.header().shape()).containsExactly(2L, 3L);
    assertThat(read.elements().length()).isEqualTo(6);
    assertThat(read.elements().array()).isEqualTo(expected(descr.substring(1)));
    assertThat(read.elements().type()).isEqualTo(read.header().dtype().type());
  }

  private static Object expected(String type) {
    return switch (type) {
      case "f4" -> FLOATS;
      case "f8" -> DOUBLES;
      case "i1" -> new byte[] {-128, 127, 0, 1, 126, -127};
      case "u1" -> new byte[] {0, -1, 0, 1, -2, 1};
      case "i2" -> new short[] {Short.MIN_VALUE, Short.MAX_VALUE, 0, 1, 32766, -32767};
      case "u2" -> new short[] {0, -1, 0, 1, -2, 1};
      case "u4" -> new int[] {0, -1, 0, 1, -2, 1};
      case "u8" -> new long[] {0, -1, 0, 1, -2, 1};
      case "f2" -> new short[] {0, (short) 0x8000, 0x3e00, (short) 0xc080, 0x7c00, 0x7e00};
      case "V2" -> new short[] {0, (short) 0x8000, 0x3fc0, (short) 0xc010, 0x7f80, 0x7fc0};
      case "i4" ->
          new int[] {
            Integer.MIN_VALUE, Integer.MAX_VALUE, 0, 1, Integer.MAX_VALUE - 1, Integer.MIN_VALUE + 1
          };
      case "i8" ->
          new long[] {Long.MIN_VALUE, Long.MAX_VALUE, 0, 1, Long.MAX_VALUE - 1, Long.MIN_VALUE + 1};
      case "b1" -> new boolean[] {true, false, false, true, true, false};
      default -> throw new IllegalArgumentException(type);
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void everyVersion(int version) throws IOException {
    NpyArray read = NpyReader.read(golden("version" + version));

    assertThat(read.elements().array()).isEqualTo(expected("i4"));
    assertThat(read.header().shape()).containsExactly(2L, 3L);
  }

  @Test
  void shapesFromNoneToEmpty() throws IOException {
    NpyArray scalar = NpyReader.read(golden("no-dimensions"));
    assertThat(scalar.header().shape()).isEmpty();
    assertThat((float[]) scalar.elements().array()).containsExactly(7.5f);

    NpyArray empty = NpyReader.read(golden("empty"));
    assertThat(empty.header().shape()).containsExactly(3L, 0L, 2L);
    assertThat((double[]) empty.elements().array()).isEmpty();

    assertThat(NpyReader.readHeader(golden("one-dimension")).shape()).containsExactly(6L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"c8", "S3", "U3", "M8", "objects"})
  void refusesTypesThatNoArrayHolds(String name) throws IOException {
    Path file = golden("refused-" + name);

    assertThatThrownBy(() -> NpyReader.read(file))
        .isInstanceOf(NpyFormatException.class)
        .hasMessageStartingWith("a type of element that no primitive array can hold; convert it")
        .hasMessageContaining("file=" + file)
        .hasMessageContaining(name.equals("objects") ? "dtype=|O" : name)
        .hasMessageContaining("convert it first: " + NpyAdvice.forType(dtype(name)));
  }

  private static String dtype(String name) {
    return switch (name) {
      case "objects" -> "|O";
      case "S3" -> "|S3";
      case "M8" -> "<M8[s]";
      default -> "<" + name;
    };
  }

  @Test
  void refusesRecords() throws IOException {
    Path file = golden("refused-records");

    assertThatThrownBy(() -> NpyReader.read(file))
        .isInstanceOf(NpyFormatException.class)
        .hasMessageContaining("records")
        .hasMessageContaining("file=" + file)
        .hasMessageContaining("descr=[('x', '<f4')");
  }

  @Test
  void putsFortranOrderIntoCOrder() throws IOException {
    Path file = golden("fortran");
    NpyArray read = NpyReader.read(file);

    assertThat(read.header()).isEqualTo(NpyReader.readHeader(golden("version1")));
    assertThat(read.elements().array()).isEqualTo(expected("i4"));
    assertThat(NpyReader.readLayout(file).fortranOrder()).isTrue();
    assertThat(NpyReader.readLayout(golden("version1")).fortranOrder()).isFalse();
  }

  @Test
  void everyPrefixOfAFileIsRefused() throws IOException {
    byte[] whole = Files.readAllBytes(golden("f4-le"));
    Path file = dir.resolve("prefix.npy");
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));

      NpyFormatException e =
          catchThrowableOfType(NpyFormatException.class, () -> NpyReader.read(file));

      assertThat(e).as("prefix of %d bytes", length).isNotNull();
      assertThat(e.facts()).containsEntry("file", file);
      if (length >= 6) {
        assertThat(e.facts()).containsEntry("fileBytes", (long) length);
        assertThat(e).hasMessageStartingWith("the file ends too early");
      } else {
        assertThat(e).hasMessageStartingWith("not a .npy file");
      }
    }
    Files.write(file, whole);
    assertThat(NpyReader.read(file).elements().array()).isEqualTo(FLOATS);
  }

  @Test
  void refusesBytesAfterTheLastElement() throws IOException {
    byte[] whole = Files.readAllBytes(golden("f4-le"));
    Path file = Files.write(dir.resolve("long.npy"), Arrays.copyOf(whole, whole.length + 1));

    assertThatThrownBy(() -> NpyReader.read(file))
        .isInstanceOf(NpyFormatException.class)
        .hasMessageContaining("expectedBytes=152, fileBytes=153, shape=[2, 3], dtype=<f4");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036854775807,",
        "4294967296, 4294967296",
        "2305843009213693952, 4",
        "4611686018427387904, 2, 2"
      })
  void refusesShapesThatOverflow(String shape) throws IOException {
    Path file = file("{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }");

    assertThatThrownBy(() -> NpyReader.read(file))
        .isInstanceOf(NpyFormatException.class)
        .hasMessageStartingWith("the shape has more elements than any file")
        .hasMessageContaining("shape=[" + shape.replaceFirst(",$", "") + "]");
  }

  @Test
  void zeroTimesAnythingIsEmpty() throws IOException {
    Path file =
        file("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 4, 0), }");

    assertThat(NpyReader.read(file).elements().length()).isZero();
  }

  /** A header that declares 8 GiB in a file of 128 bytes must not cost 8 GiB. */
  @Test
  void comparesTheFileSizeBeforeItAllocates() throws IOException {
    Path file = file("{'descr': '<f4', 'fortran_order': False, 'shape': (2147483639,), }");

    assertThatThrownBy(() -> NpyReader.read(file))
        .isInstanceOf(NpyFormatException.class)
        .hasMessageStartingWith("the file ends too early")
        .hasMessageContaining("expectedBytes=" + (Files.size(file) + 4L * 2147483639))
        .hasMessageContaining("fileBytes=" + Files.size(file));
  }

  /** Elements whose end is no number any more must not cost the 16 GiB that they would have. */
  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 8L * NpyReader.MAX_ELEMENTS + 1})
  void elementsThatWouldEndBehindAnyFileTakeNoMemory(long position) throws IOException {
    NpyHeader header = mostDoubles();

    assertThatThrownBy(() -> NpyReader.readElements(golden("f8-le"), header, position))
        .isInstanceOf(NpyFormatException.class)
        .hasMessageStartingWith("the shape has more elements than any file can hold")
        .hasMessageContaining("position=" + position);
  }

  @Test
  void elementsThatWouldEndBehindThisFileTakeNoMemory() throws IOException {
    NpyHeader header = mostDoubles();
    long position = Long.MAX_VALUE - 8L * NpyReader.MAX_ELEMENTS;

    assertThatThrownBy(() -> NpyReader.readElements(golden("f8-le"), header, position))
        .isInstanceOf(NpyFormatException.class)
        .hasMessageStartingWith("the file ends too early")
        .hasMessageContaining("expectedBytes=" + Long.MAX_VALUE);
  }

  private static NpyHeader mostDoubles() {
    NpyDtype dtype = NpyDtype.of(ElementType.DOUBLE, ByteOrder.LITTLE_ENDIAN);
    return new NpyHeader(dtype, List.of((long) NpyReader.MAX_ELEMENTS));
  }

  @Test
  void aPositionBeforeTheFileIsRefused() throws IOException {
    NpyHeader header = mostDoubles();

    assertThatThrownBy(() -> NpyReader.readElements(golden("f8-le"), header, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("position=-1");
  }

  @Test
  void refusesMoreElementsThanAnArrayCanHave() throws IOException {
    Path file = file("{'descr': '|i1', 'fortran_order': False, 'shape': (2147483640,), }");
    long start = Files.size(file);
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(start + 2147483640L);
    }

    assertThatThrownBy(() -> NpyReader.read(file))
        .isInstanceOf(NpyFormatException.class)
        .hasMessageContaining("elements=2147483640, limit=2147483639");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}",
        "[]",
        "{'descr': '<f4'}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), } x",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 3, }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': [3], }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (+3,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3.0,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1_0,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (\u0663,), }",
        "{'descr': '<f4', 'fortran_order': false, 'shape': (3,), }",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,), }",
        "{'descr': <f4, 'fortran_order': False, 'shape': (3,), }",
        "{'descr': '<f4\", 'fortran_order': False, 'shape': (3,), }",
        "{'descr': '<f\\x34', 'fortran_order': False, 'shape': (3,), }",
        "{'descr' '<f4', 'fortran_order': False, 'shape': (3,), }",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (3,), }",
        "{,'descr': '<f4', 'fortran_order': False, 'shape': (3,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,),, }",
        "__import__('os').system('true')"
      })
  void refusesHeadersThatNumPyDoesNotWrite(String header) throws IOException {
    Path file = file(header);

    assertThatThrownBy(() -> NpyReader.read(file))
        .isInstanceOf(NpyFormatException.class)
        .hasMessageStartingWith("the header is not one that NumPy writes")
        .hasMessageContaining("expected=")
        .hasMessageContaining("file=" + file);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'shape': (1,), 'fortran_order': False, 'descr': '<f4'}",
        "{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": (1,)}",
        "{ 'descr' : '<f4' ,\n'fortran_order' : False ,\t'shape' : ( 1 , ) , } \n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1L,), }"
      })
  void readsHeadersHoweverTheyAreSpaced(String header) throws IOException {
    Path file = file(header);
    Files.write(file, new byte[4], java.nio.file.StandardOpenOption.APPEND);

    assertThat(NpyReader.read(file).header().shape()).containsExactly(1L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"=f4", "f4", "|f4", "<f16", "<f", "", "<i1x", "<\u2028f4", "<\u001bf4"})
  void refusesTypeNamesThatSayNoOrder(String descr) throws IOException {
    Path file = file("{'descr': '" + descr + "', 'fortran_order': False, 'shape': (0,), }");

    assertThatThrownBy(() -> NpyReader.read(file))
        .isInstanceOf(NpyFormatException.class)
        .hasMessageStartingWith("a type of element that no primitive array can hold")
        .hasMessageNotContainingAny("\u2028", "\u001b");
  }

  @Test
  void refusesTooManyDimensions() throws IOException {
    String ones = "1, ".repeat(NpyHeader.MAX_DIMENSIONS);
    Path most = file("{'descr': '|i1', 'fortran_order': False, 'shape': (" + ones + "), }");
    Files.write(most, new byte[1], java.nio.file.StandardOpenOption.APPEND);
    assertThat(NpyReader.read(most).header().shape()).hasSize(32);

    Path more = file("{'descr': '|i1', 'fortran_order': False, 'shape': (" + ones + "1), }");
    assertThatThrownBy(() -> NpyReader.read(more))
        .isInstanceOf(NpyFormatException.class)
        .hasMessageContaining("too many dimensions")
        .hasMessageContaining("limit=32");
  }

  @Test
  void refusesOtherFilesByTheirFirstBytes() throws IOException {
    Path file = Files.writeString(dir.resolve("text.npy"), "1.0,2.0,3.0\n");

    assertThatThrownBy(() -> NpyReader.read(file))
        .isInstanceOf(NpyFormatException.class)
        .hasMessage(
            "not a .npy file; make one with numpy.save (file=%s, bytes=0x312e302c322e,"
                + " expected=0x934e554d5059)",
            file);
  }

  @Test
  void ofAnArchiveItSaysHowToSaveItsArrays() throws IOException {
    Path file = Files.write(dir.resolve("two.npz"), new byte[] {'P', 'K', 3, 4, 20, 0, 0, 0});

    assertThatThrownBy(() -> NpyReader.read(file))
        .isInstanceOf(NpyFormatException.class)
        .hasMessageStartingWith(
            "an archive, as .npz files are, which hold several arrays; save each of them alone, as"
                + " np.save('x.npy', np.load(file)['x']) does (file="
                + file);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "4, 0", "1, 1", "255, 255"})
  void refusesUnknownVersions(int major, int minor) throws IOException {
    byte[] bytes = Files.readAllBytes(golden("f4-le"));
    bytes[6] = (byte) major;
    bytes[7] = (byte) minor;
    Path file = Files.write(dir.resolve("version.npy"), bytes);

    assertThatThrownBy(() -> NpyReader.read(file))
        .isInstanceOf(NpyFormatException.class)
        .hasMessageContaining("version=" + major + "." + minor + ", known=1.0 2.0 3.0");
  }

  @Test
  void refusesAHeaderOfFourGigabytes() throws IOException {
    byte[] bytes = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 2, 0, -1, -1, -1, -1, '{'};
    Path file = Files.write(dir.resolve("header.npy"), bytes);

    assertThatThrownBy(() -> NpyReader.read(file))
        .isInstanceOf(NpyFormatException.class)
        .hasMessageContaining("headerBytes=4294967295, limit=65536");
  }

  @Test
  void missingFilesAndDirectories() {
    assertThatThrownBy(() -> NpyReader.read(dir.resolve("missing.npy")))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> NpyReader.read(dir))
        .isInstanceOf(NpyFormatException.class)
        .hasMessageContaining("not a regular file")
        .hasMessageContaining("file=" + dir);
  }

  /** Whatever a file holds, it is read or refused with the one exception. */
  @Test
  void damagedFilesAreReadOrRefused() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    byte[] whole = Files.readAllBytes(golden("i4-be"));
    Path file = dir.resolve("damaged.npy");
    int refused = 0;
    for (int round = 0; round < 2_000; round++) {
      byte[] bytes = whole.clone();
      for (int flips = random.nextInt(3); flips >= 0; flips--) {
        bytes[random.nextInt(128)] = (byte) random.nextInt(256);
      }
      Files.write(file, bytes);
      try {
        NpyReader.read(file);
      } catch (NpyFormatException e) {
        refused++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed=" + seed + ", round=" + round, e);
      }
    }
    assertThat(refused).as("seed=%d", seed).isGreaterThan(500);
  }

  @Test
  void anyByteButZeroIsTrue() throws IOException {
    Path file = file("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }");
    Files.write(file, new byte[] {0, 2, -1}, java.nio.file.StandardOpenOption.APPEND);

    NpyArray read = NpyReader.read(file);
    assertThat(read.elements().type()).isEqualTo(ElementType.BOOLEAN);
    assertThat((boolean[]) read.elements().array()).containsExactly(false, true, true);
  }

  @Test
  void factsComeAsValuesToo() throws IOException {
    Path file = golden("refused-c8");

    NpyFormatException e =
        catchThrowableOfType(NpyFormatException.class, () -> NpyReader.read(file));
    assertThat(List.copyOf(e.facts().keySet())).containsExactly("file", "dtype", "known");
  }

  private Path golden(String name) throws IOException {
    Path file = dir.resolve(name + ".npy");
    try (InputStream in = NpyReaderTest.class.getResourceAsStream(name + ".npy")) {
      assertThat(in).as(name).isNotNull();
      Files.write(file, in.readAllBytes());
    }
    return file;
  }

  private Path file(String header) throws IOException {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(12 + text.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 3, 0}).putInt(text.length);
    bytes.put(text);
    return Files.write(dir.resolve("made.npy"), bytes.array());
  }
}
