package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Delivery;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.Receipt;
import io.arraywire.RemoteErrorException;
import io.arraywire.RemoteRejectedException;
import io.arraywire.UnexpectedFrameException;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import io.arraywire.spi.MemoryKind;
import io.arraywire.wire.FrameHeader;
import io.arraywire.wire.FrameLayout;
import io.arraywire.wire.FrameType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing half of a connection: what waits to be sent, how it becomes frames, and what waits
 * to be acknowledged.
 *
 * <p>Queues are guarded by the connection's lock. Making frames is the writing thread's alone.
 */
final class Outbound {
  /** What one batch may hold: some chunks, so that one write is worth its system call. */
  private static final int BATCH_BYTES = 256 << 10;

  /** What a batch holds when only control frames and small arrays wait. */
  private static final int SMALL_BATCH_BYTES = 16 << 10;

  private static final int LARGEST_FRAME_OVERHEAD =
      FrameLayout.HEADER_BYTES + FrameLayout.MAX_ATTRIBUTE_BYTES + Encoding.MAX_PREFIX_BYTES;

  private final Engine engine;
  private final ReentrantLock lock;
  private final OutputBatch batch = new OutputBatch();
  private final FrameHeader header = new FrameHeader();
  private final CRC32C checksum = new CRC32C();

  private final ArrayDeque<byte[]> control = new ArrayDeque<>();
  private final ArrayDeque<Transfer> queue = new ArrayDeque<>();

  /** Whole in frames, and not yet all written. */
  private final ArrayDeque<Transfer> writing = new ArrayDeque<>();

  private final ArrayDeque<Transfer> unacknowledged = new ArrayDeque<>();
  private long processed;
  private long processedSaid;
  private long lastSequence;

  /**
   * What says that no further array will come, once everything accepted is sent and acknowledged.
   */
  private byte @Nullable [] goodbye;

  /** What this side says in the handshake, once it was queued. */
  private byte @Nullable [] handshake;

  /** Whether output ends when the goodbye is out: the peer has said its own, so nothing is owed. */
  private boolean endsAfterGoodbye;

  private boolean lastFrameQueued;
  private boolean ended;

  private @Nullable Codec codec;
  private boolean plain;
  private boolean checksums;
  private int chunkBytes;

  private long arraysSent;
  private long bytesSent;

  Outbound(Engine engine, ReentrantLock lock) {
    this.engine = engine;
    this.lock = lock;
  }

  // Under the lock.

  void agreed(Codec sendCodec, boolean plainMode, boolean withChecksums, int bytesPerChunk) {
    codec = sendCodec;
    plain = plainMode;
    checksums = withChecksums;
    chunkBytes = bytesPerChunk;
  }

  void queue(Transfer transfer) {
    queue.add(transfer);
  }

  void queueHandshake(byte[] message) {
    handshake = message;
    control.add(message);
  }

  void queueControl(byte[] frame) {
    if (!lastFrameQueued) {
      control.add(frame);
    }
  }

  /** Queues what ends the stream; nothing is queued after it. */
  void queueLast(byte @Nullable [] frame) {
    if (frame != null) {
      queueControl(frame);
    }
    lastFrameQueued = true;
  }

  /** Says goodbye when everything that was accepted is sent and acknowledged. */
  void closeWhenDrained(byte[] goodbyeFrame) {
    if (goodbye == null) {
      goodbye = goodbyeFrame;
    }
  }

  /** Ends when the goodbye is out and nothing else waits. */
  void endAfterGoodbye() {
    endsAfterGoodbye = true;
  }

  /** Whether an acknowledgement is due; the peer needs none once nothing follows it. */
  private boolean owesAcknowledgement() {
    return processed != processedSaid && !lastFrameQueued;
  }

  private void goodbyeIfDrained() {
    if (goodbye != null && queue.isEmpty() && unacknowledged.isEmpty() && !lastFrameQueued) {
      if (goodbye.length > 0) {
        control.add(goodbye);
        goodbye = new byte[0];
      }
      // Acknowledgements may still follow until the peer has said goodbye, too.
      lastFrameQueued = endsAfterGoodbye && control.isEmpty() && processed == processedSaid;
    }
  }

  boolean hasUnacknowledged() {
    return !unacknowledged.isEmpty();
  }

