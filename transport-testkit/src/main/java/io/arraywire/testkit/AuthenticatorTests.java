package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.HandshakeException;
import io.arraywire.Listener;
import io.arraywire.NoRoomException;
import io.arraywire.RemoteErrorException;
import io.arraywire.RemoteRejectedException;
import io.arraywire.Reply;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.TimedOutException;
import io.arraywire.TransportCounters;
import io.arraywire.TransportOptions;
import io.arraywire.security.AcceptLimits;
import io.arraywire.security.Authenticator;
import io.arraywire.security.Credentials;
import io.arraywire.security.Identity;
import io.arraywire.testkit.TransportStage.Ends;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who may connect, and what each peer may do; see {@link Authenticator}. */
interface AuthenticatorTests {
  byte[] FRIEND = "sesame of a friend".getBytes(StandardCharsets.UTF_8);

  TransportStage stage();

  private static UnaryOperator<TransportOptions.Builder> showing(byte[] token) {
    return options -> options.authToken(token);
  }

  private static UnaryOperator<TransportOptions.Builder> asking(Authenticator authenticator) {
    return options -> options.authenticator(authenticator);
  }

  /** Ends of which the accepted one takes only friends, under some name and with some limits. */
  private Ends endsOf(Identity friend) throws Exception {
    return stage().ends(showing(FRIEND), asking(peer -> peer.tokenIs(FRIEND) ? friend : null));
  }

  @Test
  default void aPeerHasTheNameThatTheAuthenticatorAnswers() throws Exception {
    BlockingQueue<Credentials> seen = new LinkedBlockingQueue<>();
    Ends ends =
        stage()
            .ends(
                options -> options.authToken(FRIEND).maxChannels(7).maxSubscriptions(3),
                asking(peer -> {
                  seen.add(peer);
                  assertThat(Thread.currentThread().getName()).contains("authenticator");
                  return peer.tokenIs(FRIEND) ? Identity.of("a friend") : null;
                }));
    Credentials peer = seen.remove();
    assertThat(peer.remoteAddress()).isEqualTo(ends.there().remoteAddress());
    assertThat(peer.token()).isEqualTo(FRIEND);
    assertThat(peer.tokenIs(new byte[0])).isFalse();
    assertThat(peer.channels()).isEqualTo(7);
    assertThat(peer.subscriptions()).isEqualTo(3);
    assertThat(peer.maxArrayBytes()).isEqualTo(1 << 30);
    assertThat(peer.resumesSession()).isFalse();
    assertThat(peer.library()).contains("arraywire-java");
    assertThat(peer.toString()).doesNotContain("sesame");
    assertThat(ends.there().agreement().identity()).isEqualTo(Identity.of("a friend"));
    assertThat(ends.there().describe()).contains("identity a friend").doesNotContain("sesame");
    assertThat(ends.here().agreement().identity()).isNull();
    // Everything that the options allow.
    assertThat(ends.here().agreement().channels()).isEqualTo(7);
    ends.here().send(new int[] {1, 2, 3});
    assertThat(ends.there().receive().ints()).containsExactly(1, 2, 3);
  }

