package io.arraywire.stream;

import io.arraywire.codec.RawCodec;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The codecs made of what java.io offers, from the element loop to the bulk copy. All take all
 * eight element types, and all want heap memory.
 *
 * <table>
 *   <caption>The codecs of this module</caption>
 *   <tr><th>name</th><th>encoding</th><th>how</th></tr>
 *   <tr><td>{@code buffer-view}</td><td>{@code raw-be}</td><td>bulk, through a typed view</td></tr>
 *   <tr><td>{@code buffer-view-le}</td><td>{@code raw-le}</td><td>the same, little-endian</td></tr>
 *   <tr><td>{@code object-stream}</td><td>{@code java-object}</td>
 *       <td>writes with {@code ObjectOutputStream}, reads in bulk</td></tr>
 *   <tr><td>{@code data-output-buffered}</td><td>{@code raw-be}</td>
 *       <td>element by element, {@code DataOutputStream} and {@code DataInputStream}</td></tr>
 *   <tr><td>{@code data-output}</td><td>{@code raw-be}</td>
 *       <td>the same, and each element is a channel operation of its own</td></tr>
 * </table>
 *
 * <p>The codecs are immutable and safe for use by any thread.
 */
public final class StreamCodecs {
  private static final Codec BUFFER_VIEW =
      RawCodec.of("buffer-view", ByteOrder.BIG_ENDIAN, CodecTraits.HEAP);
  private static final Codec BUFFER_VIEW_LE =
      RawCodec.of("buffer-view-le", ByteOrder.LITTLE_ENDIAN, CodecTraits.HEAP);
  private static final Codec OBJECT_STREAM = new ObjectStreamCodec();
  private static final Codec DATA_OUTPUT_BUFFERED =
      new DataOutputCodec("data-output-buffered", false);
  private static final Codec DATA_OUTPUT = new DataOutputCodec("data-output", true);

  // The order that needs no conversion on this host comes first.
  private static final List<Codec> ALL =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
          ? List.of(BUFFER_VIEW_LE, BUFFER_VIEW, OBJECT_STREAM, DATA_OUTPUT_BUFFERED, DATA_OUTPUT)
          : List.of(BUFFER_VIEW, BUFFER_VIEW_LE, OBJECT_STREAM, DATA_OUTPUT_BUFFERED, DATA_OUTPUT);

  private StreamCodecs() {}

  /**
   * Bulk copies, big-endian, as {@code DataOutput} writes: the one to put in place of an element
   * loop while the other side still has one.
   *
   * @return the codec {@code buffer-view}
   */
  public static Codec bufferView() {
    return BUFFER_VIEW;
  }

  /**
   * Bulk copies in a byte order.
   *
   * @param order the order on the wire
   * @return the codec {@code buffer-view} or {@code buffer-view-le}
   */
  public static Codec bufferView(ByteOrder order) {
    return order == ByteOrder.BIG_ENDIAN ? BUFFER_VIEW : BUFFER_VIEW_LE;
  }

  /**
   * What {@code ObjectOutputStream} makes of an array. Reading compares bytes and copies in bulk:
   * no object of a peer's choice is ever made.
   *
   * @return the codec {@code object-stream}
   */
  public static Codec objectStream() {
    return OBJECT_STREAM;
  }

  /**
   * The element loop, gathered into chunks. For comparison; {@link #bufferView()} writes the same
   * bytes many times faster.
   *
   * @return the codec {@code data-output-buffered}
   */
  public static Codec dataOutputBuffered() {
    return DATA_OUTPUT_BUFFERED;
  }

  /**
   * The element loop with a channel operation for each element, as of a {@code DataOutputStream} on
   * a bare socket. For comparison only.
   *
   * @return the codec {@code data-output}
   */
  public static Codec dataOutput() {
    return DATA_OUTPUT;
  }

  /**
   * All codecs of this module, fastest first.
   *
   * @return an unmodifiable list
   */
  public static List<Codec> list() {
    return ALL;
  }
}
