package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.testkit.TransportStage.Ends;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A large array on one channel is not in the way of small ones on another. */
interface InterleavingTests {
  /** The tag of the large array that is the last. */
  long LAST = 1;

  TransportStage stage();

  /**
   * The most bytes that can be in flight between two ends. They are one batch of the sender, the
   * channel between them, and one window of the receiver.
   *
   * @return bytes; by default any number, since nobody knows what a kernel holds
   */
  default long mostBytesOnTheWay() {
    return Long.MAX_VALUE;
  }

  /**
   * What is in flight when a small array is accepted cannot be overtaken: it is in buffers, here,
   * in the kernel, and there. Of the rest of the large array at most a few chunks go first.
   *
   * <p>Counted where elements become bytes and bytes elements, so that neither time nor the size of
   * the kernel's buffers matters.
   */
  @Test
  default void aLargeArrayDelaysASmallOneOfAnotherChannelByAFewChunks() throws Exception {
    int chunk = 16 << 10;
    // One that was begun when the small one came, and one whose turn it was.
    long few = 2L * chunk;
    AtomicLong whenEncoded = new AtomicLong();
    AtomicLong whenDecoded = new AtomicLong();
    PassageCodec codec = new PassageCodec(whenEncoded::set, whenDecoded::set);
    Ends ends = stage().ends(options -> options.codecs(codec).chunkBytes(chunk));
    float[] large = new float[4 << 20];
    float[] largeTarget = new float[large.length];
    int smallOnes = 100;
    AtomicBoolean through = new AtomicBoolean();
    Running<Void> largeSender =
        Running.start(() -> {
          while (!through.get()) {
            ends.here().send(large);
          }
          ends.here().send(ArraySlice.of(large), SendOptions.processed().tag(LAST));
          return null;
        });
    Running<Void> largeReceiver =
        Running.start(() -> {
          long tag;
          do {
            tag = ends.there().receiveInto(ArraySlice.of(largeTarget, 0, large.length)).tag();
          } while (tag != LAST);
          return null;
        });
    Running<Void> smallReceiver =
        Running.start(() -> {
          int[] target = new int[16];
          for (int i = 0; i < smallOnes; i++) {
            ends.there().channel(1).receiveInto(target);
          }
          return null;
        });
    List<Long> ahead = new ArrayList<>();
    for (int i = 0; i < smallOnes; i++) {
      long goal = codec.decoded() + chunk;
      Eventually.until("a large array goes on", () -> codec.decoded() >= goal);
      CompletionStage<Receipt> sent =
          ends.here().channel(1).sendAsync(ArraySlice.of(new int[16]), SendOptions.processed());
      // Whatever is encoded between the acceptance and this line counts as accepted before it.
      long encodedBefore = codec.encoded();
      long decodedBefore = codec.decoded();
      Eventually.get(sent);
      assertThat(whenEncoded.get() - encodedBefore)
          .as("bytes of the large array encoded after a small one was accepted, and before it")
          .isLessThanOrEqualTo(few);
      assertThat(whenDecoded.get() - encodedBefore)
          .as(
              "bytes of the large array that arrived before the small one, and were not on their"
                  + " way when it was accepted")
          .isLessThanOrEqualTo(few);
      assertThat(whenDecoded.get() - decodedBefore - few)
          .as("bytes of the large array that arrived before the small one")
          .isLessThanOrEqualTo(mostBytesOnTheWay());
      ahead.add(whenDecoded.get());
    }
    through.set(true);
    largeSender.get();
    largeReceiver.get();
    smallReceiver.get();
    assertThat(ahead).as("the large arrays went on meanwhile").isSorted().doesNotHaveDuplicates();
  }
}
