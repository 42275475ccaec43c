package io.arraywire.engine;

import io.arraywire.ProtocolException;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Reads what stands between the header of an array and its elements. A message of parts whose table
 * came before makes no garbage. Functions; the reading thread's.
 */
final class AttributesReader {
  private AttributesReader() {}

  /** They follow the header that was read. */
  static void follow(FrameReader in) {
    int bytes = in.header.attributeBytes;
    if (ArrayChecks.hasTable(in.header)) {
      in.state = Inbound.State.ATTRIBUTES;
      in.small = in.takeScratch().blocks().room(bytes);
    } else {
      in.expect(Inbound.State.ATTRIBUTES, bytes);
    }
  }

  /** They have come whole. */
  static ArrayEnvelope read(FrameReader in) throws ProtocolException {
    if (!ArrayChecks.hasTable(in.header)) {
      byte[] body = in.gathered();
      in.checksum().update(body);
      return AttributesBody.readEnvelope(in.header, body, in);
    }
    ByteBuffer came = in.small.flip().order(ByteOrder.LITTLE_ENDIAN);
    in.takeScratch().blocks().keepRoom(came);
    FrameScratch.update(in.checksum(), came, came.limit());
    KnownTables tables = in.tables;
    @Nullable ArrayEnvelope known = tables == null ? null : tables.find(in.header, came);
    if (known != null) {
      return known;
    }
    byte[] body = new byte[came.limit()];
    came.get(body);
    ArrayEnvelope read = AttributesBody.readEnvelope(in.header, body, in);
    if (tables == null) {
      tables = new KnownTables();
      in.tables = tables;
    }
    tables.keep(in.header, body, read);
    return read;
  }
}
