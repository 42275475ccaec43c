package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.LeasedArray;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.frame.FrameLayout;
import io.arraywire.message.FrameAttributes;
import io.arraywire.testkit.TransportStage.Ends;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Receipts tell the truth: exact where they can be, equal at both ends, copies as promised. */
interface ReceiptTests {
  TransportStage stage();

  TransportContract.Promises promises();

  @Test
  default void wireBytesAreExactAtBothEnds() throws Exception {
    for (boolean checksums : new boolean[] {true, false}) {
      Ends ends =
          stage()
              .ends(
                  options -> options.checksums(Checksums.of(checksums)).codecs(new ProbingCodec()));
      int chunk = ends.here().agreement().chunkBytes();
      SendOptions attributes =
          SendOptions.processed().tag(1).shape(1).metadata("key", "v".repeat(100));
      for (int count : new int[] {0, 1, 1000, chunk / 4, chunk / 4 + 1, 300_000}) {
        for (SendOptions options :
            new SendOptions[] {SendOptions.processed(), attributes.shape(count)}) {
          CompletionStage<Receipt> sent =
              ends.here().sendAsync(ArraySlice.of(new int[count]), options);
          Receipt received =
              ends.there().receiveInto(ArraySlice.of(new int[count], 0, count)).receipt();
          int frames = Math.max(1, (count * 4 + chunk - 1) / chunk);
          long expected =
              (long) frames * FrameLayout.HEADER_BYTES
                  + FrameAttributes.bytes(options.attributes())
                  + count * 4L;
          assertExact(Eventually.get(sent), count, expected);
          assertExact(received, count, expected);
        }
      }
    }
  }

  @Test
  default void wireBytesOfPlainModeAreExactAtBothEnds() throws Exception {
    Ends ends = stage().ends(options -> options.plain(ElementType.SHORT));
    for (int count : new int[] {0, 1, 1000, 300_000}) {
      CompletionStage<Receipt> sent = ends.here().sendAsync(ArraySlice.of(new short[count]));
      Receipt received =
          ends.there().receiveInto(ArraySlice.of(new short[count], 0, count)).receipt();
      assertExact(Eventually.get(sent), count, 4 + count * 2L);
      assertExact(received, count, 4 + count * 2L);
    }
  }

  private static void assertExact(Receipt receipt, int elements, long wireBytes) {
    assertThat(receipt.elements()).isEqualTo(elements);
    assertThat(receipt.wireBytes()).as("wireBytes of " + receipt).isEqualTo(wireBytes);
    assertThat(receipt.channelOperations()).as("operations of " + receipt).isGreaterThan(0);
    assertThat(receipt.pooledBytes()).as("pooledBytes of " + receipt).isZero();
  }

  @Test
  default void eachByteIsCopiedAsOftenAsTheTransportPromises() throws Exception {
    Ends ends = stage().ends();
    for (int count : new int[] {1, 1000, 100_000, 1_000_000}) {
      Running<ReceivedArray> receive =
          Running.start(() -> ends.there().receiveInto(ArraySlice.of(new float[count], 0, count)));
      // What arrives before anybody waits for it is copied once more.
      Described.awaitReceivers(ends.there(), 1);
      Receipt sent = ends.here().send(ArraySlice.of(new float[count]), SendOptions.processed());
      boolean straight = count * 4L >= promises().straightFrom();
      assertThat(sent.copiesPerByte(count * 4L)).isEqualTo(straight ? 0 : promises().toSend());
      assertThat(receive.get().receipt().copiesPerByte(count * 4L))
          .isEqualTo(straight ? 0 : promises().toReceive());
    }
  }

  @Test
  default void aLeaseThatIsWaitedForIsCopiedAsOftenAsTheTransportPromises() throws Exception {
    Ends ends = stage().ends();
    int count = 1_000_000;
    float[] floats = (float[]) SeededArrays.withSeed(3).array(ElementType.FLOAT, count);
    Running<LeasedArray> receive = Running.start(() -> ends.there().receiveLeased());
    Described.awaitReceivers(ends.there(), 1);
    ends.here().send(ArraySlice.of(floats));
    try (LeasedArray lease = receive.get()) {
      // Some of it may have come with the header, and not through the lease's own memory.
      double inexact = promises().toLend() == 0 ? 0 : 0.01;
      assertThat(lease.receipt().copiesPerByte(count * 4L))
          .isCloseTo(promises().toLend(), within(inexact));
      assertThat(lease.receipt().elements()).isEqualTo(count);
      if (Encoding.RAW_LITTLE_ENDIAN.name().equals(ends.here().agreement().sendEncoding())) {
        assertThat(lease.receipt().pooledBytes()).isEqualTo(count * 4L);
      }
      float[] copy = new float[count];
      lease.copyTo(ArraySlice.of(copy));
      Elements.assertSame(ElementType.FLOAT, floats, 0, copy, 0, count);
    }
  }
}
