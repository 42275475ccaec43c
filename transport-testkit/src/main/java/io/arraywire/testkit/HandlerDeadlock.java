package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Handlers at both ends of a connection that wait for each other, which nobody can see from one end
 * alone: what is logged of that, and what fails in the end.
 */
public final class HandlerDeadlock {
  /** The logged line begins so where handlers send. */
  public static final String SENDS =
      "handler HandlerDeadlock.Echo of channel 0 waits in send for the far side and";

  /** The logged line begins so where request handlers make requests. */
  public static final String REQUESTS =
      "handler HandlerDeadlock.Asking of channel 0 waits for the reply to its request and";

  private HandlerDeadlock() {}

  /** A handler that waits for the far side, and what its waits ended with. */
  private interface Waiter extends ArrayHandler {
    Queue<ArraywireException> failures();
  }

  /** Sends back what it gets, and waits until that is processed. */
  private static final class Echo implements Waiter {
    private final Queue<ArraywireException> failures = new ConcurrentLinkedQueue<>();
    private final Duration timeout;

    Echo(Duration timeout) {
      this.timeout = timeout;
    }

    @Override
    public void onArray(Connection from, ReceivedArray array) throws Exception {
      try {
        from.send(array.slice(), SendOptions.processed().timeout(timeout));
      } catch (ArraywireException e) {
        failures.add(e);
      }
    }

    @Override
    public Queue<ArraywireException> failures() {
      return failures;
    }
  }

  /** Answers with what the far side makes of the same. */
  private static final class Asking implements Waiter, RequestHandler {
    private final Queue<ArraywireException> failures = new ConcurrentLinkedQueue<>();
    private final Duration timeout;

    Asking(Duration timeout) {
      this.timeout = timeout;
    }

    @Override
    public void onRequest(Connection from, ReceivedArray request, Reply reply) throws Exception {
      try {
        reply.send(
            Eventually.get(
                    from.request(request.slice(), RequestOptions.defaults().timeout(timeout)))
                .slice());
      } catch (ArraywireException e) {
        failures.add(e);
        reply.fail("it did not answer");
      }
    }

    @Override
    public void onArray(Connection from, ReceivedArray array) {
      throw new UnsupportedOperationException("only requests");
    }

    @Override
    public Queue<ArraywireException> failures() {
      return failures;
    }
  }

  /**
   * Has handlers at both ends send to each other and wait, until that is logged; nothing has failed
   * by then.
   *
   * @param stage where it plays
   * @param awaitLogged waits until a line is logged that begins with {@link #SENDS}
   * @throws Exception if it is not
   */
  public static void sends(TransportStage stage, Runnable awaitLogged) throws Exception {
    Waiter handler = new Echo(Eventually.LONG.multipliedBy(2));
    try (Connection connection = connect(stage, handler)) {
      var unused = connection.sendAsync(ArraySlice.of(new int[3]), SendOptions.handedOff());
      awaitLogged.run();
      assertThat(handler.failures()).isEmpty();
      connection.closeNow();
    }
  }

  /**
   * The same of request handlers that make requests.
   *
   * @param stage where it plays
   * @param awaitLogged waits until a line is logged that begins with {@link #REQUESTS}
   * @throws Exception if it is not
   */
  public static void requests(TransportStage stage, Runnable awaitLogged) throws Exception {
    Waiter handler = new Asking(Eventually.LONG.multipliedBy(2));
    try (Connection connection = connect(stage, handler)) {
      var unused = connection.request(ArraySlice.of(new int[3]));
      awaitLogged.run();
      assertThat(handler.failures()).isEmpty();
      connection.closeNow();
    }
  }

  private static Connection connect(TransportStage stage, ArrayHandler handler) throws Exception {
    Listener listener = stage.transport().listen(stage.address(), handler);
    return stage.transport().connect(listener.address(), handler);
  }

  /** The first failure of handlers that wait no longer than that. */
  private static ArraywireException failure(TransportStage stage, Waiter handler, boolean requests)
      throws Exception {
    try (Connection connection = connect(stage, handler)) {
      if (requests) {
        var unused = connection.request(ArraySlice.of(new int[3]));
      } else {
        var unused = connection.sendAsync(ArraySlice.of(new int[3]), SendOptions.handedOff());
      }
      Eventually.until(
          "a wait of a handler for which others waited has failed",
          () -> handler.failures().stream().anyMatch(each -> each.waitingHandler().isPresent()));
      ArraywireException first =
          handler.failures().stream()
              .filter(each -> each.waitingHandler().isPresent())
              .findFirst()
              .orElseThrow();
      connection.closeNow();
      return first;
    }
  }

  /** What a send in a handler fails with while the far handler waits for it. */
  static ArraywireException failureOfSends(TransportStage stage) throws Exception {
    return failure(stage, new Echo(Duration.ofSeconds(1)), false);
  }

  /** What a request in a handler fails with while the far handler waits for it. */
  static ArraywireException failureOfRequests(TransportStage stage) throws Exception {
    return failure(stage, new Asking(Duration.ofSeconds(1)), true);
  }
}
