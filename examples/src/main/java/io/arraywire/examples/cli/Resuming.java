package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.RequestOptions;
import io.arraywire.examples.cli.ResumeAnswer.State;
import io.arraywire.examples.file.ArrayFile;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** Asks a receiver what it has of a file, and compares that with the file: {@code --resume}. */
final class Resuming {
  /** A connection that broke may not be known as broken over there for as long as this. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** What a receiver reads in a second at least, to know when it will never answer. */
  private static final long SLOWEST_BYTES_PER_SECOND = 20_000_000;

  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  private final Consumer<String> note;
  private final Duration patience;

  /**
   * Makes one.
   *
   * @param note told, in a line, why a file of which something is there is sent as a whole
   * @param patience how long to wait for another sender of a file
   */
  Resuming(Consumer<String> note, Duration patience) {
    this.note = note;
    this.patience = patience;
  }

  /**
   * Finds out what is to be sent of a file.
   *
   * @throws RemoteRejectedException if the receiver has another file of that name
   * @throws ArraywireException if its answer is none, or does not come
   * @throws IOException if the file cannot be read, or another sender sends it
   */
  Remainder of(Connection connection, Outgoing outgoing) throws IOException, InterruptedException {
    TravelName name = outgoing.name();
    if (name == null) {
      throw new IllegalArgumentException("no name (file=" + outgoing.shown() + ")");
    }
    ArrayFile file = outgoing.file();
    FileStamp stamp = FileStamp.of(file.path());
    ResumeAnswer answer;
    try {
      answer = ask(connection, ResumeQuestion.of(name, file.header()));
    } catch (RemoteRejectedException e) {
      note.accept(
          "all of "
              + outgoing.shown()
              + " is sent: the receiver does not say what it has ("
              + Complaints.words(e)
              + ")");
      return Remainder.all(file);
    }
    return switch (answer.state()) {
      case NOTHING -> Remainder.all(file);
      case PART -> rest(outgoing, answer, stamp);
      case OTHER_PART -> anew(outgoing);
      case WHOLE -> {
        if (!isSame(file, answer)) {
          throw taken(name);
        }
        yield new Remainder(file, file.header().count(), true, stamp);
      }
      case OTHER_WHOLE -> throw taken(name);
      case BUSY ->
          throw new IOException(
              "the receiver takes a file of that name from another sender; send it again when that"
                  + " has ended (name="
                  + name
                  + ", waitedSeconds="
                  + patience.toSeconds()
                  + ")");
    };
  }

  /** Asks until no other sender has what is kept of the file. */
  private ResumeAnswer ask(Connection connection, ResumeQuestion question)
      throws ArraywireException, InterruptedException {
    Duration timeout = Duration.ofSeconds(30 + question.bytes() / SLOWEST_BYTES_PER_SECOND);
    long end = System.nanoTime() + patience.toNanos();
    for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
      ReceivedArray reply =
          connection.call(question.toMessage(), RequestOptions.defaults().timeout(timeout));
      ResumeAnswer answer = ResumeAnswer.parse(reply, question.header().count());
      long left = (end - System.nanoTime()) / 1_000_000;
      if (answer.state() != State.BUSY || left <= 0) {
        return answer;
      }
      Thread.sleep(Math.min(pause, left));
    }
  }

  private Remainder rest(Outgoing outgoing, ResumeAnswer answer, FileStamp stamp)
      throws IOException {
    ArrayFile file = outgoing.file();
    if (!isSame(file, answer)) {
      return anew(outgoing);
    }
    // At least one, since its acknowledgement says that the file has its name.
    long already = Math.min(answer.elements(), file.header().count() - 1);
    return already == 0
        ? Remainder.all(file)
        : new Remainder(file.after(already), already, false, stamp);
  }

  private static boolean isSame(ArrayFile file, ResumeAnswer answer) throws IOException {
    return ElementDigest.of(file, answer.elements()).equals(answer.sha256());
  }

  private Remainder anew(Outgoing outgoing) {
    note.accept(
        "all of " + outgoing.shown() + " is sent: what the receiver has is not its beginning");
    return Remainder.all(outgoing.file());
  }

  /** As the receiver refuses an array of that name. */
  private static RemoteRejectedException taken(TravelName name) {
    return new RemoteRejectedException(
        ErrorCode.REJECTED, SendArrays.REFUSED + ArrayStore.TAKEN, "name", name.toString());
  }
}
