package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.LeasedArray;
import io.arraywire.Listener;
import io.arraywire.NoRoomException;
import io.arraywire.Receipt;
import io.arraywire.RemoteErrorException;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Codecs, pools and heaps that fail take one connection with them, and nothing else. */
interface PluginFaultTests {
  TransportStage stage();

  /** Two connections of one transport to one other, with codecs that a test can make fail. */
  final class Two {
    final ProbingCodec codecHere = new ProbingCodec();
    final ProbingCodec codecThere = new ProbingCodec();
    final Connection here;
    final Connection there;
    private final Connection otherHere;
    private final Connection otherThere;

    private Two(TransportStage stage) throws Exception {
      Listener listener =
          stage.transport(options -> options.codecs(codecThere)).listen(stage.address());
      Transport connector = stage.transport(options -> options.codecs(codecHere));
      here = connector.connect(listener.address());
      there = listener.accept();
      otherHere = connector.connect(listener.address());
      otherThere = listener.accept();
    }

    void assertOtherLives() throws Exception {
      codecHere.beforeEncode(() -> {});
      codecThere.beforeDecode(() -> {});
      int[] array = {1, 2, 3};
      CompletionStage<Receipt> sent =
          otherHere.sendAsync(ArraySlice.of(array), SendOptions.processed());
      assertThat(otherThere.receive().ints()).isEqualTo(array);
      Eventually.get(sent);
      otherThere.send(array);
      assertThat(otherHere.receive().ints()).isEqualTo(array);
    }
  }

  private static Runnable throwing(Error error) {
    return () -> {
      throw error;
    };
  }

  private static Runnable throwing(RuntimeException exception) {
    return () -> {
      throw exception;
    };
  }

  @Test
  default void noMemoryForAReceivedArrayFailsItsConnectionOnly() throws Exception {
    Two two = new Two(stage());
    two.codecThere.beforeDecode(throwing(new OutOfMemoryError("made by a test")));
    CompletionStage<Receipt> sent =
        two.here.sendAsync(ArraySlice.of(new int[77]), SendOptions.processed());
    assertThatThrownBy(two.there::receive)
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.ALLOCATION_FAILED::isOf)
        .hasMessageContaining("type=int")
        .hasMessageContaining("count=77")
        .hasRootCauseInstanceOf(OutOfMemoryError.class);
    assertThat(Eventually.reason(sent))
        .isInstanceOf(RemoteErrorException.class)
        .extracting("code")
        .isEqualTo(ErrorCode.ALLOCATION_FAILED);
    two.assertOtherLives();
  }

  @Test
  default void noMemoryForALeaseFailsItsConnectionOnly() throws Exception {
    int count = 10_007;
    ExhaustedPool exhausted = new ExhaustedPool(stage().pool(), count * 4);
    Listener listener =
        stage()
            .transport(options -> options.memoryPool(exhausted).codecs(new ProbingCodec()))
            .listen(stage().address());
    Transport connector = stage().transport(options -> options.codecs(new ProbingCodec()));
    Connection here = connector.connect(listener.address());
    Connection there = listener.accept();
    Connection otherHere = connector.connect(listener.address());
    Connection otherThere = listener.accept();
    Running<LeasedArray> receive = Running.start(there::receiveLeased);
    Described.awaitReceivers(there, 1);
    CompletionStage<Receipt> sent =
        here.sendAsync(ArraySlice.of(new int[count]), SendOptions.processed());
    assertThat(receive.failure())
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.ALLOCATION_FAILED::isOf);
    assertThat(Eventually.reason(sent))
        .isInstanceOf(RemoteErrorException.class)
        .extracting("code")
        .isEqualTo(ErrorCode.ALLOCATION_FAILED);
    otherHere.send(new int[count]);
    assertThat(otherThere.receive().count()).isEqualTo(count);
  }

  @Test
  default void noMemoryToEncodeFailsItsConnectionOnly() throws Exception {
    Two two = new Two(stage());
    two.codecHere.beforeEncode(throwing(new OutOfMemoryError("made by a test")));
    assertThatThrownBy(() -> two.here.send(new int[77]))
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.ALLOCATION_FAILED::isOf);
    assertThatThrownBy(two.there::receive).isInstanceOf(ArraywireException.class);
    two.assertOtherLives();
  }

  @Test
  default void aCodecThatFailsToEncodeFailsItsConnectionOnly() throws Exception {
    Two two = new Two(stage());
    two.codecHere.beforeEncode(throwing(new IllegalStateException("a bug in a codec")));
    assertThatThrownBy(() -> two.here.send(new int[77]))
        .isInstanceOf(ArraywireException.class)
        .hasMessageContaining("a bug in a codec")
        .extracting("code")
        .isEqualTo(ErrorCode.INTERNAL);
    assertThatThrownBy(two.there::receive).isInstanceOf(ArraywireException.class);
    two.assertOtherLives();
  }

  @Test
  default void aCodecThatFailsToDecodeFailsItsConnectionOnly() throws Exception {
    Two two = new Two(stage());
    two.codecThere.beforeDecode(throwing(new IllegalStateException("a bug in a codec")));
    CompletionStage<Receipt> sent =
        two.here.sendAsync(ArraySlice.of(new int[77]), SendOptions.processed());
    assertThatThrownBy(two.there::receive)
        .isInstanceOf(ArraywireException.class)
        .hasMessageContaining("a bug in a codec")
        .extracting("code")
        .isEqualTo(ErrorCode.INTERNAL);
    assertThat(Eventually.reason(sent))
        .isInstanceOf(RemoteErrorException.class)
        .extracting("code")
        .isEqualTo(ErrorCode.INTERNAL);
    two.assertOtherLives();
  }

  @Test
  default void aCodecThatFailsInsideAnArrayFailsItsConnectionOnly() throws Exception {
    Two two = new Two(stage());
    AtomicInteger pieces = new AtomicInteger();
    two.codecHere.beforeEncode(() -> {
      if (pieces.incrementAndGet() == 3) {
        throw new ArrayIndexOutOfBoundsException("a bug in a codec");
      }
    });
    CompletionStage<Receipt> sent =
        two.here.sendAsync(ArraySlice.of(new int[200_000]), SendOptions.processed());
    assertThat(Eventually.reason(sent))
        .isInstanceOf(ArraywireException.class)
        .extracting("code")
        .isEqualTo(ErrorCode.INTERNAL);
    assertThatThrownBy(two.there::receive).isInstanceOf(ArraywireException.class);
    two.assertOtherLives();
  }
}
