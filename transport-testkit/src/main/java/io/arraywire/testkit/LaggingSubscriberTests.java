package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.LagPolicy;
import io.arraywire.Listener;
import io.arraywire.PublishReceipt;
import io.arraywire.ReceivedArray;
import io.arraywire.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Subscribers that take less than is published, or nothing any more. */
interface LaggingSubscriberTests {
  TransportStage stage();

  /** Elements of an array of which a few fill the credit and the queue of {@link #lagging}. */
  int ELEMENTS = 256;

  /** So many certainly fill both. */
  int MANY = 40;

  /** Subscribes with little credit and a short queue. */
  private Subscription lagging(Listener listener, LagPolicy policy) throws Exception {
    return stage()
        .transport(options -> options.inboxBytes(4096))
        .connect(listener.address())
        .subscribe("news", PublishTests.with(policy).queueBytes(4096));
  }

  @Test
  default void aLaggingSubscriberThatWantsTheOldestGoesWithoutTheNewest() throws Exception {
    Listener listener = PublishTests.listener(stage());
    Subscription subscription = lagging(listener, LagPolicy.DROP_NEWEST);
    int queued = 0;
    int dropped = 0;
    for (int i = 0; i < MANY; i++) {
      PublishReceipt receipt = listener.publish("news", PublishTests.numbered(i, ELEMENTS));
      queued += receipt.queued();
      dropped += receipt.dropped();
    }
    assertThat(queued).isPositive();
    assertThat(dropped).isPositive();
    assertThat(queued + dropped).isEqualTo(MANY);
    assertNumbersAndGaps(subscription, queued);
    // There is room again, once the listener's side has noted that the last bytes left.
    for (boolean room = false; !room; ) {
      PublishReceipt receipt = listener.publish("news", PublishTests.numbered(MANY, ELEMENTS));
      dropped += receipt.dropped();
      room = receipt.queued() == 1;
    }
    assertThat(PublishTests.number(subscription.receive())).isEqualTo(MANY);
    assertThat(subscription.dropped()).isEqualTo(dropped);
  }

  /** What comes are the arrays that were not dropped, and each says how many are missing. */
  private static List<Integer> assertNumbersAndGaps(Subscription subscription, int count)
      throws Exception {
    List<Integer> numbers = new ArrayList<>();
    int expected = 0;
    for (int i = 0; i < count; i++) {
      ReceivedArray array = subscription.receive();
      expected += (int) array.header().dropped();
      assertThat(PublishTests.number(array)).isEqualTo(expected);
      numbers.add(expected);
      expected++;
    }
    return numbers;
  }

  @Test
  default void aLaggingSubscriberThatWantsTheNewestGoesWithoutTheOldest() throws Exception {
    Listener listener = PublishTests.listener(stage());
    Subscription subscription = lagging(listener, LagPolicy.DROP_OLDEST);
    int dropped = 0;
    for (int i = 0; i < MANY; i++) {
      PublishReceipt receipt = listener.publish("news", PublishTests.numbered(i, ELEMENTS));
      assertThat(receipt.queued()).isOne();
      dropped += receipt.dropped();
    }
    assertThat(dropped).isPositive();
    List<Integer> numbers = assertNumbersAndGaps(subscription, MANY - dropped);
    assertThat(numbers.get(numbers.size() - 1)).isEqualTo(MANY - 1);
    assertThat(subscription.dropped()).isEqualTo(dropped);
  }

