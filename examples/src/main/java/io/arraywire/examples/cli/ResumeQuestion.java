package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.ReceivedArray;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import io.arraywire.message.Message;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The request with which a sender asks what a receiver has of a file: its name and type as
 * attributes, its shape as elements. A second one says what the beginning of the sender's file is,
 * and the receiver compares: so it tells nobody what its files hold.
 *
 * @param name the name under which it travels
 * @param header type and shape; the byte order is that of received files
 * @param head the beginning of the sender's file; null to ask how much of it there is
 */
record ResumeQuestion(TravelName name, NpyHeader header, @Nullable Head head) {
  /** The key of an array's metadata that says how many elements before it the receiver has. */
  static final String FROM = "resume-from";

  /** Refuses a request that asks about no file: it is meant for another server. */
  static final String NO_QUESTION =
      "this is 'arraywire receive', which takes arrays and answers no requests; send the array,"
          + " or connect to a program that has a request handler";

  private static final String TYPE = "type";
  private static final String ELEMENTS = "elements";
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  /**
   * The beginning of a file.
   *
   * @param elements how many elements
   * @param sha256 their {@linkplain ElementDigest digest}
   */
  record Head(long elements, String sha256) {}

  /** How much there is of a file. */
  static ResumeQuestion of(TravelName name, NpyHeader header) {
    return new ResumeQuestion(
        name, new NpyHeader(NpyDtype.of(header.dtype().type()), header.shape()), null);
  }

  /** Whether what there is begins so. */
  ResumeQuestion with(Head beginning) {
    return new ResumeQuestion(name, header, beginning);
  }

  /** Whether another question is about the same file. */
  boolean isAboutThatOf(ResumeQuestion other) {
    return name.equals(other.name) && header.equals(other.header);
  }

  Message toMessage() {
    Message message =
        Message.of(header.dimensions())
            .attribute(TravelName.KEY, name.toString())
            .attribute(TYPE, header.dtype().type().typeName());
    return head == null
        ? message
        : message
            .attribute(ELEMENTS, Long.toString(head.elements))
            .attribute(ElementDigest.KEY, head.sha256);
  }

  /**
   * Reads a request.
   *
   * @throws RefusedNameException if the name could be anything but a file below the directory
   * @throws ArraywireException a refusal, if it is no such question
   */
  static ResumeQuestion parse(ReceivedArray request) throws IOException {
    Map<String, String> asked = request.header().attributes().metadata();
    String name = asked.get(TravelName.KEY);
    String type = asked.get(TYPE);
    if (name == null || type == null) {
      throw ArraywireException.refusal(NO_QUESTION);
    }
    if (request.header().attributes().parts() != null
        || request.type() != ElementType.LONG
        || request.count() > NpyHeader.MAX_DIMENSIONS) {
      throw notUnderstood();
    }
    List<Long> shape = new ArrayList<>();
    for (long dimension : request.longs()) {
      if (dimension < 0) {
        throw notUnderstood();
      }
      shape.add(dimension);
    }
    try {
      ResumeQuestion question =
          new ResumeQuestion(
              TravelName.parse(name),
              new NpyHeader(NpyDtype.of(ElementType.named(type)), shape),
              head(asked));
      long unused = Math.addExact(question.first(), question.bytes());
      if (question.head != null && question.head.elements > question.header.count()) {
        throw notUnderstood();
      }
      return question;
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw notUnderstood();
    }
  }

  private static @Nullable Head head(Map<String, String> asked) throws ArraywireException {
    String elements = asked.get(ELEMENTS);
    String sha256 = asked.get(ElementDigest.KEY);
    if (elements == null && sha256 == null) {
      return null;
    }
    if (elements == null
        || sha256 == null
        || !NUMBER.matcher(elements).matches()
        || !SHA256.matcher(sha256).matches()) {
      throw notUnderstood();
    }
    return new Head(Long.parseLong(elements), sha256);
  }

  private static ArraywireException notUnderstood() {
    return ArraywireException.refusal(
        "the question about a file is not understood; 'arraywire send --resume' of another version"
            + " may have asked it");
  }

  /** The bytes of all its elements. */
  long bytes() {
    return Math.multiplyExact(header.count(), (long) header.dtype().type().bytes());
  }

  /** Where its first element lies in a received file. */
  long first() {
    return NpyWriter.headerBytes(header).remaining();
  }

  /** Whether the beginning of a file says that it is one of this type and shape. */
  boolean isBegunIn(FileChannel file) throws IOException {
    ByteBuffer wanted = NpyWriter.headerBytes(header);
    ByteBuffer found = ByteBuffer.allocate(wanted.remaining());
    while (found.hasRemaining() && file.read(found, found.position()) >= 0) {
      // A file that is shorter ends before.
    }
    return found.flip().equals(wanted);
  }

  /** How many whole elements a file has that is begun so; never more than all. */
  long elementsIn(FileChannel file) throws IOException {
    long bytes = Math.max(0, file.size() - first());
    return Math.min(header.count(), bytes / header.dtype().type().bytes());
  }

  /**
   * Whether a file that is begun so has the elements of the {@link Head}.
   *
   * @param unwanted whether nobody waits for that any more
   * @throws java.util.concurrent.CancellationException if so
   */
  boolean agrees(FileChannel file, Head beginning, BooleanSupplier unwanted) throws IOException {
    long bytes = beginning.elements * header.dtype().type().bytes();
    return ElementDigest.of(file, first(), bytes, 1, false, unwanted).equals(beginning.sha256);
  }
}
