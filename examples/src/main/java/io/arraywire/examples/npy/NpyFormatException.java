package io.arraywire.examples.npy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A file is not a {@code .npy} file, is damaged, or holds what no primitive Java array can hold.
 * The text says what to do and carries every fact as {@code name=value}; {@link #facts()} carries
 * them as values.
 */
public final class NpyFormatException extends IOException {
  private static final long serialVersionUID = 1;

  private final transient Map<String, Object> facts;

  NpyFormatException(String text, Path file, Object... facts) {
    this(text, asMap(file, facts));
  }

  private NpyFormatException(String text, Map<String, Object> facts) {
    super(text + " " + asText(facts));
    this.facts = facts;
  }

  /**
   * The facts in the text, by name and in order; the first is {@code file}.
   *
   * @return an unmodifiable map; empty after serialization
   */
  public Map<String, Object> facts() {
    return facts == null ? Map.of() : facts;
  }

  private static Map<String, Object> asMap(Path file, Object[] facts) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("file", file);
    for (int i = 0; i + 1 < facts.length; i += 2) {
      map.put(String.valueOf(facts[i]), facts[i + 1]);
    }
    return Collections.unmodifiableMap(map);
  }

  private static String asText(Map<String, Object> facts) {
    StringBuilder text = new StringBuilder("(");
    facts.forEach((name, value) ->
        text.append(text.length() == 1 ? "" : ", ").append(name).append('=').append(value));
    return text.append(')').toString();
  }
}
