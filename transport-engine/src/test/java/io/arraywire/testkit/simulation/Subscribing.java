package io.arraywire.testkit.simulation;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ErrorCode;
import io.arraywire.LagPolicy;
import io.arraywire.ReceivedArray;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What users of a subject do: publish, subscribe, receive and give up. */
final class Subscribing {
  static final String NORTH = "north";
  static final String SOUTH = "south";
  private static final List<String> SUBJECTS = List.of(NORTH, SOUTH);

  private final World world;
  private final Choices choices;
  private final List<Subscription> open = new ArrayList<>();

  Subscribing(World world, Choices choices) {
    this.world = world;
    this.choices = choices;
  }

  void publish() {
    String subject = SUBJECTS.get(choices.below(SUBJECTS.size()));
    int number = choices.percent(60) ? 1 : choices.between(2, 20);
    try {
      for (int i = 0; i < number; i++) {
        world.publisher.publish(subject);
      }
    } catch (ConnectionClosedException e) {
      // The listener is closed.
    } catch (ArraywireException e) {
      world.judge.violation("nothing can be published: " + e);
    } catch (InterruptedException e) {
      // What had no room is taken back.
    }
  }

  void act() {
    if (!open.isEmpty() && choices.percent(25)) {
      open.remove(choices.below(open.size())).close();
      return;
    }
    List<End> clients = new ArrayList<>(world.ends);
    clients.removeIf(end -> end.closing || end.host.equals(world.server));
    if (!clients.isEmpty()) {
      subscribe(clients.get(choices.below(clients.size())));
    }
  }

  private void subscribe(End end) {
    String subject = SUBJECTS.get(choices.below(SUBJECTS.size()));
    LagPolicy policy = choices.of(LagPolicy.values());
    SubscribeOptions options =
        SubscribeOptions.defaults().policy(policy).queueBytes(choices.of(500, 5_000, 1_000_000));
    Subscriber subscriber =
        new Subscriber(end, subject, world.judge, world.publisher.published(subject));
    try {
      if (choices.percent(50)) {
        Subscription subscription = end.connection.subscribe(subject, options, handler(subscriber));
        subscriber.answered(world.publisher.published(subject));
        accepted(end, subject, policy);
        open.add(subscription);
      } else {
        Subscription subscription = end.connection.subscribe(subject, options);
        subscriber.answered(world.publisher.published(subject));
        accepted(end, subject, policy);
        open.add(subscription);
        receiveAll(subscriber, subscription);
      }
    } catch (ArraywireException e) {
      // No channel, no connection, no answer: all of that may be.
      refused(end, subject, e);
    } catch (InterruptedException e) {
      // Given up.
    }
  }

  private void accepted(End end, String subject, LagPolicy policy) {
    world.judge.met(Occurrence.valueOf("SUBSCRIBED_TO_" + policy));
    if (!world.maySubscribe(end.host, subject)) {
      world.judge.violation(end + " was let subscribe to " + subject + ", which it may not");
    }
  }

  private void refused(End end, String subject, ArraywireException why) {
    world.judge.told(why);
    if (why.code() == ErrorCode.NOT_PERMITTED) {
      world.judge.met(Occurrence.SUBSCRIPTION_NOT_PERMITTED);
      if (world.maySubscribe(end.host, subject)) {
        world.judge.violation(end + " was refused " + subject + ", which it may subscribe to");
      }
    }
  }

  private ArrayHandler handler(Subscriber subscriber) {
    return new ArrayHandler() {
      @Override
      public void onArray(Connection connection, ReceivedArray array) {
        subscriber.got(array);
        dawdle();
      }

      @Override
      public void onClosed(Connection connection, @Nullable ArraywireException cause) {
        subscriber.isOver();
      }
    };
  }

  private void receiveAll(Subscriber subscriber, Subscription subscription) {
    while (true) {
      try {
        subscriber.got(subscription.receive());
        dawdle();
      } catch (ArraywireException e) {
        subscriber.isOver();
        world.judge.told(e);
        if (subscription.dropped() < subscriber.dropped()) {
          world.judge.violation(
              subscriber
                  + " counted fewer than it was told: "
                  + subscription.dropped()
                  + " instead of "
                  + subscriber.dropped());
        }
        return;
      } catch (InterruptedException e) {
        // Nothing is lost.
      }
    }
  }

  private void dawdle() {
    if (!world.isCalm() && choices.percent(10)) {
      world.scheduler.sleep(choices.around(choices.of(1_000_000L, 50_000_000L)));
    }
  }
}
