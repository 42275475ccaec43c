package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import org.junit.jupiter.api.Test;

/** As {@link TimedReceiveTests}, with a peer that sends byte by byte over a socket. */
interface TimedReceiveOverSocketsTests {
  TransportStage stage();

  @Test
  default void aReceiverWhoseTimeIsOverHasItsMemoryBackAndLosesNothing() throws Exception {
    HalfSentArray array = HalfSentArray.on(stage());
    array.sendHalf();
    ArraySlice target = ArraySlice.of(array.target);
    assertThat(array.connection.receiveInto(target, new ArrayInfo(), TimedReceiveTests.BRIEF))
        .isFalse();
    assertThat(array.connection.poll()).isNull();
    array.assertTargetIsFreeAndNothingLost();
  }
}
