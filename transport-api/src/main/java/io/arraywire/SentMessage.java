package io.arraywire;

import io.arraywire.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * What sending a message with a table of parts makes beside its attributes. Belongs to these, so a
 * message that is sent again makes nothing anew. Any thread: two that meet here make the same
 * twice.
 */
final class SentMessage {
  private final Message message;
  private @Nullable ArraySlice bytes;
  private @Nullable SendOptions options;

  SentMessage(Message message) {
    this.message = message;
  }

  /** That of a message with these attributes, which have a table. */
  @SuppressWarnings("ReferenceEquality") // It is the very same message that is meant.
  static SentMessage of(Message message, ArrayAttributes attributes) {
    if (attributes.sent instanceof SentMessage last && last.message == message) {
      return last;
    }
    SentMessage made = new SentMessage(message);
    attributes.sent = made;
    return made;
  }

  /** Stands for the bytes of all parts, so many. */
  ArraySlice bytes(int count) {
    ArraySlice made = bytes;
    if (made == null) {
      made = ArraySlice.ofParts(message, count);
      bytes = made;
    }
    return made;
  }

  /** The options of the caller with the attributes of the message, for which it left room. */
  SendOptions options(SendOptions given, ArrayAttributes attributes) {
    SendOptions made = options;
    if (made == null || !made.isLike(given)) {
      made = given.attributes(attributes);
      options = made;
    }
    return made;
  }
}
