package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.Listener;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** As {@link TimedReceiveTests}, with a peer that sends byte by byte over a socket. */
interface TimedReceiveOverSocketsTests {
  TransportStage stage();

  @Test
  default void aReceiverWhoseTimeIsOverHasItsMemoryBackAndLosesNothing() throws Exception {
    Listener listener =
        stage()
            .transport(options -> options.checksums(Checksums.UNWANTED))
            .listen(stage().address());
    RawPeer peer = stage().closing(RawPeer.connect(listener.address())).shakeHands();
    Connection connection = listener.accept();
    int[] sent = (int[]) SeededArrays.withSeed(8).array(ElementType.INT, 50_000);
    byte[] frame = RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(sent)).bytes();
    int[] target = new int[60_000];
    peer.send(frame, 0, 100_001);
    Described.awaitReceived(connection, 100_000);
    assertThat(
            connection.receiveInto(ArraySlice.of(target), new ArrayInfo(), TimedReceiveTests.BRIEF))
        .isFalse();
    assertThat(connection.poll()).isNull();
    // From here on the memory is the caller's, and what it holds is its own affair.
    Arrays.fill(target, 0x5a5a5a5a);
    peer.send(frame, 100_001, frame.length);
    assertThat(connection.receive().ints()).isEqualTo(sent);
    assertThat(target).containsOnly(0x5a5a5a5a);
    connection.closeNow();
  }
}
