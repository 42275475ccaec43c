package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.LagPolicy;
import io.arraywire.Listener;
import io.arraywire.ProtocolException;
import io.arraywire.SendOptions;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Peers that send what costs them nothing, as fast as they can. */
interface FloodTests {
  /** Credit that nobody uses up. */
  long PLENTY = 1L << 40;

  TransportStage stage();

  /** What is sent over and over, by name. */
  private static Map<String, byte[]> floods() {
    Map<String, byte[]> floods = new LinkedHashMap<>();
    for (FrameType type :
        List.of(FrameType.GOODBYE, FrameType.ACK, FrameType.PING, FrameType.PONG)) {
      floods.put(type.name(), bytes(1000, number -> List.of(RawFrame.control(type, 0))));
    }
    // Each number of a subscription in its turn, so that none is used again before it is over.
    floods.put(
        "SUBSCRIBE and UNSUBSCRIBE",
        bytes(
            64,
            number ->
                List.of(
                    RawFrame.subscribe(number, "flood", LagPolicy.DROP_NEWEST, 1000),
                    of(number, RawFrame.control(FrameType.UNSUBSCRIBE, 0)))));
    floods.put(
        "CREDIT for subscriptions that there are not",
        bytes(
            64,
            number ->
                List.of(
                    of(number, RawFrame.control(FrameType.CREDIT, 0))
                        .with(header -> {
                          header.tag = PLENTY;
                          header.count = PLENTY;
                        }))));
    return floods;
  }

  private static RawFrame of(int subscription, RawFrame frame) {
    return frame.with(header -> header.channel = FrameLayout.SUBSCRIPTION | subscription);
  }

  private static byte[] bytes(int times, IntFunction<List<RawFrame>> frames) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < times; i++) {
      frames.apply(i).forEach(frame -> bytes.writeBytes(frame.bytes()));
    }
    return bytes.toByteArray();
  }

  /** The bad ones are cut off, and the good one is served meanwhile. */
  @Test
  default void whoFloodsIsCutOffAndNobodyElseIs() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener = stage().transport().listen(stage().address(), watch);
    Connection friend = stage().transport().connect(listener.address());
    int sent = 0;
    for (Map.Entry<String, byte[]> flood : floods().entrySet()) {
      RawPeer hostile = stage().closing(stage().rawPeer(listener.address())).shakeHands(PLENTY);
      Running<Boolean> flooding =
          Running.start(() -> {
            try {
              while (true) {
                hostile.send(flood.getValue());
              }
            } catch (IOException cut) {
              return true;
            }
          });
      while (!flooding.isDone()) {
        friend.send(ArraySlice.of(new int[10]), SendOptions.processed());
        sent++;
      }
      assertThat(flooding.get()).isTrue();
      // What said goodbye has ended for its handler before it floods.
      if (flood.getKey().equals("GOODBYE")) {
        assertThat(watch.next()).isNull();
      } else {
        assertThat(watch.next())
            .as(flood.getKey())
            .isInstanceOf(ProtocolException.class)
            .matches(ErrorCode.CONTROL_FLOOD::isOf);
      }
    }
    friend.send(ArraySlice.of(new int[10]), SendOptions.processed());
    assertThat(watch.arrays()).isEqualTo(sent + 1);
    assertThat(friend.isOpen()).isTrue();
  }
}
