package io.arraywire.engine.tls;

import io.arraywire.ArraywireException;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameLayout;
import io.arraywire.spi.MemoryKind;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Preamble;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Finds records in what comes, and notices a peer that speaks no TLS. A record stays where it lies
 * in the transport's window; one that came in pieces is put together here first. The reading
 * thread's.
 */
final class TlsRecords {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  // A record: type, two bytes of version, two of length, and that many bytes.
  private static final int HEADER_BYTES = 5;
  private static final int LENGTH_AT = 3;
  private static final int TYPE_CHANGE_CIPHER_SPEC = 20;
  private static final int TYPE_ALERT = 21;
  private static final int TYPE_HANDSHAKE = 22;
  private static final int TYPE_APPLICATION_DATA = 23;

  /** RFC 5246 allows 5 + 2^14 + 2048 bytes; nobody needs the last few. */
  static final int MOST_RECORD_BYTES = 18 << 10;

  /** What a record weighs that brings nothing and goes on with nothing; see {@link #weight}. */
  static final int FULL_WEIGHT = 16;

  /** In TLS 1.3 the type of the content and the tag are as long. */
  private static final int PROTECTION_BYTES = 17;

  /** What it weighs when it may be a byte of a session ticket, or new keys, which cost work. */
  private static final int WEIGHT_AFTER_HANDSHAKE = 4;

  /**
   * A fatal alert named user_canceled, which RFC 8446 has for the end of a handshake that is not a
   * failure of the protocol. Providers of TLS say it in no other case, and mostly overhear it.
   */
  private static final byte[] REFUSAL = {TYPE_ALERT, 3, 3, 0, 2, 2, 90};

  private final TlsState state;

  /** A record that has come in part. */
  private ByteBuffer carry = NOTHING;

  private final TlsMemory memory;
  private boolean carryIsWhole;

  private int recordBytes;

  TlsRecords(TlsState state) {
    this.state = state;
    memory = new TlsMemory(state.shared.pool());
  }

  /** How long the record is that was found last, with its header. */
  int bytes() {
    return recordBytes;
  }

  /** Whether more of a record is due. */
  boolean holdsPart() {
    return memory.isHeld();
  }

  /**
   * How much a record counts, if it brings nothing to those above, against the limit of such
   * records in a row. A peer may cut its part of the handshake into records as small as it likes.
   * So it may, with TLS 1.3, a session ticket that comes later; JSSE pads each of these with 16
   * bytes. So a record that may hold a piece of that weighs less than one that holds nothing.
   */
  int weight(ByteBuffer record) {
    int type = record.get(record.position());
    boolean isProtected = type == TYPE_APPLICATION_DATA;
    int content = recordBytes - HEADER_BYTES - (isProtected ? PROTECTION_BYTES : 0);
    if (content <= 0 || (!isProtected && type != TYPE_HANDSHAKE)) {
      return FULL_WEIGHT;
    }
    if (!state.isEstablished()) {
      return 1;
    }
    return isProtected && !state.isTls12() ? WEIGHT_AFTER_HANDSHAKE : FULL_WEIGHT;
  }

  static boolean isAlert(ByteBuffer record) {
    return record.get(record.position()) == TYPE_ALERT;
  }

  /** What says in plain text that a peer is one too many. */
  static byte[] refusal() {
    return REFUSAL.clone();
  }

  /** Whether a record says that. */
  static boolean isRefusal(ByteBuffer record) {
    return record.remaining() >= REFUSAL.length
        && record.slice(record.position(), REFUSAL.length).equals(ByteBuffer.wrap(REFUSAL));
  }

  /** The next record, at the buffer's position; null if it is not there whole. */
  @Nullable ByteBuffer next(ByteBuffer bytes) throws SSLException {
    if (carryIsWhole) {
      recordBytes = carry.remaining();
      return carry;
    }
    if (!memory.isHeld()) {
      int length = length(bytes, bytes.position(), bytes.remaining());
      if (length > 0 && bytes.remaining() >= length) {
        recordBytes = length;
        return bytes;
      }
      if (!bytes.hasRemaining() || state.hasFailed()) {
        return null;
      }
      beginCarry();
    }
    move(bytes, HEADER_BYTES);
    int length = length(carry, 0, carry.position());
    if (length == 0) {
      return null;
    }
    move(bytes, length);
    if (carry.position() < length) {
      return null;
    }
    carry.flip();
    carryIsWhole = true;
    recordBytes = length;
    return carry;
  }

  /** Carries on until so many bytes are there. */
  private void move(ByteBuffer from, int upTo) {
    int count = Math.min(from.remaining(), upTo - carry.position());
    if (count > 0) {
      int limit = from.limit();
      carry.put(from.limit(from.position() + count));
      from.limit(limit);
    }
  }

  /** The length of a record with its header; 0 if too little of it is there. */
  private int length(ByteBuffer bytes, int at, int available) throws SSLException {
    if (available == 0) {
      return 0;
    }
    int type = bytes.get(at);
    if (!state.peerSpeaksTls) {
      if (available > 1 ? !Preamble.beginsTls(bytes, at) : !mayBeFirst(type)) {
        notTls(bytes.get(at));
        return 0;
      }
    } else if (type < TYPE_CHANGE_CIPHER_SPEC || type > TYPE_APPLICATION_DATA) {
      throw new SSLException("no record of TLS has the type " + (type & 0xff));
    }
    if (available < HEADER_BYTES) {
      return 0;
    }
    int high = bytes.get(at + LENGTH_AT) & 0xff;
    int low = bytes.get(at + LENGTH_AT + 1) & 0xff;
    int length = HEADER_BYTES + (high << 8) + low;
    if (length > MOST_RECORD_BYTES) {
      throw new SSLException("a record is too long (bytes=" + length + ")");
    }
    return length;
  }

  private static boolean mayBeFirst(int type) {
    return type == TYPE_ALERT || type == TYPE_HANDSHAKE;
  }

  /** A peer that speaks Arraywire without TLS is told so, in words that it understands. */
  private void notTls(byte first) {
    ArraywireException cause = TlsErrors.mismatch(state.peer());
    if (state.role == Role.ACCEPTOR && first == (byte) Preamble.MAGIC) {
      state.plainWords =
          Preamble.write(
              FrameLayout.VERSION,
              FrameLayout.VERSION,
              HandshakeMessage.reject(TlsErrors.mismatchForPeer()));
    }
    state.fail(cause);
  }

  // Memory.

  private void beginCarry() {
    carry = memory.take(MOST_RECORD_BYTES, MemoryKind.HEAP);
  }

  /** The engine has had the record, or as much of it as it took. */
  void opened() {
    if (carryIsWhole && !carry.hasRemaining()) {
      release();
    }
  }

  void release() {
    carry = NOTHING;
    carryIsWhole = false;
    memory.release();
  }
}
