package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayHandler;
import io.arraywire.Listener;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A peer that floods with frames without effect is cut off within a second. It measures time, so
 * nothing else may run beside it.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
public abstract class FloodTimeContract extends LoopbackContract {
  private static final Duration LONGEST = Duration.ofSeconds(1);

  /** For JUnit. */
  protected FloodTimeContract() {}

  @Test
  void floodsAreCutOffWithinASecond() throws Exception {
    ArrayHandler handler = (from, array) -> {};
    Listener listener = stage.transport().listen(stage.address(), handler);
    // The first one loads classes.
    Duration unused = cutOff(listener, Floods.all().values().iterator().next());
    for (Map.Entry<String, byte[]> flood : Floods.all().entrySet()) {
      assertThat(cutOff(listener, flood.getValue())).as(flood.getKey()).isLessThan(LONGEST);
    }
  }

  /** How long a peer can flood. */
  private Duration cutOff(Listener listener, byte[] flood) throws Exception {
    RawPeer hostile = stage.closing(stage.rawPeer(listener.address())).shakeHands(Floods.PLENTY);
    long begin = System.nanoTime();
    try {
      while (true) {
        hostile.send(flood);
      }
    } catch (IOException cut) {
      return Duration.ofNanos(System.nanoTime() - begin);
    }
  }
}
