package io.arraywire.engine;

import io.arraywire.ArrayAttributes;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.SendOptions;
import io.arraywire.message.Message;
import io.arraywire.message.Part;
import io.arraywire.message.PartTable;
import io.arraywire.source.ArraySource;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MessageText;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says what encodes each part of a message: the codec that it names, that of the options where that
 * has the type, or {@code raw-le}. A call that hands in a message asks once; from then on its table
 * says it. Functions, for any thread.
 */
final class MessageEncodings {
  private static final List<Encoding> RAW =
      List.of(Encoding.RAW_LITTLE_ENDIAN, Encoding.RAW_BIG_ENDIAN);

  private MessageEncodings() {}

  /**
   * The options of a message, whose table says how each part is encoded.
   *
   * @param codecs those that the peer decodes
   * @param options have a table of parts
   * @return the same options where all parts are as the table says already
   * @throws IllegalArgumentException if the peer does not decode what a part, the options or the
   *     table ask for, or the table is that of another message
   */
  static SendOptions encoded(SendCodecs codecs, ArraySource source, SendOptions options) {
    return encoded(codecs, PartsCodec.messageIn(source), options, false);
  }

  /**
   * The same for a message that was accepted for another peer: what this one does not decode is
   * sent raw.
   */
  static SendOptions lenient(SendCodecs codecs, ArraySource source, SendOptions options) {
    return encoded(codecs, PartsCodec.messageIn(source), options, true);
  }

  /** The same for a message whose table says it for another peer. */
  static SendOptions lenient(SendCodecs codecs, SendOptions options) {
    return encoded(codecs, null, options, true);
  }

  private static SendOptions encoded(
      SendCodecs codecs, @Nullable Message message, SendOptions options, boolean lenient) {
    PartTable table = table(options);
    checkSize(message, table);
    String name = options.codec();
    if (name == null && !table.hasBlocks() && !namesCodecs(message)) {
      return options;
    }
    Encoding all = name == null ? null : named(codecs, name, null, lenient);
    List<Encoding> encodings = new ArrayList<>(table.size());
    boolean asked = false;
    boolean used = false;
    for (int i = 0; i < table.size(); i++) {
      Part part = message == null ? null : message.parts().get(i);
      if (part != null && part.codec() != null) {
        encodings.add(ofPart(codecs, part, part.codec(), lenient));
        continue;
      }
      Encoding there = table.encodingOf(i);
      asked = true;
      if (all != null && (all.equals(there) || suits(all, table.typeOf(i), there, part != null))) {
        encodings.add(all);
        used = true;
      } else {
        encodings.add(agreed(codecs, there, lenient));
      }
    }
    if (all != null && asked && !used && !lenient) {
      throw codecs.refused(
          "none of the parts without a codec of their own has a type that the codec supports; name"
              + " another codec",
          all.name(),
          null,
          "parts",
          table);
    }
    PartTable encoded = table.withEncodings(encodings);
    // A receipt is not to say that a codec was named which the peer lacks.
    SendOptions kept = name != null && all == null ? options.codec(null) : options;
    return encoded.equals(table) ? kept : kept.attributes(with(kept, encoded));
  }

