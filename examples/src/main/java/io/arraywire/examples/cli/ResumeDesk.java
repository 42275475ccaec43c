package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.examples.cli.ResumeAnswer.State;
import io.arraywire.examples.npy.PartFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Answers what a store has of a file, and holds that for the connection that asked until it sends
 * the rest, asks again, or ends: so nobody else changes what was answered. Any thread.
 */
final class ResumeDesk implements RequestHandler {
  /** So many files are read at a time to compare them; each takes a thread and the disk. */
  static final int MOST = 8;

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
   * @param elements how many of them are of the file that was asked for
   */
  record Kept(ResumeQuestion question, Path path, PartFile part, long elements) {}

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
    drop(connection);
    try {
      reply.send(answer(connection, ResumeQuestion.parse(request)).toMessage());
    } catch (RefusedNameException e) {
      throw e.forPeer();
    } catch (ArraywireException e) {
      throw e;
    } catch (IOException e) {
      // Its text names files here.
      throw ArraywireException.refusal("the receiver cannot read what it has of the file");
    }
  }

  private ResumeAnswer answer(Connection connection, ResumeQuestion question) throws IOException {
    if (!store.hasFiles()) {
      throw ArraywireException.refusal("the receiver writes no files");
    }
    Place place = store.place(question.name());
    if (!readers.tryAcquire()) {
      throw ArraywireException.refusal(
          "the receiver compares as many files as it may; ask again later", "files", MOST);
    }
    try {
      return Files.exists(place.asked(), LinkOption.NOFOLLOW_LINKS)
          ? whole(question, place.asked())
          : part(connection, question, place);
    } finally {
      readers.release();
    }
  }

  private static ResumeAnswer whole(ResumeQuestion question, Path path) throws IOException {
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      return new ResumeAnswer(State.OTHER_WHOLE);
    }
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      long count = question.header().count();
      return file.size() == question.first() + question.bytes() && question.isBegunIn(file)
          ? new ResumeAnswer(State.WHOLE, count, question.digest(file, count))
          : new ResumeAnswer(State.OTHER_WHOLE);
    }
  }

  private ResumeAnswer part(Connection connection, ResumeQuestion question, Place place)
      throws IOException {
    Path path = keptOf(place);
    if (path == null || question.bytes() > maxBytes) {
      return new ResumeAnswer(State.NOTHING);
    }
    PartFile part = store.keptParts().claim(path, false);
    if (part == null) {
      return new ResumeAnswer(State.BUSY);
    }
    boolean offered = false;
    try {
      boolean same = question.isBegunIn(part.channel());
      long elements = same ? question.elementsIn(part.channel()) : 0;
      ResumeAnswer answer =
          elements > 0
              ? new ResumeAnswer(State.PART, elements, question.digest(part.channel(), elements))
              : new ResumeAnswer(same ? State.NOTHING : State.OTHER_PART);
      offer(connection, new Kept(question, path, part, elements));
      offered = true;
      return answer;
    } finally {
      if (!offered) {
        store.keptParts().release(path, part);
      }
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

  /**
   * Hands out the part that the rest of a file goes to.
   *
   * @param name the file
   * @param from how many elements are before the rest
   * @param count how many it has
   * @return the part, the caller's, with type and shape of the whole
   * @throws RefusedNameException if the connection was not told that the receiver has so many
   */
  Kept rest(Connection connection, TravelName name, ElementType type, long from, long count)
      throws RefusedNameException {
    Kept offer = offers.remove(connection);
    if (offer != null) {
      ResumeQuestion asked = offer.question;
      if (asked.name().equals(name)
          && asked.header().dtype().type() == type
          && from <= offer.elements
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
   * Hands out the part that all of a file goes to.
   *
   * @return the part, the caller's; null if another sender has it, so that this one's cannot be
   *     kept
   * @throws IOException if the part cannot be made
   */
  @Nullable Kept anew(Connection connection, ResumeQuestion question) throws IOException {
    Kept offer = offers.remove(connection);
    if (offer != null) {
      if (offer.question.equals(question)) {
        return offer;
      }
      release(offer);
    }
    Place place = store.place(question.name());
    Path there = keptOf(place);
    Path path = there != null ? there : place.kept().get(0);
    PartFile part = store.keptParts().claim(path, true);
    return part == null ? null : new Kept(question, path, part, 0);
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
