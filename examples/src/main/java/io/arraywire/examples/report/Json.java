package io.arraywire.examples.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON (RFC 8259), on one line and in ASCII, so that no terminal or pipe can garble it.
 *
 * <p>Takes null, strings, booleans, numbers, {@code long[]}, lists and maps with string keys;
 * anything else by its {@link Object#toString}. A number that is not finite, which JSON does not
 * have, becomes null: the value is not known.
 */
public final class Json {
  private Json() {}

  /**
   * An object with its members in the order given.
   *
   * @param namesAndValues names and values in turn
   * @return the members, to be given to {@link #text} or put into another object
   */
  public static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    for (int i = 0; i + 1 < namesAndValues.length; i += 2) {
      members.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return members;
  }

  /**
   * A value as JSON.
   *
   * @param value any of the kinds named above
   * @return the text, without a line break
   */
  public static String text(@Nullable Object value) {
    StringBuilder text = new StringBuilder();
    append(text, value);
    return text.toString();
  }

  private static void append(StringBuilder text, @Nullable Object value) {
    if (value == null
        || (value instanceof Double number && !Double.isFinite(number))
        || (value instanceof Float real && !Float.isFinite(real))) {
      text.append("null");
    } else if (value instanceof Boolean || value instanceof Number) {
      text.append(value);
    } else if (value instanceof long[] numbers) {
      appendAll(text, java.util.Arrays.stream(numbers).boxed().toList());
    } else if (value instanceof List<?> list) {
      appendAll(text, list);
    } else if (value instanceof Map<?, ?> map) {
      text.append('{');
      String separator = "";
      for (Map.Entry<?, ?> member : map.entrySet()) {
        text.append(separator);
        quote(text, String.valueOf(member.getKey()));
        text.append(':');
        append(text, member.getValue());
        separator = ",";
      }
      text.append('}');
    } else {
      quote(text, value.toString());
    }
  }

  private static void appendAll(StringBuilder text, List<?> values) {
    text.append('[');
    for (int i = 0; i < values.size(); i++) {
      text.append(i == 0 ? "" : ",");
      append(text, values.get(i));
    }
    text.append(']');
  }

  private static void quote(StringBuilder text, String string) {
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
