package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Handlers at both ends of a connection that wait for each other. Neither end can see that alone.
 * The tests are about what is logged of that, and what fails in the end.
 */
public final class HandlerDeadlock {
  private HandlerDeadlock() {}

  /** The call of the handlers that waits. */
  public enum Call {
    /** A send that waits until the array is processed. */
    SEND(false, "in send for the far side") {
      @Override
      void wait(Connection from, ArraySlice slice, Duration timeout) throws Exception {
        from.send(slice, within(SendOptions.processed(), timeout));
      }
    },

    /** The same in a session. */
    SESSION_SEND(true, "in send for the far side") {
      @Override
      void wait(Connection from, ArraySlice slice, Duration timeout) throws Exception {
        from.send(slice, within(SendOptions.session(), timeout));
      }
    },

    /** The stage of {@code sendAsync}. */
    STAGE(false, "for the stage of sendAsync") {
      @Override
      void wait(Connection from, ArraySlice slice, Duration timeout) throws Exception {
        var unused = from.sendAsync(slice, SendOptions.processed()).toCompletableFuture().get();
      }
    },

    /** A stage that was derived from that of {@code sendAsync}. */
    DERIVED_STAGE(false, "for the stage of sendAsync") {
      @Override
      void wait(Connection from, ArraySlice slice, Duration timeout) throws Exception {
        var unused =
            from.sendAsync(slice, SendOptions.processed())
                .thenApply(receipt -> receipt.elements())
                .thenApply(elements -> elements + 1)
                .toCompletableFuture()
                .join();
      }
    },

    /** A stage that was derived from that of a session's {@code sendAsync}. */
    SESSION_STAGE(true, "for the stage of sendAsync") {
      @Override
      void wait(Connection from, ArraySlice slice, Duration timeout) throws Exception {
        var unused =
            from.sendAsync(slice, SendOptions.session())
                .thenApply(receipt -> receipt.elements())
                .toCompletableFuture()
                .get();
      }
    },

    /** The stage of a request. */
    REQUEST(false, "for the reply to its request") {
      @Override
      void wait(Connection from, ArraySlice slice, Duration timeout, Reply reply) throws Exception {
        RequestOptions options =
            timeout.isZero()
                ? RequestOptions.defaults()
                : RequestOptions.defaults().timeout(timeout);
        reply.send(from.request(slice, options).toCompletableFuture().get().slice());
      }
    },

    /** A stage that was derived from that of a request. */
    DERIVED_REQUEST(false, "for the reply to its request") {
      @Override
      void wait(Connection from, ArraySlice slice, Duration timeout, Reply reply) throws Exception {
        reply.send(from.request(slice).thenApply(ReceivedArray::slice).toCompletableFuture().get());
      }
    },

    /** The stage of a reply, behind a request that the far handler has to take. */
    REPLY(false, "for the stage of its reply") {
      @Override
      void wait(Connection from, ArraySlice slice, Duration timeout, Reply reply) throws Exception {
        var unused = from.request(slice);
        var unusedReceipt = reply.send(slice, SendOptions.processed()).toCompletableFuture().get();
      }
    };

    private final boolean inSession;
    private final String words;

    Call(boolean inSession, String words) {
      this.inSession = inSession;
      this.words = words;
    }

    void wait(Connection from, ArraySlice slice, Duration timeout) throws Exception {
      throw new UnsupportedOperationException("only requests");
    }

    void wait(Connection from, ArraySlice slice, Duration timeout, Reply reply) throws Exception {
      throw new UnsupportedOperationException("only arrays");
    }

    private static SendOptions within(SendOptions options, Duration timeout) {
      return timeout.isZero() ? options : options.timeout(timeout);
    }

    private boolean isOfRequests() {
      return words.contains("reply");
    }

    /** How the line begins that is logged. */
    private String logged() {
      return "handler HandlerDeadlock.Busy of channel 0 waits " + words + " and";
    }
  }

  /** Waits in a call for each array and request. */
  private static final class Busy implements ArrayHandler, RequestHandler {
    private final Call call;

    /** How long it waits; zero for longer than a test does. */
    private final Duration timeout;

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    Busy(Call call, Duration timeout) {
      this.call = call;
      this.timeout = timeout;
    }

    @Override
    public void onArray(Connection from, ReceivedArray array) throws Exception {
      try {
        call.wait(from, array.slice(), timeout);
      } catch (Exception e) {
        failures.add(e);
      }
    }

    @Override
    public void onRequest(Connection from, ReceivedArray request, Reply reply) throws Exception {
      try {
        call.wait(from, request.slice(), timeout, reply);
      } catch (Exception e) {
        failures.add(e);
        throw e;
      }
    }

    /** Failures that name the handler. */
    Stream<ArraywireException> named() {
      return failures.stream()
          .map(each -> each instanceof ExecutionException ? each.getCause() : each)
          .filter(ArraywireException.class::isInstance)
          .map(ArraywireException.class::cast)
          .filter(each -> each.waitingHandler().isPresent());
    }
  }

  /**
   * Has handlers at both ends wait for each other until that is logged; nothing has failed by then.
   *
   * @param stage where it plays
   * @param call what waits
   * @param awaitLogged waits until a line is logged that begins so
   * @throws Exception if it is not
   */
  public static void play(TransportStage stage, Call call, Consumer<String> awaitLogged)
      throws Exception {
    Busy handler = new Busy(call, Duration.ZERO);
    try (Connection connection = begin(stage, handler)) {
      awaitLogged.accept(call.logged());
      assertThat(handler.failures).isEmpty();
      connection.closeNow();
    }
  }

  /** What a call in a handler fails with that waits for a second while the far handler does. */
  static ArraywireException failure(TransportStage stage, Call call) throws Exception {
    Busy handler = new Busy(call, Duration.ofSeconds(1));
    try (Connection connection = begin(stage, handler)) {
      Eventually.until(
          "a call has failed that waited in a handler which others waited for",
          () -> handler.named().findFirst().isPresent());
      connection.closeNow();
      return handler.named().findFirst().orElseThrow();
    }
  }

  private static Connection begin(TransportStage stage, Busy handler) throws Exception {
    Transport transport =
        stage.transport(
            options -> handler.call.inSession ? options.sessionTimeout(Eventually.LONG) : options);
    Handlers handlers = Handlers.ofArrays(handler).withRequests(handler);
    Listener listener = transport.listen(stage.address(), handlers);
    Connection connection = transport.connect(listener.address(), handlers);
    ArraySlice first = ArraySlice.of(new int[3]);
    if (handler.call.isOfRequests()) {
      var unused = connection.request(first);
    } else {
      var unused = connection.sendAsync(first, SendOptions.handedOff());
    }
    return connection;
  }
}
