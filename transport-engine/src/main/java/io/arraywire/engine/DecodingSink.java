package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.ProtocolException;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decodes elements into an array, the caller's or a fresh one. A fresh one grows as bytes arrive,
 * so it is never more than twice ahead of them.
 *
 * <p>While an array arrives, the monitor keeps the reading thread, which fills it, apart from
 * callers that give or take memory. What happens before and after has one thread at a time, which
 * the connection's lock hands the array over to.
 */
final class DecodingSink extends MovableSink {
  private static final Object NO_ARRAY = new byte[0];

  private @Nullable Codec decodes;
  private ElementType type = ElementType.BYTE;
  private int count;
  private int width;
  private Object array = NO_ARRAY;

  /** Whether the array is neither a caller's nor given away, so that it can be used again. */
  private boolean isOurs;

  /** An array for the next one that nobody has asked for when it comes; of little size. */
  private @Nullable Object spare;

  private int spareLength;
  private int offset;
  private int capacity;
  private int decoded;
  private boolean stopped;

  /** The first bytes of an element whose others have not come; made for the first such. */
  private @Nullable ByteBuffer carry;

  /** How many bytes of the next element lie in the array already, put there by the channel. */
  private int begun;

  /** What the array has taken of what limits it while it grows. */
  private final ArrivalCharge charge = new ArrivalCharge();

  private @Nullable ArraywireException refusal;

  /**
   * Begins a sink that is new or {@linkplain #clear() cleared} with the caller's own array, which
   * has room for all elements.
   */
  void startInto(Codec decoder, ArraySlice target, int elements) {
    start(decoder, target.type(), elements);
    array = target.array();
    offset = target.offset();
    capacity = elements;
    isOurs = false;
  }

  /**
   * Begins with a fresh array, which is as large as it gets only for a trusted peer.
   *
   * @param coming encoded bytes that have arrived or are in the frame that is being read
   */
  void startFresh(
      Codec decoder,
      ElementType elementType,
      int elements,
      boolean trusted,
      @Nullable ArrivalShare limit,
      long coming) {
    int encoded = decoder.encoding().elementBytes(elementType);
    boolean whole = charge.begin(limit, trusted, (long) elements * elementType.bytes());
    int first = whole ? elements : ArrivalBudget.first(elementType, elements, coming / encoded);
    boolean again = elementType == type && first <= spareLength && spareLength <= elements;
    Object kept = again ? spare : null;
    capacity = kept == null ? first : spareLength;
    array = kept == null ? elementType.newArray(first) : kept;
    spare = kept == null ? spare : null;
    start(decoder, elementType, elements);
    offset = 0;
    isOurs = true;
  }

  private void start(Codec decoder, ElementType elementType, int elements) {
    if (elementType != type) {
      spare = null;
    }
    decodes = decoder;
    type = elementType;
    count = elements;
    width = decoder.encoding().elementBytes(elementType);
    if (carry != null && carry.capacity() != width) {
      carry = null;
    }
  }

  /** Forgets the array, to be started again. It keeps memory of its own, if that is little. */
  void clear() {
    keep();
    array = NO_ARRAY;
    offset = 0;
    capacity = 0;
    decoded = 0;
    stopped = false;
    if (carry != null) {
      carry.clear();
    }
    begun = 0;
    elsewhere = null;
    copiedBytes = 0;
    charge.end();
    refusal = null;
  }

  /** How many bytes it keeps for the next array. */
  int keptBytes() {
    return spare == null ? 0 : spareLength * type.bytes();
  }

  /** No other array will be put here. */
  synchronized void dropSpare() {
    spare = null;
  }

  /** Keeps the array for the next one if it is small, and nobody else's. */
  private void keep() {
    if (isOurs && capacity > 0 && (long) capacity * type.bytes() <= ArrivalBudget.FIRST_BYTES) {
      spare = array;
      spareLength = capacity;
    }
    isOurs = false;
  }

  @Override
  synchronized void put(ByteBuffer source, int bytes) throws ProtocolException {
    putWithLock(source, bytes);
  }

