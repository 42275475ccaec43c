package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.TargetMismatchException;
import io.arraywire.source.ArraySink;
import io.arraywire.source.ElementWriter;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.MessageText;
import io.arraywire.spi.PooledMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands elements to a sink of the user's, from a piece of pooled memory that the channel reads
 * into. What the sink fails with refuses the array; its rest is dropped.
 *
 * <p>The monitor keeps the reading thread, which fills it, apart from the handler's, which has
 * named the sink. Both call the user's class and may wait for a disk with it. A thread that ends
 * the array may hold the connection's lock, so it takes no monitor and calls nothing of the user's.
 * It has the sink closed on the executor where users' code runs.
 */
final class WritingSink extends Sink {
  /** So many elements are decoded at a time if they do not travel as they lie in memory. */
  private static final int SCRATCH_ELEMENTS = 1 << 10;

  /**
   * What a sink needs of its connection.
   *
   * @param pool lends the memory that the channel reads into
   * @param users where the sink is closed if its array is dropped
   * @param connection ends the connection with what the sink throws for that
   */
  record Host(MemoryPool pool, Executor users, Consumer<ArraywireException> connection) {}

  private final Host host;
  private final Codec codec;
  private final ElementType type;
  private final long count;
  private final ElementWriter writer;

  /** Whether the bytes that come are those that are written. */
  private final boolean plain;

  /** The byte order that the writer gets elements in. */
  private final ByteOrder order;

  /** The bytes of an element as they come. */
  private final int width;

  private @Nullable PooledMemory memory;

  /** Elements that are decoded before they are written. */
  private @Nullable ByteBuffer decoded;

  /** An array for them, as long as the bytes come. */
  private @Nullable Object scratch;

  /** What had come before the sink was named, until it is written. */
  private @Nullable Object before;

  private int beforeCount;
  private long written;
  private volatile boolean stopped;
  private boolean finished;
  private boolean closed;
  private volatile @Nullable ArraywireException refusal;

  private WritingSink(ArraySink to, ElementType type, long count, Codec codec, Host host)
      throws IOException {
    this.host = host;
    this.codec = codec;
    this.type = type;
    this.count = count;
    width = codec.encoding().elementBytes(type);
    // Somebody has to see that booleans are 0 or 1.
    plain = codec.encoding().hasPlainElements() && type.carrier() != ElementType.BOOLEAN;
    order = plain ? codec.encoding().order() : ByteOrder.nativeOrder();
    writer = to.open(count, order);
  }

  /**
   * Opens a sink for an array. Without the connection's lock.
   *
   * @return the sink; or why the array is refused
   */
  static Object open(ArraySink to, ElementType type, long count, Codec codec, Host host) {
    try {
      return new WritingSink(to, type, count, codec, host);
    } catch (Throwable thrown) { // What a user's class throws refuses the array, and no more.
      return failure(thrown, host);
    }
  }

  private static ArraywireException failure(Throwable thrown, Host host) {
    if (thrown instanceof TargetMismatchException mismatch) {
      return mismatch;
    }
    // What another connection failed with, in a sink that sends on, is of a subclass, or has
    // another code.
    if (thrown.getClass().equals(ArraywireException.class)
        && thrown instanceof ArraywireException typed
        && ErrorCode.REJECTED.isOf(typed)
        && !typed.isRefusal()) {
      host.connection().accept(typed);
      return ArraywireException.refusal(String.valueOf(typed.getMessage()));
    }
    return Failures.ofSink(thrown);
  }

  /**
   * Begins with what another sink has decoded.
   *
   * @param array the elements, which are this sink's from now on
   * @param partial what has come of one more element, if anything has
   */
  synchronized void takeOver(Object array, int elements, @Nullable ByteBuffer partial) {
    before = array;
    beforeCount = elements;
    if (partial != null) {
      piece().put(partial);
    }
  }

  /** Writes what had come before the sink was named. */
  synchronized void writeBefore() {
    Object array = before;
    if (array == null) {
      return;
    }
    before = null;
    if (stopped || beforeCount == 0) {
      return;
    }
    int most = Math.min(beforeCount, ArraySink.PIECE_BYTES / type.bytes());
    ByteBuffer bytes = ByteBuffer.allocate(most * type.bytes());
    for (int done = 0; done < beforeCount && !stopped; done += most) {
      int some = Math.min(most, beforeCount - done);
      BulkElements.put(type, array, done, some, bytes.clear(), order);
      countCopies(1, (long) some * type.bytes());
      write(bytes.flip(), some);
    }
    tellArrived();
  }

  /** Memory for the next bytes, with room for one at least. */
  private ByteBuffer piece() {
    PooledMemory held = memory;
    if (held == null) {
      long most = ArraySink.PIECE_BYTES / width * (long) width;
      held = host.pool().acquire((int) Math.min(most, count * width), MemoryKind.DIRECT);
      held.buffer().clear();
      memory = held;
    }
    return held.buffer();
  }

