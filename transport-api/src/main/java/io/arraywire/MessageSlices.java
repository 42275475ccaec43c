package io.arraywire;

import io.arraywire.message.Message;
import io.arraywire.message.Part;
import io.arraywire.message.PartTable;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.MessageText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What is sent of a message. Functions, for any thread. */
final class MessageSlices {
  /** The longest array that every JVM can make. */
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private MessageSlices() {}

  /**
   * The elements of the only part if that has no name, else the bytes of all parts, which are yet
   * to be put together.
   *
   * @param attributes those of the message
   */
  static ArraySlice of(Message message, ArrayAttributes attributes) {
    PartTable table = attributes.parts();
    if (table == null) {
      return unnamed(message.parts().get(0));
    }
    if (table.payloadBytes() > MOST_BYTES) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the parts take more bytes together than one message over a connection; send several",
              "parts",
              table,
              "bytes",
              table.payloadBytes(),
              "limit",
              MOST_BYTES));
    }
    return SentMessage.of(message, attributes).bytes((int) table.payloadBytes());
  }

  /** The bytes of all parts, little-endian, with zeros behind each up to a multiple of 8. */
  static byte[] bytes(Message message, int length) {
    byte[] bytes = new byte[length];
    ByteBuffer target = ByteBuffer.wrap(bytes);
    for (Part part : message.parts()) {
      for (ArraySlice slice : part.slices()) {
        BulkElements.put(
            slice.type(),
            slice.array(),
            slice.offset(),
            slice.length(),
            target,
            ByteOrder.LITTLE_ENDIAN);
      }
      target.position((target.position() + Long.BYTES - 1) & -Long.BYTES);
    }
    return bytes;
  }

  private static ArraySlice unnamed(Part part) {
    if (part.slices().size() == 1) {
      return part.slices().get(0);
    }
    Object all = part.type().newArray(part.count());
    int unused = part.readInto(all);
    return ArraySlice.ofArray(all).as(part.type());
  }
}
