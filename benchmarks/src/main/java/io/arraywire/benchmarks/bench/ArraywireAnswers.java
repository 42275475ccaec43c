package io.arraywire.benchmarks.bench;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.RequestHandler;
import io.arraywire.RequestOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Requests of this library.
 *
 * @param name what it is called
 * @param summary what it does
 * @param transports makes a transport out of options
 * @param handling what the answering end does while an answer waits
 */
record ArraywireAnswers(
    String name,
    String summary,
    Function<TransportOptions, Transport> transports,
    Handling handling)
    implements AnswersContender {
  /** Longer than any answer waits, with few threads for many clients too. */
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  /** What the handler of a slow request does. */
  enum Handling {
    /** Sleeps, on the thread that the transport gives it. */
    SLEEPING,
    /** Sleeps, on one of 16 threads. */
    POOLED,
    /** Returns; a timer answers. */
    LATER,
    /** As LATER. Handler and stages run on the event loop. */
    ON_LOOP;

    boolean answersLater() {
      return this == LATER || this == ON_LOOP;
    }
  }

  private static final int POOL = 16;

  /** One transport for all connections of a process, as a program has one; open until it ends. */
  private static final Map<String, Transport> CLIENTS = new ConcurrentHashMap<>();

  private static final Executor LATER =
      Executors.newSingleThreadExecutor(ConnectionThreads::daemonOfTheSystem);

  @Override
  public int listen(SlowAnswers slow, int count) throws Exception {
    TransportOptions.Builder options = options(count);
    if (handling == Handling.POOLED) {
      options.handlerExecutor(
          Executors.newFixedThreadPool(POOL, ConnectionThreads::daemonOfTheSystem));
    }
    Transport transport = transports.apply(options.build());
    Handlers handlers = Handlers.ofRequests(handler(slow));
    InetSocketAddress address =
        (InetSocketAddress)
            transport
                .listen(
                    Loopback.TCP.free(),
                    handling == Handling.ON_LOOP ? handlers.onLoop() : handlers)
                .address();
    return address.getPort();
  }

  private TransportOptions.Builder options(int count) {
    return ArraywireContender.options(count).stagesOnLoop(handling == Handling.ON_LOOP);
  }

  private RequestHandler handler(SlowAnswers slow) {
    long delay = slow.delay().toMillis();
    return (connection, request, reply) -> {
      ArraySlice answer = ArraySlice.of(request.floats());
      if (!slow.isSlow(AnswersContender.number(request.floats()[0]))) {
        reply.send(answer);
      } else if (handling.answersLater()) {
        CompletableFuture.delayedExecutor(delay, TimeUnit.MILLISECONDS, LATER)
            .execute(() -> reply.send(answer));
      } else {
        Thread.sleep(delay);
        reply.send(answer);
      }
    };
  }

  @Override
  public Client connect(int port, int count) throws Exception {
    return requests(port, count);
  }

  @Override
  public boolean asks() {
    return true;
  }

  @Override
  public Asking ask(int port, int count) throws Exception {
    return requests(port, count);
  }

  private Requests requests(int port, int count) throws Exception {
    Transport transport =
        CLIENTS.computeIfAbsent(name, any -> transports.apply(options(count).build()));
    return new Requests(transport.connect(Loopback.TCP.numbered(port)));
  }

  private record Requests(Connection connection) implements Client, Asking {
    private static final RequestOptions OPTIONS = RequestOptions.defaults().timeout(TIMEOUT);

    @Override
    public void request(float[] request, float[] answer) throws Exception {
      var unused =
          connection
              .request(ArraySlice.of(request), OPTIONS.target(ArraySlice.of(answer)))
              .toCompletableFuture()
              .get();
    }

    @Override
    public void ask(PacedRequest request) {
      RequestOptions options = OPTIONS.target(ArraySlice.of(request.answer()));
      var unused =
          connection
              .request(ArraySlice.of(request.request()), options)
              .whenComplete((reply, failure) -> {
                if (failure == null) {
                  request.answered();
                } else {
                  request.fail(failure);
                }
              });
    }

    @Override
    public void close() {
      connection.closeNow();
    }
  }
}
