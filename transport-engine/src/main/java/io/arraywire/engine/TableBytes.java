package io.arraywire.engine;

import io.arraywire.ArrayAttributes;
import io.arraywire.message.PartTable;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a message with a table, as bytes. A message that is sent again has the same,
 * also with another tag, which is in the header. Nobody changes the bytes. Immutable.
 */
final class TableBytes {
  private final PartTable table;
  private final Map<String, String> strings;
  final byte[] bytes;

  private TableBytes(PartTable table, Map<String, String> strings, byte[] bytes) {
    this.table = table;
    this.strings = strings;
    this.bytes = bytes;
  }

  /**
   * Those of attributes to which a connection adds nothing.
   *
   * @param last those that were sent before; null if there are none
   * @param table of the attributes
   */
  @SuppressWarnings("ReferenceEquality") // What is equal may have another order, and other bytes.
  static TableBytes of(@Nullable TableBytes last, ArrayAttributes attributes, PartTable table) {
    Map<String, String> strings = attributes.metadata();
    return last != null && last.table == table && last.strings == strings
        ? last
        : new TableBytes(table, strings, AttributesBody.write(ArrayEnvelope.of(attributes)));
  }
}
