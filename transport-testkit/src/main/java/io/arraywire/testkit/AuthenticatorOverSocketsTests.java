package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.frame.FrameLayout;
import io.arraywire.security.Authenticator;
import io.arraywire.security.Identity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Peers that do what they may not, or that do not wait until it is known who they are. */
interface AuthenticatorOverSocketsTests {
  /** What may be kept of a peer that has not been let in. */
  int STRANGERS_BYTES = 4 << 10;

  /** The same over TLS: a record as it came, what was in it, and what was read behind it. */
  int STRANGERS_BYTES_OVER_TLS = 52 << 10;

  /** What the transport reads with. */
  int WINDOWS = 768 << 10;

  TransportStage stage();

  private RawFrame array(int elements) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new byte[elements]));
  }

  private Listener listening(Authenticator authenticator, ClosedWatch watch) throws Exception {
    return stage()
        .transport(options -> options.authenticator(authenticator))
        .listen(stage().address(), watch);
  }

  @Test
  default void noFrameIsTakenBeforeItIsKnownWhoHasSentIt() throws Exception {
    CountDownLatch decide = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    ClosedWatch watch = new ClosedWatch();
    Listener listener =
        listening(
            peer -> {
              asked.incrementAndGet();
              decide.await();
              return asked.get() > 0 && peer.channels() == 1 ? Identity.of("one") : null;
            },
            watch);
    RawPeer good = stage().closing(stage().rawPeer(listener.address()));
    RawPeer bad = stage().closing(stage().rawPeer(listener.address()));
    for (RawPeer each : List.of(good, bad)) {
      RawOffer offer = each == good ? RawOffer.plain() : RawOffer.manyChannels();
      each.send(RawHandshake.bytes(FrameLayout.VERSION, FrameLayout.VERSION, offer.hello()));
      each.send(array(10));
    }
    Eventually.until("both wait", () -> asked.get() == 2);
    assertThat(watch.arrays()).isZero();
    decide.countDown();
    assertThat(good.readHandshake().kind()).isEqualTo(RawHandshake.Kind.WELCOME);
    assertThat(bad.readHandshake().fault().code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
    assertThat(watch.next()).matches(ErrorCode.AUTHENTICATION_FAILED::isOf);
    Eventually.until("the array has come", () -> watch.arrays() == 1);
  }

  /** A little of it is kept, and no window of the transport's for each. */
  @Test
  default void whatComesBehindAHelloTakesLittleMemoryUntilItIsKnownWhoHasSentIt() throws Exception {
    CountDownLatch decide = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    ClosedWatch watch = new ClosedWatch();
    Listener listener =
        listening(
            peer -> {
              asked.incrementAndGet();
              decide.await();
              return null;
            },
            watch);
    int peers = 48;
    for (int i = 0; i < peers; i++) {
      RawPeer hasty = stage().closing(stage().rawPeer(listener.address()));
      byte[] hello =
          RawHandshake.bytes(
              FrameLayout.VERSION, FrameLayout.VERSION, RawOffer.manyChannels().hello());
      // From a byte, which a read brings with the hello, to more than a read may bring.
      hasty.send(Arrays.copyOf(hello, hello.length + (i % 3 == 0 ? 1 : i * 1000)));
    }
    Eventually.until("all wait", () -> asked.get() == peers);
    boolean tls = stage().transport().options().tls() != null;
    int each = tls ? STRANGERS_BYTES_OVER_TLS : STRANGERS_BYTES;
    assertThat(stage().pool().acquiredBytes()).isLessThan(peers * each + WINDOWS);
    decide.countDown();
    for (int i = 0; i < peers; i++) {
      assertThat(watch.next()).matches(ErrorCode.AUTHENTICATION_FAILED::isOf);
    }
  }

  /** Nothing is wrong with a peer where there is no memory for the little that it sends ahead. */
  @Test
  default void whatComesBehindAHelloIsKeptAlsoWithoutMemoryForIt() throws Exception {
    CountDownLatch decide = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    ClosedWatch watch = new ClosedWatch();
    byte[] hello =
        RawHandshake.bytes(FrameLayout.VERSION, FrameLayout.VERSION, RawOffer.plain().hello());
    byte[] frame = array(10).bytes();
    ExhaustedPool exhausted = new ExhaustedPool(stage().pool(), frame.length);
    Listener listener =
        stage()
            .transport(options ->
                options
                    .memoryPool(exhausted)
                    .authenticator(peer -> {
                      asked.incrementAndGet();
                      decide.await();
                      return Identity.of("one");
                    }))
            .listen(stage().address(), watch);
    RawPeer hasty = stage().closing(stage().rawPeer(listener.address()));
    // At once, so that one read brings both.
    byte[] both = Arrays.copyOf(hello, hello.length + frame.length);
    System.arraycopy(frame, 0, both, hello.length, frame.length);
    hasty.send(both);
    Eventually.until("it waits", () -> asked.get() == 1);
    decide.countDown();
    assertThat(hasty.readHandshake().kind()).isEqualTo(RawHandshake.Kind.WELCOME);
    Eventually.until("the array has come", () -> watch.arrays() == 1);
  }

  /** Each of them ends one connection with a typed error at both ends, and no other one. */
  @Test
  default void whatExceedsThePermissionsOfAPeerEndsItsConnection() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener =
        listening(
            peer -> Identity.of("small").channels(1).maxArrayBytes(5000).inboxBytes(4096), watch);
    Connection friend = stage().transport().connect(listener.address());
    RawFrame tooLarge = array(5001);
    RawFrame pastCredit = array(5000);
    RawFrame otherChannel = array(1).with(header -> header.channel = 1);
    Object[][] all = {
      {tooLarge, ErrorCode.FRAME_TOO_LARGE},
      {pastCredit, ErrorCode.CREDIT_EXCEEDED},
      {otherChannel, ErrorCode.UNKNOWN_CODE}
    };
    for (Object[] each : all) {
      RawPeer peer =
          stage().closing(stage().rawPeer(listener.address())).shakeHands(RawOffer.manyChannels());
      peer.send((RawFrame) each[0]);
      assertThat(peer.nextError().code()).isEqualTo(each[1]);
      assertThat(watch.next())
          .matches(((ErrorCode) each[1])::isOf)
          .hasMessageContaining(each[0].equals(tooLarge) ? "in the peer's Identity" : "");
      friend.send(ArraySlice.of(new int[1]), SendOptions.processed());
    }
    assertThat(watch.arrays()).isEqualTo(all.length);
  }

  @Test
  default void onlySoManyPeersWaitForAnAuthenticator() throws Exception {
    CountDownLatch decide = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    ClosedWatch watch = new ClosedWatch();
    Listener listener =
        stage()
            .transport(options ->
                options
                    // Many handshakes of TLS on a busy machine.
                    .connectTimeout(Duration.ofMinutes(2))
                    .authenticator(peer -> {
                      asked.incrementAndGet();
                      decide.await();
                      return Identity.of("late");
                    }))
            .listen(stage().address(), watch);
    List<RawPeer> waiting = new ArrayList<>();
    // Of one address half of those that may wait in all.
    int most = listener.address() instanceof InetSocketAddress ? 128 : 256;
    for (int i = 0; i < most; i++) {
      RawPeer peer = stage().closing(stage().rawPeer(listener.address()));
      peer.sendHello(RawOffer.plain());
      waiting.add(peer);
    }
    Eventually.until("all wait", () -> asked.get() == most);
    RawPeer further = stage().closing(stage().rawPeer(listener.address()));
    further.sendHello(RawOffer.plain());
    RawFault refusal = further.readHandshake().fault();
    assertThat(refusal.code()).isEqualTo(ErrorCode.TOO_MANY_CONNECTIONS);
    assertThat(refusal.text()).contains("limit=" + most);
    assertThat(watch.next()).matches(ErrorCode.TOO_MANY_CONNECTIONS::isOf);
    decide.countDown();
    for (RawPeer each : waiting) {
      assertThat(each.readHandshake().kind()).isEqualTo(RawHandshake.Kind.WELCOME);
    }
    stage().transport().connect(listener.address()).send(new int[1]);
  }

  @Test
  default void aTokenIsNotShownToAnotherHostWithoutTls() throws Exception {
    // Kept for documentation: nothing is there.
    InetSocketAddress far =
        new InetSocketAddress(InetAddress.getByAddress(new byte[] {(byte) 203, 0, 113, 7}), 4711);
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("host.invalid", 4711);
    for (InetSocketAddress address : List.of(far, unknown)) {
      var transport = stage().transport(options -> options.authToken(new byte[] {4, 5}));
      if (transport.options().tls() != null) {
        return;
      }
      assertThatThrownBy(() -> transport.connect(address))
          .isInstanceOf(HandshakeException.class)
          .matches(ErrorCode.TOKEN_IN_CLEAR::isOf)
          .hasMessageContainingAll("address=", "tokenWithoutTls=false", "set tls");
    }
    // The option says that it may: then it fails for want of a host.
    var allowed =
        stage().transport(options -> options.authToken(new byte[] {4}).tokenWithoutTls(true));
    assertThatThrownBy(() -> allowed.connect(unknown)).matches(ErrorCode.CONNECT_FAILED::isOf);
  }
}
