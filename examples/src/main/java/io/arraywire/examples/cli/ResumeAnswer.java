package io.arraywire.examples.cli;

import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.ReceivedArray;
import io.arraywire.message.Message;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/**
 * What a receiver has of a file. Asked how the sender's file begins, it has a part or the whole
 * only if that begins so.
 *
 * @param state how much
 * @param elements how many elements, from the first
 */
record ResumeAnswer(State state, long elements) {

  /** How much a receiver has. */
  enum State {
    /** Nothing of a file of that name. */
    NOTHING,
    /** Some elements of a file of that name, type and shape. */
    PART,
    /** A whole file of that name, type and shape. */
    WHOLE,
    /** A part of another file of that name. */
    OTHER_PART,
    /** Another whole file of that name. */
    OTHER_WHOLE,
    /** Not known yet: another sender has what is kept, or others have theirs compared. */
    BUSY;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private static final String STATE = "state";

  /** One without elements. */
  ResumeAnswer(State state) {
    this(state, 0);
  }

  Message toMessage() {
    return Message.of(new long[] {elements}).attribute(STATE, state.toString());
  }

  /**
   * Reads the reply of a receiver.
   *
   * @throws ProtocolException if it is not an answer to the question
   */
  static ResumeAnswer parse(ReceivedArray reply, ResumeQuestion question) throws ProtocolException {
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
      throw notUnderstood();
    }
    long count = question.header().count();
    long elements = reply.longs()[0];
    boolean some = state == State.PART || state == State.WHOLE;
    if (elements < 0
        || elements > count
        || (state == State.PART && elements == 0)
        || (state == State.WHOLE && elements != count)
        || (!some && elements != 0)
        || (some && question.head() != null && elements != question.head().elements())) {
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
    return new ResumeAnswer(state, elements);
  }

  /** An answer to another question, or none. */
  static ProtocolException notUnderstood() {
    return new ProtocolException(
        ErrorCode.PROTOCOL_VIOLATION,
        "the receiver's answer about the file is not understood; leave out --resume");
  }
}
