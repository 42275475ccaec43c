package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.ProtocolException;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteErrorException;
import io.arraywire.SendOptions;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Peers that break off, and peers that break the rules, after a good beginning. */
interface BrokenPeerTests {
  TransportStage stage();

  /** A connection whose far end is a plain socket. */
  record Broken(Connection connection, RawPeer peer) {}

  private Broken broken(boolean checksums) throws Exception {
    Listener listener =
        stage()
            .transport(options -> options.checksums(Checksums.of(checksums)).maxArrayBytes(1 << 20))
            .listen(stage().address());
    RawPeer peer = stage().closing(stage().rawPeer(listener.address())).shakeHands();
    return new Broken(listener.accept(), peer);
  }

  private static byte[] frame(long sequence, int count) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, ArraySlice.of(new int[count]))
        .bytes();
  }

  @Test
  default void anArrayThatIsCutOffIsNotDelivered() throws Exception {
    byte[] array = frame(2, 50_000);
    for (int bytes :
        new int[] {
          1, FrameLayout.HEADER_BYTES - 1, FrameLayout.HEADER_BYTES, 5000, array.length - 1
        }) {
      Broken broken = broken(false);
      broken.peer().send(frame(1, 3));
      broken.peer().send(array, 0, bytes);
      broken.peer().shutdownOutput();
      int[] target = new int[50_000];
      assertThat(broken.connection().receive().count()).isEqualTo(3);
      assertThatThrownBy(() -> broken.connection().receiveInto(target))
          .as(bytes + " bytes")
          .isInstanceOf(ProtocolException.class)
          .matches(ErrorCode.TRUNCATED::isOf)
          .hasMessageContaining("received=")
          .hasMessageContaining("expected=");
      assertThat(broken.connection().isOpen()).isFalse();
      assertThatThrownBy(() -> broken.connection().send(new int[1]))
          .isInstanceOf(ProtocolException.class)
          .matches(ErrorCode.TRUNCATED::isOf);
    }
  }

  @Test
  default void anEndWithoutGoodbyeIsAFailure() throws Exception {
    Broken broken = broken(false);
    broken.peer().send(frame(1, 3));
    broken.peer().shutdownOutput();
    assertThat(broken.connection().receive().count()).isEqualTo(3);
    assertThatThrownBy(() -> broken.connection().receive())
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.CONNECTION_RESET::isOf)
        .hasMessageContaining("without a goodbye");
  }

  @Test
  default void aGoodbyeIsAnOrderlyEnd() throws Exception {
    Broken broken = broken(false);
    broken.peer().send(frame(1, 3));
    broken.peer().send(RawFrame.control(FrameType.GOODBYE, 0));
    broken.peer().shutdownOutput();
    assertThat(broken.connection().receive().count()).isEqualTo(3);
    assertThatThrownBy(() -> broken.connection().receive())
        .isInstanceOf(ConnectionClosedException.class);
    broken.connection().close();
  }

  /** Ten bytes a second, inside an array: far more often than a heartbeat, and far too few. */
  @Tag("slow")
  @Test
  default void aPeerThatTricklesIsDisconnectedAndTold() throws Exception {
    Broken broken = broken(false);
    byte[] array = frame(1, 50_000);
    int begun = FrameLayout.HEADER_BYTES + 100;
    broken.peer().send(array, 0, begun);
    Running<Void> trickle =
        Running.start(() -> {
          for (int at = begun; at < begun + 600; at++) {
            broken.peer().send(array, at, at + 1);
            Thread.sleep(100);
          }
          // No error for a minute: a receive call shall not wait for ever.
          broken.peer().shutdownOutput();
          return null;
        });
    assertThatThrownBy(() -> broken.connection().receive())
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.SLOW_FRAME::isOf)
        .hasMessageContaining("received=")
        .hasMessageContaining("least=1280");
    assertThat(broken.peer().nextError().code()).isEqualTo(ErrorCode.SLOW_FRAME);
    assertThat(trickle.failure()).isInstanceOf(IOException.class);
  }

  @Test
  default void aResetInsideAnArrayEndsEverythingThatWaits() throws Exception {
    for (int round = 0; round < 10; round++) {
      Broken broken = broken(false);
      Running<ReceivedArray> receive = Running.start(() -> broken.connection().receive());
      CompletionStage<Receipt> sent =
          broken.connection().sendAsync(ArraySlice.of(new byte[1 << 20]), SendOptions.processed());
      broken.peer().send(frame(1, 50_000), 0, 100_000);
      if (round % 2 == 0) {
        Described.awaitReceived(broken.connection(), 100_000);
      }
      broken.peer().reset();
      assertThat(receive.failure())
          .matches(CallerErrors.anyOf(ErrorCode.CONNECTION_RESET, ErrorCode.TRUNCATED));
      assertThat(Eventually.reason(sent))
          .matches(CallerErrors.anyOf(ErrorCode.CONNECTION_RESET, ErrorCode.TRUNCATED));
      assertThat(broken.connection().isOpen()).isFalse();
      broken.connection().closeNow();
    }
  }

  @Test
  default void aHandlerHearsWhyItsConnectionFailed() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener =
        stage().transport(o -> o.checksums(Checksums.UNWANTED)).listen(stage().address(), watch);
    RawPeer peer = stage().closing(stage().rawPeer(listener.address())).shakeHands();
    peer.send(frame(1, 3));
    peer.send(frame(2, 3), 0, 70);
    peer.shutdownOutput();
    assertThat(watch.next())
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.TRUNCATED::isOf);
    assertThat(watch.arrays()).isEqualTo(1);
  }

  @Test
  default void aPeersErrorIsReportedWithItsCodeAndText() throws Exception {
    Broken broken = broken(false);
    CompletionStage<Receipt> sent =
        broken.connection().sendAsync(ArraySlice.of(new int[1]), SendOptions.processed());
    broken
        .peer()
        .send(
            RawFrame.control(
                FrameType.ERROR,
                0,
                RawFault.bytes(ErrorCode.SEQUENCE_GAP, "one is missing (n=7)")));
    assertThatThrownBy(() -> broken.connection().receive())
        .isInstanceOf(RemoteErrorException.class)
        .hasMessageContaining("one is missing (n=7)")
        .extracting("code")
        .isEqualTo(ErrorCode.SEQUENCE_GAP);
    assertThat(Eventually.reason(sent)).isInstanceOf(RemoteErrorException.class);
  }

  @Test
  default void aPeerThatBreaksTheRulesIsToldWhy() throws Exception {
    byte[] damagedHeader = frame(1, 3);
    damagedHeader[20] ^= 1;
    assertRefused(damagedHeader, false, ErrorCode.HEADER_CHECKSUM);

    byte[] damagedPayload =
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[3]))
            .checksummed()
            .bytes();
    damagedPayload[damagedPayload.length - 1] ^= 1;
    assertRefused(damagedPayload, true, ErrorCode.PAYLOAD_CHECKSUM);

    byte[] tooLarge =
        RawFrame.array(1, ElementType.INT.code(), 1, 1 << 20, new byte[64])
            .with(header -> header.arrayBytes = 4 << 20)
            .bytes();
    assertRefused(tooLarge, false, ErrorCode.FRAME_TOO_LARGE);

    assertRefused(chunkThatCountsBytes(), false, ErrorCode.SEQUENCE_GAP);

    byte[] ofNoSubscription =
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[3]))
            .with(header -> header.channel = FrameLayout.SUBSCRIPTION | Integer.MAX_VALUE)
            .bytes();
    assertRefused(ofNoSubscription, false, ErrorCode.UNKNOWN_CODE);

    byte[] replyToNothing =
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[3]))
            .withAttributes(new RawSections().number(RawSections.REPLY, 1).toBytes())
            .bytes();
    assertRefused(replyToNothing, false, ErrorCode.PROTOCOL_VIOLATION);
  }

  /** Chunks count elements; a peer of version 1 counted bytes. */
  private static byte[] chunkThatCountsBytes() {
    int before = 10 * Integer.BYTES;
    RawFrame begun =
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[100]))
            .withPayload(new byte[before]);
    byte[] chunk = RawFrame.chunk(begun, before, new byte[90 * Integer.BYTES]).bytes();
    byte[] both = Arrays.copyOf(begun.bytes(), begun.bytes().length + chunk.length);
    System.arraycopy(chunk, 0, both, both.length - chunk.length, chunk.length);
    return both;
  }

  private void assertRefused(byte[] frame, boolean checksums, ErrorCode code) throws Exception {
    Broken broken = broken(checksums);
    broken.peer().send(frame);
    assertThatThrownBy(() -> broken.connection().receive())
        .isInstanceOf(ProtocolException.class)
        .matches(code::isOf);
    RawFrame error = RawFrame.read(broken.peer().in());
    if (error == null) {
      throw new AssertionError("the peer was not told of " + code);
    }
    assertThat(error.type()).isEqualTo(FrameType.ERROR);
    assertThat(RawFault.read(error.payload()).code()).isEqualTo(code);
    broken.peer().readUntilClosed();
  }

  @Test
  default void aBrokenPeerHarmsNobodyElse() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener =
        stage().transport(o -> o.checksums(Checksums.UNWANTED)).listen(stage().address(), watch);
    Connection friend =
        stage().transport(o -> o.checksums(Checksums.UNWANTED)).connect(listener.address());
    for (int i = 0; i < 20; i++) {
      RawPeer peer = stage().rawPeer(listener.address()).shakeHands();
      peer.send(frame(1, 50_000), 0, 1000 * i + 1);
      if (i % 2 == 0) {
        peer.reset();
      } else {
        peer.close();
      }
      friend.send(ArraySlice.of(new int[10]), SendOptions.processed());
      assertThat(watch.next())
          .matches(CallerErrors.anyOf(ErrorCode.CONNECTION_RESET, ErrorCode.TRUNCATED));
    }
    friend.close();
    assertThat(watch.next()).isNull();
  }
}
