package io.arraywire.kafka;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.ProtocolException;
import io.arraywire.message.Limits;
import io.arraywire.message.Message;
import io.arraywire.message.MessageView;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** An array of which some pieces have come. */
final class UnfinishedArray<K> {
  /** The most elements that an array of Java can have on all JVMs. */
  private static final long MOST_ELEMENTS = Integer.MAX_VALUE - 8L;

  /** Objects that an array has beside its elements: its record, layout, and places in maps. */
  private static final long BESIDE = 1024;

  private final ConsumerRecord<K, ?> first;
  private final Object place;
  private final PieceLayout layout;

  /** Bytes that are kept beside the elements. */
  private long beside;

  private Map<String, String> attributes = Map.of();
  private long tag;
  private @Nullable ElementType type;
  private @Nullable Object elements;
  private int capacity;
  private int filled;
  private int next;
  private long lastNanos;
  private long lastOffset;

  UnfinishedArray(ConsumerRecord<K, ?> first, Object place, PieceLayout layout) {
    this.first = ArrayRecord.withoutValue(first);
    this.place = place;
    this.layout = layout;
    beside = BESIDE + Math.max(0, first.serializedKeySize());
    for (Header each : this.first.headers()) {
      beside += each.key().length() + (each.value() == null ? 0 : each.value().length);
    }
  }

  ConsumerRecord<K, ?> first() {
    return first;
  }

  Object place() {
    return place;
  }

  UUID id() {
    return layout.id();
  }

  long firstOffset() {
    return first.offset();
  }

  long lastOffset() {
    return lastOffset;
  }

  long lastNanos() {
    return lastNanos;
  }

  /** The memory that it takes. */
  long bytes() {
    return beside + (type == null ? 0 : (long) capacity * type.bytes());
  }

  boolean isWhole() {
    return next == layout.pieces();
  }

  /**
   * Takes the next piece, or says why the array cannot become whole.
   *
   * @param others what other unfinished arrays take
   */
  void add(
      ConsumerRecord<K, ByteBuffer> record,
      PieceLayout piece,
      long now,
      AssemblyOptions options,
      long others)
      throws ArraywireException {
    checkOrder(piece);
    if (record.value() == null) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD, "a piece of an array has no bytes", "piece", piece.index());
    }
    ByteBuffer source = record.value().duplicate();
    MessageView view = MessageView.within(Limits.ofBytes(options.arrayBytes()).parts(1));
    view.read(source);
    if (source.hasRemaining() || !view.has(Message.UNNAMED)) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "a piece of an array is an array without a name, and nothing behind it",
          "piece",
          piece.index());
    }
    ElementType found = view.type(Message.UNNAMED);
    int count = view.count(Message.UNNAMED);
    checkSize(piece, found, count, options);
    if (next == 0) {
      type = found;
      tag = view.tag();
      // Of the table alone: room for elements is taken below, within pendingBytes.
      attributes = view.attributes();
      attributes.forEach((key, value) -> beside += key.length() + value.length());
    }
    Object room = grown(found, count, options, others);
    filled += view.readInto(Message.UNNAMED, room, filled);
    next++;
    lastNanos = now;
    lastOffset = record.offset();
  }

  private void checkOrder(PieceLayout piece) throws ProtocolException {
    if (piece.index() != next || piece.first() != filled) {
      throw new ProtocolException(
          ErrorCode.SEQUENCE_GAP,
          piece.index() < next
              ? "a piece of an array came twice; let the producer be idempotent"
              : next == 0
                  ? "the beginning of an array is missing: reading began in the middle of it, or the"
                      + " topic has dropped its first pieces"
                  : "pieces of an array are missing: its sender failed, or the topic is compacted",
          "expected",
          next,
          "piece",
          piece.index(),
          "pieces",
          piece.pieces());
    }
    if (piece.pieces() != layout.pieces() || piece.elements() != layout.elements()) {
      throw new ProtocolException(
          ErrorCode.COUNT_MISMATCH,
          "the pieces of an array do not agree on its size",
          "piece",
          piece.index(),
          "elements",
          piece.elements(),
          "before",
          layout.elements());
    }
  }

  private void checkSize(PieceLayout piece, ElementType found, int count, AssemblyOptions options)
      throws ProtocolException {
    long most = Math.min(MOST_ELEMENTS, options.arrayBytes() / found.bytes());
    if (piece.elements() > most) {
      throw new ProtocolException(
          ErrorCode.FRAME_TOO_LARGE,
          "the array is larger than the reader accepts; raise arrayBytes",
          "elements",
          piece.elements(),
          "type",
          found.typeName(),
          "limit",
          most);
    }
    long missing = layout.elements() - filled;
    boolean lastPiece = piece.index() == layout.pieces() - 1;
    if (count == 0
        || (lastPiece ? count != missing : count >= missing)
        || (type != null && found != type)) {
      throw new ProtocolException(
          ErrorCode.COUNT_MISMATCH,
          "a piece of an array has not the elements that the others leave for it",
          "piece",
          piece.index(),
          "elements",
          count,
          "missing",
          missing,
          "type",
          found.typeName());
    }
  }

  /** The array, with room for further elements. */
  private Object grown(ElementType of, int count, AssemblyOptions options, long others)
      throws ArraywireException {
    Object old = elements;
    if (old != null && filled + count <= capacity) {
      return old;
    }
    long wanted = Math.min(layout.elements(), Math.max(2L * capacity, filled + (long) count));
    long bytes = others + beside + wanted * of.bytes();
    // The only one is within arrayBytes, whatever is kept beside it.
    if (others > 0 && bytes > options.pendingBytes()) {
      throw new NoRoomException(
          ErrorCode.MEMORY_BUDGET,
          "unfinished arrays take more memory than the reader allows; raise pendingBytes",
          "bytes",
          bytes,
          "limit",
          options.pendingBytes());
    }
    try {
      Object larger = of.newArray((int) wanted);
      if (old != null) {
        System.arraycopy(old, 0, larger, 0, filled);
      }
      elements = larger;
      capacity = (int) wanted;
      return larger;
    } catch (OutOfMemoryError e) {
      NoRoomException failure =
          new NoRoomException(
              ErrorCode.ALLOCATION_FAILED,
              "no memory for an array; raise the heap or lower arrayBytes",
              "type",
              of.typeName(),
              "elements",
              wanted);
      failure.because(e);
      throw failure;
    }
  }

  ArrayRecord<K> toRecord(long offset) {
    ElementType of = Objects.requireNonNull(type, "type");
    ArraySlice slice = ArraySlice.ofArray(Objects.requireNonNull(elements, "elements")).as(of);
    Message message =
        Message.of(
                layout.name(), slice, layout.shape().stream().mapToLong(Long::longValue).toArray())
            .tag(tag);
    for (Map.Entry<String, String> each : attributes.entrySet()) {
      message = message.attribute(each.getKey(), each.getValue());
    }
    return ArrayRecord.of(first, offset, message);
  }

  ArrayRecordException failure(
      ErrorCode code, long offset, @Nullable Throwable cause, String text, Object... facts) {
    Object[] all = new Object[facts.length + 6];
    all[0] = "key";
    all[1] = first.key() instanceof byte[] bytes ? "byte[" + bytes.length + "]" : first.key();
    all[2] = "begun";
    all[3] = first.offset();
    all[4] = "came";
    all[5] = next + "/" + layout.pieces();
    System.arraycopy(facts, 0, all, 6, facts.length);
    return new ArrayRecordException(
        code, first.topic(), first.partition(), offset, cause, text, all);
  }
}
