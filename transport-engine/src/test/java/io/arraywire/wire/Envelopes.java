package io.arraywire.wire;

import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameType;

/** Reads what goes with arrays, as a peer does that decodes no encoding in blocks. */
public final class Envelopes {
  private Envelopes() {}

  /** Of an array whose number of elements is not known. */
  public static ArrayEnvelope read(long tag, byte[] body) throws ProtocolException {
    FrameHeader header = new FrameHeader().clear(FrameType.ARRAY);
    header.elementType = 1;
    header.count = -1;
    header.tag = tag;
    header.attributeBytes = body.length;
    return read(header, body);
  }

  /** Of an array with a header. */
  public static ArrayEnvelope read(FrameHeader header, byte[] body) throws ProtocolException {
    return AttributesBody.readEnvelope(header, body, code -> null);
  }
}
