package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ConnectionLostException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.ProtocolException;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameType;
import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Peers that begin an array and do not go on with it, and peers that are gone. */
interface ProgressTests {
  Duration SHORT = Duration.ofMillis(400);

  TransportStage stage();

  private Listener listener(UnaryOperator<TransportOptions.Builder> options) throws Exception {
    return stage()
        .transport(each -> options.apply(each.checksums(Checksums.UNWANTED)))
        .listen(stage().address());
  }

  /** A peer that keeps credit and promises no heartbeats. */
  private RawPeer peer(Listener listener) throws IOException {
    return peer(listener, 0);
  }

  private RawPeer peer(Listener listener, long heartbeatMillis) throws IOException {
    return stage()
        .closing(stage().rawPeer(listener.address()))
        .shakeHands(RawOffer.plain().with(8, 1 << 20, 16 << 20, heartbeatMillis, 64));
  }

  /** The first frame of an array of 1 MiB. */
  private static RawFrame begun(int payload) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new byte[1 << 20]))
        .with(header -> header.payloadBytes = payload)
        .withPayload(new byte[payload]);
  }

  @Test
  default void anArrayThatIsDeclaredAndNeverSentEndsItsConnectionAndNoOther() throws Exception {
    Listener listener = listener(options -> options.stallTimeout(SHORT));
    RawPeer stalls = peer(listener);
    Connection stalled = listener.accept();
    RawPeer honest = peer(listener);
    Connection good = listener.accept();
    stalls.send(begun(1000).bytes());
    assertThatThrownBy(stalled::receive)
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.STALLED_ARRAY::isOf)
        .hasMessageContaining("received=1000")
        .hasMessageContaining("expected=1048576");
    assertThat(stalls.nextError().code()).isEqualTo(ErrorCode.STALLED_ARRAY);
    honest.send(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new byte[10])).bytes());
    assertThat(good.receive().count()).isEqualTo(10);
  }

  /** It would be missed in 147 days. */
  @Test
  default void aHeartbeatThatIsPromisedForLaterExcusesNoArrayThatStandsStill() throws Exception {
    Listener listener = listener(options -> options.stallTimeout(SHORT));
    RawPeer stalls = peer(listener, (1L << 32) - 1);
    Connection stalled = listener.accept();
    stalls.send(begun(1000).bytes());
    assertThatThrownBy(stalled::receive)
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.STALLED_ARRAY::isOf);
    assertThat(stalls.nextError().code()).isEqualTo(ErrorCode.STALLED_ARRAY);
  }

  /** As many as a socket takes at once, and far more than a few. */
  @Test
  default void anArrayInFramesOfAByteEndsTheConnection() throws Exception {
    Listener listener = listener(options -> options);
    RawPeer peer = peer(listener);
    Connection connection = listener.accept();
    RawFrame first = begun(1);
    peer.send(first.bytes());
    for (int i = 1; i < 400; i++) {
      try {
        peer.send(RawFrame.chunk(first, i, new byte[1]).bytes());
      } catch (IOException e) {
        // It has been noticed before.
        break;
      }
    }
    assertThatThrownBy(connection::receive)
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.CONTROL_FLOOD::isOf);
  }

  @Test
  default void aPeerThatPromisedNoHeartbeatsAndIsGoneIsNoticed() throws Exception {
    Listener listener = listener(options -> options.heartbeatTimeout(SHORT));
    RawPeer peer = peer(listener);
    Connection connection = listener.accept();
    assertThatThrownBy(connection::receive)
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.HEARTBEAT_TIMEOUT::isOf)
        .hasMessageContaining("answers no ping");
    int pings = 0;
    for (RawFrame next = RawFrame.read(peer.in()); next != null; next = RawFrame.read(peer.in())) {
      pings += next.type() == FrameType.PING ? 1 : 0;
    }
    assertThat(pings).isEqualTo(3);
  }

  @Test
  default void inPlainModeAnArrayOfWhichNothingComesEndsTheConnection() throws Exception {
    Listener listener = listener(options -> options.plain(ElementType.INT).stallTimeout(SHORT));
    RawPeer peer = stage().closing(stage().rawPeer(listener.address()));
    peer.send(new byte[] {0, 0, 0, 50, 0, 0, 0, 1});
    Connection connection = listener.accept();
    assertThatThrownBy(connection::receive)
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.STALLED_ARRAY::isOf)
        .hasMessageContaining("received=4");
  }
}
