package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.examples.cli.ResumeAnswer.State;
import io.arraywire.examples.cli.ResumeQuestion.Head;
import io.arraywire.examples.npy.PartFile;
import io.arraywire.examples.npy.PartInUseException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Answers what a store has of a file, and holds that for the connection that asked until it sends
 * the rest, asks again, or ends. So nobody else changes what was answered. Any thread.
 */
final class ResumeDesk implements RequestHandler {
  /** So many files are read at a time to compare them; each takes a thread and the disk. */
  static final int MOST = 8;

  /** What a sender is told that asks where nothing is kept. */
  static final String NO_FILES = "the receiver writes no files";

  private final ArrayStore store;
  private final long maxBytes;
  private final Semaphore readers = new Semaphore(MOST);
  private final Map<Connection, Kept> offers = new ConcurrentHashMap<>();

  /**
   * A part that one connection may write to.
   *
   * @param question what was asked
   * @param path where the part is kept
   * @param part its bytes
   * @param same how many of its elements are those of the sender's file, as a comparison has shown
   */
  record Kept(ResumeQuestion question, Path path, PartFile part, long same) {}

  /**
   * Makes one.
   *
   * @param store has the files
   * @param maxBytes the largest array that is taken, and so the largest file in pieces
   */
  ResumeDesk(ArrayStore store, long maxBytes) {
    this.store = store;
    this.maxBytes = maxBytes;
  }

  @Override
  public void onRequest(Connection connection, ReceivedArray request, Reply reply)
      throws ArraywireException {
    try {
      reply.send(answer(connection, ResumeQuestion.parse(request), reply).toMessage());
    } catch (CancellationException e) {
      // Its sender has gone: this ends the request, and tells nobody.
      reply.fail("nobody waits for the answer any more");
    } catch (RefusedNameException e) {
      throw e.forPeer();
    } catch (ArraywireException e) {
      throw e;
    } catch (IOException e) {
      // Its text names files here.
      throw ArraywireException.refusal("the receiver cannot read what it has of the file");
    }
  }

  private ResumeAnswer answer(Connection connection, ResumeQuestion question, Reply reply)
      throws IOException {
    if (!store.hasFiles()) {
      throw ArraywireException.refusal(NO_FILES);
    }
    Place place = store.place(question.name());
    Kept held = take(connection, question);
    if (Files.exists(place.asked(), LinkOption.NOFOLLOW_LINKS)) {
      if (held != null) {
        release(held);
      }
      return whole(question, place.asked(), reply);
    }
    try {
      Kept kept = held != null ? held : claim(question, place);
      return kept == null
          ? new ResumeAnswer(State.NOTHING)
          : part(connection, question, kept, reply);
    } catch (PartInUseException e) {
      return new ResumeAnswer(State.BUSY);
    }
  }

