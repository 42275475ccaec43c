package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.BindFailedException;
import io.arraywire.ConnectFailedException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.RemoteErrorException;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.frame.FrameType;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * As {@link CallerErrorTests}, where a peer breaks off, breaks the rules or is not there at all.
 */
interface CallerErrorOverSocketsTests {
  TransportStage stage();

  /** What a peer does to a connection. */
  @FunctionalInterface
  interface Blow {
    void strike(RawPeer peer) throws Exception;
  }

  /** A caller that waits when a peer strikes, and one that comes later, fail alone. */
  private void assertEveryCallerFailsAlone(String what, Blow blow, Object... kinds)
      throws Exception {
    Listener listener = stage().transport().listen(stage().address());
    RawPeer peer = stage().closing(stage().rawPeer(listener.address())).shakeHands();
    Connection connection = listener.accept();
    List<Running<Void>> receivers = CallerErrors.twoOf(() -> connection.receive());
    Described.awaitReceivers(connection, 2);
    blow.strike(peer);
    CallerErrors.assertFoundElsewhere(what, receivers, CallerErrorOverSocketsTests.class, kinds);
    CallerErrors.assertFoundElsewhere(
        what,
        CallerErrors.twoOf(
            () -> connection.send(ArraySlice.of(new int[3]), SendOptions.processed())),
        CallerErrorOverSocketsTests.class,
        kinds);
    Throwable close = catchThrowable(() -> connection.close());
    if (close != null) {
      CallerErrors.assertTraced(what, close, CallerErrorOverSocketsTests.class, kinds);
    }
  }

  @Test
  default void whateverAPeerDoesEveryCallerFailsAlone() throws Exception {
    assertEveryCallerFailsAlone("a reset", RawPeer::reset, ErrorCode.CONNECTION_RESET);
    assertEveryCallerFailsAlone(
        "an end without goodbye", RawPeer::shutdownOutput, ErrorCode.CONNECTION_RESET);
    assertEveryCallerFailsAlone(
        "a frame of nothing", peer -> peer.send(new byte[64]), ArraywireException.class);
    byte[] damaged = RawFrame.control(FrameType.PING, 0).bytes();
    damaged[damaged.length / 2] ^= 1;
    assertEveryCallerFailsAlone(
        "a damaged header", peer -> peer.send(damaged), ErrorCode.HEADER_CHECKSUM);
    assertEveryCallerFailsAlone(
        "a long error",
        peer ->
            peer.send(
                RawFrame.control(
                    FrameType.ERROR,
                    0,
                    RawFault.bytes(
                        ErrorCode.SEQUENCE_GAP, "evil\r\n\u001b[2J " + "\u202e".repeat(280)))),
        RemoteErrorException.class);
  }

  @Test
  default void connectFailsWithTheCallersFrames() throws Exception {
    Transport transport = stage().transport();
    SocketAddress free;
    try (Listener listener = transport.listen(stage().address())) {
      free = listener.address();
    }
    assertConnectFails("nobody listens", transport, free, ConnectFailedException.class);
    assertConnectFails(
        "an unknown host with a long name",
        transport,
        InetSocketAddress.createUnresolved("no-such-host.".repeat(40) + "invalid", 1),
        ConnectFailedException.class);
    assertConnectFails(
        "a path that is too long",
        transport,
        UnixDomainSocketAddress.of("/tmp/" + "a".repeat(200) + "\n" + "b".repeat(200)),
        ArraywireException.class,
        IllegalArgumentException.class);

    Listener guarded =
        stage()
            .transport(options -> options.authToken(new byte[] {1, 2, 3}))
            .listen(stage().address());
    assertConnectFails("no token", transport, guarded.address(), ErrorCode.AUTHENTICATION_FAILED);

    RawPeer.Server silent = stage().closing(stage().rawServer());
    assertConnectFails(
        "a silent listener",
        stage().transport(options -> options.connectTimeout(Duration.ofMillis(200))),
        silent.address(),
        ErrorCode.HANDSHAKE_TIMEOUT);
  }

  private void assertConnectFails(
      String what, Transport transport, SocketAddress address, Object... kinds) {
    Throwable failure = catchThrowable(() -> transport.connect(address));
    CallerErrors.assertTraced(what, failure, CallerErrorOverSocketsTests.class, kinds);
  }

  @Test
  default void anAddressThatIsTakenIsSaidSoWithTheCallersFrames() throws Exception {
    Transport transport = stage().transport();
    Listener listener = transport.listen(stage().address());
    Throwable failure = catchThrowable(() -> transport.listen(listener.address()));
    CallerErrors.assertTraced(
        "listen", failure, CallerErrorOverSocketsTests.class, BindFailedException.class);
    assertThat(failure).hasMessageContaining("address=");
  }

  @Test
  default void callersOfASessionFailAlone() throws Exception {
    Duration brief = Duration.ofMillis(300);
    Transport there = stage().transport(options -> options.sessionTimeout(brief));
    Listener listener = there.listen(stage().address());
    Connection here =
        stage().transport(options -> options.sessionTimeout(brief)).connect(listener.address());
    Connection accepted = listener.accept();
    List<Running<Void>> receivers = CallerErrors.twoOf(() -> here.receive());
    Described.awaitReceivers(here, 2);
    List<Running<Void>> senders =
        CallerErrors.twoOf(() -> here.send(ArraySlice.of(new int[3]), SendOptions.processed()));
    Eventually.until("both are there", () -> Described.number(accepted, "waitingArrays") == 2);
    there.close();
    CallerErrors.assertFoundElsewhere(
        "receive", receivers, CallerErrorOverSocketsTests.class, ArraywireException.class);
    CallerErrors.assertFoundElsewhere(
        "send", senders, CallerErrorOverSocketsTests.class, ArraywireException.class);
    for (Map.Entry<String, CallerErrors.Call> each : CallerErrorTests.calls(here).entrySet()) {
      CallerErrors.assertFoundElsewhere(
          each.getKey() + " later",
          CallerErrors.twoOf(each.getValue()),
          CallerErrorTests.class,
          ArraywireException.class);
    }
  }
}
