package io.arraywire;

import io.arraywire.message.Message;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Functions that answer, as handlers of requests. */
final class Answers {
  private Answers() {}

  static RequestHandler now(AnswerFunction<Message> answer) {
    return (connection, request, reply) -> send(reply, answer.answer(request));
  }

  static RequestHandler later(AnswerFunction<? extends CompletionStage<Message>> answer) {
    return (connection, request, reply) -> {
      CompletionStage<Message> stage = answer.answer(request);
      if (stage == null) {
        throw new NullPointerException("the function returned null instead of a stage");
      }
      if (stage instanceof Future<?> future) {
        reply.onCancel(() -> future.cancel(true));
      }
      var unused =
          stage.whenComplete((message, thrown) -> {
            if (reply.isCancelled()) {
              return;
            }
            if (thrown != null) {
              reply.fail(cause(thrown));
              return;
            }
            try {
              send(reply, message);
            } catch (RuntimeException | Error e) {
              reply.fail(e);
            }
          });
    };
  }

  private static Throwable cause(Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
    return cause == null ? thrown : cause;
  }

  /** An array or a buffer that is an answer, in the words that a source would have. */
  static <T> T given(T answer) {
    return Objects.requireNonNull(
        answer, "the answer is null; send an array, or call fail with a reason");
  }

  private static void send(Reply reply, @Nullable Message message) {
    if (message == null) {
      throw new NullPointerException(
          "the answer is null; answer with a Message, or throw an exception that says why not");
    }
    var unused = reply.send(message);
  }
}
