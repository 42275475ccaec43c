package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.Listener;
import java.util.Arrays;

/** An array of which a peer sends a half, and the rest when the receiver has given up. */
final class HalfSentArray {
  /** In the middle of an element. */
  private static final int HALF = 100_001;

  private final RawPeer peer;
  private final int[] sent;
  private final byte[] frame;

  /** The receiver's end. */
  final Connection connection;

  /** Where the receiver may have it put. */
  final int[] target = new int[60_000];

  private HalfSentArray(RawPeer peer, Connection connection) {
    this.peer = peer;
    this.connection = connection;
    sent = (int[]) SeededArrays.withSeed(8).array(ElementType.INT, 50_000);
    frame = RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(sent)).bytes();
  }

  /** A connection with a peer that has sent nothing yet. */
  static HalfSentArray on(TransportStage stage) throws Exception {
    Listener listener =
        stage.transport(options -> options.checksums(Checksums.UNWANTED)).listen(stage.address());
    RawPeer peer = stage.closing(stage.rawPeer(listener.address())).shakeHands();
    return new HalfSentArray(peer, listener.accept());
  }

  /** Sends the first half, and waits until it has come. */
  void sendHalf() throws Exception {
    peer.send(frame, 0, HALF);
    Described.awaitReceived(connection, HALF - 1);
  }

  /** The target is the caller's again, and the array goes on elsewhere. */
  void assertTargetIsFreeAndNothingLost() throws Exception {
    Arrays.fill(target, 0x5a5a5a5a);
    peer.send(frame, HALF, frame.length);
    assertThat(connection.receive().ints()).isEqualTo(sent);
    assertThat(target).containsOnly(0x5a5a5a5a);
    connection.closeNow();
  }
}