  boolean isLastFrameQueued() {
    return lastFrameQueued;
  }

  /** Whether somebody waits for the peer to have processed an array, sent or not. */
  boolean awaitsAcknowledgement() {
    return hasUnacknowledged()
        || queue.stream().anyMatch(transfer -> transfer.options.delivery() == Delivery.PROCESSED);
  }

  /** Whether everything, the last frame included, is written. */
  boolean isEnded() {
    return ended;
  }

  void processed(long sequence) {
    processed = Math.max(processed, sequence);
  }

  /** The peer has processed arrays; completes their sends. Returns what to run without the lock. */
  List<Transfer> acknowledged(long sequence) throws UnexpectedFrameException {
    if (sequence < 0 || sequence > lastSequence) {
      throw new UnexpectedFrameException(
          "an acknowledgement of an array that was not sent",
          "acknowledged",
          sequence,
          "sent",
          lastSequence);
    }
    List<Transfer> done = new ArrayList<>();
    while (!unacknowledged.isEmpty() && unacknowledged.peek().sequence <= sequence) {
      Transfer transfer = unacknowledged.remove();
      transfer.acknowledged = true;
      // The peer can be faster than the writing thread, which has yet to note what it wrote.
      if (transfer.handedOff) {
        done.add(transfer);
      }
    }
    return done;
  }

  /** The full number of which a header carried the low 32 bits. */
  long widen(int low) {
    long base = unacknowledged.isEmpty() ? lastSequence : unacknowledged.peek().sequence;
    return base + (low - (int) base);
  }

  /** The peer refuses an array; returns its transfer if somebody waits for it. */
  @Nullable Transfer rejected(long sequence) throws UnexpectedFrameException {
    if (sequence < 1 || sequence > lastSequence) {
      throw new UnexpectedFrameException(
          "a refusal of an array that was not sent", "refused", sequence, "sent", lastSequence);
    }
    for (Iterator<Transfer> i = unacknowledged.iterator(); i.hasNext(); ) {
      Transfer transfer = i.next();
      if (transfer.sequence == sequence) {
        i.remove();
        return transfer;
      }
    }
    return null;
  }

  /** Takes back an array of which there is no frame yet. */
  void remove(Transfer transfer) {
    queue.remove(transfer);
  }

  /** Everything that is not done, which the caller fails. */
  @SuppressWarnings("ReferenceEquality") // It is the very message that is meant.
  List<Transfer> drop() {
    List<Transfer> all = new ArrayList<>(unacknowledged);
    all.addAll(writing);
    all.addAll(queue);
    unacknowledged.clear();
    writing.clear();
    queue.clear();
    // An error frame is understood behind the handshake only.
    byte[] first = control.peek();
    control.clear();
    if (first != null && first == handshake) {
      control.add(first);
    }
    return all;
  }

  String describe() {
    return "arraysSent="
        + arraysSent
        + ", bytesSent="
        + bytesSent
        + ", queuedArrays="
        + queue.size()
        + ", unacknowledgedArrays="
        + unacknowledged.size();
  }

  // The writing thread.

  /** The batch being written, or a new one, or null if there is nothing to write. */
  @Nullable OutputBatch next() {
    if (batch.remaining() > 0) {
      return batch;
    }
    boolean nothing;
    boolean small;
    lock.lock();
    try {
      skipWithdrawn();
      goodbyeIfDrained();
      nothing = control.isEmpty() && queue.isEmpty() && !owesAcknowledgement();
      small =
          queue.isEmpty()
              || (queue.size() == 1 && queue.peek().encodedBytes < SMALL_BATCH_BYTES / 2);
      if (nothing && lastFrameQueued) {
        ended = true;
      }
    } finally {
      lock.unlock();
    }
    if (nothing) {
      release();
      return null;
    }
    fill(small);
    if (batch.isEmpty() && small) {
      // What made it small was withdrawn meanwhile, and something large stands behind it.
      fill(false);
    }
    if (batch.isEmpty()) {
      release();
      return null;
    }
    return batch;
  }

