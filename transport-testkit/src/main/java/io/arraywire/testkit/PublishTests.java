package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.LagPolicy;
import io.arraywire.LeasedArray;
import io.arraywire.Listener;
import io.arraywire.NoRoomException;
import io.arraywire.PublishReceipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.TransportStage.Ends;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Publishing, and subscribers that take what is published. */
interface PublishTests {
  TransportStage stage();

  List<LagPolicy> POLICIES = List.of(LagPolicy.values());

  static ArraySlice numbered(int number, int length) {
    int[] elements = new int[length];
    elements[0] = number;
    return ArraySlice.of(elements);
  }

  static int number(ReceivedArray array) {
    return array.ints()[0];
  }

  static SubscribeOptions with(LagPolicy policy) {
    return SubscribeOptions.defaults().policy(policy);
  }

  static Listener listener(TransportStage stage) throws Exception {
    return stage.transport().listen(stage.address());
  }

  @Test
  default void aSubscriberGetsWhatIsPublishedInOrder() throws Exception {
    Listener listener = listener(stage());
    Connection connection = stage().transport().connect(listener.address());
    Subscription subscription = connection.subscribe("news", SubscribeOptions.defaults());
    assertThat(listener.subscribers("news")).isOne();
    assertThat(subscription.subject()).isEqualTo("news");
    int[] lengths = {1, 2, 1000, 70_000, 300_000};
    Running<Boolean> publishing =
        Running.start(() -> {
          for (int i = 0; i < 50; i++) {
            int length = lengths[i % lengths.length];
            int[] elements = new int[length];
            elements[0] = i;
            elements[length - 1] = i;
            PublishReceipt receipt =
                listener.publish(
                    "news",
                    ArraySlice.of(elements),
                    ArrayAttributes.of(i, new long[] {length}, Map.of("unit", "K")));
            assertThat(receipt).isEqualTo(new PublishReceipt(1, 1, 0, 0, 0, 1));
            // It is the publisher's again.
            elements[0] = -1;
            elements[length - 1] = -1;
          }
          return true;
        });
    for (int i = 0; i < 50; i++) {
      ReceivedArray array = subscription.receive();
      assertThat(array.count()).isEqualTo(lengths[i % lengths.length]);
      assertThat(number(array)).isEqualTo(i);
      assertThat(array.ints()[array.count() - 1]).isEqualTo(i);
      assertThat(array.tag()).isEqualTo(i);
      assertThat(array.header().attributes().shape()).containsExactly(array.count());
      assertThat(array.header().dropped()).isZero();
    }
    assertThat(publishing.get()).isTrue();
    assertThat(subscription.dropped()).isZero();
    connection.close();
  }

  @Test
  default void aListenerWithAHandlerPublishesToo() throws Exception {
    BlockingQueue<Integer> handled = new LinkedBlockingQueue<>();
    Listener listener =
        stage().transport().listen(stage().address(), (from, array) -> handled.add(number(array)));
    Connection connection = stage().transport().connect(listener.address());
    Subscription subscription = connection.subscribe("news", SubscribeOptions.defaults());
    connection.send(new int[] {5});
    assertThat(handled.poll(60, TimeUnit.SECONDS)).isEqualTo(5);
    listener.publish("news", numbered(1, 10));
    listener.publish("news", numbered(2, 100_000));
    listener.publish("news", numbered(3, 10));
    int[] target = new int[100_000];
    assertThat(subscription.receiveInto(ArraySlice.of(target)).count()).isEqualTo(10);
    try (LeasedArray lease = subscription.receiveLeased()) {
      lease.copyTo(ArraySlice.of(target));
      assertThat(target[0]).isEqualTo(2);
    }
    assertThat(number(subscription.receive())).isEqualTo(3);
    listener.close();
    assertThatThrownBy(subscription::receive).isInstanceOf(ConnectionClosedException.class);
  }

