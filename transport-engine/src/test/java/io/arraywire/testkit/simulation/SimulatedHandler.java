package io.arraywire.testkit.simulation;

import io.arraywire.ArrayHandler;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.SendOptions;
import io.arraywire.TargetHandler;
import io.arraywire.message.Message;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A handler of a user's that takes its time, throws, names targets and answers requests, or not.
 */
final class SimulatedHandler {
  private final World world;
  private final Choices choices;
  private final boolean targets;
  private final boolean answers;
  private final int slow;
  private final int throwing;
  private final int closing;

  SimulatedHandler(World world, Choices choices) {
    this.world = world;
    this.choices = choices;
    targets = choices.percent(30);
    answers = choices.percent(70);
    slow = choices.of(0, 5, 30);
    throwing = choices.of(0, 0, 5);
    closing = choices.of(0, 0, 0, 1);
  }

  Handlers handlers() {
    Handlers arrays = Handlers.ofArrays(new Plain());
    Handlers targeting = targets ? arrays.withTargets(new Targeting()) : arrays;
    return answers ? targeting.withRequests(new Answering()) : targeting;
  }

  boolean answers() {
    return answers;
  }

  private void handle(Connection connection, ReceivedArray array) {
    End end = world.end(connection);
    Sent sent = world.judge.delivered(end, array);
    long hash = Payload.hash(array.message());
    if (!world.isCalm() && choices.percent(slow)) {
      world.judge.met(Occurrence.HANDLER_SLOW);
      world.scheduler.sleep(choices.around(choices.of(100_000L, 5_000_000L, 300_000_000L)));
    }
    if (Payload.hash(array.message()) != hash) {
      world.judge.violation(sent + " changed while its handler had it");
    }
    if (sent != null) {
      if (choices.percent(throwing)) {
        sent.threw = true;
        world.judge.met(Occurrence.HANDLER_THREW);
        sent.handled = true;
        throw new IllegalStateException("the handler does not want it");
      }
      sent.handled = true;
    }
    if (!end.closing && choices.percent(closing)) {
      end.closedByHandler = true;
      world.judge.met(Occurrence.HANDLER_CLOSED);
      Ending.close(world, end);
    }
  }

  private void answer(Connection connection, ReceivedArray request, Reply reply) {
    handle(connection, request);
    // What the garbage collector finds would depend on no seed.
    world.replies.add(reply);
    long tag = request.tag();
    switch (choices.below(10)) {
      case 0 -> {
        // Never.
      }
      case 1 -> reply.fail("the handler cannot");
      case 2, 3 -> {
        Runnable unused =
            world.scheduler.after(
                choices.around(choices.of(1_000_000L, 200_000_000L)),
                "answers",
                () -> sendLate(reply, tag));
      }
      default -> send(reply, tag);
    }
  }

  private static void send(Reply reply, long tag) {
    CompletionStage<?> unused = reply.send(answer(tag), SendOptions.processed());
  }

  /** An answer later than requestTimeout finds that the engine has given one by itself. */
  private static void sendLate(Reply reply, long tag) {
    try {
      send(reply, tag);
    } catch (IllegalStateException e) {
      // Nobody waits for it any more.
    }
  }

  /** What a request is answered with. */
  static Message answer(long tag) {
    return Payload.of(-tag * 4, 64).tag(-tag);
  }

  private final class Plain implements ArrayHandler {
    @Override
    public void onArray(Connection connection, ReceivedArray array) {
      handle(connection, array);
    }

    @Override
    public void onClosed(Connection connection, @Nullable ArraywireException cause) {
      world.closed(connection, cause);
    }
  }

  private final class Targeting implements TargetHandler {
    @Override
    public ArraySlice target(Connection connection, ArrayHeader header) {
      world.judge.met(Occurrence.HANDLER_NAMED_TARGET);
      return ArraySlice.ofArray(header.type().newArray(header.count() + 3), 2, header.count())
          .as(header.type());
    }
  }

  private final class Answering implements RequestHandler {
    @Override
    public void onRequest(Connection connection, ReceivedArray request, Reply reply) {
      answer(connection, request, reply);
    }
  }
}