  /** Notes that bytes were written; returns the transfers that are done by that. */
  List<Transfer> wrote(long count) {
    List<Transfer> whole = batch.wrote(count);
    lock.lock();
    try {
      bytesSent += count;
      arraysSent += whole.size();
      for (Transfer transfer : whole) {
        transfer.handedOff = true;
        writing.remove(transfer);
      }
      if (!whole.isEmpty()) {
        whole.removeIf(transfer ->
            transfer.options.delivery() == Delivery.PROCESSED && !transfer.acknowledged);
      }
    } finally {
      lock.unlock();
    }
    return whole;
  }

  void release() {
    if (batch.holdsMemory()) {
      batch.release();
    }
  }

  private void skipWithdrawn() {
    // A withdrawn array of which a frame is out needs an ABORT frame; see fill.
    while (!queue.isEmpty() && queue.peek().sequence == 0 && queue.peek().isWithdrawn()) {
      queue.remove();
    }
  }

  private void fill(boolean small) {
    MemoryKind kind = codec == null ? MemoryKind.HEAP : codec.traits().staging();
    boolean fits = small == (batch.holdsMemory() && batch.capacity() < BATCH_BYTES);
    if (batch.holdsMemory() && (!fits || kind != batch.kind())) {
      batch.release();
    }
    int staging =
        small ? SMALL_BATCH_BYTES : Math.max(BATCH_BYTES, chunkBytes + LARGEST_FRAME_OVERHEAD);
    batch.begin(engine.pool(), kind, staging);
    while (!batch.isFull()) {
      byte[] bytes = null;
      Transfer transfer = null;
      long acknowledge = 0;
      lock.lock();
      try {
        skipWithdrawn();
        byte[] waiting = control.peek();
        if (waiting != null) {
          if (waiting.length > batch.space().remaining()) {
            return;
          }
          bytes = control.remove();
        } else {
          transfer = queue.peek();
        }
        if (owesAcknowledgement()) {
          acknowledge = processed;
        }
      } finally {
        lock.unlock();
      }
      if (bytes != null) {
        batch.appendBytes(bytes);
      } else if (transfer != null) {
        if (!appendElements(transfer, acknowledge)) {
          return;
        }
      } else {
        if (acknowledge != 0) {
          appendAcknowledgement(acknowledge);
        }
        return;
      }
    }
  }

  private void appendAcknowledgement(long sequence) {
    ByteBuffer at = batch.beginFrame();
    header.clear(FrameType.ACK).sequence = sequence;
    header.write(at);
    batch.endFrame(null, 64);
    said(sequence);
  }

  private void said(long sequence) {
    lock.lock();
    try {
      processedSaid = sequence;
    } finally {
      lock.unlock();
    }
  }

  private Codec codec() {
    if (codec == null) {
      throw new IllegalStateException("arrays before the handshake is over");
    }
    return codec;
  }

  /** Appends a frame of an array, or returns false if the batch has no room for it. */
  private boolean appendElements(Transfer transfer, long acknowledge) {
    synchronized (transfer) {
      if (transfer.isWithdrawn()) {
        abort(transfer);
        return true;
      }
      return plain ? appendPlain(transfer) : appendFrame(transfer, acknowledge);
    }
  }

  private void abort(Transfer transfer) {
    if (transfer.sequence != 0 && !plain) {
      ByteBuffer at = batch.beginFrame();
      header.clear(FrameType.ABORT).sequence = transfer.sequence;
      header.write(at);
      batch.endFrame(null, 64);
    }
    finished(transfer, false);
  }

