package io.arraywire.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.arraywire.ArrayAttributes;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import io.arraywire.frame.FrameLayout;
import io.arraywire.wire.proto.Attributes;

/** What may stand between an array's header and its elements: all of its envelope but the tag. */
public final class AttributesBody {
  private AttributesBody() {}

  private static final byte[] NONE = {};

  /** What is left of the body for the words of a fault. */
  private static final int MOST_FAULT_BYTES = 700;

  /**
   * Writes shape and metadata; the tag is in the header.
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
    if (!envelope.hasBody()) {
      return NONE;
    }
    ArrayAttributes attributes = envelope.attributes();
    Attributes.Builder body =
        Attributes.newBuilder()
            .setMetadata(ByteString.copyFrom(attributes.metadata()))
            .setSessionSequence(envelope.sessionSequence())
            .setRequest(envelope.request())
            .setReply(envelope.reply())
            .setPublication(envelope.publication());
    for (long dimension : attributes.shape()) {
      body.addShape(dimension);
    }
    RemoteErrorException fault = envelope.fault();
    if (fault != null) {
      body.setFault(FaultBody.of(fault, MOST_FAULT_BYTES));
    }
    byte[] bytes = body.build().toByteArray();
    if (bytes.length > FrameLayout.MAX_ATTRIBUTE_BYTES) {
      throw new IllegalArgumentException(
          "shape and metadata are too large together; use fewer dimensions or less metadata (bytes="
              + bytes.length
              + ", limit="
              + FrameLayout.MAX_ATTRIBUTE_BYTES
              + ")");
    }
    return bytes;
  }

  /**
   * Reads shape and metadata.
   *
   * @param tag the tag from the header
   * @param bytes the body
   * @return the attributes
   * @throws ProtocolException if the bytes are not a body, or hold impossible values
   */
  public static ArrayAttributes read(long tag, byte[] bytes) throws ProtocolException {
    return readEnvelope(tag, bytes).attributes();
  }

  /**
   * Reads what travels with an array.
   *
   * @param tag the tag from the header
   * @param bytes the body
   * @return the envelope
   * @throws ProtocolException if the bytes are not a body, or hold impossible values
   */
  public static ArrayEnvelope readEnvelope(long tag, byte[] bytes) throws ProtocolException {
    try {
      Attributes body = Attributes.parseFrom(bytes);
      long[] shape = new long[body.getShapeCount()];
      for (int i = 0; i < shape.length; i++) {
        shape[i] = body.getShape(i);
      }
      if (body.getSessionSequence() < 0) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD,
            "an impossible number in a session",
            "sessionSequence",
            Long.toUnsignedString(body.getSessionSequence()));
      }
      if (body.getRequest() < 0 || body.getReply() < 0) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD,
            "an impossible number of a request",
            "request",
            Long.toUnsignedString(body.getRequest()),
            "reply",
            Long.toUnsignedString(body.getReply()));
      }
      if (body.getPublication() < 0) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD,
            "an impossible number in a subscription",
            "publication",
            Long.toUnsignedString(body.getPublication()));
      }
      return new ArrayEnvelope(
          ArrayAttributes.of(tag, shape, body.getMetadata().toByteArray()),
          body.getSessionSequence(),
          body.getRequest(),
          body.getReply(),
          body.hasFault() ? FaultBody.remote(body.getFault()) : null,
          body.getPublication());
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      throw HandshakeMessage.malformed(
          "the attributes of an array are not what they must be: " + e.getMessage(), e);
    }
  }
}
