package io.arraywire.message;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.Encoding;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Writes whole messages. Those that are not in use are kept, so that writing makes no garbage. */
final class MessageWriter {
  private static final int KEPT = 16;
  private static final AtomicReferenceArray<MessageWriter> IDLE = new AtomicReferenceArray<>(KEPT);

  private final FrameHeader header = new FrameHeader(MessageLayout.VERSION);
  private final CRC32C checksum = new CRC32C();

  private MessageWriter() {}

  /** Writes a message from the buffer's position on, which is advanced; there is room for it. */
  static void write(Message message, MessageCodecs codecs, boolean checked, ByteBuffer target) {
    int slot = (int) (Thread.currentThread().getId() & (KEPT - 1));
    MessageWriter idle = IDLE.getAndSet(slot, null);
    MessageWriter writer = idle == null ? new MessageWriter() : idle;
    ByteOrder order = target.order();
    int at = target.position();
    boolean whole = false;
    try {
      writer.put(message, codecs, checked, target);
      whole = true;
    } finally {
      if (!whole) {
        target.position(at);
      }
      target.order(order);
      IDLE.set(slot, writer);
    }
  }

  private void put(Message message, MessageCodecs codecs, boolean checked, ByteBuffer target) {
    int at = target.position();
    target.order(ByteOrder.LITTLE_ENDIAN).position(at + FrameLayout.HEADER_BYTES);
    putAttributes(message, codecs, target);
    int payloadAt = target.position();
    boolean hasTable = message.hasTable();
    for (int i = 0; i < message.parts().size(); i++) {
      Part part = message.parts().get(i);
      Codec codec = codecs.of(i);
      if (codec.encoding().isInBlocks()) {
        MessageBlocks.write(part, codec, target, hasTable);
      } else {
        putElements(part, codec, target);
        if (hasTable) {
          putZeros(target, at);
        }
      }
    }
    int end = target.position();
    header.clear(FrameType.ARRAY);
    if (!hasTable) {
      header.encoding = codecs.of(0).encoding().code();
      header.elementType = message.parts().get(0).type().code();
    }
    header.attributeBytes = message.headBytes();
    header.tag = message.tag();
    header.count = message.elements();
    header.arrayBytes = message.payloadBytes();
    header.payloadBytes = (long) end - payloadAt;
    if (checked) {
      header.flags = FrameLayout.FLAG_PAYLOAD_CHECKSUM;
      header.payloadChecksum = checksumOf(target, at + FrameLayout.HEADER_BYTES, end);
    }
    target.position(at);
    header.write(target);
    target.position(end);
  }

  private static void putAttributes(Message message, MessageCodecs codecs, ByteBuffer target) {
    Part first = message.parts().get(0);
    if (!message.hasTable() && first.dimensions() > 0) {
      putSection(
          target,
          MessageLayout.SHAPE,
          first.dimensions(),
          MessageLayout.SECTION_HEAD_BYTES + Long.BYTES * first.dimensions());
      putShape(first, target);
    }
    byte[] strings = message.strings();
    if (strings.length > 0) {
      putSection(
          target,
          MessageLayout.STRINGS,
          message.attributes().size(),
          MessageLayout.SECTION_HEAD_BYTES + strings.length);
      target.put(strings);
    }
    if (message.hasTable()) {
      putTable(message, codecs, target);
    }
  }

  /** The section of the table of parts of a message that has one, for little-endian elements. */
  static ByteBuffer table(Message message) {
    ByteBuffer section = ByteBuffer.allocate(tableBytes(message)).order(ByteOrder.LITTLE_ENDIAN);
    putTable(message, MessageCodecs.LITTLE_ENDIAN, section);
    return section;
  }

  /**
   * What connections send with a message that has a table.
   *
   * @param before the same of this message, or of one that differs from it in the tag alone; null
   *     if nobody has asked yet
   */
  static ArrayAttributes attributes(Message message, @Nullable ArrayAttributes before) {
    if (before != null && before.tag() == message.tag()) {
      return before;
    }
    PartTable made = before == null ? null : before.parts();
    PartTable table = made == null ? PartTable.of(table(message)) : made;
    return ArrayAttributes.of(message.tag(), new long[0], message.attributes(), table);
  }

  private static int tableBytes(Message message) {
    int strings = message.strings().length;
    return message.headBytes() - (strings == 0 ? 0 : MessageLayout.SECTION_HEAD_BYTES + strings);
  }

  private static void putTable(Message message, MessageCodecs codecs, ByteBuffer target) {
    putSection(target, MessageLayout.PARTS, message.parts().size(), tableBytes(message));
    for (int i = 0; i < message.parts().size(); i++) {
      putEntry(message.parts().get(i), codecs.of(i).encoding(), target);
    }
  }

  private static void putSection(ByteBuffer target, int kind, int entries, int bytes) {
    target.putShort((short) kind).putShort((short) entries).putInt(bytes);
  }

  private static void putEntry(Part part, Encoding encoding, ByteBuffer target) {
    int at = target.position();
    target
        .put((byte) part.type().code())
        .put((byte) encoding.code())
        .put((byte) part.dimensions())
        .put((byte) part.nameBytes().length)
        .putInt(0)
        .putLong(part.count());
    putShape(part, target);
    target.put(part.nameBytes());
    putZeros(target, at);
  }

  private static void putShape(Part part, ByteBuffer target) {
    for (int i = 0; i < part.dimensions(); i++) {
      target.putLong(part.dimension(i));
    }
  }

  private static void putElements(Part part, Codec codec, ByteBuffer target) {
    for (int i = 0; i < part.slices().size(); i++) {
      ArraySlice slice = part.slices().get(i);
      if (slice.length() > 0) {
        codec.encode(slice.type(), slice.array(), slice.offset(), slice.length(), target);
      }
    }
  }

  /** Zeros up to a multiple of 8 from where the message, or an entry of its table, begins. */
  private static void putZeros(ByteBuffer target, int from) {
    while ((target.position() - from) % Long.BYTES != 0) {
      target.put((byte) 0);
    }
  }

  private int checksumOf(ByteBuffer bytes, int from, int to) {
    int limit = bytes.limit();
    bytes.position(from).limit(to);
    checksum.reset();
    checksum.update(bytes);
    bytes.limit(limit);
    return (int) checksum.getValue();
  }
}
