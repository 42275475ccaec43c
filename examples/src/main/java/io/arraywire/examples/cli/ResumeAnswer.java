package io.arraywire.examples.cli;

import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.ReceivedArray;
import io.arraywire.message.Message;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a receiver has of a file.
 *
 * @param state how much
 * @param elements how many elements, from the first
 * @param sha256 their {@linkplain ElementDigest digest}, or null where there are none
 */
record ResumeAnswer(State state, long elements, @Nullable String sha256) {

  /** How much a receiver has. */
  enum State {
    /** Nothing of a file of that name. */
    NOTHING,
    /** Some elements of a file of that name, type and shape. */
    PART,
    /** A whole file of that name, type and shape. */
    WHOLE,
    /** A part of a file of that name, and another type or shape. */
    OTHER_PART,
    /** A whole file of that name, and another type or shape. */
    OTHER_WHOLE,
    /** Another sender has what is kept of that name. */
    BUSY;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private static final String STATE = "state";
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  /** One without elements. */
  ResumeAnswer(State state) {
    this(state, 0, null);
  }

  Message toMessage() {
    Message message = Message.of(new long[] {elements}).attribute(STATE, state.toString());
    return sha256 == null ? message : message.attribute(ElementDigest.KEY, sha256);
  }

  /**
   * Reads the reply of a receiver.
   *
   * @param count how many elements the file has that was asked for
   * @throws ProtocolException if it is not an answer to that
   */
  static ResumeAnswer parse(ReceivedArray reply, long count) throws ProtocolException {
    Map<String, String> said = reply.header().attributes().metadata();
    State state =
        Arrays.stream(State.values())
            .filter(each -> each.toString().equals(said.get(STATE)))
            .findFirst()
            .orElse(null);
    if (state == null
        || reply.header().attributes().parts() != null
        || reply.type() != ElementType.LONG
        || reply.count() != 1) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "the receiver's answer about the file is not understood; leave out --resume");
    }
    long elements = reply.longs()[0];
    boolean some = state == State.PART || state == State.WHOLE;
    if (elements < 0
        || elements > count
        || (state == State.PART && elements == 0)
        || (state == State.WHOLE && elements != count)
        || (!some && elements != 0)) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "the receiver cannot have so many elements of the file; leave out --resume",
          "state",
          state,
          "elements",
          elements,
          "fileElements",
          count);
    }
    String sha256 = said.get(ElementDigest.KEY);
    if (some && (sha256 == null || !SHA256.matcher(sha256).matches())) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "the receiver's answer has no SHA-256 of what it has of the file; leave out --resume",
          "elements",
          elements);
    }
    return new ResumeAnswer(state, elements, some ? sha256 : null);
  }
}
