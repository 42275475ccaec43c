package io.arraywire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayHandler;
import io.arraywire.ArrayOutput;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.Handlers;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.TimedOutException;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.message.Message;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client promises, over any transport. */
abstract class ClientContract {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<TestServer> servers = new ArrayList<>();
  private final BlockingQueue<Reply> unanswered = new LinkedBlockingQueue<>();
  private Transport transport;

  /** Makes the transport under test. */
  abstract Transport create(TransportOptions options);

  /** An address that a server can listen at. */
  abstract SocketAddress free();

  @BeforeEach
  void open() {
    transport = create(TransportOptions.defaults());
  }

  @AfterEach
  void closeAll() {
    transport.close();
    servers.forEach(TestServer::close);
  }

  private TestServer server(Handlers handlers) throws Exception {
    TestServer made = new TestServer(this::create, free(), handlers).start();
    servers.add(made);
    return made;
  }

  /** Answers with its number. */
  private TestServer answering(int number) throws Exception {
    return server(
        Handlers.answering(request -> Message.of(new int[] {number}))
            .withArrays((from, array) -> {}));
  }

  /** Keeps requests, for the test to answer. */
  private TestServer keeping() throws Exception {
    RequestHandler keep = (connection, request, reply) -> unanswered.add(reply);
    return server(Handlers.ofRequests(keep));
  }

  private ClientBuilder builder(TestServer... to) {
    ClientBuilder builder = ArraywireClient.over(transport);
    for (TestServer server : to) {
      builder.address(server.address());
    }
    return builder;
  }

  private static int asked(ArrayOutput calls) throws Exception {
    return calls.call(ArraySlice.of(new int[] {1}), PATIENCE).ints()[0];
  }

  private Reply kept() throws InterruptedException {
    Reply reply = unanswered.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(reply).as("a request that has come").isNotNull();
    return reply;
  }

  private static <T> T got(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(PATIENCE).until(condition);
  }

  private static boolean isReady(ArraywireClient client, int address) {
    return client.status().addresses().get(address).state() == AddressStatus.State.READY;
  }

  @Test
  void connectsWithTheFirstCall() throws Exception {
    try (ArraywireClient client = builder(answering(7)).build()) {
      assertThat(client.status().ready()).isFalse();
      assertThat(asked(client)).isEqualTo(7);
      assertThat(got(client.request(new int[] {1})).ints()).containsExactly(7);
      Receipt receipt = client.send(new float[3], SendOptions.processed());
      assertThat(receipt.elements()).isEqualTo(3);
      assertThat(got(client.sendAsync(new float[4])).elements()).isEqualTo(4);
      assertThat(client.offer(new float[5])).isEqualTo(OfferStatus.ACCEPTED);
      assertThat(client.status().ready()).isTrue();
      assertThat(client.status().connections()).isEqualTo(1);
      assertThat(client.status().inFlight()).isZero();
    }
  }

  @Test
  void failsOverInOrderAndGoesBack() throws Exception {
    TestServer first = answering(1);
    try (ArraywireClient client = builder(first, answering(2)).build()) {
      assertThat(asked(client)).isEqualTo(1);
      assertThat(client.status().connections()).as("only what is needed").isEqualTo(1);
      first.kill();
      await(() -> !isReady(client, 0));
      assertThat(asked(client)).isEqualTo(2);
      first.start();
      await(() -> isReady(client, 0));
      assertThat(asked(client)).isEqualTo(1);
    }
  }