  @Test
  default void aPeerThatIsRefusedHearsNoReason() throws Exception {
    Authenticator authenticator =
        peer -> {
          if (peer.tokenIs(FRIEND)) {
            return Identity.of("a friend");
          } else if (peer.token().length == 1) {
            throw ArraywireException.refusal("one byte of secret wisdom");
          } else if (peer.token().length == 2) {
            throw new IllegalStateException("two bytes of secret wisdom");
          } else if (peer.token().length == 3) {
            throw new StackOverflowError("three bytes of secret wisdom");
          } else if (peer.token().length == 4) {
            throw new IllegalStateException() {
              private static final long serialVersionUID = 1;

              @Override
              public String getMessage() {
                throw new IllegalArgumentException("secret wisdom");
              }
            };
          }
          return null;
        };
    ClosedWatch watch = new ClosedWatch();
    Listener listener = stage().transport(asking(authenticator)).listen(stage().address(), watch);
    Connection friend = stage().transport(showing(FRIEND)).connect(listener.address());
    byte[][] guesses = {null, {1}, {1, 2}, {1, 2, 3}, {1, 2, 3, 4}, new byte[256]};
    for (byte[] guess : guesses) {
      // What throws anything but a refusal has not decided.
      boolean thrown = guess != null && guess.length > 1 && guess.length < 5;
      ErrorCode code = thrown ? ErrorCode.INTERNAL : ErrorCode.AUTHENTICATION_FAILED;
      assertThatThrownBy(() -> stage().transport(showing(guess)).connect(listener.address()))
          .isInstanceOf(thrown ? RemoteErrorException.class : HandshakeException.class)
          .satisfies(e -> assertThat(((ArraywireException) e).code()).isEqualTo(code))
          .hasMessageContaining(
              thrown ? "failed to find out who this peer is" : "does not accept this peer")
          .hasMessageNotContaining("wisdom")
          .hasMessageNotContaining("null");
      assertThat(watch.next())
          .isInstanceOf(ArraywireException.class)
          .matches(code::isOf)
          .hasMessageContaining("reason=")
          .hasMessageContaining("peer=");
      friend.send(ArraySlice.of(new int[1]), SendOptions.processed());
    }
    assertThat(watch.arrays()).isEqualTo(guesses.length);
  }

  @Test
  default void theTokenOfAllIsCheckedBeforeTheAuthenticatorIsAsked() throws Exception {
    BlockingQueue<Credentials> seen = new LinkedBlockingQueue<>();
    Listener listener =
        stage()
            .transport(options ->
                options
                    .authToken(FRIEND)
                    .authenticator(peer -> {
                      seen.add(peer);
                      return Identity.of("a friend");
                    }))
            .listen(stage().address(), new ClosedWatch());
    assertThatThrownBy(() -> stage().transport().connect(listener.address()))
        .matches(ErrorCode.AUTHENTICATION_FAILED::isOf);
    assertThat(seen).isEmpty();
    stage().transport(showing(FRIEND)).connect(listener.address()).send(new int[1]);
    assertThat(seen).hasSize(1);
  }

