package io.arraywire.message;

import io.arraywire.spi.MessageText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The strings that go with a message: their limits, and the bytes of their section. Stateless; any
 * thread.
 */
public final class AttributeStrings {
  /** The entries of no attributes. */
  static final byte[] NONE = {};

  private AttributeStrings() {}

  /** Checks a key or a value. */
  static void checkLength(String what, String text, int least, int most) {
    int bytes = Utf8.bytes(text);
    if (bytes < 0) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the "
                  + what
                  + " of an attribute must be whole characters, without half of a"
                  + " surrogate pair",
              what,
              text));
    }
    if (bytes < least || bytes > most) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the "
                  + what
                  + " of an attribute must have "
                  + least
                  + " to "
                  + most
                  + " bytes; put"
                  + " long texts into a byte[] part",
              what,
              text,
              "bytes",
              bytes,
              "limit",
              most));
    }
  }

  /** The entries of a section of strings, zeros included. */
  static byte[] section(Map<String, String> attributes) {
    if (attributes.isEmpty()) {
      return NONE;
    }
    int text = 0;
    List<byte[]> all = new ArrayList<>(2 * attributes.size());
    for (Map.Entry<String, String> entry : attributes.entrySet()) {
      all.add(entry.getKey().getBytes(StandardCharsets.UTF_8));
      all.add(entry.getValue().getBytes(StandardCharsets.UTF_8));
    }
    for (byte[] bytes : all) {
      text += bytes.length;
    }
    if (text > Message.MAX_ATTRIBUTE_BYTES) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "keys and values of a message's attributes take too many bytes together; put long"
                  + " texts into a byte[] part",
              "bytes",
              text,
              "limit",
              Message.MAX_ATTRIBUTE_BYTES));
    }
    byte[] section =
        new byte[MessageLayout.padded(text + MessageLayout.STRING_HEAD_BYTES * attributes.size())];
    int at = 0;
    for (int i = 0; i < all.size(); i += 2) {
      for (int k = i; k < i + 2; k++) {
        section[at++] = (byte) all.get(k).length;
        section[at++] = (byte) (all.get(k).length >> 8);
      }
      for (int k = i; k < i + 2; k++) {
        System.arraycopy(all.get(k), 0, section, at, all.get(k).length);
        at += all.get(k).length;
      }
    }
    return section;
  }

  /**
   * Checks strings against the limits of {@link Message}.
   *
   * @param strings keys and values
   * @return a copy in the same order, which nobody can change
   * @throws IllegalArgumentException if there are too many or they are too long
   */
  public static Map<String, String> checked(Map<String, String> strings) {
    if (strings.isEmpty()) {
      return Map.of();
    }
    if (strings.size() > Message.MAX_ATTRIBUTES) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "too many strings in the metadata; put several values into one, or send a part",
              "strings",
              strings.size(),
              "limit",
              Message.MAX_ATTRIBUTES));
    }
    Map<String, String> copy = new LinkedHashMap<>(strings);
    copy.forEach((key, value) -> {
      checkLength("key", key, 1, Message.MAX_KEY_BYTES);
      checkLength("value", value, 0, Message.MAX_VALUE_BYTES);
    });
    return Collections.unmodifiableMap(copy);
  }

  /**
   * The size of the strings in their section.
   *
   * @param strings that were checked
   * @return bytes, without the head; 0 if there are none
   * @throws IllegalArgumentException if they take too many together
   */
  public static int bytes(Map<String, String> strings) {
    return strings.isEmpty() ? 0 : section(strings).length;
  }
}
