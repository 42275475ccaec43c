package io.arraywire.examples.npy;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.sun.management.ThreadMXBean;
import io.arraywire.ArraySlice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/**
 * Hostile {@code .npy} files: refused with a typed error, or read as {@link SlowNpy} reads them.
 * The reader takes no memory on the strength of what a file declares.
 */
@Tag("newest")
class NpyFuzzTest {
  /** What reading may allocate, besides so many times what the file has: far less than any hoax. */
  private static final long ALLOWANCE = 1 << 20;

  private static final long ALLOWANCE_PER_BYTE = 64;

  /** A text is for a terminal: a few lines. */
  private static final int MOST_CHARACTERS = 600;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final String[] BLANKS = {"", " ", "\t", "\n", "  ", "\u0000", "\u00a0"};
  private static final String[] WORDS = {
    "'descr'",
    "'fortran_order'",
    "'shape'",
    "\"shape\"",
    "'other'",
    "True",
    "False",
    "None",
    "'<f4'",
    "'|i1'",
    "'>i8'",
    "'<c8'",
    "'|V2'",
    "'|b1'",
    "'|O'",
    "[('a', '<f4')]",
    "()",
    "(3,)",
    "(2, 3)",
    "(2, 3, )",
    "(0, 9223372036854775807, 4)",
    "(4294967296, 4294967296)",
    "(3)",
    "(3L, 2L)",
    "(-1,)",
    "(9223372036854775808,)",
    "{",
    "}",
    ":",
    ",",
    "(",
    ")",
    "'",
    "\\"
  };

  private static final class Scratch {
    static final Path FILE = file();

    private static Path file() {
      try {
        Path file = Files.createTempFile("fuzzed", ".npy");
        file.toFile().deleteOnExit();
        return file;
      } catch (IOException e) {
        throw new ExceptionInInitializerError(e);
      }
    }
  }

  /** Any bytes. */
  @FuzzTest
  void read(byte[] data) throws IOException {
    check(data);
  }

  /** With a header of NumPy's own words and mostly as many bytes as it declares. */
  @FuzzTest
  void likely(FuzzedDataProvider data) throws IOException {
    String text = data.consumeBoolean() ? dictionary(data) : words(data);
    int major = data.consumeInt(0, 15) == 15 ? data.consumeByte() : data.consumeInt(1, 3);
    byte[] header =
        text.getBytes(major == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    int length = data.consumeInt(0, 15) == 15 ? data.consumeInt() : header.length;
    ByteBuffer start = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    start.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) major, 0});
    if (major == 1) {
      start.putShort((short) length);
    } else {
      start.putInt(length);
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write(start.array(), 0, start.position());
    file.writeBytes(header);
    int elements = data.consumeInt(0, 64);
    for (int i = 0; i < elements; i++) {
      file.write(i * 37);
    }
    file.writeBytes(data.consumeRemainingAsBytes());
    check(file.toByteArray());
  }

  private static String dictionary(FuzzedDataProvider data) {
    String[] items = {
      "'descr':" + data.pickValue(WORDS),
      data.pickValue(BLANKS) + "'fortran_order': " + (data.consumeBoolean() ? "True" : "False"),
      "'shape': (" + dimensions(data) + ")"
    };
    int first = data.consumeInt(0, 2);
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < items.length; i++) {
      text.append(items[(first + i) % items.length]).append(i < 2 ? ", " : data.pickValue(BLANKS));
    }
    return text.append(data.consumeBoolean() ? ", }" : "}")
        .append(data.pickValue(BLANKS))
        .toString();
  }

  private static String dimensions(FuzzedDataProvider data) {
    StringBuilder text = new StringBuilder();
    int count = data.consumeInt(0, 5) == 5 ? data.consumeInt(0, 40) : data.consumeInt(0, 3);
    for (int i = 0; i < count; i++) {
      boolean small = data.consumeInt(0, 7) < 7;
      text.append(small ? data.consumeInt(0, 5) : data.consumeLong(0, Long.MAX_VALUE)).append(',');
    }
    return text.toString();
  }

  private static String words(FuzzedDataProvider data) {
    StringBuilder text = new StringBuilder();
    int count = data.consumeInt(0, 24);
    for (int i = 0; i < count; i++) {
      text.append(data.pickValue(WORDS)).append(data.pickValue(BLANKS));
    }
    return text.toString();
  }

  private static void check(byte[] bytes) throws IOException {
    Path file = Scratch.FILE;
    Files.write(file, bytes);
    SlowNpy.Verdict expected = SlowNpy.read(bytes);
    NpyArray array = null;
    NpyFormatException refusal = null;
    long allocated = Long.MAX_VALUE;
    long allowed = ALLOWANCE + ALLOWANCE_PER_BYTE * bytes.length;
    // The first time, classes are loaded.
    for (int i = 0; i < 2 && allocated > allowed; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      try {
        array = NpyReader.read(file);
      } catch (NpyFormatException e) {
        refusal = e;
      }
      allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    }
    require(allocated <= allowed, allocated + " bytes are allocated for a file of " + bytes.length);
    if (array == null) {
      require(expected == null, "what is whole is refused: " + refusal);
      refused(refusal);
      return;
    }
    require(expected != null, "what is not whole is read: " + array);
    NpyHeader header = array.header();
    ArraySlice elements = array.elements();
    require(header.shape().equals(expected.shape()), "another shape: " + header);
    require(header.dtype().descr().equals(expected.descr()), "another type: " + header);
    require(elements.length() == header.count(), "a shape that does not fit: " + header);
    require(elements.bytes() <= bytes.length, "more elements than the file has");
    for (int i = 0; i < elements.length(); i++) {
      require(SlowNpy.bits(elements.array(), i) == expected.bits()[i], "another element at " + i);
    }
    require(NpyReader.readHeader(file).equals(header), "another header");
    require(NpyReader.isNpy(file), "read, and yet not a file of the kind");
  }

  private static void refused(@Nullable NpyFormatException e) {
    require(e != null && e.getMessage() != null, "no refusal");
    String text = e.getMessage();
    require(text.length() < MOST_CHARACTERS, "a long text: " + text);
    require(text.chars().allMatch(each -> each >= ' ' && each <= '~'), "not plain: " + text);
    require(!e.facts().isEmpty(), "no facts");
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
