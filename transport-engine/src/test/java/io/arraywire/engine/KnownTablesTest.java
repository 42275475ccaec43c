package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameType;
import io.arraywire.message.Message;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tables are kept within a limit, whatever a peer sends. */
class KnownTablesTest {
  private static Message message(String name, int parts) {
    Message message = Message.of(name, new byte[8]);
    for (int i = 1; i < parts; i++) {
      message = message.with(name + i, new byte[8]);
    }
    return message;
  }

  private static FrameHeader header(int channel, Message message) {
    FrameHeader header = new FrameHeader().clear(FrameType.ARRAY);
    header.channel = channel;
    header.count = 8L * message.parts().size();
    header.arrayBytes = header.count;
    return header;
  }

  private static byte[] body(Message message) {
    return AttributesBody.write(message.toAttributes());
  }

  private static ArrayEnvelope keep(KnownTables tables, int channel, Message message)
      throws Exception {
    FrameHeader header = header(channel, message);
    ArrayEnvelope read = AttributesBody.readEnvelope(header, body(message), code -> null);
    tables.keep(header, body(message), read);
    return read;
  }

  private static ArrayAttributes found(KnownTables tables, int channel, Message message) {
    ByteBuffer body = ByteBuffer.wrap(body(message)).order(ByteOrder.LITTLE_ENDIAN);
    ArrayEnvelope known = tables.find(header(channel, message), body);
    return known == null ? ArrayAttributes.NONE : known.attributes();
  }

  @Test
  void eachChannelHasItsLast() throws Exception {
    KnownTables tables = new KnownTables();
    Message first = message("first", 3);
    Message second = message("second", 3);
    ArrayEnvelope ofFirst = keep(tables, 0, first);
    ArrayEnvelope ofSecond = keep(tables, 1, second);
    assertThat(found(tables, 0, first)).isSameAs(ofFirst.attributes());
    assertThat(found(tables, 1, second)).isSameAs(ofSecond.attributes());
    assertThat(found(tables, 0, second)).isSameAs(ArrayAttributes.NONE);
    keep(tables, 0, second);
    assertThat(found(tables, 0, first)).isSameAs(ArrayAttributes.NONE);
    assertThat(Objects.requireNonNull(found(tables, 0, second).parts()).names())
        .containsExactly("second", "second1", "second2");
  }

  @Test
  void allTogetherTakeNoMoreThanTheirLimit() throws Exception {
    KnownTables tables = new KnownTables();
    for (int round = 0; round < 3; round++) {
      for (int channel = 0; channel < 64; channel++) {
        keep(tables, channel, message("part" + round, 1 + 17 * (channel % 16)));
        assertThat(tables.heapBytes()).isBetween(1, KnownTables.MOST_HEAP_BYTES);
      }
    }
  }

  /** The largest table that there is goes its way, and leaves the others known. */
  @Test
  void whatIsTooLargeIsNotKept() throws Exception {
    KnownTables tables = new KnownTables();
    Message small = message("small", 2);
    ArrayEnvelope kept = keep(tables, 0, small);
    int before = tables.heapBytes();
    Message large = message("a part with a name of forty bytes", Message.MAX_PARTS);
    keep(tables, 0, large);
    keep(tables, 1, large);
    assertThat(tables.heapBytes()).isEqualTo(before);
    assertThat(found(tables, 0, small)).isSameAs(kept.attributes());
    assertThat(found(tables, 1, large)).isSameAs(ArrayAttributes.NONE);
  }
}
