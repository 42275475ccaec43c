package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.OfferStatus;
import io.arraywire.ReceivedArray;
import io.arraywire.Transport;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A peer that never reads, or that sends more than it may, loses its own connection alone. */
interface SlowPeerTests {
  TransportStage stage();

  @Test
  default void aPeerThatNeverReadsIsTooSlowAndItsNeighbourIsServed() throws Exception {
    Duration stall = Duration.ofSeconds(1);
    Transport transport =
        stage().transport(options -> options.stallTimeout(stall).sendQueueBytes(1 << 20));
    Listener listener = transport.listen(stage().address());
    RawPeer silent =
        stage().closing(stage().rawPeer(listener.address())).shakeHands(RawOffer.manyChannels());
    Connection toSilent = listener.accept();
    Connection friend = stage().closing(stage().transport().connect(listener.address()));
    Connection toFriend = listener.accept();
    ArraySlice array = ArraySlice.of(new int[64 << 10]);
    Eventually.until(
        "offers are refused",
        () -> {
          try {
            return toSilent.offer(array) == OfferStatus.BACK_PRESSURED;
          } catch (ArraywireException e) {
            throw new AssertionError(e);
          }
        });
    Running<Object> blocked =
        Running.start(() -> {
          // More than the queue, what TLS stages and the buffers of both sockets take.
          for (int i = 0; i < 200; i++) {
            toSilent.send(array);
          }
          return "all of it was taken";
        });
    do {
      Running<ReceivedArray> received = Running.start(friend::receive);
      toFriend.send(new int[1]);
      assertThat(received.get()).isNotNull();
    } while (!blocked.isDone());
    assertThat(blocked.failure())
        .matches(ErrorCode.SLOW_PEER::isOf)
        .hasMessageContaining("stallTimeout=" + stall);
    assertThat(silent.readUntilClosed()).isNotEmpty();
    assertThat(toFriend.isOpen()).isTrue();
  }

  @Test
  default void aPeerThatSendsPastItsCreditIsCutOffAndItsNeighbourIsServed() throws Exception {
    int credit = 64 << 10;
    ClosedWatch watch = new ClosedWatch();
    Listener listener =
        stage()
            .transport(options -> options.inboxBytes(credit).connectionInboxBytes(credit))
            .listen(stage().address(), watch);
    Connection friend = stage().transport().connect(listener.address());
    RawPeer greedy =
        stage().closing(stage().rawPeer(listener.address())).shakeHands(RawOffer.manyChannels());
    greedy.send(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new byte[2 * credit])));
    assertThat(greedy.nextError().code()).isEqualTo(ErrorCode.CREDIT_EXCEEDED);
    assertThat(watch.next()).matches(ErrorCode.CREDIT_EXCEEDED::isOf);
    assertThat(watch.arrays()).isZero();
    friend.send(new int[1]);
    Eventually.until("the friend is served", () -> watch.arrays() == 1);
  }
}
