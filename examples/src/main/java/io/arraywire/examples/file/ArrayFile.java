package io.arraywire.examples.file;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyLayout;
import io.arraywire.examples.npy.NpyReader;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * An array that lies in a file.
 *
 * @param path the file
 * @param header type, byte order and shape
 * @param position where its first element lies in the file; the last one ends it
 */
public record ArrayFile(Path path, NpyHeader header, long position) {

  /** Checks its parts. */
  public ArrayFile {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(header, "header");
  }

  /**
   * A {@code .npy} file whose elements lie in C order.
   *
   * @param path the file
   * @return the array
   * @throws IOException if it is none, its elements lie in Fortran order, or it cannot be read
   */
  public static ArrayFile npy(Path path) throws IOException {
    NpyLayout layout = NpyReader.readLayout(path);
    if (layout.fortranOrder()) {
      throw new IOException(
          "the elements lie in Fortran order; save them in C order:"
              + " np.save(file, np.ascontiguousarray(a)) (file="
              + path
              + ")");
    }
    return new ArrayFile(path, layout.header(), layout.position());
  }

  /**
   * A file of nothing but elements.
   *
   * @param path the file
   * @param type their type
   * @param order their byte order
   * @return the array, of one dimension
   * @throws IOException if it does not hold a whole number of them, is a {@code .npy} file, whose
   *     header would become elements, or cannot be read
   */
  public static ArrayFile raw(Path path, ElementType type, ByteOrder order) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    if (!Files.isRegularFile(path)) {
      throw new IOException(
          "not a regular file; write what the pipe gives into a file, and give that (file="
              + path
              + ")");
    }
    if (NpyReader.isNpy(path)) {
      throw new IOException(
          "the file is a .npy file, and its header would be sent as elements; send it without --raw"
              + " (file="
              + path
              + ")");
    }
    long bytes = Files.size(path);
    if (bytes % type.bytes() != 0) {
      throw new IOException(
          "the file is not a whole number of elements; is it of another type, or cut off? (file="
              + path
              + ", fileBytes="
              + bytes
              + ", type="
              + type.typeName()
              + ", elementBytes="
              + type.bytes()
              + ")");
    }
    NpyDtype dtype = NpyDtype.of(type, order);
    return new ArrayFile(path, new NpyHeader(dtype, List.of(bytes / type.bytes())), 0);
  }

  /**
   * The type of the elements.
   *
   * @return the type
   */
  public ElementType type() {
    return header.dtype().type();
  }

  /**
   * The size of the elements.
   *
   * @return bytes
   */
  public long bytes() {
    return header.count() * type().bytes();
  }

  /**
   * The elements that follow the first ones.
   *
   * @param elements how many are left out, fewer than there are
   * @return the others, of one dimension
   */
  public ArrayFile after(long elements) {
    NpyHeader rest = new NpyHeader(header.dtype(), List.of(header.count() - elements));
    return new ArrayFile(path, rest, position + elements * type().bytes());
  }

  /** The size that the file must keep. */
  long end() {
    return position + bytes();
  }

  /**
   * The byte order of the elements.
   *
   * @return the order in which they lie in the file
   */
  public ByteOrder order() {
    return header.dtype().order();
  }

  /**
   * The encoding in which the elements travel without a change of a bit.
   *
   * @return the encoding
   */
  public Encoding encoding() {
    return order() == ByteOrder.BIG_ENDIAN ? Encoding.RAW_BIG_ENDIAN : Encoding.RAW_LITTLE_ENDIAN;
  }

  /**
   * Reads the elements into an array.
   *
   * @return all of them
   * @throws IOException if they are not there any more, or more than an array can hold
   */
  public ArraySlice read() throws IOException {
    return NpyReader.readElements(path, header, position);
  }

  /**
   * Checks that the file still has all bytes that were announced.
   *
   * @throws FileChangedException if the file is shorter now
   * @throws IOException if its size cannot be told
   */
  public void check() throws IOException {
    long size = Files.size(path);
    if (size < end()) {
      throw new FileChangedException(path, end(), size);
    }
  }
}
