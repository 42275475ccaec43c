package io.arraywire.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ReceivedArray;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PublicationFeedTest {
  private static final Connection CONNECTION =
      (Connection)
          Proxy.newProxyInstance(
              PublicationFeedTest.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                throw new AssertionError(method);
              });

  private final List<String> heard = new ArrayList<>();
  private final List<Throwable> uncaught = new ArrayList<>();
  private final PublicationHandler handler =
      new PublicationHandler() {
        @Override
        public void onArray(@Nullable ReceivedArray array) {
          heard.add("array");
        }

        @Override
        public void onGap(@Nullable ArraywireException cause) {
          heard.add("gap");
          throw new IllegalStateException("onGap of a test throws this");
        }
      };
  private final PublicationFeed feed =
      new PublicationFeed(handler, () -> handler.onGap(null), cause -> heard.add("ended"));

  /** On the thread of the test, which may be another one than that of methods before it. */
  private void withThrownHeard(Action action) throws Exception {
    Thread thread = Thread.currentThread();
    thread.setUncaughtExceptionHandler((of, thrown) -> uncaught.add(thrown));
    try {
      action.run();
    } finally {
      thread.setUncaughtExceptionHandler(null);
    }
    assertThat(uncaught)
        .singleElement()
        .extracting(Throwable::getMessage)
        .isEqualTo("onGap of a test throws this");
  }

  private interface Action {
    void run() throws Exception;
  }

  @Test
  void aGapThatThrowsDoesNotLoseTheSubscription() throws Exception {
    withThrownHeard(() -> {
      feed.adopt();
      feed.onClosed(CONNECTION, null);
    });
    assertThat(heard).containsExactly("gap", "ended");
  }

  @Test
  @SuppressWarnings("NullAway") // The handler does not look at the array.
  void aGapThatThrowsDoesNotLoseTheArray() throws Exception {
    withThrownHeard(() -> {
      feed.onArray(CONNECTION, null);
      feed.adopt();
    });
    assertThat(heard).containsExactly("gap", "array");
  }
}
