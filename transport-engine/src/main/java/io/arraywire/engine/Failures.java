package io.arraywire.engine;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.RemoteErrorException;
import io.arraywire.RemoteRejectedException;
import io.arraywire.TimedOutException;
import io.arraywire.TransportOptions;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MessageText;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Turns what went wrong below or beside the protocol into typed failures. Stateless; any thread.
 */
public final class Failures {
  /** What is said of a connection as of a session that was closed too early. */
  static final String NOT_ACKNOWLEDGED =
      "the peer did not acknowledge everything in time; what it did not acknowledge may be lost";

  /** What is said of a peer whose output ends before its goodbye. */
  static final String WITHOUT_GOODBYE =
      "the peer ended the connection without a goodbye: it called closeNow, or its process ended";

  private Failures() {}

  /**
   * The typed failure for an exception of a channel.
   *
   * @param failure what the channel threw
   * @param peer whose connection it is
   * @return itself if it is typed already
   */
  public static ArraywireException ofChannel(IOException failure, SocketAddress peer) {
    if (failure instanceof ArraywireException typed) {
      return typed;
    }
    String text =
        failure instanceof EOFException
            ? "the peer closed the connection while it was written to"
            : "the connection broke";
    return new ConnectionLostException(
            ErrorCode.CONNECTION_RESET, text, "peer", peer, "cause", failure)
        .because(failure);
  }

  /**
   * What a sender is told of an array that the far side did not take.
   *
   * @param request the number of the request that the array is, 0 if it is none
   */
  static ArraywireException refusedByPeer(
      RemoteErrorException fault, long request, int channel, SocketAddress peer) {
    String what = request == 0 ? "array" : "request";
    String reason = fault.reason();
    Object[] facts =
        request == 0
            ? new Object[] {"channel", channel, "peer", peer}
            : new Object[] {"request", request, "channel", channel, "peer", peer};
    return switch (fault.code()) {
      case TOO_MANY_REQUESTS ->
          new NoRoomException(
              ErrorCode.TOO_MANY_REQUESTS, "the far side refused the request: " + reason, facts);
      case MEMORY_BUDGET ->
          new RemoteRejectedException(
              ErrorCode.MEMORY_BUDGET, "the far side refused the " + what + ": " + reason, facts);
      case CONNECTION_CLOSED ->
          new ConnectionClosedException(
              "the peer closed the connection and did not take the " + what, facts);
      case DELIVERY_UNKNOWN ->
          new DeliveryUnknownException(
              "the far side does not know what became of the " + what + ": " + reason, facts);
      default ->
          new RemoteRejectedException(
              ErrorCode.REJECTED, "the far side refused the " + what + ": " + reason, facts);
    };
  }

  /** The failure of a request that was answered with a reason instead of an array. */
  static ArraywireException noAnswer(
      RemoteErrorException fault, long request, int channel, SocketAddress peer) {
    return fault.code() == ErrorCode.REJECTED
        ? refusedByPeer(fault, request, channel, peer)
        : new RemoteRejectedException(
            fault.code() == ErrorCode.MEMORY_BUDGET
                ? ErrorCode.MEMORY_BUDGET
                : ErrorCode.REQUEST_FAILED,
            "the far side could not answer the request: " + fault.reason(),
            "request",
            request,
            "channel",
            channel,
            "peer",
            peer);
  }

  /**
   * The caller no longer waits for the far side to say what became of an array.
   *
   * @param handler the caller, if it is a handler of the connection
   */
  static DeliveryUnknownException notAcknowledged(
      Duration timeout, int channel, SocketAddress peer, @Nullable HandlerWait handler) {
    String advice = handler == null ? null : handler.advice();
    return new DeliveryUnknownException(
        "the far side did not acknowledge the array in time"
            + (advice == null
                ? ": most likely nothing receives on this channel there, or the handler has not"
                    + " returned; receive there, or wait longer; it is processed at most once"
                : "; " + advice),
        withHandler(
            advice == null ? null : handler,
            new Object[] {"timeout", timeout},
            "channel",
            channel,
            "peer",
            peer));
  }

