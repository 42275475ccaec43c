package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ControlFloodException;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.frame.FrameType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Peers that send what costs them nothing, as fast as they can. */
interface FloodTests {
  TransportStage stage();

  /** The bad ones are cut off, and the good one is served meanwhile. */
  @Test
  default void whoFloodsIsCutOffAndNobodyElseIs() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener = stage().transport().listen(stage().address(), watch);
    Connection friend = stage().transport().connect(listener.address());
    int sent = 0;
    for (FrameType type :
        List.of(FrameType.GOODBYE, FrameType.ACK, FrameType.PING, FrameType.PONG)) {
      ByteArrayOutputStream thousand = new ByteArrayOutputStream();
      for (int i = 0; i < 1000; i++) {
        thousand.writeBytes(RawFrame.control(type, 0).bytes());
      }
      RawPeer hostile = stage().closing(RawPeer.connect(listener.address())).shakeHands();
      Running<Boolean> flooding =
          Running.start(() -> {
            try {
              while (true) {
                hostile.send(thousand.toByteArray());
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
      if (type == FrameType.GOODBYE) {
        assertThat(watch.next()).isNull();
      } else {
        assertThat(watch.next()).as(type + "").isInstanceOf(ControlFloodException.class);
      }
    }
    friend.send(ArraySlice.of(new int[10]), SendOptions.processed());
    assertThat(watch.arrays()).isEqualTo(sent + 1);
    assertThat(friend.isOpen()).isTrue();
  }
}
