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
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Peers that send what costs them nothing, as fast as they can. */
interface FloodTests {
  TransportStage stage();

  /**
   * The bad ones are cut off, and the good one is served meanwhile. What said goodbye floods until
   * then. The others read once the handler is told, for the half second that they have for that;
   * {@link FloodTimeContract} has all of them go on.
   */
  @Test
  default void aPeerThatFloodsIsCutOffAndNobodyElseIs() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener = stage().transport().listen(stage().address(), watch);
    Connection friend = stage().transport().connect(listener.address());
    int sent = 0;
    for (Map.Entry<String, byte[]> flood : Floods.all().entrySet()) {
      // It has ended for its handler before it floods.
      boolean saysGoodbye = flood.getKey().equals("GOODBYE");
      RawPeer hostile =
          stage().closing(stage().rawPeer(listener.address())).shakeHands(Floods.PLENTY);
      AtomicBoolean told = new AtomicBoolean();
      Running<Boolean> flooding =
          Running.start(() -> {
            try {
              while (saysGoodbye || !told.get()) {
                hostile.send(flood.getValue());
              }
              return ErrorCode.CONTROL_FLOOD.equals(hostile.nextError().code());
            } catch (IOException cut) {
              return true;
            }
          });
      do {
        friend.send(ArraySlice.of(new int[10]), SendOptions.processed());
        sent++;
      } while (saysGoodbye ? !flooding.isDone() : !watch.hasNext());
      told.set(true);
      assertThat(flooding.get()).as(flood.getKey()).isTrue();
      if (saysGoodbye) {
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