  @Test
  default void aLaggingSubscriberMayBeDisconnectedAndTheConnectionLives() throws Exception {
    Listener listener = PublishTests.listener(stage());
    Subscription subscription = lagging(listener, LagPolicy.DISCONNECT);
    Subscription other =
        subscription.connection().subscribe("olds", PublishTests.with(LagPolicy.BLOCK));
    listener.publish("news", PublishTests.numbered(0, ELEMENTS));
    assertThat(PublishTests.number(subscription.receive())).isZero();
    int offered = 0;
    int dropped = 0;
    int disconnected = 0;
    for (int i = 1; i < MANY; i++) {
      PublishReceipt receipt = listener.publish("news", PublishTests.numbered(i, ELEMENTS));
      offered += receipt.subscribers();
      dropped += receipt.dropped();
      disconnected += receipt.disconnected();
    }
    assertThat(disconnected).isOne();
    assertThat(listener.subscribers("news")).isZero();
    Eventually.until("the subscriber is told", () -> !subscription.isOpen());
    int taken = 1;
    Throwable end = null;
    while (end == null) {
      try {
        assertThat(PublishTests.number(subscription.receive())).isEqualTo(taken++);
      } catch (ArraywireException e) {
        end = e;
      }
    }
    assertThat(taken).isLessThan(MANY);
    // What waited is dropped. Now and then nothing did: all of it was being written just then.
    assertThat(taken - 1 + dropped + disconnected).as("each has an end").isEqualTo(offered);
    assertThat(end)
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.SLOW_SUBSCRIBER::isOf)
        .hasMessageContaining("dropped=" + (dropped + 1))
        .hasMessageContaining("subject=news")
        .hasMessageContaining("queueBytes=4096");
    subscription.close();
    listener.publish("olds", PublishTests.numbered(9, ELEMENTS));
    assertThat(PublishTests.number(other.receive())).isEqualTo(9);
    Subscription again =
        subscription.connection().subscribe("news", PublishTests.with(LagPolicy.DISCONNECT));
    listener.publish("news", PublishTests.numbered(10, ELEMENTS));
    assertThat(PublishTests.number(again.receive())).isEqualTo(10);
  }

  @Test
  default void aLaggingSubscriberThatWantsEverythingIsWaitedFor() throws Exception {
    Listener listener =
        stage()
            .transport(options -> options.sendTimeout(Eventually.LONG))
            .listen(stage().address());
    Subscription subscription = lagging(listener, LagPolicy.BLOCK);
    AtomicInteger published = new AtomicInteger();
    Running<Boolean> publishing =
        Running.start(() -> {
          for (int i = 0; i < MANY; i++) {
            assertThat(listener.publish("news", PublishTests.numbered(i, ELEMENTS)).timedOut())
                .isZero();
            published.incrementAndGet();
          }
          return true;
        });
    for (int i = 0; i < MANY; i++) {
      ReceivedArray array = subscription.receive();
      assertThat(PublishTests.number(array)).isEqualTo(i);
      assertThat(array.header().dropped()).isZero();
      // No further than credit and queue allow.
      assertThat(published.get()).isLessThan(i + 12);
    }
    assertThat(publishing.get()).isTrue();
  }

  @Test
  default void aSubscriberWaitedForInVainGoesWithoutAndOthersDoNot() throws Exception {
    Listener listener =
        stage()
            .transport(options -> options.sendTimeout(Duration.ofMillis(1)))
            .listen(stage().address());
    Subscription slow = lagging(listener, LagPolicy.BLOCK);
    Subscription other =
        stage()
            .transport()
            .connect(listener.address())
            .subscribe("news", PublishTests.with(LagPolicy.BLOCK));
    int timedOut = 0;
    int queued = 0;
    for (int i = 0; i < MANY; i++) {
      PublishReceipt receipt = listener.publish("news", PublishTests.numbered(i, ELEMENTS));
      assertThat(receipt.queued() + receipt.timedOut()).isEqualTo(2);
      timedOut += receipt.timedOut();
      queued += receipt.queued() - 1;
      assertThat(PublishTests.number(other.receive())).isEqualTo(i);
    }
    assertThat(timedOut).isPositive();
    assertNumbersAndGaps(slow, queued);
    assertThat(other.dropped()).isZero();
  }

  @Test
  default void anInterruptedPublisherLeavesNothingBehind() throws Exception {
    Listener listener =
        stage()
            .transport(options -> options.sendTimeout(Eventually.LONG))
            .listen(stage().address());
    Subscription slow = lagging(listener, LagPolicy.BLOCK);
    AtomicInteger published = new AtomicInteger();
    Running<Boolean> publishing =
        Running.start(() -> {
          while (true) {
            listener.publish("news", PublishTests.numbered(published.get(), ELEMENTS));
            published.incrementAndGet();
          }
        });
    Eventually.until("some are queued", () -> published.get() > 2);
    publishing.interrupt();
    assertThat(publishing.failure()).isInstanceOf(InterruptedException.class);
    List<Integer> taken = assertNumbersAndGaps(slow, published.get());
    assertThat(taken).hasSize(published.get());
    assertThat(slow.dropped()).isZero();
    listener.publish("news", PublishTests.numbered(-1, ELEMENTS));
    ReceivedArray next = slow.receive();
    // There may have been room for the last one just when its publisher was interrupted.
    long rest = next.header().dropped();
    if (PublishTests.number(next) == published.get()) {
      next = slow.receive();
      rest += 1 + next.header().dropped();
    }
    assertThat(PublishTests.number(next)).isEqualTo(-1);
    assertThat(rest).isOne();
  }

  @Test
  default void theDeathOfASubscriberIsNoOneElses() throws Exception {
    Listener listener =
        stage()
            .transport(options -> options.sendTimeout(Eventually.LONG))
            .listen(stage().address());
    Subscription dies = lagging(listener, LagPolicy.BLOCK);
    Subscription lives =
        stage()
            .transport()
            .connect(listener.address())
            .subscribe("news", PublishTests.with(LagPolicy.BLOCK));
    AtomicInteger published = new AtomicInteger();
    Running<Boolean> publishing =
        Running.start(() -> {
          for (int i = 0; i < MANY; i++) {
            listener.publish("news", PublishTests.numbered(i, ELEMENTS));
            published.incrementAndGet();
          }
          return true;
        });
    Eventually.until("some are published", () -> published.get() > 2);
    dies.connection().closeNow();
    for (int i = 0; i < MANY; i++) {
      assertThat(PublishTests.number(lives.receive())).isEqualTo(i);
    }
    assertThat(publishing.get()).isTrue();
    Eventually.until("it is gone", () -> listener.subscribers("news") == 1);
    assertThatThrownBy(dies::receive).isInstanceOf(ConnectionClosedException.class);
  }
}
