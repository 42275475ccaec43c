package io.arraywire.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.ReceivedArray;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a subscription subscribes again, and what its handler hears, by a clock of the test. */
class ClientSubscriptionTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final Handlers NONE = Handlers.ofArrays((connection, array) -> {});

  private final ManualRuntime runtime = new ManualRuntime();
  private final List<String> heard = new ArrayList<>();

  /** What came of each subscription over the connection. */
  private final List<ArrayHandler> feeds = new ArrayList<>();

  /** Those that have ended. */
  private final Set<ArrayHandler> over = new HashSet<>();

  private final Connection connection = proxy(Connection.class, this::onConnection);

  /** What happens while the publisher has not answered. */
  private Runnable meanwhile = () -> {};

  private final Endpoints endpoints = new Endpoints(runtime);
  private final BackOff backOff = new BackOff(10 * MILLI, 100 * MILLI, 60_000 * MILLI, 640 * MILLI);
  private final ClientSubscription subscription =
      new ClientSubscription(
          "numbers",
          SubscribeOptions.defaults(),
          new Hearing(),
          endpoints,
          new FailoverOrder(),
          Duration.ofSeconds(30),
          backOff,
          () -> {});

  private final class Hearing implements PublicationHandler {
    @Override
    public void onArray(ReceivedArray array) {
      heard.add("array");
    }

    @Override
    public void onGap(@Nullable ArraywireException cause) {
      heard.add("gap");
    }

    @Override
    public void onEnded(@Nullable ArraywireException cause) {
      heard.add("ended");
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler calls) {
    return type.cast(
        Proxy.newProxyInstance(
            ClientSubscriptionTest.class.getClassLoader(), new Class<?>[] {type}, calls));
  }

  private Object onConnection(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "isOpen" -> true;
      case "subscribe" -> {
        ArrayHandler feed = (ArrayHandler) arguments[2];
        feeds.add(feed);
        meanwhile.run();
        yield proxy(Subscription.class, (made, call, none) -> onSubscription(feed, call));
      }
      default -> throw new AssertionError(method);
    };
  }

  private @Nullable Object onSubscription(ArrayHandler feed, Method method) {
    return switch (method.getName()) {
      case "isOpen" -> !over.contains(feed);
      case "close" -> {
        end(feed);
        yield null;
      }
      default -> throw new AssertionError(method);
    };
  }

  @BeforeEach
  void subscribe() throws Exception {
    endpoints.are(
        List.of(
            new Endpoint(
                "server", handlers -> connection, NONE, 1, backOff, runtime, endpoints::changed)));
    subscription.begin();
    assertThat(feeds).hasSize(1);
  }

  private void end() {
    end(feeds.get(feeds.size() - 1));
  }

  private void end(ArrayHandler feed) {
    if (over.add(feed)) {
      feed.onClosed(connection, null);
    }
  }

  @Test
  void pausesGrowWhileSubscriptionsEndAtOnceAndStartAnewAfterOneThatLasts() {
    int[] limits = {10, 20, 40, 80, 160, 320, 640, 640};
    for (int i = 0; i < limits.length; i++) {
      end();
      runtime.advance(Duration.ofMillis(limits[i] - 2));
      assertThat(feeds).as("before %s ms", limits[i]).hasSize(i + 1);
      runtime.advance(Duration.ofMillis(2));
      assertThat(feeds).as("after %s ms", limits[i]).hasSize(i + 2);
    }
    runtime.advance(Duration.ofSeconds(1));
    end();
    runtime.advance(Duration.ofMillis(10));
    assertThat(feeds).hasSize(limits.length + 2);
  }

  @Test
  void aCloseWhileItSubscribesIsToldBehindTheGap() {
    meanwhile =
        () -> {
          subscription.close();
          assertThat(heard).isEmpty();
        };
    end();
    runtime.advance(Duration.ofMillis(10));
    assertThat(heard).containsExactly("gap", "ended");
    subscription.close();
    assertThat(heard).containsExactly("gap", "ended");
  }

  /** A subscription is for years: nothing but its close and its publisher's refusal ends it. */
  @Test
  void anErrorWhileItSubscribesAgainDoesNotEndIt() {
    meanwhile =
        () -> {
          meanwhile = () -> {};
          throw new OutOfMemoryError("for a moment");
        };
    end();
    runtime.advance(Duration.ofMillis(10));
    assertThat(subscription.isActive()).isFalse();
    runtime.advance(Duration.ofMillis(20));
    assertThat(subscription.isActive()).isTrue();
    assertThat(heard).containsExactly("gap");
  }

  @Test
  void aCloseWithoutAThreadIsToldAllTheSame() {
    end();
    runtime.hasThreads(false);
    subscription.close();
    assertThat(heard).containsExactly("ended");
  }

  @Test
  void aCloseWhileItIsInterruptedIsToldAtOnceAndOnce() {
    end();
    subscription.close();
    assertThat(heard).containsExactly("ended");
    runtime.advance(Duration.ofMinutes(1));
    assertThat(heard).containsExactly("ended");
    assertThat(feeds).hasSize(1);
  }
}
