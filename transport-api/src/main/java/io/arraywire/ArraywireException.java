package io.arraywire;

import io.arraywire.spi.MessageText;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failure of a transfer or of a connection. {@link #code()} says what went wrong, the subclass
 * what to do about it.
 *
 * <p>The message is one line of fewer than 300 characters: what happened, then the facts as {@code
 * name=value}. If a peer, a path or a cause has more to say than there is room for, its value is
 * cut with {@code ...}; {@link #facts()} carries every value whole, and {@link #details()} adds
 * what was known of the connection. Control characters in a message are replaced.
 *
 * <p>A blocking call throws an exception with the stack of that call. If another thread found the
 * failure, for all callers of a connection, its exception is the cause and has the same class and
 * text. A stage completes with an exception of its own, made by the thread that found the failure.
 * The {@code ExecutionException} that {@code get()} throws has the caller's stack.
 */
public class ArraywireException extends IOException {
  private static final long serialVersionUID = 2;

  private final ErrorCode code;
  private final String text;
  private final transient Object[] namesAndValues;
  private String more = "";
  private boolean refusal;
  private @Nullable ArraywireException told;

  /**
   * Makes a failure.
   *
   * @param code its code, which is also what the peer is told
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn, for example {@code "declared", 5, "limit", 4}; of a
   *     value that is a {@code Throwable} the message has the text, not the class
   */
  public ArraywireException(ErrorCode code, String text, Object... facts) {
    super(MessageText.brief(text, facts));
    this.code = code;
    this.text = text;
    namesAndValues = facts.clone();
  }

  /**
   * Makes an exception for a handler to throw that refuses an array or a request on purpose. The
   * other side is told this message and nothing else, and fails with {@link
   * RemoteRejectedException} ({@link ErrorCode#REJECTED}). Any other exception of a handler counts
   * as a bug. The other side is told its message and a number, and this side logs its stack under
   * that number, as a warning. A refusal is logged without a stack, and at level INFO only.
   *
   * @param reason why, for people at the other side
   * @param facts names and values in turn, which they see, too
   * @return the exception, to throw or to give to {@link Reply#fail(Throwable)}
   */
  public static ArraywireException refusal(String reason, Object... facts) {
    ArraywireException made = new ArraywireException(ErrorCode.REJECTED, reason, facts);
    made.refusal = true;
    return made;
  }

  /**
   * Whether {@link #refusal} made it. For transports.
   *
   * @return true for a refusal on purpose
   */
  public final boolean isRefusal() {
    return refusal;
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
   * The facts in the text, by name and in order, each whole.
   *
   * @return an unmodifiable map; empty after serialization
   */
  public Map<String, Object> facts() {
    Object[] facts = rawFacts();
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i + 1 < facts.length; i += 2) {
      map.put(String.valueOf(facts[i]), facts[i + 1]);
    }
    return Collections.unmodifiableMap(map);
  }

  /**
   * The whole message and, where that helps, what {@link Connection#describe()} returned when the
   * connection failed. For a log or a bug report; of any length, without control characters.
   *
   * @return one line, in no fixed format
   */
  public String details() {
    String whole = MessageText.whole(text, rawFacts());
    return more.isEmpty() ? whole : whole + "; " + more;
  }

  /**
   * Names the handler that may have caused a timeout. It was itself waiting, in {@code send} or for
   * a stage, while further arrays of its connection waited for it to return. If the far side waited
   * until one of these was processed, each side waited for the other.
   *
   * @return the handler's class and its channel; empty if there was none, and after serialization
   */
  public Optional<String> waitingHandler() {
    return Optional.ofNullable(facts().get("waitingHandler")).map(String::valueOf);
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

  /**
   * Sets what {@link #details()} adds to the message. For code that makes exceptions.
   *
   * @param description what was known of the connection
   * @return this
   */
  public ArraywireException describing(String description) {
    more = MessageText.printable(description);
    return this;
  }

  /**
   * Sets the failure that the peer is told in place of this one, if this one has details that a
   * stranger should not see. For transports.
   *
   * @param words the peer's version of it
   * @return this
   */
  public final ArraywireException telling(ArraywireException words) {
    told = words;
    return this;
  }

  /**
   * The failure as the peer is told it. For transports.
   *
   * @return what {@link #telling} has set, or this
   */
  public final ArraywireException told() {
    return told == null ? this : told;
  }

  /**
   * The same failure for one caller. It is a new exception of the same class, code, text and facts,
   * with this one as its cause. It has the stack of the calling thread. For transports: what one
   * thread found is thrown by the calls of many, and none of them gets an exception that another
   * one may change.
   *
   * <p>For a subclass of your own it makes an exception of the nearest superclass that is
   * Arraywire's.
   *
   * @return an exception to throw at once
   */
  public final ArraywireException forCaller() {
    ArraywireException own = Reproduction.of(this);
    own.more = more;
    own.initCause(this);
    return own;
  }

  final String rawText() {
    return text;
  }

  final Object[] rawFacts() {
    return namesAndValues == null ? new Object[0] : namesAndValues;
  }
}