  private ResumeAnswer whole(ResumeQuestion question, Path path, Reply reply) throws IOException {
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      return new ResumeAnswer(State.OTHER_WHOLE);
    }
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      long count = question.header().count();
      Head head = question.head();
      if (file.size() != question.first() + question.bytes()
          || !question.isBegunIn(file)
          || (head != null && head.elements() != count)) {
        return new ResumeAnswer(State.OTHER_WHOLE);
      }
      return head == null
          ? new ResumeAnswer(State.WHOLE, count)
          : compared(question, head, file, reply, State.WHOLE, State.OTHER_WHOLE);
    }
  }

  /** What is kept of a file; null if nothing is, or nothing that this receiver may write to. */
  private @Nullable Kept claim(ResumeQuestion question, Place place) throws IOException {
    Path path = keptOf(place);
    if (path == null || question.bytes() > maxBytes) {
      return null;
    }
    try {
      PartFile part = store.keptParts().claim(path, false);
      return part == null ? null : new Kept(question, path, part, 0);
    } catch (AccessDeniedException e) {
      // Another user's.
      return null;
    }
  }

  private ResumeAnswer part(Connection connection, ResumeQuestion question, Kept kept, Reply reply)
      throws IOException {
    boolean offered = false;
    try {
      ResumeAnswer answer = part(question, kept.part.channel(), reply);
      boolean same = question.head() != null && answer.state() == State.PART;
      offer(connection, new Kept(question, kept.path, kept.part, same ? answer.elements() : 0));
      offered = true;
      return answer;
    } finally {
      if (!offered) {
        release(kept);
      }
    }
  }

  private ResumeAnswer part(ResumeQuestion question, FileChannel file, Reply reply)
      throws IOException {
    if (!question.isBegunIn(file)) {
      return new ResumeAnswer(State.OTHER_PART);
    }
    long elements = question.elementsIn(file);
    if (elements == 0) {
      return new ResumeAnswer(State.NOTHING);
    }
    Head head = question.head();
    if (head == null) {
      return new ResumeAnswer(State.PART, elements);
    }
    return head.elements() == 0 || head.elements() > elements
        ? new ResumeAnswer(State.OTHER_PART)
        : compared(question, head, file, reply, State.PART, State.OTHER_PART);
  }

  private ResumeAnswer compared(
      ResumeQuestion question, Head head, FileChannel file, Reply reply, State same, State other)
      throws IOException {
    if (!readers.tryAcquire()) {
      return new ResumeAnswer(State.BUSY);
    }
    try {
      return question.agrees(file, head, reply::isCancelled)
          ? new ResumeAnswer(same, head.elements())
          : new ResumeAnswer(other);
    } finally {
      readers.release();
    }
  }

  private static @Nullable Path keptOf(Place place) {
    return place.kept().stream()
        .filter(each -> Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS))
        .findFirst()
        .orElse(null);
  }

  private void offer(Connection connection, Kept kept) {
    Kept other = offers.put(connection, kept);
    if (other != null) {
      // Of another channel, which asked at the same time.
      release(other);
    }
    if (!connection.isOpen()) {
      drop(connection);
    }
  }

  /** What a connection holds of a file; what it holds of another one, it loses. */
  private @Nullable Kept take(Connection connection, ResumeQuestion question) {
    Kept offer = offers.remove(connection);
    if (offer == null || offer.question.isAboutThatOf(question)) {
      return offer;
    }
    release(offer);
    return null;
  }

  /**
   * Hands out the part that the rest of a file goes to.
   *
   * @param name the file
   * @param from how many elements are before the rest
   * @param count how many it has
   * @return the part, the caller's, with type and shape of the whole
   * @throws RefusedNameException if the connection has not shown that its file begins so
   */
  Kept rest(Connection connection, TravelName name, ElementType type, long from, long count)
      throws RefusedNameException {
    Kept offer = offers.remove(connection);
    if (offer != null) {
      ResumeQuestion asked = offer.question;
      if (asked.name().equals(name)
          && asked.header().dtype().type() == type
          && from <= offer.same
          && count == asked.header().count() - from) {
        return offer;
      }
      release(offer);
    }
    throw new RefusedNameException(
        "the receiver does not hold the elements before these; ask again what it has of the file",
        name.toString());
  }

  /**
   * Hands out the part that all of a file goes to. What is kept goes then, so its sender must have
   * been told of it.
   *
   * @return the part, the caller's; null if this sender's cannot be kept. Then another sender has
   *     the part, or has left something in it, or no part can be made
   * @throws RefusedNameException if the name could be anything but a file below the directory
   */
  @Nullable Kept anew(Connection connection, ResumeQuestion question) throws RefusedNameException {
    Kept offer = take(connection, question);
    if (offer != null) {
      return offer;
    }
    Place place = store.place(question.name());
    Path there = keptOf(place);
    Path path = there != null ? there : place.kept().get(0);
    try {
      PartFile part = store.keptParts().claim(path, true);
      if (part == null) {
        return null;
      }
      Kept kept = new Kept(question, path, part, 0);
      if (isEmpty(part)) {
        return kept;
      }
      release(kept);
      return null;
    } catch (IOException e) {
      // The file comes all the same, into a hidden file of its own; if that fails, it is said.
      return null;
    }
  }

  private static boolean isEmpty(PartFile part) {
    try {
      return part.channel().size() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Gives back what a connection was told of, and has not begun to write. */
  void drop(Connection connection) {
    Kept offer = offers.remove(connection);
    if (offer != null) {
      release(offer);
    }
  }

  private void release(Kept kept) {
    try {
      store.keptParts().release(kept.path, kept.part);
    } catch (IOException e) {
      // It stays as it is, under its hidden name.
    }
  }
}
