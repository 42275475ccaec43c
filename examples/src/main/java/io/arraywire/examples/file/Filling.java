package io.arraywire.examples.file;

import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.PartFile;
import io.arraywire.source.ElementWriter;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An array that is being written to its hidden file. The file stays hidden when all has come: the
 * handler of the array gives it its name, and acknowledges it by that. One thread at a time.
 */
public final class Filling implements ElementWriter {

  /** Follows the writing of an array, on the thread that writes. */
  public interface Owner {

    /**
     * Bytes of elements have come; they may not be written yet.
     *
     * @param bytes how many since the call before
     */
    default void moved(long bytes) {}

    /**
     * The file cannot be written.
     *
     * @param failure what the system says
     * @return what the sender is told
     */
    IOException failed(IOException failure);

    /**
     * Nothing more is written.
     *
     * @param file the array
     * @param whole whether all has come; if not, the part is to be ended
     * @throws IOException if that fails
     */
    void ended(Filling file, boolean whole) throws IOException;
  }

  private final long began = System.nanoTime();
  private final NpyHeader header;
  private final PartFile part;
  private final ElementWriter writer;
  private final Owner owner;
  private long arrived;
  private boolean whole;

  /**
   * Begins with the first element.
   *
   * @param header type, byte order and shape
   * @param part the hidden file, which is the owner's when this has ended
   * @param writer writes the elements there
   * @param owner follows the writing
   */
  public Filling(NpyHeader header, PartFile part, ElementWriter writer, Owner owner) {
    this.header = header;
    this.part = part;
    this.writer = writer;
    this.owner = owner;
  }

  /**
   * What is written.
   *
   * @return type, byte order and shape
   */
  public NpyHeader header() {
    return header;
  }

  /**
   * Where it is written.
   *
   * @return the hidden file
   */
  public PartFile part() {
    return part;
  }

  /**
   * How large it is.
   *
   * @return the bytes of all its elements
   */
  public long bytes() {
    return header.count() * width();
  }

  /**
   * How much of it has come.
   *
   * @return elements that have arrived whole
   */
  public long arrived() {
    return arrived;
  }

  /**
   * For how long it has been arriving.
   *
   * @return nanoseconds
   */
  long nanos() {
    return System.nanoTime() - began;
  }

  private int width() {
    return header.dtype().type().bytes();
  }

  @Override
  public void arrived(long elements) {
    owner.moved((elements - arrived) * width());
    arrived = elements;
  }

  @Override
  public void write(long index, int count, ByteBuffer source) throws IOException {
    try {
      writer.write(index, count, source);
    } catch (IOException e) {
      throw owner.failed(e);
    }
  }

  @Override
  public void finish() throws IOException {
    try {
      writer.finish();
    } catch (IOException e) {
      throw owner.failed(e);
    }
    whole = true;
  }

  @Override
  public void close() throws IOException {
    boolean kept = false;
    try {
      writer.close();
      kept = whole;
    } finally {
      owner.ended(this, kept);
    }
  }
}