  /** Facts and more facts, the last of them a handler that waits itself, if there is one. */
  static Object[] withHandler(@Nullable HandlerWait handler, Object[] facts, Object... more) {
    List<Object> all = new ArrayList<>(List.of(facts));
    all.addAll(List.of(more));
    if (handler != null) {
      all.add(HandlerWait.FACT);
      all.add(handler.handler());
    }
    return all.toArray();
  }

  /**
   * The connection ended after an array had left, and before the far side said what became of it.
   */
  static ArraywireException inDoubt(ArraywireException cause) {
    return new DeliveryUnknownException(
            "the connection ended before the far side acknowledged the array; it was processed once or"
                + " not at all",
            "cause",
            String.valueOf(cause.getMessage()))
        .because(cause);
  }

  /** The connection was closed after a request had left, which the far side may have taken. */
  static ArraywireException notAnswered(
      ArraywireException cause, long request, SocketAddress peer) {
    return new ConnectionLostException(
            ErrorCode.CONNECTION_RESET,
            "the connection was closed before the request was answered; the far side may have dealt"
                + " with it",
            "request",
            request,
            "peer",
            peer,
            "cause",
            cause)
        .because(cause);
  }

  static ConnectionLostException doesNotReadControl(SocketAddress peer) {
    return new ConnectionLostException(
        ErrorCode.SLOW_PEER,
        "the peer does not read the acknowledgements of its arrays",
        "peer",
        peer);
  }

  static NoRoomException noMemoryFor(ArrayHeader header, OutOfMemoryError cause) {
    NoRoomException failed =
        new NoRoomException(
            ErrorCode.ALLOCATION_FAILED,
            "there is no memory for an arriving array; give the JVM more heap, or lower"
                + " maxArrayBytes",
            "type",
            header.type().typeName(),
            "count",
            header.count());
    failed.because(cause);
    return failed;
  }

  static NoRoomException noMemoryToOffer(long bytes, long queuedBytes, OutOfMemoryError cause) {
    NoRoomException failed =
        new NoRoomException(
            ErrorCode.ALLOCATION_FAILED,
            "there is no memory to copy the offered array, so nothing was sent; give the JVM more"
                + " heap, or lower memoryBudgetBytes, which limits queues",
            "bytes",
            bytes,
            "queuedBytes",
            queuedBytes);
    failed.because(cause);
    return failed;
  }

  /** There is no memory to read from the connection or to write to it. */
  static ArraywireException noMemory(String doing, Throwable cause) {
    return new NoRoomException(
            ErrorCode.ALLOCATION_FAILED,
            "there is no memory to "
                + doing
                + " the connection; give the JVM more heap or direct memory")
        .because(cause);
  }

  /**
   * The typed failure for a bug of this library, of a codec or of another plug-in.
   *
   * @param failure what was thrown
   * @return itself if it is typed already
   */
  public static ArraywireException ofBug(Throwable failure) {
    if (failure instanceof ArraywireException typed) {
      return typed;
    }
    if (failure instanceof SourceFailure ofSource) {
      return ofSource.typed();
    }
    return new ArraywireException(
            ErrorCode.INTERNAL, "the library or one of its plug-ins failed", "cause", failure)
        .because(failure);
  }

  /**
   * A codec failed on the thread of a caller, before anything of the array was sent.
   *
   * @param thrown what it threw
   */
  static ArraywireException codecFailed(Codec codec, Throwable thrown) {
    return new ArraywireException(
            ErrorCode.INTERNAL,
            "a codec failed to encode the array; nothing of it was sent",
            "codec",
            codec.name(),
            "cause",
            thrown)
        .because(thrown);
  }

  static ConnectionClosedException closedHere(SocketAddress peer) {
    return new ConnectionClosedException("the connection was closed here", "peer", peer);
  }

  /** Whether an executor took no task; what else it throws, it may throw after it took one. */
  static boolean isRefusal(Throwable thrown) {
    return thrown instanceof RejectedExecutionException || thrown instanceof Error;
  }

