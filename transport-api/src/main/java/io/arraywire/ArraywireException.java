package io.arraywire;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A failure of a transfer or of a connection. The subclass says what went wrong; the text carries
 * every fact as {@code name=value}, and {@link #facts()} carries the same facts as values.
 */
public class ArraywireException extends IOException {
  private static final long serialVersionUID = 1;

  private final ErrorCode code;
  private final transient Map<String, Object> facts;

  /**
   * Makes a failure.
   *
   * @param code its code, which is also what the peer is told
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn, for example {@code "declared", 5, "limit", 4}
   */
  public ArraywireException(ErrorCode code, String text, Object... facts) {
    super(withFacts(text, facts));
    this.code = code;
    this.facts = asMap(facts);
  }

  /**
   * The code of this kind of failure, the same on the wire.
   *
   * @return the code
   */
  public ErrorCode code() {
    return code;
  }

  /**
   * The facts in the text, by name and in order.
   *
   * @return an unmodifiable map; empty after serialization
   */
  public Map<String, Object> facts() {
    return facts == null ? Map.of() : facts;
  }

  /**
   * Sets the cause.
   *
   * @param cause what led to this failure, or null
   * @return this
   */
  public ArraywireException because(@Nullable Throwable cause) {
    if (cause != null) {
      initCause(cause);
    }
    return this;
  }

  private static String withFacts(String text, Object[] facts) {
    if (facts.length == 0) {
      return text;
    }
    StringBuilder all = new StringBuilder(text).append(" (");
    for (int i = 0; i + 1 < facts.length; i += 2) {
      all.append(i == 0 ? "" : ", ").append(facts[i]).append('=').append(facts[i + 1]);
    }
    return all.append(')').toString();
  }

  private static Map<String, Object> asMap(Object[] facts) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i + 1 < facts.length; i += 2) {
      map.put(String.valueOf(facts[i]), facts[i + 1]);
    }
    return Collections.unmodifiableMap(map);
  }
}
