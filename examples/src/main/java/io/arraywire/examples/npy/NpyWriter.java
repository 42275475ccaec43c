package io.arraywire.examples.npy;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.spi.BulkElements;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * Writes {@code .npy} files as {@code numpy.save} does: version 1, which has room for every header
 * with at most {@value NpyHeader#MAX_DIMENSIONS} dimensions; C order; the elements begin at a
 * multiple of 64 bytes.
 *
 * <p>A file appears whole or not at all: the bytes go to a hidden file beside it, which then takes
 * its name. When {@link #write} returns, the kernel has them; they are not forced to the disk.
 * Stateless; any thread.
 */
public final class NpyWriter {
  private static final int ALIGNMENT = 64;
  private static final int PREFIX_BYTES = 10;
  private static final int WINDOW_BYTES = 1 << 20;

  private NpyWriter() {}

  /**
   * Writes a file, in place of the one that has the name now.
   *
   * @param file the file
   * @param header type and shape
   * @param elements the elements in C order
   * @throws IllegalArgumentException if elements and header do not agree
   * @throws IOException if it cannot be written; nothing is left behind
   */
  public static void write(Path file, NpyHeader header, ArraySlice elements) throws IOException {
    check(header, elements);
    try (PartFile part = PartFile.of(file)) {
      write(part, header, elements);
      part.replace(file);
    }
  }

  /**
   * Writes the bytes of a file into a part that is to become one.
   *
   * @param part an empty part
   * @param header type and shape
   * @param elements the elements in C order
   * @throws IllegalArgumentException if elements and header do not agree
   * @throws IOException if it cannot be written
   */
  public static void write(PartFile part, NpyHeader header, ArraySlice elements)
      throws IOException {
    write(part.channel(), header, elements);
  }

  /**
   * Writes the bytes of a file to whatever takes them, such as a pipe.
   *
   * @param channel takes them; blocks until it has
   * @param header type and shape
   * @param elements the elements in C order
   * @throws IllegalArgumentException if elements and header do not agree
   * @throws IOException if it cannot be written
   */
  public static void write(WritableByteChannel channel, NpyHeader header, ArraySlice elements)
      throws IOException {
    check(header, elements);
    writeFully(channel, headerBytes(header));
    writeElements(channel, header.dtype().order(), elements);
  }

  private static void check(NpyHeader header, ArraySlice elements) {
    if (header.dtype().type() != elements.type() || header.count() != elements.length()) {
      throw new IllegalArgumentException(
          "header and elements do not agree (header=" + header + ", elements=" + elements + ")");
    }
  }

  /**
   * The bytes before the elements.
   *
   * @param header type and shape
   * @return the bytes, a multiple of 64
   */
  public static ByteBuffer headerBytes(NpyHeader header) {
    String shape =
        header.shape().stream().map(String::valueOf).collect(Collectors.joining(", "))
            + (header.shape().size() == 1 ? "," : "");
    String text =
        "{'descr': '"
            + header.dtype().descr()
            + "', 'fortran_order': False, 'shape': ("
            + shape
            + "), }";
    int total = padded(PREFIX_BYTES + text.length() + 1);
    ByteBuffer bytes = ByteBuffer.allocate(total).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(NpyReader.MAGIC).put((byte) 1).put((byte) 0);
    bytes.putShort((short) (total - PREFIX_BYTES));
    bytes.put(text.getBytes(StandardCharsets.ISO_8859_1));
    while (bytes.remaining() > 1) {
      bytes.put((byte) ' ');
    }
    return bytes.put((byte) '\n').flip();
  }

  private static int padded(int bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  private static void writeElements(
      WritableByteChannel channel, ByteOrder order, ArraySlice elements) throws IOException {
    ElementType type = elements.type();
    ByteBuffer window = ByteBuffer.allocateDirect((int) Math.min(WINDOW_BYTES, elements.bytes()));
    for (int done = 0; done < elements.length(); ) {
      int some = Math.min(elements.length() - done, WINDOW_BYTES / type.bytes());
      window.clear();
      BulkElements.put(type, elements.array(), elements.offset() + done, some, window, order);
      writeFully(channel, window.flip());
      done += some;
    }
  }

  private static void writeFully(WritableByteChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
