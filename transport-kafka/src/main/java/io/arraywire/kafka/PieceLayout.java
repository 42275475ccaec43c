package io.arraywire.kafka;

import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The record header {@code arraywire-piece}, by which the records of one array are put together.
 * All numbers are little-endian; the page is {@code docs/kafka.md}.
 *
 * <pre>
 *      0         1         2         3         4         5         6         7
 *  0 | 1       | rank    | length of name    | 0                                     |
 *  8 | identity of the array, 16 bytes                                               |
 * 24 | index of the piece                    | pieces                                |
 * 32 | index of the piece's first element                                            |
 * 40 | elements of the array                                                         |
 * 48 | dimension, outermost first, and so on; then the name, UTF-8                   |
 * </pre>
 *
 * <p>Dimensions and name are in piece 0 only.
 */
record PieceLayout(
    UUID id, int index, int pieces, long first, long elements, List<Long> shape, String name) {
  static final String HEADER = "arraywire-piece";

  private static final int VERSION = 1;
  private static final int DIMENSIONS = 1;
  private static final int NAME_BYTES = 2;
  private static final int RESERVED = 4;
  private static final int ID = 8;
  private static final int INDEX = 24;
  private static final int PIECES = 28;
  private static final int FIRST = 32;
  private static final int ELEMENTS = 40;
  private static final int BYTES = 48;

  /**
   * The headers of a record that are not ours, in memory of their own. Those of a consumer lie in
   * the bytes that it fetched until somebody reads them.
   */
  static Headers others(Headers headers) {
    // Kafka shows no class of headers that others could make.
    Headers others = new ProducerRecord<>(HEADER, null).headers();
    for (Header each : headers) {
      if (!each.key().equals(HEADER)) {
        var unused = others.add(each.key(), each.value());
      }
    }
    return others;
  }

  byte[] write() {
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer header =
        ByteBuffer.allocate(BYTES + Long.BYTES * shape.size() + nameBytes.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(0, (byte) VERSION)
            .put(DIMENSIONS, (byte) shape.size())
            .putShort(NAME_BYTES, (short) nameBytes.length)
            .putLong(ID, id.getMostSignificantBits())
            .putLong(ID + Long.BYTES, id.getLeastSignificantBits())
            .putInt(INDEX, index)
            .putInt(PIECES, pieces)
            .putLong(FIRST, first)
            .putLong(ELEMENTS, elements)
            .position(BYTES);
    for (long dimension : shape) {
      header.putLong(dimension);
    }
    return header.put(nameBytes).array();
  }

  static PieceLayout read(byte[] bytes) throws ProtocolException {
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    check(bytes.length >= BYTES, "bytes", bytes.length);
    check(header.get(0) == VERSION, "version", header.get(0));
    check(header.getInt(RESERVED) == 0, "reserved", header.getInt(RESERVED));
    int dimensions = header.get(DIMENSIONS) & 0xff;
    int nameBytes = header.getShort(NAME_BYTES) & 0xffff;
    check(dimensions <= Message.MAX_DIMENSIONS, "dimensions", dimensions);
    check(nameBytes <= Message.MAX_NAME_BYTES, "nameBytes", nameBytes);
    check(bytes.length == BYTES + Long.BYTES * dimensions + nameBytes, "bytes", bytes.length);
    int index = header.getInt(INDEX);
    int pieces = header.getInt(PIECES);
    check(pieces > 1, "pieces", pieces);
    check(index >= 0 && index < pieces, "piece", index);
    check(index == 0 || bytes.length == BYTES, "bytes", bytes.length);
    long first = header.getLong(FIRST);
    long elements = header.getLong(ELEMENTS);
    check(elements >= pieces, "elements", elements);
    check(first >= 0 && first < elements, "first", first);
    check((index == 0) == (first == 0), "first", first);
    List<Long> shape = new ArrayList<>(dimensions);
    for (int i = 0; i < dimensions; i++) {
      long dimension = header.getLong(BYTES + Long.BYTES * i);
      check(dimension > 0, "dimension", dimension);
      shape.add(dimension);
    }
    check(dimensions == 0 || holds(shape, elements), "elements", elements);
    // A decoder would put other characters, which take more bytes, in place of those that are none.
    String name = new String(bytes, bytes.length - nameBytes, nameBytes, StandardCharsets.UTF_8);
    check(
        Arrays.equals(
            name.getBytes(StandardCharsets.UTF_8),
            Arrays.copyOfRange(bytes, bytes.length - nameBytes, bytes.length)),
        "name",
        name);
    return new PieceLayout(
        new UUID(header.getLong(ID), header.getLong(ID + Long.BYTES)),
        index,
        pieces,
        first,
        elements,
        List.copyOf(shape),
        name);
  }

  /** Whether the dimensions, none of which is 0, multiply to a number of elements. */
  private static boolean holds(List<Long> shape, long elements) {
    long left = elements;
    for (long dimension : shape) {
      if (left % dimension != 0) {
        return false;
      }
      left /= dimension;
    }
    return left == 1;
  }

  private static void check(boolean right, String name, Object value) throws ProtocolException {
    if (!right) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "the header " + HEADER + " of a record is not one of a piece; the record is left out",
          name,
          value);
    }
  }
}
