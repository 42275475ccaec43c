package io.arraywire.wire;

import static io.arraywire.wire.ProtoBytes.BYTES;
import static io.arraywire.wire.ProtoBytes.VARINT;

import com.google.protobuf.CodedInputStream;
import io.arraywire.ErrorCode;
import io.arraywire.LagPolicy;
import io.arraywire.ProtocolException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The body of a SUBSCRIBE frame.
 *
 * @param subject what is subscribed to
 * @param policy what the publisher does when the subscriber lags
 * @param queueBytes the most bytes that wait at the publisher
 */
public record SubscribeBody(String subject, LagPolicy policy, long queueBytes) {
  /** The longest subject, in bytes of UTF-8. */
  public static final int MOST_SUBJECT_BYTES = 255;

  /** So many characters of a subject that is none stand in the text of the failure. */
  private static final int MOST_SHOWN = 100;

  /** In the order of their codes, which begin with 1 and never change. */
  private static final List<LagPolicy> POLICIES =
      List.of(LagPolicy.BLOCK, LagPolicy.DROP_OLDEST, LagPolicy.DROP_NEWEST, LagPolicy.DISCONNECT);

  /**
   * Checks a subject.
   *
   * @param subject the subject
   * @return the same
   * @throws IllegalArgumentException if it is empty, too long, or holds control characters or what
   *     is not a character
   */
  public static String checked(String subject) {
    Objects.requireNonNull(subject, "subject");
    int bytes = subject.getBytes(StandardCharsets.UTF_8).length;
    boolean unfit =
        subject
            .codePoints()
            .anyMatch(
                c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
    if (bytes < 1 || bytes > MOST_SUBJECT_BYTES || unfit) {
      throw new IllegalArgumentException(
          "a subject is 1 to "
              + MOST_SUBJECT_BYTES
              + " bytes of UTF-8 without control characters (bytes="
              + bytes
              + ", subject="
              + Words.printable(subject.substring(0, Math.min(subject.length(), MOST_SHOWN)))
              + ")");
    }
    return subject;
  }

  /**
   * Writes the body.
   *
   * @return its bytes
   */
  public byte[] write() {
    return ProtoBytes.write(out -> {
      ProtoBytes.putText(out, 1, subject);
      ProtoBytes.putUnsigned(out, 2, POLICIES.indexOf(policy) + 1);
      ProtoBytes.putUnsigned(out, 3, queueBytes);
    });
  }

  /** The message {@code Subscribe} of {@code handshake.proto}. */
  private static final class Fields implements ProtoBytes.FieldReader {
    private String subject = "";
    private int policy;
    private long queueBytes;

    @Override
    public boolean read(int tag, CodedInputStream in) throws IOException {
      switch (tag) {
        case 1 << 3 | BYTES -> subject = in.readStringRequireUtf8();
        case 2 << 3 | VARINT -> policy = in.readUInt32();
        case 3 << 3 | VARINT -> queueBytes = in.readUInt64();
        default -> {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * Reads a body.
   *
   * @param bytes its bytes
   * @return what they say
   * @throws ProtocolException if they are not a body, hold impossible values, or name an unknown
   *     policy
   */
  public static SubscribeBody read(byte[] bytes) throws ProtocolException {
    Fields body = new Fields();
    String subject;
    try {
      ProtoBytes.read(bytes, body);
      subject = checked(body.subject);
    } catch (IOException | IllegalArgumentException e) {
      throw HandshakeMessage.malformed(
          "the body of a subscription is not what it must be: " + e.getMessage(), e);
    }
    if (body.queueBytes < 1) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "an impossible queue",
          "queueBytes",
          Long.toUnsignedString(body.queueBytes));
    }
    int policy = body.policy;
    if (policy < 1 || policy > POLICIES.size()) {
      throw new ProtocolException(
          ErrorCode.UNKNOWN_CODE,
          "a policy that is not known",
          "policy",
          Integer.toUnsignedString(policy));
    }
    return new SubscribeBody(subject, POLICIES.get(policy - 1), body.queueBytes);
  }
}