  /** The end of a connection whose handler nobody runs. */
  static ArraywireException ofExecutor(Throwable refusal) {
    return new ArraywireException(
            ErrorCode.INTERNAL, "the handler executor refuses tasks; it may be shut down")
        .because(refusal);
  }

  /** The same where an executor runs tasks as no executor of handlers may. */
  static ArraywireException ofExecutorInPlace(Executor executor) {
    return new ArraywireException(
            ErrorCode.INTERNAL,
            "the handler executor runs tasks in the thread that hands them in, where handlers must"
                + " not run; give handlerExecutor one with threads of its own")
        .because(new IllegalStateException("handlerExecutor=" + MessageText.kind(executor)));
  }

  /** The end of a connection whose handler could not be called, through a fault of this library. */
  static ArraywireException ofHandlerTask(int channel, Throwable thrown) {
    return new ArraywireException(
            ErrorCode.INTERNAL,
            "the task that calls the handler failed",
            "channel",
            ChannelId.fact(channel),
            "cause",
            MessageText.kind(thrown))
        .because(thrown);
  }

  /** The failure that the peer reads: after a timed-out close, that this side has closed. */
  static ArraywireException toldPeer(ArraywireException cause, TransportOptions options) {
    return !ErrorCode.CLOSE_TIMEOUT.isOf(cause)
        ? cause.told()
        : new TimedOutException(
            ErrorCode.CLOSE_TIMEOUT,
            "it closed the connection, and its closeTimeout was over before both sides were done; what"
                + " was not acknowledged may be lost",
            "closeTimeout",
            options.closeTimeout());
  }

  /**
   * Whether the peer is one of many, or was waited for long enough, and has little time to read it.
   */
  static boolean isOfCrowd(ArraywireException cause) {
    return ErrorCode.CLOSE_TIMEOUT.isOf(cause)
        || ErrorCode.CONTROL_FLOOD.isOf(cause)
        || ErrorCode.TOO_MANY_CONNECTIONS.isOf(cause);
  }

  static ConnectionClosedException closedByPeer(SocketAddress peer) {
    return new ConnectionClosedException("the connection was closed by the peer", "peer", peer);
  }

  /**
   * The exception for a caller that has waited: one of its own, since others may have waited, too.
   *
   * @param failure what was waited for failed
   * @return an exception with the stack of the calling thread, and what failed as its cause
   */
  public static ArraywireException of(ExecutionException failure) {
    Throwable cause = failure.getCause();
    return cause instanceof ArraywireException typed
        ? typed.forCaller()
        : ofBug(cause == null ? failure : cause);
  }

  /**
   * The refusal of an array whose handler threw: what it threw, if that is a refusal on purpose.
   * Else its text goes to the peer, which may be a stranger. The text is the exception's message,
   * or its name in words if it has none. A number follows, under which the log here has class and
   * stack. Class names and files would tell what this process is made of.
   */
  static ArraywireException ofHandler(Throwable thrown) {
    return ofUsers("the handler threw an exception", thrown);
  }

  /** What a sink of the user's failed with, as its sender is told. */
  static ArraywireException ofSink(Throwable thrown) {
    return ofUsers("the receiver could not put the elements into its sink", thrown);
  }

  private static ArraywireException ofUsers(String text, Throwable thrown) {
    if (thrown instanceof ArraywireException typed && typed.isRefusal()) {
      return typed;
    }
    String number = LogNumbers.of(thrown);
    try {
      return new ArraywireException(
              ErrorCode.REJECTED, text, LogNumbers.FACT, number, "cause", withoutFile(thrown))
          .because(thrown);
    } catch (Throwable unspeakable) { // A user's exception whose text throws another.
      return new ArraywireException(
          ErrorCode.REJECTED, text, LogNumbers.FACT, number, "cause", "without words");
    }
  }

  /** The JDK's file exceptions have a path for a message: their name stands for them. */
  private static Object withoutFile(Throwable thrown) {
    Throwable inner = thrown instanceof UncheckedIOException ? thrown.getCause() : thrown;
    if (inner instanceof FileSystemException || inner instanceof FileNotFoundException) {
      return MessageText.named(inner);
    }
    return thrown;
  }
}
