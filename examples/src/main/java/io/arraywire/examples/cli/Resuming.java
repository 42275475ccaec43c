package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteRejectedException;
import io.arraywire.RequestOptions;
import io.arraywire.TargetMismatchException;
import io.arraywire.examples.cli.ResumeAnswer.State;
import io.arraywire.examples.cli.ResumeQuestion.Head;
import io.arraywire.examples.file.ArrayFile;
import io.arraywire.examples.file.FileReceiver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks a receiver what it has of a file, and has it compare that with the file: {@code --resume}.
 */
final class Resuming {
  /** A connection that broke may not be known as broken over there for as long as this. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** What a receiver reads in a second at least, to know when it will never answer. */
  private static final long SLOWEST_BYTES_PER_SECOND = 20_000_000;

  private static final String REFUSED = "the far side refused the request: ";

  /** How receivers that keep nothing refuse the question. */
  private static final List<String> KEEPS_NOTHING =
      List.of(
          ResumeDesk.NO_FILES,
          FileReceiver.KEEPS_NOTHING,
          // Programs that take arrays only: of the library, and of its Python package.
          "there is no request handler",
          "this program answers no requests");

  private final Consumer<String> note;
  private final Duration patience;
  private boolean goesOn;

  /**
   * Makes one.
   *
   * @param note told, in a line, why a file of which something is there is sent as a whole
   * @param patience how long to wait for another sender of a file, and for room
   */
  Resuming(Consumer<String> note, Duration patience) {
    this.note = note;
    this.patience = patience;
  }

  /**
   * Finds out what is to be sent of a file.
   *
   * @throws RemoteRejectedException if the receiver has another file of that name, keeps nothing of
   *     a file that broke off, or refuses to say what it has
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
      answer = compared(connection, ResumeQuestion.of(name, file.header()), outgoing);
    } catch (RemoteRejectedException e) {
      String why = keepsNothing(e);
      throw why == null ? e : cannotResume(outgoing, why, e);
    }
    goesOn = true;
    return switch (answer.state()) {
      case NOTHING -> Remainder.all(file);
      case PART -> rest(file, answer, stamp);
      case OTHER_PART -> anew(outgoing);
      case WHOLE -> new Remainder(file, file.header().count(), true, stamp);
      case OTHER_WHOLE -> throw taken(name);
      case BUSY ->
          throw new IOException(
              "the receiver takes a file of that name from another sender, or is busy with"
                  + " comparing files; send it again later (name="
                  + name
                  + ", waitedSeconds="
                  + patience.toSeconds()
                  + ")");
    };
  }

  /** Whether the receiver keeps what it has got, so that the same command goes on with it. */
  boolean goesOn() {
    return goesOn;
  }

  /** In which words a receiver says that it keeps nothing; null if it says something else. */
  private static @Nullable String keepsNothing(RemoteRejectedException refusal) {
    String words = String.valueOf(refusal.getMessage());
    return KEEPS_NOTHING.stream()
        .filter(each -> words.startsWith(REFUSED + each))
        .findFirst()
        .orElse(null);
  }

  private static RemoteRejectedException cannotResume(
      Outgoing outgoing, String why, RemoteRejectedException refusal) {
    RemoteRejectedException failure =
        new RemoteRejectedException(
            ErrorCode.REJECTED,
            "the receiver keeps nothing of a transfer that breaks off; start 'arraywire receive"
                + " --out DIR' or '--out FILE.npy' there, or leave out --resume",
            "file",
            outgoing.shown(),
            "receiver",
            why);
    failure.initCause(refusal);
    return failure;
  }

  /** Asks how much there is, and then whether that is the beginning of the file. */
  private ResumeAnswer compared(Connection connection, ResumeQuestion question, Outgoing outgoing)
      throws IOException, InterruptedException {
    ResumeAnswer answer = ask(connection, question, outgoing);
    if (answer.state() != State.PART && answer.state() != State.WHOLE) {
      return answer;
    }
    long elements = answer.elements();
    Head head = new Head(elements, ElementDigest.of(outgoing.file(), elements));
    return ask(connection, question.with(head), outgoing);
  }

  /** Asks until the receiver can say. */
  private ResumeAnswer ask(Connection connection, ResumeQuestion question, Outgoing outgoing)
      throws ArraywireException, InterruptedException {
    Duration timeout = Duration.ofSeconds(30 + question.bytes() / SLOWEST_BYTES_PER_SECOND);
    // Whatever a receiver sends, it takes no more memory than an answer.
    RequestOptions options = RequestOptions.defaults().timeout(timeout).target(new long[1]);
    Pauses pauses = new Pauses(patience);
    RoomWait room = waitForRoom();
    while (true) {
      try {
        ResumeAnswer answer = ask(connection, question, options);
        if (answer.state() != State.BUSY || !pauses.pause()) {
          return answer;
        }
      } catch (ArraywireException e) {
        if (!room.isWorthAnother(connection, "the question about " + outgoing.shown(), e)) {
          throw e;
        }
      }
    }
  }

  /** A new wait, for a receiver that has no room. */
  RoomWait waitForRoom() {
    return new RoomWait(patience, note);
  }

  private static ResumeAnswer ask(
      Connection connection, ResumeQuestion question, RequestOptions options)
      throws ArraywireException, InterruptedException {
    try {
      return ResumeAnswer.parse(connection.call(question.toMessage(), options), question);
    } catch (TargetMismatchException e) {
      ProtocolException failure = ResumeAnswer.notUnderstood();
      failure.initCause(e);
      throw failure;
    }
  }

  private static Remainder rest(ArrayFile file, ResumeAnswer answer, FileStamp stamp) {
    // At least one, since its acknowledgement says that the file has its name.
    long already = Math.min(answer.elements(), file.header().count() - 1);
    return already == 0
        ? Remainder.all(file)
        : new Remainder(file.after(already), already, false, stamp);
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
