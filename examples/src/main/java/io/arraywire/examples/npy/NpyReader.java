package io.arraywire.examples.npy;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.spi.BulkElements;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;

/**
 * Reads {@code .npy} files.
 *
 * <pre>
 *  0   93 4e 55 4d 50 59       magic: 0x93 "NUMPY"
 *  6   u8  u8                  version: 1.0, 2.0 or 3.0
 *  8   u16 LE | u32 LE         length of the header: u16 in version 1
 * 10|12  header                Python literal: Latin-1, or UTF-8 in version 3
 *      elements                without gaps, up to the end of the file
 * </pre>
 *
 * <p>The file's size is compared with what its header declares before anything is allocated. So a
 * file that lies cannot make the reader take memory: it never takes more than the file has bytes.
 * Elements are read through a window of 1 MiB, so arrays may exceed 2 GiB. Stateless; any thread.
 */
public final class NpyReader {
  /** More than the longest header of {@value NpyHeader#MAX_DIMENSIONS} dimensions needs. */
  static final int MAX_HEADER_BYTES = 64 << 10;

  /** The longest array that every JVM can allocate. */
  static final int MAX_ELEMENTS = Integer.MAX_VALUE - 8;

  static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  /** How files begin that {@code numpy.savez} makes. */
  private static final String ZIP = "504b0304";

  private static final int WINDOW_BYTES = 1 << 20;

  private NpyReader() {}

  /**
   * Reads what a file says of its array, and checks that it has as many bytes as that takes.
   *
   * @param file the file
   * @return type and shape
   * @throws NpyFormatException if it is not a whole {@code .npy} file, or holds what no array can
   * @throws IOException if it cannot be read
   */
  public static NpyHeader readHeader(Path file) throws IOException {
    return readLayout(file).header();
  }

  /**
   * Reads what a file says of its array, and where the elements lie; checks as {@link #readHeader}
   * does.
   *
   * @param file the file
   * @return type and shape, and the place of the first element; the last one ends the file
   * @throws NpyFormatException if it is not a whole {@code .npy} file, or holds what no array can
   * @throws IOException if it cannot be read
   */
  public static NpyLayout readLayout(Path file) throws IOException {
    try (FileChannel channel = open(file)) {
      return layout(file, channel);
    }
  }

  /**
   * Reads a file.
   *
   * @param file the file
   * @return its array; elements that lie in Fortran order are put into C order
   * @throws NpyFormatException if it is not a whole {@code .npy} file, or holds what no array can
   * @throws IOException if it cannot be read
   */
  public static NpyArray read(Path file) throws IOException {
    try (FileChannel channel = open(file)) {
      NpyLayout layout = layout(file, channel);
      NpyHeader header = layout.header();
      return new NpyArray(header, elements(file, channel, header, layout.fortranOrder()));
    }
  }

  /**
   * Reads the elements of a file whose header is known.
   *
   * @param file the file, of any format
   * @param header type, byte order and shape
   * @param position where the first element lies
   * @return the elements, in a fresh array of their own
   * @throws NpyFormatException if the file ends before the last one, or no array can hold them
   * @throws IllegalArgumentException if the position is negative
   * @throws IOException if it cannot be read
   */
  public static ArraySlice readElements(Path file, NpyHeader header, long position)
      throws IOException {
    if (position < 0) {
      throw new IllegalArgumentException(
          "elements cannot lie before the beginning of a file (position=" + position + ")");
    }
    try (FileChannel channel = open(file)) {
      long end = end(file, channel.size(), header.dtype(), header.shape(), position);
      if (channel.size() < end) {
        throw truncated(file, end, channel.size());
      }
      return elements(file, channel.position(position), header, false);
    }
  }

  /**
   * Tells a {@code .npy} file by its first bytes, whole or not.
   *
   * @param file a regular file
   * @return whether they are those of the format
   * @throws IOException if it cannot be read
   */
  public static boolean isNpy(Path file) throws IOException {
    try (FileChannel channel = open(file)) {
      if (channel.size() < MAGIC.length) {
        return false;
      }
      ByteBuffer start = ByteBuffer.allocate(MAGIC.length);
      fill(file, channel, start);
      return start.flip().equals(ByteBuffer.wrap(MAGIC));
    }
  }

  private static ArraySlice elements(
      Path file, FileChannel channel, NpyHeader header, boolean fortranOrder) throws IOException {
    checkCount(file, header.count());
    int count = (int) header.count();
    ElementType type = header.dtype().type();
    Object array = type.newArray(count);
    ByteBuffer window =
        ByteBuffer.allocateDirect((int) Math.min(WINDOW_BYTES, (long) count * type.bytes()));
    FortranOrder fortran = fortranOrder ? new FortranOrder(header.shape()) : null;
    Object stage = type.newArray(fortran == null ? 0 : window.capacity() / type.bytes());
    for (int done = 0; done < count; ) {
      int some = Math.min(count - done, WINDOW_BYTES / type.bytes());
      window.clear().limit(some * type.bytes());
      fill(file, channel, window);
      if (fortran == null) {
        BulkElements.get(type, window.flip(), array, done, some, header.dtype().order());
      } else {
        BulkElements.get(type, window.flip(), stage, 0, some, header.dtype().order());
        for (int i = 0; i < some; i++) {
          System.arraycopy(stage, i, array, fortran.next(), 1);
        }
      }
      done += some;
    }
    return ArraySlice.ofArray(array).as(type);
  }

