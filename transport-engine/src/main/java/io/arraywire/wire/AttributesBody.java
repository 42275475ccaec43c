package io.arraywire.wire;

import io.arraywire.ArrayAttributes;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.message.FrameAttributes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The optional bytes between an array's header and its elements: everything of its envelope except
 * the tag, in sections. Shape, strings and table of parts are those of {@link FrameAttributes}; the
 * others are
 *
 * <pre>
 *      0         1         2         3         4         5         6         7
 * kinds 16 to 18 and 20, numbers:
 *  0 | kind              | 1                 | 16                                    |
 *  8 | number                                                                        |
 *
 * kind 19, a fault:
 *  0 | 19                | 1                 | section bytes                         |
 *  8 | error code                            | text bytes                            |
 * 16 | text, UTF-8, then zeros up to a multiple of 8                                 |
 * </pre>
 */
public final class AttributesBody {
  /** The size of a section with one number, such as that of a publication. */
  public static final int NUMBER_BYTES = 16;

  private static final int SESSION_SEQUENCE = 16;
  private static final int REQUEST = 17;
  private static final int REPLY = 18;
  private static final int FAULT = 19;
  private static final int PUBLICATION = 20;

  private static final byte[] NONE = {};

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The head of a section with a number, without its kind. */
  private static final long NUMBER_HEAD =
      ((long) NUMBER_BYTES << Integer.SIZE) | (1L << Short.SIZE);

  /** What is left of the body for the words of a fault. */
  private static final int MOST_FAULT_BYTES = 700;

  private AttributesBody() {}

  /**
   * Writes shape, strings and table; the tag is in the header.
   *
   * @param attributes the attributes
   * @return at most {@link FrameLayout#MAX_ATTRIBUTE_BYTES} bytes, none if there is only a tag
   * @throws IllegalArgumentException if they do not fit
   */
  public static byte[] write(ArrayAttributes attributes) {
    return write(ArrayEnvelope.of(attributes));
  }

  /**
   * Writes everything but the tag, which is in the header.
   *
   * @param envelope what travels with an array
   * @return at most {@link FrameLayout#MAX_ATTRIBUTE_BYTES} bytes, none if there is only a tag
   * @throws IllegalArgumentException if it does not fit
   */
  public static byte[] write(ArrayEnvelope envelope) {
    RemoteErrorException fault = envelope.fault();
    byte[] text =
        fault == null
            ? NONE
            : FaultBody.text(fault, MOST_FAULT_BYTES).getBytes(StandardCharsets.UTF_8);
    int faultBytes = fault == null ? 0 : NUMBER_BYTES + padded(text.length);
    int bytes =
        FrameAttributes.bytes(envelope.attributes())
            + numberBytes(envelope.sessionSequence())
            + numberBytes(envelope.request())
            + numberBytes(envelope.reply())
            + faultBytes
            + numberBytes(envelope.publication());
    if (bytes == 0) {
      return NONE;
    }
    if (bytes > FrameLayout.MAX_ATTRIBUTE_BYTES) {
      throw new IllegalArgumentException(
          "shapes, names and metadata are too large together; use fewer or shorter ones (bytes="
              + bytes
              + ", limit="
              + FrameLayout.MAX_ATTRIBUTE_BYTES
              + ")");
    }
    if (bytes == NUMBER_BYTES && FrameAttributes.bytes(envelope.attributes()) == 0) {
      return numberAlone(envelope);
    }
    ByteBuffer body = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    FrameAttributes.put(envelope.attributes(), body);
    putNumber(body, SESSION_SEQUENCE, envelope.sessionSequence());
    putNumber(body, REQUEST, envelope.request());
    putNumber(body, REPLY, envelope.reply());
    if (fault != null) {
      FrameAttributes.putHead(body, FAULT, 1, faultBytes);
      body.putInt(FaultBody.number(fault)).putInt(text.length).put(text);
      FrameAttributes.putZeros(body, padded(text.length) - text.length);
    }
    putNumber(body, PUBLICATION, envelope.publication());
    return body.array();
  }

  /** All of most requests and replies, so no object but the bytes is made. */
  private static byte[] numberAlone(ArrayEnvelope envelope) {
    byte[] body = new byte[NUMBER_BYTES];
    if (envelope.sessionSequence() != 0) {
      putNumberAlone(body, SESSION_SEQUENCE, envelope.sessionSequence());
    } else if (envelope.request() != 0) {
      putNumberAlone(body, REQUEST, envelope.request());
    } else if (envelope.reply() != 0) {
      putNumberAlone(body, REPLY, envelope.reply());
    } else {
      putNumberAlone(body, PUBLICATION, envelope.publication());
    }
    return body;
  }

  private static void putNumberAlone(byte[] body, int kind, long number) {
    LONGS.set(body, 0, NUMBER_HEAD | kind);
    LONGS.set(body, Long.BYTES, number);
  }

  private static int padded(int bytes) {
    return (bytes + 7) & -8;
  }

  private static int numberBytes(long number) {
    return number == 0 ? 0 : NUMBER_BYTES;
  }

