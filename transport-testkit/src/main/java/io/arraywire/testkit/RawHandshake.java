package io.arraywire.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A preamble and the handshake message after it, as {@code docs/protocol.md} has them.
 *
 * @param kind which of the three messages it is
 * @param refusal of a reject, why; otherwise null
 */
record RawHandshake(Kind kind, @Nullable RawFault refusal) {
  /** The three messages. */
  enum Kind {
    HELLO(1),
    WELCOME(2),
    REJECT(3);

    private final int field;

    Kind(int field) {
      this.field = field;
    }
  }

  /** Bytes of a preamble. */
  static final int PREAMBLE_BYTES = 24;

  private static final int MAGIC = 0x485741f1;

  /** Preamble and message of a peer that speaks some versions. */
  static byte[] bytes(int leastVersion, int mostVersion, byte[] message) {
    ByteBuffer all =
        ByteBuffer.allocate(PREAMBLE_BYTES + message.length).order(ByteOrder.LITTLE_ENDIAN);
    all.putInt(MAGIC).put((byte) leastVersion).put((byte) mostVersion).putShort((short) 0);
    all.putInt(message.length).putInt(checksum(message, message.length)).putInt(0);
    all.putInt(checksum(all.array(), PREAMBLE_BYTES - Integer.BYTES));
    return all.put(message).array();
  }

  /** Reads what the far side sends first. */
  static RawHandshake read(InputStream in) throws IOException {
    ByteBuffer preamble =
        ByteBuffer.wrap(RawFrame.whole(in, PREAMBLE_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
    if (preamble.getInt(0) != MAGIC
        || preamble.getInt(20) != checksum(preamble.array(), PREAMBLE_BYTES - Integer.BYTES)) {
      throw new AssertionError("not a preamble: " + preamble);
    }
    byte[] message = RawFrame.whole(in, preamble.getInt(8));
    if (preamble.getInt(12) != checksum(message, message.length)) {
      throw new AssertionError("a handshake message with a wrong checksum");
    }
    for (Kind kind : Kind.values()) {
      byte[] body = RawFields.bytesIn(message, kind.field);
      if (body != null) {
        return new RawHandshake(kind, kind == Kind.REJECT ? RawFault.read(body) : null);
      }
    }
    throw new AssertionError("none of the three handshake messages");
  }

  /** Why the far side refused. */
  RawFault fault() {
    if (refusal == null) {
      throw new AssertionError("not refused, but " + kind);
    }
    return refusal;
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return (int) checksum.getValue();
  }
}
