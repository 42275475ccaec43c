package io.arraywire;

import io.arraywire.message.Message;
import io.arraywire.message.Part;
import io.arraywire.spi.MessageText;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/** Functions that answer, as handlers of requests. */
final class Answers {
  private Answers() {}

  static RequestHandler now(AnswerFunction<Message> answer) {
    return (connection, request, reply) -> send(reply, answer.answer(request));
  }

  static RequestHandler later(AnswerFunction<? extends CompletionStage<Message>> answer) {
    return (connection, request, reply) -> {
      CompletionStage<Message> stage = answer.answer(request);
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

  private static void send(Reply reply, Message message) {
    if (message.parts().size() > 1
        || !message.parts().get(0).name().isEmpty()
        || !message.attributes().isEmpty()) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "a reply holds one part without a name, and no attributes", "message", message));
    }
    Part part = message.parts().get(0);
    ArraySlice slice = part.slices().size() == 1 ? part.slices().get(0) : gathered(part);
    SendOptions options = SendOptions.defaults().tag(message.tag()).shape(part.shape());
    var unused = reply.send(slice, options);
  }

  private static ArraySlice gathered(Part part) {
    Object all = part.type().newArray(part.count());
    int unused = part.readInto(all);
    return ArraySlice.ofArray(all);
  }
}
