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

/**
 * The request with which a sender asks what a receiver has of a file: its name and type as
 * attributes, its shape as elements.
 *
 * @param name the name under which it travels
 * @param header type and shape; the byte order is that of received files
 */
record ResumeQuestion(TravelName name, NpyHeader header) {
  /** The key of an array's metadata that says how many elements before it the receiver has. */
  static final String FROM = "resume-from";

  private static final String TYPE = "type";

  /** Of a file that is to be sent. */
  static ResumeQuestion of(TravelName name, NpyHeader header) {
    return new ResumeQuestion(
        name, new NpyHeader(NpyDtype.of(header.dtype().type()), header.shape()));
  }

  Message toMessage() {
    return Message.of(header.dimensions())
        .attribute(TravelName.KEY, name.toString())
        .attribute(TYPE, header.dtype().type().typeName());
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
    if (name == null
        || type == null
        || request.header().attributes().parts() != null
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
              TravelName.parse(name), new NpyHeader(NpyDtype.of(ElementType.named(type)), shape));
      long unused = Math.addExact(question.first(), question.bytes());
      return question;
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw notUnderstood();
    }
  }

  private static ArraywireException notUnderstood() {
    return ArraywireException.refusal("the question about a file is not understood");
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

  /** The digest of so many of them. */
  String digest(FileChannel file, long elements) throws IOException {
    return ElementDigest.of(file, first(), elements * header.dtype().type().bytes(), 1, false);
  }
}