  @Override
  synchronized void put(ByteBuffer source, int bytes) throws ProtocolException {
    writeBefore();
    int limit = source.limit();
    int left = bytes;
    while (left > 0 && !stopped) {
      ByteBuffer piece = piece();
      int some = Math.min(left, piece.remaining());
      source.limit(source.position() + some);
      piece.put(source);
      source.limit(limit);
      left -= some;
      countCopies(1, some);
      writeIfFull(piece);
    }
    source.position(source.position() + left);
    tellArrived();
  }

  @Override
  synchronized @Nullable ByteBuffer space(long atMost) {
    if (!isPooled()) {
      return null;
    }
    ByteBuffer space = piece().duplicate();
    return space.limit(space.position() + (int) Math.min(atMost, space.remaining()));
  }

  @Override
  synchronized boolean isPooled() {
    return plain && !stopped;
  }

  @Override
  synchronized void advance(int bytes) {
    writeBefore();
    ByteBuffer piece = piece();
    piece.position(piece.position() + bytes);
    writePlainIfFull(piece);
    tellArrived();
  }

  private void tellArrived() {
    if (stopped) {
      return;
    }
    PooledMemory held = memory;
    try {
      writer.arrived(written + (held == null ? 0 : held.buffer().position() / width));
    } catch (Throwable thrown) { // What a user's class throws refuses the array, and no more.
      refuse(thrown);
    }
  }

  private void writeIfFull(ByteBuffer piece) throws ProtocolException {
    if (plain) {
      writePlainIfFull(piece);
    } else if (!piece.hasRemaining()) {
      decode(piece.flip());
      piece.clear();
    }
  }

  private void writePlainIfFull(ByteBuffer piece) {
    if (!piece.hasRemaining()) {
      write(piece.flip(), piece.remaining() / width);
      piece.clear();
    }
  }

  private void decode(ByteBuffer bytes) throws ProtocolException {
    ByteBuffer target = decoded;
    if (target == null) {
      target = ByteBuffer.allocate(SCRATCH_ELEMENTS * type.bytes());
      decoded = target;
    }
    Object elements = scratch;
    if (elements == null) {
      elements = type.newArray(SCRATCH_ELEMENTS);
      scratch = elements;
    }
    while (bytes.hasRemaining() && !stopped) {
      int some = Math.min(bytes.remaining() / width, SCRATCH_ELEMENTS);
      CheckedCodec.decode(codec, type, bytes, elements, 0, some);
      countCopies(codec.traits().copiesToDecode(), (long) some * type.bytes());
      BulkElements.put(type, elements, 0, some, target.clear(), order);
      countCopies(1, (long) some * type.bytes());
      write(target.flip(), some);
    }
  }

  private void write(ByteBuffer bytes, int elements) {
    if (stopped) {
      return;
    }
    int expected = bytes.limit();
    try {
      writer.write(written, elements, bytes.order(order));
      if (bytes.position() != expected || bytes.limit() != expected) {
        throw new IllegalStateException(
            MessageText.brief(
                "a sink wrote another number of bytes than its elements have",
                "expectedPosition",
                expected,
                "position",
                bytes.position(),
                "limit",
                bytes.limit()));
      }
      written += elements;
    } catch (Throwable thrown) { // What a user's class throws refuses the array, and no more.
      refuse(thrown);
    }
  }

  private void refuse(Throwable thrown) {
    if (refusal == null) {
      refusal = failure(thrown, host);
    }
    stopped = true;
    // Its memory stays until nobody reads into it any more.
    closeWriter();
  }

  @Override
  @Nullable ArraywireException refusal() {
    return refusal;
  }

  @Override
  synchronized void countCopies(int copiesPerByte, long bytes) {
    super.countCopies(copiesPerByte, bytes);
  }

  @Override
  synchronized @Nullable ArraywireException finish() {
    writeBefore();
    if (!stopped && memory != null) {
      try {
        ByteBuffer piece = piece().flip();
        if (plain && piece.hasRemaining()) {
          write(piece, piece.remaining() / width);
        } else {
          decode(piece);
        }
      } catch (ProtocolException e) {
        // It is not the sink that has failed.
        refusal = ArraywireException.refusal(String.valueOf(e.getMessage()));
        stopped = true;
        closeWriter();
      }
    }
    if (!stopped) {
      try {
        writer.finish();
        finished = true;
      } catch (Throwable thrown) { // As above.
        refuse(thrown);
      }
    }
    if (!finished && refusal == null) {
      // The connection was dropped meanwhile, and its arrays with it.
      refusal = ArraywireException.refusal("the array was dropped before it was written");
    }
    stopped = true;
    close();
    return refusal;
  }

  /** Ends writing, whether or not all has come. */
  private void closeWriter() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      writer.close();
    } catch (Throwable thrown) { // As above.
      if (refusal == null) {
        refusal = Failures.ofSink(thrown);
      }
    }
  }

  private synchronized void close() {
    closeWriter();
    before = null;
    scratch = null;
    decoded = null;
    PooledMemory held = memory;
    memory = null;
    if (held != null) {
      held.release();
    }
  }

  @Override
  void stop() {
    stopped = true;
  }

  @Override
  void discard() {
    stopped = true;
    host.users().execute(this::close);
  }

  /** The elements are where the sink has put them. */
  @Override
  ArraySlice slice() {
    return none(type);
  }
}
