package io.arraywire.testkit.simulation;

import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Delivery;
import io.arraywire.OfferStatus;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.message.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What users do on both sides, one action after the other, as the seed has it. */
final class Workload {
  /** A script goes on until there were so many. */
  static final int LEAST_EVENTS = 500;

  /** Between actions that only make up for too few events: those before are to have theirs. */
  private static final long LATER_NANOS = 20_000_000;

  private static final int STRANGERS_ATTEMPTS = 3;

  private final World world;
  private final Choices choices;
  private final Subscribing subscribing;
  private final long gapNanos;
  private final int faults;
  private final int largest;
  private int left;

  Workload(World world, Choices choices, Length length) {
    this.world = world;
    this.choices = choices;
    subscribing = new Subscribing(world, choices.branch());
    gapNanos = choices.of(20_000L, 1_000_000L, 10_000_000L);
    // A short script is too soon over for faults that come rarely.
    faults = length == Length.LONG ? choices.of(0, 3, 10) : choices.of(0, 5, 15);
    largest =
        length == Length.LONG ? choices.of(300, 5_000, 40_000) : choices.of(300, 1_500, 6_000);
    left = choices.between(length.fewest, length.most);
  }

  void begin(Runnable atEnd) {
    for (Host client : world.clients) {
      Runnable unused =
          world.scheduler.after(
              choices.around(1_000_000L), "connects", () -> world.connect(client));
    }
    Host stranger = world.stranger;
    if (stranger != null) {
      for (int i = 1; i <= STRANGERS_ATTEMPTS; i++) {
        Runnable unused =
            world.scheduler.after(
                i * 20_000_000L, "a stranger connects", () -> world.connect(stranger));
      }
    }
    next(atEnd);
  }

  private void next(Runnable atEnd) {
    Runnable unused =
        world.scheduler.after(
            choices.around(left > 0 ? gapNanos : Math.max(gapNanos, LATER_NANOS)),
            "acts",
            () -> {
              left--;
              if (left > 0 || world.scheduler.count() < LEAST_EVENTS) {
                next(atEnd);
              } else {
                atEnd.run();
              }
              act();
            });
  }

  Subscribing subscribing() {
    return subscribing;
  }

  private void act() {
    if (choices.percent(faults)) {
      world.network.misbehave();
      return;
    }
    List<End> open = new ArrayList<>(world.ends);
    open.removeIf(end -> end.closing);
    if (open.isEmpty() || choices.percent(2)) {
      world.connect(world.clients.get(choices.below(world.clients.size())));
      return;
    }
    End end = open.get(choices.below(open.size()));
    switch (choices.below(20)) {
      case 0, 1, 2, 3, 4, 5 -> sendAsync(end);
      case 6, 7, 8 -> offer(end);
      case 9, 10, 11 -> send(end);
      case 12, 13 -> request(end);
      case 14, 15 -> subscribing.publish();
      case 16, 17 -> subscribing.act();
      case 18 -> {
        if (choices.percent(20)) {
          Ending.end(world, choices, end);
        } else {
          sendAsync(end);
        }
      }
      default -> {
        if (choices.percent(30)) {
          if (world.scheduler.interruptOne()) {
            world.judge.met(Occurrence.INTERRUPTED);
          }
        } else {
          var unused = end.connection.load();
        }
      }
    }
  }

  private int bytes() {
    return choices.percent(80) ? choices.upTo(200) : choices.upTo(largest);
  }

  private int channel(End end) {
    return choices.below(end.channels());
  }

  private Delivery delivery(End end) {
    if (end.session && choices.percent(70)) {
      return Delivery.SESSION;
    }
    return choices.percent(70) ? Delivery.PROCESSED : Delivery.HANDED_OFF;
  }

  private void sendAsync(End end) {
    int number = choices.percent(80) ? 1 : choices.between(2, 12);
    for (int i = 0; i < number; i++) {
      Channel channel = end.connection.channel(channel(end));
      Sent sent =
          world.judge.invoked(end, channel.id(), Sent.How.ASYNC, delivery(end), bytes(), true);
      var unused =
          channel
              .sendAsync(sent.message, SendOptions.defaults().delivery(sent.delivery))
              .whenComplete((receipt, thrown) -> world.judge.outcome(sent, thrown));
    }
  }

  private void offer(End end) {
    Channel channel = end.connection.channel(channel(end));
    Sent sent =
        world.judge.invoked(end, channel.id(), Sent.How.OFFER, Delivery.HANDED_OFF, bytes(), true);
    try {
      OfferStatus status =
          channel.offer(sent.message, SendOptions.defaults().delivery(sent.delivery));
      if (status == OfferStatus.ACCEPTED) {
        world.judge.outcome(sent, null);
      } else {
        world.judge.refused(sent);
      }
    } catch (ArrayTooLargeException e) {
      world.judge.outcome(sent, e);
    } catch (ArraywireException e) {
      world.judge.outcome(sent, e);
    }
  }

  private void send(End end) {
    Channel channel = end.connection.channel(channel(end));
    Delivery delivery = delivery(end);
    boolean ordered = !end.session || delivery == Delivery.SESSION;
    Sent sent =
        world.judge.invoked(end, channel.id(), Sent.How.BLOCKING, delivery, bytes(), ordered);
    SendOptions options = SendOptions.defaults().delivery(sent.delivery);
    if (delivery == Delivery.SESSION && choices.percent(30)) {
      options = options.timeout(Duration.ofMillis(choices.of(5, 100, 1000)));
    }
    try {
      var unused = channel.send(sent.message, options);
      world.judge.outcome(sent, null);
    } catch (ArraywireException e) {
      world.judge.outcome(sent, e);
    } catch (InterruptedException e) {
      world.judge.outcome(sent, e);
    }
  }

  private void request(End end) {
    if (!world.isAnswered(end)) {
      return;
    }
    Channel channel = end.connection.channel(channel(end));
    Sent sent =
        world.judge.invoked(end, channel.id(), Sent.How.REQUEST, Delivery.PROCESSED, bytes(), true);
    RequestOptions options = RequestOptions.defaults();
    Message answer = SimulatedHandler.answer(sent.tag);
    boolean targeted = choices.percent(50);
    if (targeted) {
      ArraySlice whole = Payload.slice(answer, answer.toAttributes());
      options =
          options.target(
              ArraySlice.ofArray(whole.type().newArray(whole.length())).as(whole.type()));
    }
    if (choices.percent(20)) {
      options = options.timeout(Duration.ofMillis(choices.of(1, 20, 200)));
    }
    CompletableFuture<ReceivedArray> reply =
        channel.request(sent.message, options).toCompletableFuture();
    var unused =
        reply.whenComplete((array, thrown) -> {
          if (array != null
              && (array.tag() != -sent.tag
                  || Payload.hash(array.message()) != Payload.hash(answer))) {
            world.judge.violation("the answer to " + sent + " is another one's: " + array.header());
          }
          if (array != null) {
            world.judge.met(Occurrence.REQUEST_ANSWERED);
          }
          world.judge.outcome(sent, thrown);
        });
    if (choices.percent(10)) {
      Runnable unusedToo =
          world.scheduler.after(choices.around(1_000_000L), "cancels", () -> cancel(reply));
    }
  }

  private void cancel(CompletableFuture<ReceivedArray> reply) {
    if (reply.cancel(false)) {
      world.judge.met(Occurrence.REQUEST_CANCELLED);
    }
  }
}