  private static void putNumber(ByteBuffer body, int kind, long number) {
    if (number != 0) {
      FrameAttributes.putHead(body, kind, 1, NUMBER_BYTES);
      body.putLong(number);
    }
  }

  /**
   * Reads what travels with an array or a message, of which parts may be in blocks.
   *
   * @param header of the frame; a negative count is not known
   * @param bytes the body
   * @param inBlocks an encoding in blocks that this side decodes, by its code; null for all others
   * @return the envelope
   * @throws ProtocolException if the bytes are not a body, or hold impossible values
   */
  public static ArrayEnvelope readEnvelope(
      FrameHeader header, byte[] bytes, IntFunction<@Nullable Encoding> inBlocks)
      throws ProtocolException {
    ArrayEnvelope alone = numberAlone(header, bytes);
    if (alone != null) {
      return alone;
    }
    Reader reader = new Reader();
    ArrayAttributes attributes = FrameAttributes.read(header, bytes, inBlocks, reader);
    return new ArrayEnvelope(
        attributes,
        reader.sessionSequence,
        reader.request,
        reader.reply,
        reader.fault,
        reader.publication);
  }

  /** The same where it is a number and nothing else; null where it is not, or wrong. */
  private static @Nullable ArrayEnvelope numberAlone(FrameHeader header, byte[] bytes) {
    if (bytes.length != NUMBER_BYTES || header.elementType == 0) {
      return null;
    }
    long head = (long) LONGS.get(bytes, 0);
    long number = (long) LONGS.get(bytes, Long.BYTES);
    return isNumber(head, number)
        ? withNumber(ArrayAttributes.tagged(header.tag), head, number)
        : null;
  }

  private static boolean isNumber(long head, long number) {
    long kind = head ^ NUMBER_HEAD;
    return number > 0 && kind >= SESSION_SEQUENCE && kind <= PUBLICATION;
  }

  /**
   * The same behind attributes that were read before.
   *
   * @param body little-endian
   * @param at where the section of the number begins, with which the body ends
   */
  static @Nullable ArrayEnvelope numberBehind(ArrayAttributes attributes, ByteBuffer body, int at) {
    long head = body.getLong(at);
    long number = body.getLong(at + Long.BYTES);
    return isNumber(head, number) ? withNumber(attributes, head, number) : null;
  }

  private static @Nullable ArrayEnvelope withNumber(
      ArrayAttributes attributes, long head, long number) {
    return switch ((int) (head ^ NUMBER_HEAD)) {
      case SESSION_SEQUENCE -> new ArrayEnvelope(attributes, number, 0, 0, null);
      case REQUEST -> ArrayEnvelope.request(attributes, number);
      case REPLY -> ArrayEnvelope.reply(attributes, number, null);
      case PUBLICATION -> ArrayEnvelope.publication(attributes, number);
      default -> null;
    };
  }

  /** The sections of a connection. */
  private static final class Reader implements FrameAttributes.Sections {
    private long sessionSequence;
    private long request;
    private long reply;
    private @Nullable RemoteErrorException fault;
    private long publication;

    @Override
    public int read(int kind, int entries, ByteBuffer bytes, int from, int end)
        throws ProtocolException {
      if (entries != 1) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD,
            "a section of attributes must have one entry, and has another number",
            "kind",
            kind,
            "entries",
            entries);
      }
      switch (kind) {
        case SESSION_SEQUENCE ->
            sessionSequence = number(bytes, from, "a number in a session", "sessionSequence");
        case REQUEST -> request = number(bytes, from, "a number of a request", "request");
        case REPLY -> reply = number(bytes, from, "a number of a request", "reply");
        case FAULT -> {
          return fault(bytes, from, end);
        }
        case PUBLICATION ->
            publication = number(bytes, from, "a number in a subscription", "publication");
        default ->
            throw new ProtocolException(
                ErrorCode.UNKNOWN_CODE, "a section of attributes of an unknown kind", "kind", kind);
      }
      return from + Long.BYTES;
    }

    /** Every section has room for a number. */
    private static long number(ByteBuffer bytes, int from, String what, String name)
        throws ProtocolException {
      long number = bytes.getLong(from);
      if (number <= 0) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD,
            what + " that cannot be",
            name,
            Long.toUnsignedString(number));
      }
      return number;
    }

    private int fault(ByteBuffer bytes, int from, int end) throws ProtocolException {
      int code = bytes.getInt(from);
      long length = bytes.getInt(from + Integer.BYTES) & 0xffffffffL;
      int at = from + Long.BYTES;
      if (length > end - at) {
        throw new ProtocolException(
            ErrorCode.BAD_LENGTH,
            "the text of a fault is longer than its section",
            "bytes",
            length,
            "left",
            end - at);
      }
      if (!FrameAttributes.isText(bytes, at, (int) length)) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD, "the text of a fault is not UTF-8", "code", code);
      }
      byte[] text = new byte[(int) length];
      bytes.get(at, text);
      fault = FaultBody.remote(code, new String(text, StandardCharsets.UTF_8));
      return at + (int) length;
    }
  }
}