  @Override
  void putWithLock(ByteBuffer source, int bytes) throws ProtocolException {
    if (stopped) {
      source.position(source.position() + bytes);
      return;
    }
    if (elsewhere != null) {
      elsewhere.put(source, bytes);
      return;
    }
    keepBegun();
    int left = bytes;
    if (carried() > 0) {
      ByteBuffer element = carry();
      while (left > 0 && element.hasRemaining()) {
        element.put(source.get());
        left--;
      }
      if (element.hasRemaining()) {
        return;
      }
      element.flip();
      decode(element, 1);
      element.clear();
    }
    int whole = left / width;
    if (whole > 0) {
      int limit = source.limit();
      source.limit(source.position() + whole * width);
      decode(source, whole);
      source.limit(limit);
      left -= whole * width;
    }
    for (; left > 0; left--) {
      carry().put(source.get());
    }
  }

  @Override
  synchronized void putBlock(ByteBuffer bytes, BlockScratch block) throws ProtocolException {
    if (stopped) {
      // Nobody wants it, so nothing that is wrong with it matters.
      return;
    }
    // The bytes of a message, of which a part is in blocks, are no elements of that part.
    boolean asElements = block.type().carrier() == type.carrier();
    if (elsewhere != null || array instanceof Buffer || !asElements) {
      super.putBlock(bytes, block);
    } else if (ensureCapacity(decoded + block.count())) {
      CheckedCodec.decodeBlock(block, bytes, array, offset + decoded);
      countCopies(block.codec().traits().copiesToDecode(), block.plainBytes());
      decoded += block.count();
    }
  }

  private Codec codec() {
    return Objects.requireNonNull(decodes, "the sink was not started");
  }

  private ByteBuffer carry() {
    if (carry == null) {
      carry = ByteBuffer.allocate(width);
    }
    return carry;
  }

  private int carried() {
    return carry == null ? 0 : carry.position();
  }

  @Override
  synchronized int arrayRoom() {
    if (!ArrayDirect.suits(codec(), type)
        || stopped
        || elsewhere != null
        || array instanceof Buffer) {
      return 0;
    }
    return (int) Math.min(Integer.MAX_VALUE, (long) (count - decoded) * width - begun);
  }

  @Override
  synchronized long fill(ArrayIo io, int atMost) throws IOException {
    if (arrayRoom() == 0 || !ensureCapacity(decoded + 1)) {
      // Somebody has just taken the array away, or there is no memory for it.
      return 0;
    }
    begin();
    long room = (long) (capacity - decoded) * width - begun;
    long at = (long) (offset + decoded) * width + begun;
    long read = io.read(array, at, (int) Math.min(room, atMost));
    if (read > 0) {
      long bytes = begun + read;
      decoded += (int) (bytes / width);
      begun = (int) (bytes % width);
    }
    return read;
  }

  /** Puts what has come of an element into the array, where the channel goes on with it. */
  private void begin() {
    int bytes = carried();
    if (bytes > 0) {
      BulkElements.get(type, carry().clear(), array, offset + decoded, 1, ByteOrder.nativeOrder());
      carry().clear();
      begun = bytes;
    }
  }

  /** Keeps what has come of an element outside of the array, which is about to be another. */
  private void keepBegun() {
    if (begun > 0) {
      BulkElements.put(type, array, offset + decoded, 1, carry().clear(), ByteOrder.nativeOrder());
      carry().position(begun);
      begun = 0;
    }
  }

  private void decode(ByteBuffer source, int elements) throws ProtocolException {
    int expected = source.position() + elements * width;
    if (!ensureCapacity(decoded + elements)) {
      source.position(expected);
      return;
    }
    CheckedCodec.decode(codec(), type, source, array, offset + decoded, elements);
    countCopies(codec().traits().copiesToDecode(), (long) elements * width);
    decoded += elements;
  }

  /** Whether there is room for so many elements; if not, the array is refused. */
  private boolean ensureCapacity(int needed) {
    if (needed <= capacity || refusal != null) {
      // What a refused array has given back does not make room for its rest.
      return refusal == null;
    }
    int next = ArrivalBudget.halving(count, needed);
    long bytes = (long) next * type.bytes();
    if (refuse(charge.grow(bytes, (long) count * type.bytes()))) {
      return false;
    }
    moveTo(next);
    charge.keep(bytes);
    return true;
  }

