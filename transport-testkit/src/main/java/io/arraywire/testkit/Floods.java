package io.arraywire.testkit;

import io.arraywire.LagPolicy;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Frames that cost their sender nothing and have no effect. */
final class Floods {
  /** Credit that nobody uses up. */
  static final long PLENTY = 1L << 40;

  private Floods() {}

  /** What is sent over and over, by name. */
  static Map<String, byte[]> all() {
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
        bytes(64, number -> List.of(of(number, credit(0, PLENTY, PLENTY)))));
    floods.put(
        "CREDIT that creeps",
        bytes(1000, number -> List.of(credit(0, PLENTY + 1 + number, PLENTY))));
    floods.put(
        "CREDIT that opens channels",
        bytes(1000, number -> List.of(credit(1 + number % 255, PLENTY, PLENTY + 1 + number))));
    return floods;
  }

  private static RawFrame credit(int channel, long onChannel, long onAll) {
    return RawFrame.control(FrameType.CREDIT, 0)
        .with(header -> {
          header.channel = channel;
          header.tag = onChannel;
          header.count = onAll;
        });
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
}
