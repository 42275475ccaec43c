package io.arraywire.message;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MessageText;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What encodes each part of a message outside of a connection. Immutable. */
final class MessageCodecs {
  private static final Codec RAW = StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN);

  /** All parts little-endian. */
  static final MessageCodecs LITTLE_ENDIAN = new MessageCodecs(RAW, null);

  private final Codec all;
  private final Codec @Nullable [] each;

  private MessageCodecs(Codec all, Codec @Nullable [] each) {
    this.all = all;
    this.each = each;
  }

  /** One codec for all parts. */
  static MessageCodecs ofAll(Codec codec) {
    return new MessageCodecs(codec, null);
  }

  /**
   * The codecs of a message: that which a part names, or else that of the options where it has the
   * part's type, or else raw.
   *
   * @throws IllegalArgumentException if a part names one that is not there or does not have its
   *     type, or no part has a type of the options' encoding
   */
  static MessageCodecs of(Message message, MessageOptions options) {
    MessageCodecs given = options.codecs();
    Encoding encoding = given.all.encoding();
    if (!message.hasTable()) {
      ElementType only = message.parts().get(0).type();
      if (!encoding.supports(only)) {
        throw notSupported(encoding, only.typeName());
      }
      return given;
    }
    return encoding.isInBlocks() || nameCodecs(message.parts())
        ? new MessageCodecs(given.all, each(message.parts(), given.all))
        : given;
  }

  private static boolean nameCodecs(List<Part> parts) {
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).codec() != null) {
        return true;
      }
    }
    return false;
  }

  private static Codec[] each(List<Part> parts, Codec given) {
    Codec[] each = new Codec[parts.size()];
    boolean asked = false;
    boolean used = false;
    for (int i = 0; i < each.length; i++) {
      Part part = parts.get(i);
      String name = part.codec();
      if (name != null) {
        each[i] = named(part, name);
      } else {
        boolean has = given.encoding().supports(part.type());
        each[i] = has ? given : RAW;
        asked = true;
        used |= has;
      }
    }
    if (asked && !used) {
      throw notSupported(given.encoding(), parts.toString());
    }
    return each;
  }

  private static IllegalArgumentException notSupported(Encoding encoding, String types) {
    return new IllegalArgumentException(
        MessageText.brief(
            "the encoding does not have the element type; name another encoding",
            "encoding",
            encoding,
            "type",
            types));
  }

  private static Codec named(Part part, String name) {
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      Codec raw = StandardCodecs.raw(order);
      if (raw.name().equals(name)) {
        return raw;
      }
    }
    Codec codec = BlockCodecs.named(name);
    if (codec == null) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "no codec of that name is present for a part; name another one, or add the module"
                  + " that has it, such as arraywire-compression",
              "codec",
              name,
              "part",
              part.name(),
              "present",
              BlockCodecs.present()));
    }
    if (!codec.encoding().supports(part.type())) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the codec of a part does not have its element type; name another codec",
              "codec",
              name,
              "part",
              part.name(),
              "type",
              part.type().typeName()));
    }
    return codec;
  }

  /** The codec of a part. */
  Codec of(int part) {
    return each == null ? all : each[part];
  }

  /** The most bytes that the elements of a message take. */
  long mostBytes(Message message) {
    if (each == null && !all.encoding().isInBlocks()) {
      return message.payloadBytes();
    }
    long most = 0;
    for (int i = 0; i < message.parts().size(); i++) {
      Part part = message.parts().get(i);
      long bytes =
          of(i).encoding().isInBlocks()
              ? MessageBlocks.mostBytes(part.type(), part.count())
              : part.payloadBytes();
      most += message.hasTable() ? MessageLayout.padded(bytes) : bytes;
    }
    return most;
  }

  /** Whether the message may turn out smaller than its {@link #mostBytes}. */
  boolean hasBlocks() {
    if (each == null) {
      return all.encoding().isInBlocks();
    }
    for (Codec codec : each) {
      if (codec.encoding().isInBlocks()) {
        return true;
      }
    }
    return false;
  }
}