  /** Refuses the array if there is a cause to; returns whether there is. */
  private boolean refuse(@Nullable ArraywireException cause) {
    if (cause != null) {
      refusal = cause;
      stopped = true;
      free();
    }
    return cause != null;
  }

  private void free() {
    array = NO_ARRAY;
    capacity = 0;
    begun = 0;
    isOurs = false;
    release();
  }

  @Override
  @Nullable ArraywireException refusal() {
    return refusal == null ? super.refusal() : refusal;
  }

  @Override
  void release() {
    charge.keep(0);
  }

  @Override
  synchronized void limit(ArrivalShare share) {
    if (elsewhere == null && isOurs) {
      refuse(charge.limit(share, (long) capacity * type.bytes(), (long) count * type.bytes()));
    }
  }

  @Override
  synchronized void redirect() {
    if (elsewhere != null || refusal != null || stopped) {
      return;
    }
    keepBegun();
    // No more than has come: a peer may begin one on each channel that a caller waits for in turn.
    moveTo(Math.max(decoded, ArrivalBudget.first(type, count, decoded)));
  }

  @Override
  synchronized void rebind(ArraySlice target) {
    if (elsewhere != null || refusal != null || stopped) {
      // The final receiver copies the array from there; no caller gets a refused one.
      return;
    }
    keepBegun();
    BulkElements.copy(array, offset, target.array(), target.offset(), decoded);
    countCopies(1, (long) decoded * type.bytes());
    keep();
    array = target.array();
    offset = target.offset();
    capacity = count;
    charge.end();
  }

  @Override
  synchronized void rebind(WritingSink target) {
    if (elsewhere != null || refusal != null || stopped) {
      target.discard();
      return;
    }
    keepBegun();
    target.takeOver(array, decoded, carried() > 0 ? carry().flip() : null);
    target.copiedBytes = copiedBytes;
    isOurs = false;
    array = NO_ARRAY;
    charge.end();
    elsewhere = target;
  }

  @Override
  synchronized void rebindToPool(MemoryPool pool) {
    if (elsewhere != null) {
      return;
    }
    keepBegun();
    PooledSink target =
        new PooledSink(pool, MemoryKind.DIRECT, type, count, codec().encoding().order());
    target.takeOver(codec(), array, offset, decoded, carried() > 0 ? carry().flip() : null);
    target.copiedBytes = copiedBytes;
    target.countCopies(codec().traits().copiesToEncode(), (long) decoded * width);
    elsewhere = target;
  }

  @Override
  @Nullable ArraywireException finish() {
    return elsewhere == null ? refusal() : elsewhere.finish();
  }

  @Override
  void countCopies(int copiesPerByte, long bytes) {
    if (elsewhere == null) {
      super.countCopies(copiesPerByte, bytes);
    } else {
      elsewhere.countCopies(copiesPerByte, bytes);
    }
  }

  @Override
  long copied() {
    return elsewhere == null ? super.copied() : elsewhere.copied();
  }

  @Override
  synchronized void discard() {
    release();
    if (elsewhere != null) {
      elsewhere.discard();
    }
  }

  @Override
  synchronized void stopNow() {
    stopped = true;
    if (isOurs && elsewhere == null) {
      // Its connection may stay for a while until the peer has gone.
      free();
      spare = null;
    }
    super.stopNow();
  }

  private void moveTo(int newCapacity) {
    Object roomier = type.newArray(newCapacity);
    BulkElements.copy(array, offset, roomier, 0, decoded);
    countCopies(1, (long) decoded * type.bytes());
    array = roomier;
    offset = 0;
    capacity = newCapacity;
    isOurs = true;
  }

  @Override
  ArraySlice slice() {
    isOurs = false;
    return elsewhere != null
        ? elsewhere.slice()
        : ArraySlice.ofArray(array, offset, count).as(type);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // It is the very same array that is meant.
  void deliver(ArraySlice target, int elements) {
    if (elsewhere != null) {
      super.deliver(target, elements);
    } else if (array != target.array()) {
      copy(array, offset, target, elements);
    }
  }
}