  private static void checkCount(Path file, long count) throws NpyFormatException {
    if (count > MAX_ELEMENTS) {
      throw new NpyFormatException(
          "more elements than a Java array can have; split the array",
          file,
          "elements",
          count,
          "limit",
          MAX_ELEMENTS);
    }
  }

  private static FileChannel open(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    if (!Files.isRegularFile(file)) {
      throw new NpyFormatException(
          "not a regular file; write what the pipe gives into a .npy file, and give that", file);
    }
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  private static NpyLayout layout(Path file, FileChannel channel) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    start.limit((int) Math.min(10, channel.size()));
    fill(file, channel, start);
    start.flip();
    checkMagic(file, start);
    if (start.limit() < 10) {
      throw truncated(file, 10, channel.size());
    }
    int major = Byte.toUnsignedInt(start.get(6));
    int minor = Byte.toUnsignedInt(start.get(7));
    if (major < 1 || major > 3 || minor != 0) {
      throw new NpyFormatException(
          "a version of the .npy format that is not known; save the array with numpy.save",
          file,
          "version",
          major + "." + minor,
          "known",
          "1.0 2.0 3.0");
    }
    long length;
    if (major == 1) {
      length = Short.toUnsignedLong(start.getShort(8));
    } else {
      start.limit(12).position(10);
      fill(file, channel, start);
      length = Integer.toUnsignedLong(start.getInt(8));
    }
    if (length > MAX_HEADER_BYTES) {
      throw new NpyFormatException(
          "the header is too long; the file is damaged or no .npy file",
          file,
          "headerBytes",
          length,
          "limit",
          MAX_HEADER_BYTES);
    }
    ByteBuffer header = ByteBuffer.allocate((int) length);
    fill(file, channel, header);
    Charset charset = major == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
    String text = new String(header.array(), charset);
    PythonHeader parsed = PythonHeaderParser.parse(file, text);
    NpyHeader checked = checked(file, parsed, channel);
    boolean fortran = parsed.fortranOrder() && FortranOrder.matters(checked.shape());
    return new NpyLayout(checked, channel.position(), fortran);
  }

  private static void checkMagic(Path file, ByteBuffer start) throws NpyFormatException {
    for (int i = 0; i < MAGIC.length; i++) {
      if (i >= start.limit() || start.get(i) != MAGIC[i]) {
        byte[] first = new byte[Math.min(MAGIC.length, start.limit())];
        start.get(0, first);
        String bytes = HexFormat.of().formatHex(first);
        throw new NpyFormatException(
            bytes.startsWith(ZIP)
                ? "an archive, as .npz files are, which hold several arrays; save each of them alone,"
                    + " as np.save('x.npy', np.load(file)['x']) does"
                : "not a .npy file; make one with numpy.save",
            file,
            "bytes",
            start.limit() == 0 ? "none" : "0x" + bytes,
            "expected",
            "0x" + HexFormat.of().formatHex(MAGIC));
      }
    }
  }

  private static NpyHeader checked(Path file, PythonHeader header, FileChannel channel)
      throws IOException {
    NpyDtype dtype = NpyDtype.parse(header.descr());
    if (dtype == null) {
      throw new NpyFormatException(
          "a type of element that no primitive array can hold; convert it first: "
              + NpyAdvice.forType(header.descr()),
          file,
          "dtype",
          PythonHeaderParser.excerpt(header.descr()),
          "known",
          "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1 V2");
    }
    long size = channel.size();
    long bytes = end(file, size, dtype, header.shape(), channel.position());
    if (size < bytes) {
      throw truncated(file, bytes, size);
    }
    if (size > bytes) {
      throw new NpyFormatException(
          "bytes after the last element; save one array in each file",
          file,
          "expectedBytes",
          bytes,
          "fileBytes",
          size,
          "shape",
          PythonHeaderParser.excerpt(header.shape().toString()),
          "dtype",
          dtype.descr());
    }
    return new NpyHeader(dtype, header.shape());
  }

  /** Where the last element ends, also behind the end of the file. */
  private static long end(
      Path file, long fileBytes, NpyDtype dtype, List<Long> shape, long position)
      throws NpyFormatException {
    try {
      return Math.addExact(
          position, Math.multiplyExact(NpyHeader.count(shape), dtype.type().bytes()));
    } catch (ArithmeticException e) {
      throw new NpyFormatException(
          "the shape has more elements than any file can hold from this position on; the file is"
              + " damaged",
          file,
          "shape",
          PythonHeaderParser.excerpt(shape.toString()),
          "position",
          position,
          "fileBytes",
          fileBytes);
    }
  }

  private static void fill(Path file, FileChannel channel, ByteBuffer target) throws IOException {
    while (target.hasRemaining()) {
      if (channel.read(target) < 0) {
        throw truncated(file, channel.position() + target.remaining(), channel.size());
      }
    }
  }

  private static NpyFormatException truncated(Path file, long expected, long actual) {
    return new NpyFormatException(
        "the file ends too early; copy or save it again",
        file,
        "expectedBytes",
        expected,
        "fileBytes",
        actual);
  }
}