  private static void checkSize(@Nullable Message message, PartTable table) {
    if (message != null && message.parts().size() != table.size()) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the table in the attributes is not that of the message; take"
                  + " Message.toAttributes()",
              "partsOfMessage",
              message.parts().size(),
              "partsOfTable",
              table.size()));
    }
  }

  /** The attributes of options with another table. */
  static ArrayAttributes with(SendOptions options, PartTable table) {
    ArrayAttributes before = options.attributes();
    return ArrayAttributes.of(before.tag(), before.shape(), before.metadata(), table);
  }

  private static boolean namesCodecs(@Nullable Message message) {
    List<Part> parts = message == null ? List.of() : message.parts();
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).codec() != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a part that names no codec is encoded with that of the options. Where it is bytes, they
   * stay in their order.
   */
  private static boolean suits(Encoding all, ElementType type, Encoding there, boolean inArrays) {
    return all.supports(type)
        && !there.isInBlocks()
        && (inArrays || all.order().equals(there.order()));
  }

  private static Encoding ofPart(SendCodecs codecs, Part part, String name, boolean lenient) {
    Encoding encoding = named(codecs, name, part.name(), lenient);
    if (encoding != null && encoding.supports(part.type())) {
      return encoding;
    }
    if (lenient) {
      return Encoding.RAW_LITTLE_ENDIAN;
    }
    throw codecs.refused(
        "the codec of a part does not support its element type; name another codec",
        name,
        part.name(),
        "type",
        part.type().typeName());
  }

  /** The encoding of a name; null if it is not there, and that is no fault. */
  private static @Nullable Encoding named(
      SendCodecs codecs, String name, @Nullable String part, boolean lenient) {
    for (Encoding raw : RAW) {
      // Raw parts need no codec, so it is the name of the encoding that counts.
      if (raw.name().equals(name) && codecs.of(raw) != null) {
        return raw;
      }
    }
    Codec codec = lenient ? codecs.usable(name) : codecs.named(name, part);
    if (codec == null || SendCodecs.isRaw(codec.encoding()) || codec.encoding().isInBlocks()) {
      return codec == null ? null : codec.encoding();
    }
    if (lenient) {
      return null;
    }
    throw codecs.refused(
        "the parts of a message are raw-le, raw-be or in an encoding in blocks; name a codec of"
            + " one of these",
        name,
        part,
        "encoding",
        codec.encoding());
  }

  /** What the table says, if the peer decodes it. */
  private static Encoding agreed(SendCodecs codecs, Encoding there, boolean lenient) {
    if (!there.isInBlocks() || codecs.of(there) != null) {
      return there;
    }
    if (lenient) {
      return there.order().equals(ByteOrder.BIG_ENDIAN)
          ? Encoding.RAW_BIG_ENDIAN
          : Encoding.RAW_LITTLE_ENDIAN;
    }
    throw codecs.refused(there);
  }

  /**
   * What encodes a message.
   *
   * @param options what {@link #encoded} has made of them
   */
  static Codec codec(SendCodecs codecs, ArraySource source, SendOptions options) {
    PartTable table = table(options);
    if (!codecs.hasRaw()) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "messages of several parts are sent in raw-le, which the peer cannot decode here;"
                  + " give both sides a codec of it",
              "parts",
              table,
              "agreed",
              codecs.names()));
    }
    Message message = PartsCodec.messageIn(source);
    if (!table.hasBlocks() && (message == null || isLittleEndian(table))) {
      return PartsCodec.INSTANCE;
    }
    @Nullable Codec[] blocks = new Codec[table.size()];
    boolean[] asked = new boolean[blocks.length];
    for (int i = 0; i < blocks.length; i++) {
      if (table.encodingOf(i).isInBlocks()) {
        String own = message == null ? null : message.parts().get(i).codec();
        blocks[i] = blocks(codecs, own == null ? options.codec() : own, table.encodingOf(i));
        asked[i] = message == null || own != null || options.codec() != null;
      }
    }
    return PartsCodec.of(table, blocks, asked);
  }

  /** The codec of a name if it has an encoding; else the first that has it. */
  private static Codec blocks(SendCodecs codecs, @Nullable String name, Encoding encoding) {
    Codec named = name == null ? null : codecs.usable(name);
    return named != null && named.encoding().equals(encoding)
        ? named
        : Objects.requireNonNull(codecs.of(encoding), "an encoding that was not agreed");
  }

  private static boolean isLittleEndian(PartTable table) {
    for (int i = 0; i < table.size(); i++) {
      if (table.encodingOf(i).order().equals(ByteOrder.BIG_ENDIAN)) {
        return false;
      }
    }
    return true;
  }

  /** The table of a message's options. */
  static PartTable table(SendOptions options) {
    return Objects.requireNonNull(options.attributes().parts(), "parts");
  }
}
