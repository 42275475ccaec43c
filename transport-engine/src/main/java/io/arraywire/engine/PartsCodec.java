package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ProtocolException;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.message.Message;
import io.arraywire.message.Part;
import io.arraywire.message.PartTable;
import io.arraywire.source.ArraySource;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the plain payload of a message: the elements of each part, and zeros up to a multiple of
 * 8. Takes them from the arrays of a {@link Message}, or from a {@code byte[]} in which somebody
 * has put them together. What this codec calls elements are bytes. It also knows what makes the
 * blocks of those parts that travel in some.
 */
final class PartsCodec implements Codec {
  /** Without blocks: of messages whose parts are little-endian, and of bytes of any. */
  static final PartsCodec INSTANCE = new PartsCodec(null, null, new boolean[0]);

  private static final Codec RAW = StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN);

  /** Says in which order the elements of each part are; null if all are little-endian. */
  private final @Nullable PartTable table;

  /** What makes the blocks of each part; null for a raw one. */
  private final @Nullable Codec[] blocks;

  /** Whether somebody named what makes them; else the connection chose it. */
  private final boolean[] asked;

  /** Where one transfer is; null in a codec that several share, which begins anew each time. */
  private final @Nullable Place place;

  private PartsCodec(
      @Nullable PartTable table,
      @Nullable Place place,
      boolean[] asked,
      @Nullable Codec... blocks) {
    this.table = table;
    this.place = place;
    this.asked = asked;
    this.blocks = blocks;
  }

  /**
   * A codec for messages of one table.
   *
   * @param table the encodings of all parts
   * @param blocks what makes the blocks of each part; null for a raw one
   * @param asked for each part whether somebody named that
   */
  static PartsCodec of(PartTable table, @Nullable Codec[] blocks, boolean[] asked) {
    return new PartsCodec(table, null, asked.clone(), blocks.clone());
  }

  /**
   * The same for one transfer and its writing thread. It remembers the row that it has come to. So
   * no block looks for its rows from the first one on.
   */
  PartsCodec ofTransfer() {
    return new PartsCodec(table, new Place(), asked, blocks);
  }

  /** The message that is sent, with the parts in its arrays; null for an array and for bytes. */
  static @Nullable Message messageIn(ArraySource source) {
    return source instanceof ArraySlice slice && slice.array() instanceof Message message
        ? message
        : null;
  }

  /** Whether the bytes of a message are those that lie in its arrays, where these are so. */
  boolean isLittleEndian() {
    return table == null;
  }

  /** The table of a message of which parts are in blocks; null for others. */
  @Nullable PartTable inBlocks() {
    return table != null && table.hasBlocks() ? table : null;
  }

  /** What makes the blocks of a part; null for a raw one. */
  @Nullable Codec blocks(int part) {
    return blocks[part];
  }

  /** Whether somebody named the codec of a part in blocks. */
  boolean isAskedFor(int part) {
    return asked[part];
  }

  @Override
  public String name() {
    return "parts";
  }

  @Override
  public Encoding encoding() {
    return Encoding.RAW_LITTLE_ENDIAN;
  }

  @Override
  public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    if (array instanceof byte[] bytes) {
      target.put(bytes, index, count);
    } else {
      put(((Message) array).parts(), index, count, target);
    }
  }

  @Override
  public void decode(ElementType type, ByteBuffer source, Object array, int index, int count)
      throws ProtocolException {
    RAW.decode(type, source, array, index, count);
  }

  private void put(List<Part> parts, int index, int count, ByteBuffer target) {
    int at = index;
    int end = index + count;
    long begin = 0;
    for (int i = 0; at < end; i++) {
      Part part = parts.get(i);
      long elementsEnd = begin + (long) part.count() * part.type().bytes();
      long partEnd = (elementsEnd + 7) & -8L;
      if (at < elementsEnd) {
        int bytes = (int) Math.min(end, elementsEnd) - at;
        putElements(i, part, (int) (at - begin), bytes, target);
        at += bytes;
      }
      for (; at < Math.min(end, partEnd); at++) {
        target.put((byte) 0);
      }
      begin = partEnd;
    }
  }

  private Codec raw(int part) {
    return table == null ? RAW : StandardCodecs.raw(table.encodingOf(part).order());
  }

  /** Bytes of a part; the first and the last element may be cut. */
  private void putElements(int index, Part part, int from, int bytes, ByteBuffer target) {
    int width = part.type().bytes();
    int first = from / width;
    int cut = from % width;
    int left = bytes;
    if (cut > 0) {
      int some = Math.min(left, width - cut);
      putCut(index, part, first, cut, some, target);
      left -= some;
      first++;
    }
    int whole = left / width;
    putWhole(index, part.slices(), first, whole, target);
    if (left % width > 0) {
      putCut(index, part, first + whole, 0, left % width, target);
    }
  }

  /** Writes whole elements of a part, which lies in these slices. */
  void putWhole(int part, List<ArraySlice> slices, int first, int count, ByteBuffer target) {
    Codec raw = raw(part);
    Place reached = place;
    int i = 0;
    int before = 0;
    if (reached != null && reached.part == part && reached.before <= first) {
      i = reached.slice;
      before = reached.before;
    }
    int at = first;
    int end = first + count;
    while (at < end) {
      ArraySlice slice = slices.get(i);
      int here = Math.min(end - at, before + slice.length() - at);
      if (here > 0) {
        raw.encode(slice.type(), slice.array(), slice.offset() + at - before, here, target);
        at += here;
      }
      // Where the last element is written, it may have been cut, and be asked for again.
      if (at < end) {
        before += slice.length();
        i++;
      }
    }
    if (reached != null) {
      reached.part = part;
      reached.slice = i;
      reached.before = before;
    }
  }

  private void putCut(int index, Part part, int element, int from, int bytes, ByteBuffer target) {
    ByteBuffer whole = ByteBuffer.allocate(Long.BYTES);
    putWhole(index, part.slices(), element, 1, whole);
    target.put(whole.array(), from, bytes);
  }

  /** The slice that a transfer has come to. */
  private static final class Place {
    int part;
    int slice;

    /** The elements of the part before the slice. */
    int before;
  }

  /** Two that make the same of the same message. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PartsCodec that
        && Objects.equals(table, that.table)
        && Arrays.equals(blocks, that.blocks);
  }

  @Override
  public int hashCode() {
    return Objects.hash(table, Arrays.hashCode(blocks));
  }
}