  @Test
  void theLeastLoadedAddressGetsTheNextCall() throws Exception {
    try (ArraywireClient client =
        builder(keeping(), keeping(), keeping()).choice(AddressChoice.LEAST_LOADED).build()) {
      client.awaitReady(PATIENCE);
      await(() -> client.status().connections() == 3);
      List<CompletableFuture<ReceivedArray>> open = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        open.add(client.request(new int[] {i}));
      }
      assertThat(client.status().addresses())
          .extracting(AddressStatus::inFlight)
          .containsExactly(3, 3, 3);
      for (int i = 0; i < 9; i++) {
        kept().send(ArraySlice.of(new int[0]));
      }
      for (CompletableFuture<ReceivedArray> each : open) {
        got(each);
      }
      assertThat(client.status().inFlight()).isZero();
    }
  }

  @Test
  void aKeyKeepsItsAddress() throws Exception {
    TestServer[] all = {answering(0), answering(1), answering(2)};
    try (ArraywireClient client = builder(all).build()) {
      int owner = asked(client.byKey("user-17"));
      for (int i = 0; i < 10; i++) {
        assertThat(asked(client.byKey("user-17"))).isEqualTo(owner);
      }
      all[owner].kill();
      await(() -> !isReady(client, owner));
      assertThat(asked(client.byKey("user-17"))).isNotEqualTo(owner);
      all[owner].start();
      await(() -> isReady(client, owner));
      assertThat(asked(client.byKey("user-17"))).isEqualTo(owner);
    }
  }

  @Test
  void aCallWaitsForAServer() throws Exception {
    TestServer server = answering(7);
    try (ArraywireClient client = builder(server).build()) {
      assertThat(asked(client)).isEqualTo(7);
      server.kill();
      await(() -> !isReady(client, 0));
      CompletableFuture<ReceivedArray> request = client.request(new int[] {1});
      CompletionStage<Receipt> sent = client.sendAsync(new int[] {1}, SendOptions.processed());
      assertThat(client.offer(new int[] {1})).isEqualTo(OfferStatus.BACK_PRESSURED);
      assertThat(request).isNotDone();
      server.start();
      assertThat(got(request).ints()).containsExactly(7);
      assertThat(got(sent).elements()).isEqualTo(1);
    }
  }

  @Test
  void aCallWithoutAServerFailsAtItsDeadlineAndSaysWhy() throws Exception {
    TestServer server = answering(7);
    server.kill();
    try (ArraywireClient client = builder(server).build()) {
      assertThatThrownBy(() -> client.call(new int[1], Duration.ofMillis(300)))
          .isInstanceOf(TimedOutException.class)
          .hasMessageContaining("no server could be reached in time")
          .hasMessageContaining("lastFailure=");
      SendOptions brief = SendOptions.processed().timeout(Duration.ofMillis(100));
      assertThatThrownBy(() -> client.send(new int[1], brief))
          .isInstanceOf(TimedOutException.class);
      assertThat(client.status().addresses().get(0).lastFailure()).isNotNull();
      assertThat(client.status().addresses().get(0).failures()).isPositive();
    }
  }

  /** Nothing is refused by a server that goes down politely, and nothing is lost. */
  @Test
  void aServerThatDrainsAnswersWhatItHasAndGetsNothingMore() throws Exception {
    TestServer first = keeping();
    try (ArraywireClient client = builder(first, answering(2)).build()) {
      CompletableFuture<ReceivedArray> open = client.request(new int[] {1});
      Reply reply = kept();
      Thread draining = new Thread(() -> drain(first));
      draining.start();
      // It waits for the answer, and says goodbye behind it: until then it refuses requests.
      int by = 1;
      while (by == 1) {
        CompletableFuture<ReceivedArray> further = client.request(new int[] {1});
        Reply early = unanswered.poll();
        while (early == null && !further.isDone()) {
          early = unanswered.poll(1, TimeUnit.MILLISECONDS);
        }
        if (early != null) {
          // The server had not begun to close.
          early.send(ArraySlice.of(new int[] {1}));
        }
        by = got(further).ints()[0];
      }
      for (int i = 0; i < 100; i++) {
        assertThat(asked(client)).isEqualTo(2);
      }
      assertThat(open).isNotDone();
      reply.send(ArraySlice.of(new int[] {9}));
      assertThat(got(open).ints()).containsExactly(9);
      draining.join(PATIENCE.toMillis());
      assertThat(draining.isAlive()).isFalse();
      assertThat(client.status().addresses().get(1).connections()).isEqualTo(1);
    }
  }

  private static void drain(TestServer server) {
    try {
      server.drain();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aRequestInFlightAtAKillFails() throws Exception {
    TestServer first = keeping();
    try (ArraywireClient client = builder(first, answering(2)).build()) {
      CompletableFuture<ReceivedArray> open = client.request(new int[] {1});
      assertThat(kept().isCancelled()).isFalse();
      first.kill();
      assertThatThrownBy(() -> got(open))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(ConnectionLostException.class);
    }
  }

  @Test
  void anIdempotentRequestInFlightAtAKillIsMadeAgain() throws Exception {
    TestServer first = keeping();
    try (ArraywireClient client = builder(first, answering(2)).build()) {
      CompletableFuture<ReceivedArray> open = client.idempotent().request(new int[] {1});
      assertThat(kept().isCancelled()).isFalse();
      first.kill();
      assertThat(got(open).ints()).containsExactly(2);
    }
  }

  @Test
  void aSendInFlightAtAKillIsInDoubt() throws Exception {
    CountDownLatch come = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    TestServer first =
        server(
            Handlers.ofArrays((from, array) -> {
              come.countDown();
              goOn.await();
            }));
    try (ArraywireClient client = builder(first, answering(2)).build()) {
      CompletionStage<Receipt> sent = client.sendAsync(new int[1], SendOptions.processed());
      assertThat(come.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      first.kill();
      assertThatThrownBy(() -> got(sent)).hasCauseInstanceOf(DeliveryUnknownException.class);
      assertThat(client.send(new int[2], SendOptions.processed()).elements()).isEqualTo(2);
    } finally {
      goOn.countDown();
    }
  }

  @Test
  void aSubscriptionComesBackAndSaysThatItMissedSome() throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    PublicationHandler handler =
        new PublicationHandler() {
          @Override
          public void onArray(ReceivedArray array) {
            heard.add("array " + array.ints()[0]);
          }

          @Override
          public void onGap(@Nullable ArraywireException cause) {
            heard.add(cause == null ? "gap" : "gap with a cause");
          }

          @Override
          public void onEnded(@Nullable ArraywireException cause) {
            heard.add("ended");
          }
        };
    TestServer server = answering(1);
    try (ArraywireClient client = builder(server).build()) {
      ClientSubscription subscription =
          client.subscribe("numbers", SubscribeOptions.defaults(), handler);
      server.listener().publish("numbers", new int[] {1});
      assertThat(next(heard)).isEqualTo("array 1");
      server.drain();
      server.start();
      await(() -> server.listener().subscribers("numbers") == 1);
      server.listener().publish("numbers", new int[] {2});
      assertThat(next(heard)).isEqualTo("gap");
      assertThat(next(heard)).isEqualTo("array 2");
      server.kill();
      server.start();
      await(() -> server.listener().subscribers("numbers") == 1);
      assertThat(next(heard)).startsWith("gap");
      await(subscription::isActive);
      assertThat(subscription.gaps()).isEqualTo(2);
      subscription.close();
      assertThat(next(heard)).isEqualTo("ended");
      await(() -> server.listener().subscribers("numbers") == 0);
    }
    assertThat(heard).isEmpty();
  }

  private static String next(BlockingQueue<String> heard) throws InterruptedException {
    return heard.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void publishesToServersThatSubscribe() throws Exception {
    BlockingQueue<Integer> heard = new LinkedBlockingQueue<>();
    RequestHandler subscribes =
        (connection, request, reply) -> {
          Thread thread =
              new Thread(() -> {
                try {
                  connection.subscribe(
                      "updates",
                      SubscribeOptions.defaults(),
                      (from, array) -> heard.add(array.ints()[0]));
                  reply.send(ArraySlice.of(new int[] {0}));
                } catch (Exception e) {
                  reply.fail(e);
                }
              });
          thread.start();
        };
    try (ArraywireClient client = builder(server(Handlers.ofRequests(subscribes))).build()) {
      assertThat(client.publish("updates", new int[] {4}).subscribers()).isZero();
      assertThat(asked(client)).isZero();
      assertThat(client.subscribers("updates")).isEqualTo(1);
      assertThat(client.publish("updates", new int[] {5}).queued()).isEqualTo(1);
      assertThat(heard.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(5);
    }
  }

  @Test
  void theFarSideLearnsHowLongItHas() throws Exception {
    BlockingQueue<Optional<Duration>> left = new LinkedBlockingQueue<>();
    TestServer server =
        server(
            Handlers.ofRequests((connection, request, reply) -> {
              left.add(RequestDeadline.of(request));
              reply.send(request.message());
            }));
    try (ArraywireClient client = builder(server).build();
        Connection bare = transport.connect(server.address())) {
      client.call(new int[1], Duration.ofSeconds(20));
      assertThat(left.take().orElseThrow())
          .isGreaterThan(Duration.ofSeconds(1))
          .isLessThanOrEqualTo(Duration.ofSeconds(20));
      Message parts = Message.of("a", new int[1]).with("b", new float[2]);
      assertThat(client.call(parts, Duration.ofSeconds(30)).message().floats("b")).hasSize(2);
      assertThat(left.take().orElseThrow()).isGreaterThan(Duration.ofSeconds(1));
      RequestOptions own = RequestOptions.defaults().metadata(RequestDeadline.KEY, "17");
      client.call(new int[1], own.timeout(Duration.ofSeconds(20)));
      assertThat(left.take().orElseThrow()).isGreaterThan(Duration.ofSeconds(1));
      bare.call(new int[1], PATIENCE);
      assertThat(left.take()).isEmpty();
    }
  }

  /** No clocks are compared: what is sent is what is left when it is sent. */
  @Test
  void aRequestThatWaitedOrIsMadeAgainHasLessTimeLeft() throws Exception {
    Duration whole = Duration.ofSeconds(20);
    Duration before = Duration.ofMillis(150);
    BlockingQueue<Duration> left = new LinkedBlockingQueue<>();
    RequestHandler answer =
        (connection, request, reply) -> {
          left.add(RequestDeadline.of(request).orElseThrow());
          reply.send(request.message());
        };
    TestServer first = keeping();
    TestServer second = server(Handlers.ofRequests(answer));
    second.kill();
    try (ArraywireClient client = builder(first, second).build()) {
      client.awaitReady(PATIENCE);
      long begin = System.nanoTime();
      CompletableFuture<ReceivedArray> again =
          client.idempotent().request(new int[1], RequestOptions.defaults().timeout(whole));
      assertThat(kept().isCancelled()).isFalse();
      first.kill();
      await(() -> !isReady(client, 0));
      CompletableFuture<ReceivedArray> waiting =
          client.request(new int[1], RequestOptions.defaults().timeout(whole));
      await(() -> System.nanoTime() - begin > 2 * before.toNanos());
      assertThat(again).isNotDone();
      second.start();
      got(again);
      got(waiting);
      assertThat(left.take()).isBetween(Duration.ofSeconds(1), whole.minus(before));
      assertThat(left.take()).isBetween(Duration.ofSeconds(1), whole.minus(before));
    }
  }

  @Test
  void closeFinishesWhatIsInFlightAndSaysGoodbye() throws Exception {
    CompletableFuture<Optional<ArraywireException>> closed = new CompletableFuture<>();
    ArrayHandler watch =
        new ArrayHandler() {
          @Override
          public void onArray(Connection from, ReceivedArray array) {}

          @Override
          public void onClosed(Connection from, @Nullable ArraywireException cause) {
            closed.complete(Optional.ofNullable(cause));
          }
        };
    TestServer server =
        server(
            Handlers.ofArrays(watch)
                .withRequests((connection, request, reply) -> unanswered.add(reply)));
    ArraywireClient client = builder(server).build();
    CompletableFuture<ReceivedArray> open = client.request(new int[] {1});
    Reply reply = kept();
    CompletableFuture<Void> closing =
        CompletableFuture.runAsync(() -> {
          try {
            client.close();
          } catch (ArraywireException e) {
            throw new AssertionError(e);
          }
        });
    await(() -> client.status().closed());
    assertThat(closing).isNotDone();
    reply.send(ArraySlice.of(new int[] {9}));
    assertThat(got(open).ints()).containsExactly(9);
    got(closing);
    assertThat(got(closed)).as("a goodbye").isEmpty();
    assertThatThrownBy(() -> client.call(new int[1], PATIENCE))
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("the client is closed");
    assertThatThrownBy(() -> got(client.request(new int[1])))
        .hasCauseInstanceOf(ConnectionClosedException.class);
    assertThat(client.offer(new int[1])).isEqualTo(OfferStatus.CLOSED);
    assertThat(client.status().ready()).isFalse();
    client.close();
  }

  @Test
  void closeFailsCallsThatWaitForAServer() throws Exception {
    TestServer server = answering(1);
    server.kill();
    ArraywireClient client = builder(server).build();
    CompletableFuture<ReceivedArray> request = client.request(new int[] {1});
    assertThat(request).isNotDone();
    client.close();
    assertThatThrownBy(() -> got(request)).hasCauseInstanceOf(ConnectionClosedException.class);
  }

  @Test
  void aCancelledRequestIsCancelledThere() throws Exception {
    try (ArraywireClient client = builder(keeping()).build()) {
      CompletableFuture<ReceivedArray> open = client.request(new int[] {1});
      Reply reply = kept();
      assertThat(open.cancel(true)).isTrue();
      await(reply::isCancelled);
      assertThat(client.status().inFlight()).isZero();
    }
  }

  @Test
  void busyConnectionsGetHelpUpToTheLimit() throws Exception {
    try (ArraywireClient client = builder(keeping()).connectionsPerAddress(2).build()) {
      client.awaitReady(PATIENCE);
      List<CompletableFuture<ReceivedArray>> open = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        open.add(client.request(new int[] {i}));
      }
      await(() -> client.status().connections() == 2);
      open.add(client.request(new int[] {1}));
      assertThat(client.status().connections()).isEqualTo(2);
      assertThat(client.status().inFlight()).isEqualTo(11);
      for (int i = 0; i < 11; i++) {
        kept().send(ArraySlice.of(new int[0]));
      }
      for (CompletableFuture<ReceivedArray> each : open) {
        got(each);
      }
    }
  }
}