  /** A refused peer learns nothing of what this side understands. */
  @Test
  default void theTokenIsCheckedBeforeAnythingIsNegotiated() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener =
        stage()
            .transport(options -> options.authToken(FRIEND).codecs(new ProbingCodec()))
            .listen(stage().address(), watch);
    assertThatThrownBy(() -> stage().transport().connect(listener.address()))
        .matches(ErrorCode.AUTHENTICATION_FAILED::isOf)
        .hasMessageNotContaining("(");
  }

  @Test
  default void anAuthenticatorThatBlocksHoldsUpNobodyElse() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Authenticator authenticator =
        peer -> {
          if (!peer.tokenIs(FRIEND)) {
            asked.countDown();
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              ended.complete(e);
            }
          }
          return Identity.of("late");
        };
    ClosedWatch watch = new ClosedWatch();
    Listener listener =
        stage()
            .transport(options ->
                options
                    .authenticator(authenticator)
                    .connectTimeout(Duration.ofSeconds(2))
                    .acceptLimits(AcceptLimits.none().failuresPerMinute(1)))
            .listen(stage().address(), watch);
    Running<Connection> slow = Running.start(() -> stage().transport().connect(listener.address()));
    Eventually.until("the authenticator is asked", asked);
    Connection friend = stage().transport(showing(FRIEND)).connect(listener.address());
    friend.send(ArraySlice.of(new int[1]), SendOptions.processed());
    assertThat(watch.next())
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.HANDSHAKE_TIMEOUT::isOf)
        .hasMessageContainingAll("authenticator", "connectTimeout=PT2S", "peer=");
    assertThat(slow.failure()).isInstanceOf(ArraywireException.class);
    assertThat(Eventually.get(ended)).isInstanceOf(InterruptedException.class);
    friend.send(ArraySlice.of(new int[1]), SendOptions.processed());
    assertThat(watch.arrays()).isEqualTo(2);
    // It was not the peer that was slow, so its address need not wait.
    stage().transport(showing(FRIEND)).connect(listener.address()).send(new int[1]);
  }

  // Permissions, as a peer meets them that keeps to the protocol.

  @Test
  default void aPeerKeepsToTheLimitsOfItsIdentity() throws Exception {
    Ends ends = endsOf(Identity.of("small").channels(2).maxArrayBytes(1000).inboxBytes(8 << 10));
    assertThat(ends.here().agreement().channels()).isEqualTo(2);
    assertThat(ends.there().agreement().channels()).isEqualTo(2);
    assertThat(ends.there().agreement().maxReceiveBytes()).isEqualTo(1000);
    assertThatThrownBy(() -> ends.here().channel(2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("channels=2");
    assertThatThrownBy(() -> ends.here().send(new double[126]))
        .isInstanceOf(ArrayTooLargeException.class)
        .hasMessageContaining("peer=1000");
    // The other way there is no such limit.
    ends.there().send(new double[126]);
    assertThat(ends.here().receive().count()).isEqualTo(126);
    // Nobody receives: the window of 8 KiB is full before the tenth array.
    List<CompletableFuture<Void>> sent =
        IntStream.range(0, 10)
            .mapToObj(i ->
                ends.here()
                    .sendAsync(ArraySlice.of(new double[125]), SendOptions.handedOff())
                    .toCompletableFuture()
                    .thenAccept(receipt -> {}))
            .toList();
    Eventually.until("five have left", () -> sent.get(4).isDone());
    assertThat(sent.get(9).isDone()).isFalse();
    for (int i = 0; i < 10; i++) {
      assertThat(ends.there().receive().count()).isEqualTo(125);
    }
    Eventually.until("all have left", () -> sent.get(9).isDone());
  }

  @Test
  default void aPeerSubscribesToWhatItMay() throws Exception {
    TransportCounters counters = TransportCounters.create();
    Listener listener =
        stage()
            .transport(options ->
                options
                    .observer(counters)
                    .authenticator(peer ->
                        peer.tokenIs(FRIEND)
                            ? Identity.of("reader").subscribing("weights/*", "loss")
                            : Identity.of("other")))
            .listen(stage().address());
    Connection reader = stage().transport(showing(FRIEND)).connect(listener.address());
    Connection other = stage().transport().connect(listener.address());
    for (String subject : List.of("weights", "losses", "secret", "*")) {
      assertThatThrownBy(() -> reader.subscribe(subject, SubscribeOptions.defaults()))
          .isInstanceOf(RemoteRejectedException.class)
          .matches(ErrorCode.NOT_PERMITTED::isOf)
          .hasMessageContaining("subject=" + subject)
          .hasMessageNotContaining("reader");
    }
    Eventually.until("it was counted", () -> counters.permissionsDenied() == 4);
    assertThat(listener.subscribers("secret")).isZero();
    Subscription weights = reader.subscribe("weights/1", SubscribeOptions.defaults());
    Subscription loss = reader.subscribe("loss", SubscribeOptions.defaults());
    Subscription all = other.subscribe("secret", SubscribeOptions.defaults());
    listener.publish("weights/1", ArraySlice.of(new int[] {1}));
    listener.publish("loss", ArraySlice.of(new int[] {2}));
    listener.publish("secret", ArraySlice.of(new int[] {3}));
    assertThat(weights.receive().ints()).containsExactly(1);
    assertThat(loss.receive().ints()).containsExactly(2);
    assertThat(all.receive().ints()).containsExactly(3);
  }

  @Test
  default void aPeerPublishesWhatItMay() throws Exception {
    Ends ends = endsOf(Identity.of("writer").publishing("loss"));
    assertThatThrownBy(() -> ends.there().subscribe("weights", SubscribeOptions.defaults()))
        .matches(ErrorCode.NOT_PERMITTED::isOf)
        .hasMessageContaining("subject=weights")
        .hasMessageContaining("identity=writer");
    assertThat(ends.here().subscribers("weights")).isZero();
    Subscription loss = ends.there().subscribe("loss", SubscribeOptions.defaults());
    ends.here().publish("loss", ArraySlice.of(new int[] {2}));
    assertThat(loss.receive().ints()).containsExactly(2);
    // What is wrong with the call comes before what the peer may not do.
    assertThatThrownBy(() -> ends.there().subscribe("", SubscribeOptions.defaults()))
        .isInstanceOf(IllegalArgumentException.class);
    ends.there().closeNow();
    assertThatThrownBy(() -> ends.there().subscribe("weights", SubscribeOptions.defaults()))
        .isInstanceOf(ConnectionClosedException.class);
  }

  /** One that sends faster waits, and is not refused; others do not wait. */
  @Test
  default void aPeerSendsAsFastAsItMay() throws Exception {
    int rate = 256 << 10;
    ClosedWatch watch = new ClosedWatch();
    Authenticator authenticator =
        peer -> {
          Identity named = Identity.of("peer");
          return peer.tokenIs(FRIEND) ? named : named.bytesPerSecond(rate);
        };
    Listener listener = stage().transport(asking(authenticator)).listen(stage().address(), watch);
    Connection friend = stage().transport(showing(FRIEND)).connect(listener.address());
    Connection slow = stage().transport(showing(new byte[] {1})).connect(listener.address());
    long begin = System.nanoTime();
    for (int i = 0; i < 8; i++) {
      slow.send(ArraySlice.of(new byte[rate / 4]), SendOptions.processed());
      friend.send(ArraySlice.of(new byte[rate * 4]), SendOptions.processed());
    }
    // Two seconds' worth, of which one may come at once.
    assertThat(System.nanoTime() - begin).isGreaterThan(Duration.ofMillis(900).toNanos());
    assertThat(watch.arrays()).isEqualTo(16);
    // One that is larger than what may come in a second.
    slow.send(ArraySlice.of(new byte[rate * 3 / 2]), SendOptions.processed());
    assertThat(slow.isOpen()).isTrue();
  }

  @Test
  default void aPeerHasAsManyRequestsOpenAsItMay() throws Exception {
    BlockingQueue<Reply> open = new LinkedBlockingQueue<>();
    Listener listener =
        stage()
            .transport(
                asking(peer -> Identity.of("asker").maxOpenRequests(peer.tokenIs(FRIEND) ? 2 : 0)))
            .listen(
                stage().address(),
                Handlers.ofRequests((connection, request, reply) -> open.add(reply)));
    Connection asker = stage().transport(showing(FRIEND)).connect(listener.address());
    Connection none = stage().transport().connect(listener.address());
    var first = asker.request(ArraySlice.of(new int[] {1}));
    var second = asker.request(ArraySlice.of(new int[] {2}));
    for (Connection each : List.of(asker, none)) {
      assertThat(Eventually.failure(each.request(ArraySlice.of(new int[] {3}))))
          .isInstanceOf(NoRoomException.class)
          .matches(ErrorCode.TOO_MANY_REQUESTS::isOf)
          .hasMessageContaining("in the peer's Identity")
          .hasMessageContaining("maxOpenRequests=" + (each.equals(asker) ? 2 : 0));
    }
    for (int i = 0; i < 2; i++) {
      Eventually.next("a request is open", open).send(ArraySlice.of(new int[] {7}));
    }
    assertThat(Eventually.get(first).ints()).containsExactly(7);
    assertThat(Eventually.get(second).ints()).containsExactly(7);
  }
}
