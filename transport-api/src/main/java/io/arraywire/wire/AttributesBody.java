package io.arraywire.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.arraywire.ArrayAttributes;
import io.arraywire.MalformedPayloadException;
import io.arraywire.wire.proto.Attributes;

/** What may stand between an array's header and its elements: shape and metadata. */
public final class AttributesBody {
  private AttributesBody() {}

  /**
   * Writes shape and metadata; the tag is in the header.
   *
   * @param attributes the attributes
   * @return at most {@link FrameLayout#MAX_ATTRIBUTE_BYTES} bytes, none if there is only a tag
   * @throws IllegalArgumentException if they do not fit
   */
  public static byte[] write(ArrayAttributes attributes) {
    if (!attributes.hasBody()) {
      return new byte[0];
    }
    Attributes.Builder body =
        Attributes.newBuilder().setMetadata(ByteString.copyFrom(attributes.metadata()));
    for (long dimension : attributes.shape()) {
      body.addShape(dimension);
    }
    byte[] bytes = body.build().toByteArray();
    if (bytes.length > FrameLayout.MAX_ATTRIBUTE_BYTES) {
      throw new IllegalArgumentException(
          "shape and metadata are too large together (bytes="
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
   * @throws MalformedPayloadException if the bytes are not a body, or hold impossible values
   */
  public static ArrayAttributes read(long tag, byte[] bytes) throws MalformedPayloadException {
    try {
      Attributes body = Attributes.parseFrom(bytes);
      long[] shape = new long[body.getShapeCount()];
      for (int i = 0; i < shape.length; i++) {
        shape[i] = body.getShape(i);
      }
      return ArrayAttributes.of(tag, shape, body.getMetadata().toByteArray());
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      throw HandshakeMessage.malformed(
          "the attributes of an array are not what they must be: " + e.getMessage(), e);
    }
  }
}
