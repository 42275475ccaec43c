package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.SendOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What the channel takes straight from an array is what was there when it was promised. */
class OutboundArrayTest {
  private static final int COUNT = 40;

  @Test
  void anArrayThatIsTakenBackInTheMiddleOfAChunkMayBeChangedAtOnce() throws IOException {
    for (int written = 0; written <= COUNT * 4; written++) {
      int[] array = new int[COUNT + 5];
      Arrays.setAll(array, i -> 0x01020304 * (i + 1));
      byte[] promised = VerbatimCodec.bytes(ElementType.INT, array, 5, COUNT);
      OutboundArray transfer = transfer(array);
      lend(transfer, COUNT / 2);
      ByteBuffer wire = ByteBuffer.allocate(COUNT * 4);
      // The first chunk is out; the second one is what is being written.
      drain(transfer, wire, COUNT * 2);
      lend(transfer, COUNT / 2);
      drain(transfer, wire, Math.max(0, written - COUNT * 2));
      var unused = transfer.withdraw();
      transfer.saveArrayDirect();
      Arrays.fill(array, -1);
      drain(transfer, wire, COUNT * 4 - wire.position());
      assertThat(wire.array()).as("written=%d", written).isEqualTo(promised);
    }
  }

  private static OutboundArray transfer(int[] array) {
    return new OutboundArray(
        new OutboundChannel(0),
        ArraySlice.ofArray(array, 5, COUNT),
        VerbatimCodec.CODEC,
        SendOptions.processed(),
        new byte[0],
        COUNT * 4L);
  }

  private static void lend(OutboundArray transfer, int elements) {
    PlannedFrame chunk = new PlannedFrame();
    transfer.plan(chunk, elements, elements * 4);
    transfer.lendArrayDirect(chunk);
  }

  private static void drain(OutboundArray transfer, ByteBuffer wire, int bytes) throws IOException {
    int end = Math.min(wire.capacity(), wire.position() + bytes);
    while (wire.position() < end) {
      int left = end - wire.position();
      long count = transfer.writeArrayDirect(new ByteChannelIo(ElementType.INT, wire, 3), left);
      assertThat(count).isPositive();
    }
  }
}