  @Test
  default void fiftySubscribersShareOneEncoding() throws Exception {
    AtomicInteger encodings = new AtomicInteger();
    ProbingCodec codec = new ProbingCodec();
    codec.beforeEncode(encodings::incrementAndGet);
    Transport here = stage().transport(options -> options.codecs(codec).chunkBytes(4096));
    Listener listener = here.listen(stage().address());
    Transport there = stage().transport();
    List<Subscription> subscriptions = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      subscriptions.add(
          there
              .connect(listener.address())
              .subscribe("news", with(POLICIES.get(i % POLICIES.size()))));
    }
    int[] elements = new int[100_000];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = i;
    }
    PublishReceipt receipt = listener.publish("news", ArraySlice.of(elements));
    assertThat(receipt).isEqualTo(new PublishReceipt(50, 50, 0, 0, 0, 1));
    for (Subscription subscription : subscriptions) {
      assertThat(subscription.receive().ints()).isEqualTo(elements);
    }
    assertThat(encodings).hasValue(1);
    assertThat(listener.publish("olds", ArraySlice.of(elements)))
        .isEqualTo(new PublishReceipt(0, 0, 0, 0, 0, 0));
    assertThat(encodings).hasValue(1);
  }

  @Test
  default void severalSubjectsOnOneConnectionDoNotMeet() throws Exception {
    Listener listener = listener(stage());
    Connection connection = stage().transport().connect(listener.address());
    List<Subscription> subscriptions = new ArrayList<>();
    for (String subject : List.of("a", "b", "a", "\u00fc")) {
      subscriptions.add(connection.subscribe(subject, SubscribeOptions.defaults()));
    }
    assertThat(listener.subscribers("a")).isEqualTo(2);
    for (int i = 0; i < 10; i++) {
      listener.publish("a", numbered(i, 10));
      listener.publish("b", numbered(100 + i, 10));
    }
    listener.publish("\u00fc", numbered(200, 10));
    Connection accepted = listener.accept();
    accepted.send(new int[] {7});
    assertThat(connection.receive().ints()).containsExactly(7);
    assertThat(number(subscriptions.get(3).receive())).isEqualTo(200);
    for (int i = 0; i < 10; i++) {
      assertThat(number(subscriptions.get(1).receive())).isEqualTo(100 + i);
      assertThat(number(subscriptions.get(0).receive())).isEqualTo(i);
      assertThat(number(subscriptions.get(2).receive())).isEqualTo(i);
    }
    connection.close();
    Eventually.until("nobody subscribes", () -> listener.subscribers("a") == 0);
  }

  @Test
  default void aLateSubscriberGetsOnlyLaterArrays() throws Exception {
    Listener listener = listener(stage());
    Subscription early =
        stage().transport().connect(listener.address()).subscribe("news", with(LagPolicy.BLOCK));
    listener.publish("news", numbered(1, 10));
    Subscription late =
        stage().transport().connect(listener.address()).subscribe("news", with(LagPolicy.BLOCK));
    listener.publish("news", numbered(2, 10));
    ReceivedArray first = late.receive();
    assertThat(number(first)).isEqualTo(2);
    assertThat(first.header().dropped()).isZero();
    assertThat(number(early.receive())).isEqualTo(1);
    assertThat(number(early.receive())).isEqualTo(2);
  }

  @Test
  default void subscribersComeAndGoWhileOthersLoseNothing() throws Exception {
    Listener listener = listener(stage());
    Subscription steady =
        stage().transport().connect(listener.address()).subscribe("news", with(LagPolicy.BLOCK));
    AtomicBoolean enough = new AtomicBoolean();
    Running<Integer> publishing =
        Running.start(() -> {
          int number = 0;
          while (!enough.get()) {
            listener.publish("news", numbered(number++, 20_000));
          }
          return number;
        });
    Running<Integer> receiving =
        Running.start(() -> {
          int next = 0;
          try {
            while (true) {
              assertThat(number(steady.receive())).isEqualTo(next++);
            }
          } catch (ConnectionClosedException e) {
            return next;
          }
        });
    Connection connection =
        stage().transport(options -> options.inboxBytes(100_000)).connect(listener.address());
    for (int i = 0; i < 40; i++) {
      Subscription passing = connection.subscribe("news", with(POLICIES.get(i % POLICIES.size())));
      if (i % 3 != 0) {
        int first = number(passing.receive());
        if (i % 4 == 0) {
          assertThat(number(passing.receive())).isEqualTo(first + 1);
        }
      }
      passing.close();
      assertThatThrownBy(passing::receive)
          .isInstanceOf(ConnectionClosedException.class)
          .hasMessageContaining("subject=news");
    }
    enough.set(true);
    int published = publishing.get();
    Eventually.until("all have gone", () -> listener.subscribers("news") == 1);
    listener.close();
    assertThat(receiving.get()).isEqualTo(published);
  }

  @Test
  default void subscriptionsEndInOrderWithTheListener() throws Exception {
    Listener listener = listener(stage());
    Connection connection = stage().transport().connect(listener.address());
    Connection accepted = listener.accept();
    Subscription subscription = connection.subscribe("news", with(LagPolicy.BLOCK));
    for (int i = 0; i < 5; i++) {
      listener.publish("news", numbered(i, 100_000));
    }
    listener.close();
    for (int i = 0; i < 5; i++) {
      assertThat(number(subscription.receive())).isEqualTo(i);
    }
    assertThatThrownBy(subscription::receive)
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("listener");
    assertThatThrownBy(() -> listener.publish("news", numbered(1, 1)))
        .isInstanceOf(ConnectionClosedException.class);
    assertThatThrownBy(() -> connection.subscribe("news", with(LagPolicy.BLOCK)))
        .isInstanceOf(ConnectionClosedException.class);
    // Accepted connections live on.
    accepted.send(new int[] {1});
    assertThat(connection.receive().ints()).containsExactly(1);
  }

  /**
   * What has come whole is the handler's, however the publisher ends. That there is a session makes
   * no difference, for what is published does not come again.
   */
  @Test
  default void aHandlerHasAllThatCameThoughTheConnectionOfASessionIsOver() throws Exception {
    UnaryOperator<TransportOptions.Builder> sessions =
        options -> options.sessionTimeout(Eventually.LONG);
    Listener listener = stage().transport(sessions).listen(stage().address());
    Connection connection = stage().transport(sessions).connect(listener.address());
    Connection accepted = listener.accept();
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    List<Integer> numbers = new CopyOnWriteArrayList<>();
    Subscription subscription =
        connection.subscribe(
            "news",
            SubscribeOptions.defaults(),
            new ArrayHandler() {
              @Override
              public void onArray(Connection from, ReceivedArray array) throws Exception {
                goOn.await();
                numbers.add(number(array));
              }

              @Override
              public void onClosed(Connection from, @Nullable ArraywireException cause) {
                over.countDown();
              }
            });
    int several = 20;
    for (int i = 0; i < several; i++) {
      listener.publish("news", numbered(i, 10));
    }
    Eventually.until("all have come", () -> connection.load().waitingArrays() >= several - 1);
    accepted.close();
    Eventually.until("the subscription is over", () -> !subscription.isOpen());
    goOn.countDown();
    Eventually.until("the handler is told", over);
    assertThat(numbers).isEqualTo(IntStream.range(0, several).boxed().toList());
  }

  @Test
  default void aHandlerTakesASubscriptionsArrays() throws Exception {
    Listener listener = listener(stage());
    Connection connection = stage().transport().connect(listener.address());
    BlockingQueue<Integer> numbers = new LinkedBlockingQueue<>();
    CountDownLatch over = new CountDownLatch(1);
    Subscription subscription =
        connection.subscribe(
            "news",
            SubscribeOptions.defaults(),
            new ArrayHandler() {
              @Override
              public void onArray(Connection from, ReceivedArray array) {
                numbers.add(number(array));
              }

              @Override
              public void onClosed(Connection from, @Nullable ArraywireException cause) {
                if (cause == null) {
                  over.countDown();
                }
              }
            });
    for (int i = 0; i < 20; i++) {
      listener.publish("news", numbered(i, 1000));
    }
    for (int i = 0; i < 20; i++) {
      assertThat(numbers.poll(60, TimeUnit.SECONDS)).isEqualTo(i);
    }
    assertThatThrownBy(subscription::receive).isInstanceOf(IllegalStateException.class);
    subscription.close();
    Eventually.until("the handler is told", over);
    assertThat(connection.isOpen()).isTrue();
    Eventually.until("the publisher knows", () -> listener.subscribers("news") == 0);
  }

  @Test
  default void thereAreAsManySubscriptionsAsBothSidesAllow() throws Exception {
    Listener listener = listener(stage());
    Connection connection =
        stage()
            .transport(options -> options.maxChannels(1).maxSubscriptions(2))
            .connect(listener.address());
    assertThat(connection.agreement().channels()).isEqualTo(1);
    assertThat(connection.agreement().subscriptions()).isEqualTo(2);
    Subscription one = connection.subscribe("a", with(LagPolicy.BLOCK));
    Subscription two = connection.subscribe("b", with(LagPolicy.BLOCK));
    assertThatThrownBy(() -> connection.subscribe("c", with(LagPolicy.BLOCK)))
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.TOO_MANY_SUBSCRIPTIONS::isOf)
        .hasMessageContaining("close one, or raise maxSubscriptions on the side whose limit it is")
        .hasMessageContaining("agreed=2")
        .hasMessageContaining("maxSubscriptions=2");
    one.close();
    Subscription three = connection.subscribe("c", with(LagPolicy.BLOCK));
    listener.publish("b", numbered(1, 10));
    listener.publish("c", numbered(2, 10));
    assertThat(number(two.receive())).isEqualTo(1);
    assertThat(number(three.receive())).isEqualTo(2);
  }

  @Test
  default void eitherEndPublishesToTheOther() throws Exception {
    Ends ends = stage().ends();
    Subscription there = ends.there().subscribe("news", SubscribeOptions.defaults());
    Subscription here = ends.here().subscribe("news", SubscribeOptions.defaults());
    assertThat(ends.here().subscribers("news")).isOne();
    assertThat(ends.here().publish("news", new int[] {1}))
        .isEqualTo(new PublishReceipt(1, 1, 0, 0, 0, 1));
    ArrayAttributes tagged = ArrayAttributes.of(7, new long[] {2}, Map.of());
    ends.there().publish("news", new float[] {2, 3}, tagged);
    assertThat(number(there.receive())).isEqualTo(1);
    ReceivedArray received = here.receive();
    assertThat(received.floats()).containsExactly(2, 3);
    assertThat(received.tag()).isEqualTo(7);
    assertThat(ends.here().publish("olds", new int[1]).subscribers()).isZero();
    there.close();
    Eventually.until("the subscription is over", () -> ends.here().subscribers("news") == 0);
    assertThat(ends.here().publish("news", new int[1]).subscribers()).isZero();
    ends.here().close();
    assertThatThrownBy(() -> ends.here().publish("news", new int[1]))
        .isInstanceOf(ConnectionClosedException.class);
  }

  /** A listener publishes to all of its peers, one of its connections to the peer of that one. */
  @Test
  default void anAcceptedConnectionPublishesToItsOwnPeer() throws Exception {
    Listener listener = listener(stage());
    Transport connector = stage().transport();
    Subscription first =
        connector.connect(listener.address()).subscribe("news", SubscribeOptions.defaults());
    Connection accepted = listener.accept();
    Subscription second =
        connector.connect(listener.address()).subscribe("news", SubscribeOptions.defaults());
    assertThat(accepted.publish("news", new int[] {1}).subscribers()).isOne();
    assertThat(listener.publish("news", new int[] {2}).subscribers()).isEqualTo(2);
    assertThat(number(first.receive())).isEqualTo(1);
    assertThat(number(first.receive())).isEqualTo(2);
    assertThat(number(second.receive())).isEqualTo(2);
  }

  @Test
  default void plainModeHasNoSubscriptions() throws Exception {
    Ends ends = stage().ends(options -> options.plain(ElementType.INT));
    assertThatThrownBy(() -> ends.here().subscribe("news", SubscribeOptions.defaults()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no requests and no subscriptions in plain mode");
    ends.here().closeNow();
  }
}