  private boolean appendFrame(Transfer transfer, long acknowledge) {
    Codec sendCodec = codec();
    CodecTraits traits = sendCodec.traits();
    Encoding encoding = sendCodec.encoding();
    int width = encoding.elementBytes(transfer.slice.type());
    boolean begins = transfer.sequence == 0;
    int count = transfer.slice.length();
    int prefix = begins ? encoding.prefixBytes(transfer.slice.type(), count) : 0;
    int attributes = begins ? transfer.attributes.length : 0;
    long left = transfer.encodedBytes - transfer.framedBytes;
    long wanted = Math.min(left, chunkBytes);
    if (wanted > batch.room() - attributes || (traits.elementwise() && !batch.isEmpty())) {
      return false;
    }
    int elements = (int) Math.min(transfer.remainingElements(), (wanted - prefix) / width);
    int payload = prefix + elements * width;
    ByteBuffer at = batch.beginFrame();
    ByteBuffer space = batch.space();
    int from = space.position();
    space.put(transfer.attributes, 0, attributes);
    if (prefix > 0) {
      encoding.putPrefix(transfer.slice.type(), count, space);
    }
    long offset = transfer.framedBytes;
    transfer.encode(sendCodec, elements, space);
    if (begins) {
      transfer.sequence = ++lastSequence;
    }
    transfer.framedBytes += payload;
    countCopies(transfer, traits, payload, space.isDirect());

    header.clear(begins ? FrameType.ARRAY : FrameType.CHUNK);
    header.encoding = encoding.code();
    header.elementType = transfer.slice.type().code();
    header.attributeBytes = attributes;
    header.sequence = transfer.sequence;
    header.tag = transfer.options.attributes().tag();
    header.count = count;
    header.arrayBytes = begins ? transfer.encodedBytes : offset;
    header.payloadBytes = payload;
    if (checksums) {
      header.flags |= FrameLayout.FLAG_PAYLOAD_CHECKSUM;
      header.payloadChecksum = checksum(space, from);
    }
    if (acknowledge != 0) {
      header.flags |= FrameLayout.FLAG_ACKNOWLEDGES;
      header.acknowledged = (int) acknowledge;
      said(acknowledge);
    }
    header.write(at);
    batch.append(from);
    batch.endFrame(transfer, 64L + attributes + payload);
    if (traits.elementwise()) {
      batch.writeElementwise(FrameLayout.HEADER_BYTES + attributes + prefix, width);
    }
    if (transfer.isFramed()) {
      finished(transfer, transfer.options.delivery() == Delivery.PROCESSED);
    }
    return true;
  }

  private boolean appendPlain(Transfer transfer) {
    Codec sendCodec = codec();
    CodecTraits traits = sendCodec.traits();
    int width = sendCodec.encoding().elementBytes(transfer.slice.type());
    ByteBuffer space = batch.space();
    int from = space.position();
    boolean begins = transfer.sequence == 0;
    if (space.remaining() < 4 + width || (traits.elementwise() && !batch.isEmpty())) {
      return false;
    }
    if (begins) {
      space.order(ByteOrder.BIG_ENDIAN).putInt(transfer.slice.length());
      transfer.sequence = ++lastSequence;
    }
    int room = Math.min(space.remaining(), chunkBytes);
    int elements = Math.min(transfer.remainingElements(), room / width);
    transfer.encode(sendCodec, elements, space);
    transfer.framedBytes += (long) elements * width;
    countCopies(transfer, traits, (long) elements * width, space.isDirect());
    batch.append(from);
    batch.endFrame(transfer, space.position() - from);
    if (traits.elementwise()) {
      batch.writeElementwise(begins ? Integer.BYTES : 0, width);
    }
    if (transfer.isFramed()) {
      finished(transfer, false);
    }
    return true;
  }

  private void countCopies(Transfer transfer, CodecTraits traits, long payload, boolean direct) {
    if (traits.copiesToEncode() == Receipt.UNKNOWN) {
      transfer.copiedBytes = Receipt.UNKNOWN;
    } else {
      transfer.copiedBytes += payload * (traits.copiesToEncode() + engine.copies(direct));
    }
  }

  private int checksum(ByteBuffer space, int from) {
    int to = space.position();
    int limit = space.limit();
    space.limit(to).position(from);
    checksum.reset();
    checksum.update(space);
    space.limit(limit).position(to);
    return (int) checksum.getValue();
  }

  /** The last frame of an array is made. */
  private void finished(Transfer transfer, boolean awaitAcknowledgement) {
    lock.lock();
    try {
      queue.remove(transfer);
      if (transfer.isFramed()) {
        writing.add(transfer);
      }
      if (awaitAcknowledgement) {
        unacknowledged.add(transfer);
      }
    } finally {
      lock.unlock();
    }
  }

  /** What a sender is told of an array that the far side did not take. */
  static ArraywireException rejection(RemoteErrorException fault) {
    if (fault.code() == ErrorCode.CONNECTION_CLOSED) {
      return new ConnectionClosedException(
          "the peer closed the connection and did not take the array");
    }
    return new RemoteRejectedException("the far side refused the array: " + fault.getMessage());
  }
}
