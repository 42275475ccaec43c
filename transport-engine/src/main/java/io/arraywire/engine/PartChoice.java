package io.arraywire.engine;

import io.arraywire.Encoding;
import io.arraywire.SendOptions;
import io.arraywire.message.Message;
import io.arraywire.message.Part;
import io.arraywire.message.PartTable;
import io.arraywire.source.ArraySource;
import io.arraywire.spi.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks {@link BlockChoice} for the parts of a message, as it is asked for an array. Functions, for
 * any thread.
 */
final class PartChoice {
  private PartChoice() {}

  /**
   * The same options after a connection has chosen for those parts that are raw and were left to
   * it.
   *
   * @param arrays has what chooses, if anything does
   * @param channel which the message goes over
   * @param options what {@link MessageEncodings} has made of those of a message
   */
  static SendOptions chosen(
      ArrayWriter arrays, OutboundChannel channel, ArraySource source, SendOptions options) {
    BlockChoice choice = arrays.choice();
    Message message = choice == null ? null : PartsCodec.messageIn(source);
    if (choice == null || message == null || options.codec() != null || !arrays.codecs().hasRaw()) {
      return options;
    }
    PartTable table = MessageEncodings.table(options);
    @Nullable Encoding[] encodings = null;
    for (int i = 0; i < table.size(); i++) {
      Part part = message.parts().get(i);
      if (part.codec() == null && !table.encodingOf(i).isInBlocks()) {
        long bytes = (long) part.count() * part.type().bytes();
        Codec codec = choice.codec(BlockElements.figures(channel.id, i), part.type(), bytes);
        if (codec != null) {
          encodings = encodings == null ? new Encoding[table.size()] : encodings;
          encodings[i] = codec.encoding();
        }
      }
    }
    if (encodings == null) {
      return options;
    }
    List<Encoding> all = new ArrayList<>(encodings.length);
    for (int i = 0; i < encodings.length; i++) {
      all.add(Objects.requireNonNullElse(encodings[i], table.encodingOf(i)));
    }
    return options.attributes(MessageEncodings.with(options, table.withEncodings(all)));
  }
}
