package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameType;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Says which part of a connection understands which control frames. Each part registers for its
 * types; one table serves all connections, so an idle one does not pay for it.
 *
 * @param <C> the connection
 */
final class FrameTable<C> {
  private record Entry<C, P>(Function<C, P> part, FrameHandler<P> handler) {
    void frame(C connection, FrameHeader header, InboundChannel channel, byte[] body)
        throws ArraywireException {
      handler.frame(part.apply(connection), header, channel, body);
    }
  }

  private final Map<FrameType, Entry<C, ?>> entries = new EnumMap<>(FrameType.class);

  /** Has a part of each connection take frames of a type. */
  <P> FrameTable<C> on(FrameType type, Function<C, P> part, FrameHandler<P> handler) {
    entries.put(type, new Entry<>(part, handler));
    return this;
  }

  /** A frame has come. */
  void frame(C connection, FrameHeader header, InboundChannel channel, byte[] body)
      throws ArraywireException {
    Entry<C, ?> entry = entries.get(header.type);
    if (entry == null) {
      throw new IllegalStateException("nothing understands frames of type " + header.type);
    }
    entry.frame(connection, header, channel, body);
  }
}
