package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.ProtocolException;
import io.arraywire.SendOptions;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Peers that send what costs them nothing, as fast as they can. */
interface FloodTests {
  TransportStage stage();

  /** The bad ones are cut off, and the good one is served meanwhile. */
  @Test
  default void aPeerThatFloodsIsCutOffAndNobodyElseIs() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener = stage().transport().listen(stage().address(), watch);
    Connection friend = stage().transport().connect(listener.address());
    int sent = 0;
    for (Map.Entry<String, byte[]> flood : Floods.all().entrySet()) {
      RawPeer hostile =
          stage().closing(stage().rawPeer(listener.address())).shakeHands(Floods.PLENTY);
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
