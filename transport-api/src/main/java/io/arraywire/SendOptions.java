package io.arraywire;

import io.arraywire.message.Message;
import io.arraywire.spi.MessageText;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How one array is sent. Immutable.
 *
 * @param attributes tag, shape and metadata for the receiver
 * @param delivery what must have happened when the send is reported done
 * @param timeout how long {@link ArrayOutput#send} waits for that at most; null for no such limit.
 *     Calls that do not wait refuse options with a timeout
 * @param codec the name of the codec that encodes the array; null for the connection's first that
 *     supports its element type
 */
public record SendOptions(
    ArrayAttributes attributes,
    Delivery delivery,
    @Nullable Duration timeout,
    @Nullable String codec) {
  private static final SendOptions HANDED_OFF =
      new SendOptions(ArrayAttributes.NONE, Delivery.HANDED_OFF);
  private static final SendOptions PROCESSED =
      new SendOptions(ArrayAttributes.NONE, Delivery.PROCESSED);

  private static final SendOptions SESSION =
      new SendOptions(ArrayAttributes.NONE, Delivery.SESSION);

  /** Checks its parts. */
  public SendOptions {
    Objects.requireNonNull(attributes, "attributes");
    Objects.requireNonNull(delivery, "delivery");
    if (timeout != null) {
      OptionRange.positive("timeout", timeout);
    }
  }

  /**
   * Options without a timeout, and without a codec of their own.
   *
   * @param attributes tag, shape and metadata for the receiver
   * @param delivery what must have happened when the send is reported done
   */
  public SendOptions(ArrayAttributes attributes, Delivery delivery) {
    this(attributes, delivery, null, null);
  }

  /**
   * What every method without options uses: {@link Delivery#HANDED_OFF}, no attributes, no timeout.
   *
   * <p>Every way of sending supports this delivery, in plain mode too, and it costs no round trip.
   * An orderly {@link Connection#close()} waits for the far side all the same. Take {@link
   * #processed()} where a failure of the far side's handler has to be known.
   *
   * @return the defaults
   */
  public static SendOptions defaults() {
    return HANDED_OFF;
  }

  /**
   * Done when the kernel took it.
   *
   * @return options without attributes
   */
  public static SendOptions handedOff() {
    return HANDED_OFF;
  }

  /**
   * Done when the far side has processed it.
   *
   * @return options without attributes
   */
  public static SendOptions processed() {
    return PROCESSED;
  }

  /**
   * Done when the far side has processed it, over another connection if this one breaks.
   *
   * @return options without attributes
   */
  public static SendOptions session() {
    return SESSION;
  }

  /**
   * The same delivery with a tag.
   *
   * @param tag the caller's number for the array
   * @return new options
   */
  public SendOptions tag(long tag) {
    return attributes(attributes.withTag(tag));
  }

  /**
   * The same delivery with a shape.
   *
   * @param shape the dimensions, outermost first; they must multiply to the number of elements sent
   * @return new options
   */
  public SendOptions shape(long... shape) {
    return attributes(attributes.withShape(shape));
  }

  /**
   * The same delivery with a string beside the array.
   *
   * @param key what it is, such as {@code unit}
   * @param value the string
   * @return new options
   * @throws IllegalArgumentException if that exceeds a limit of {@link ArrayAttributes#of(long,
   *     long[], java.util.Map)}
   */
  public SendOptions metadata(String key, String value) {
    return attributes(attributes.with(key, value));
  }

  /**
   * The same with a deadline for {@link ArrayOutput#send} as a whole. It covers the wait in the
   * queue, the transfer and, if the delivery includes it, the handler at the far side. Without a
   * deadline the array only has to make progress until it has left whole; see {@link
   * TransportOptions#sendTimeout()}.
   *
   * <p>Only {@code send}: {@link ArrayOutput#sendAsync}, {@link ArrayOutput#offer} and {@link
   * ArrayFlows#subscriber} refuse options with a timeout with {@link IllegalArgumentException}. A
   * stage of {@code sendAsync} has {@code orTimeout}, which ends the wait, but does not withdraw
   * the array.
   *
   * @param timeout more than zero; null for none
   * @return new options
   */
  public SendOptions timeout(@Nullable Duration timeout) {
    return new SendOptions(attributes, delivery, timeout, codec);
  }

  /**
   * The same with another delivery.
   *
   * @param delivery what must have happened when the send is reported done
   * @return new options
   */
  public SendOptions delivery(Delivery delivery) {
    return new SendOptions(attributes, delivery, timeout, codec);
  }

  /**
   * The same with a codec for this array: one of {@link Agreement#codecs()}, which the peer can
   * decode. A send refuses any other codec with {@link IllegalArgumentException} before a byte
   * leaves. It also refuses a codec that does not support the array's element type, or that plain
   * mode does not have. If a session continues over a connection without that codec, the array is
   * encoded as it would be without this option.
   *
   * <p>In a message of several parts the codec encodes the parts that {@linkplain Message#codec
   * name none} and whose type it supports; the others travel {@code raw-le}. Such a message takes
   * {@code raw-le}, {@code raw-be} or a codec of an encoding in blocks. A send is refused if none
   * of these parts has a type that the codec supports.
   *
   * @param codec the {@linkplain io.arraywire.spi.Codec#name() name} of the codec, for example
   *     {@code protobuf}; null for the connection's choice
   * @return new options
   */
  public SendOptions codec(@Nullable String codec) {
    return new SendOptions(attributes, delivery, timeout, codec);
  }

  /**
   * The same with other attributes.
   *
   * @param others tag, shape and metadata for the receiver
   * @return new options
   */
  public SendOptions attributes(ArrayAttributes others) {
    return new SendOptions(others, delivery, timeout, codec);
  }

  /** The same for a message, which has its own attributes. */
  SendOptions of(Message message) {
    ArrayAttributes others = ofMessage(message, attributes);
    if (others.parts() != null) {
      return SentMessage.of(message, others).options(this, others);
    }
    return others.equals(attributes) ? this : attributes(others);
  }

  /** Whether others are the same, but perhaps for their attributes. */
  boolean isLike(SendOptions others) {
    return delivery == others.delivery
        && Objects.equals(timeout, others.timeout)
        && Objects.equals(codec, others.codec);
  }

  /** The attributes of a message, where the options have none. */
  static ArrayAttributes ofMessage(Message message, ArrayAttributes given) {
    if (!given.equals(ArrayAttributes.NONE)) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "a message has its own tag, shapes and strings; set them there",
              "options",
              given,
              "message",
              message));
    }
    return message.toAttributes();
  }
}
