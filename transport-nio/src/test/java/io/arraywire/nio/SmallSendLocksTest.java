package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * How often a small array that goes over a quiet connection has the library take a lock or monitor,
 * at each side. The ways of the threads depend on which of them waits, so it is an average over
 * many arrays, to which the keep-alive timer may add a few.
 */
class SmallSendLocksTest {
  private static final int WARM_UP = 2_000;
  private static final int ARRAYS = 500;

  /** For timers. */
  private static final int OTHERS = 20;

  private static final int MOST_AT_SENDER = 4;
  private static final int MOST_AT_RECEIVER = 3;

  @Test
  void aSmallSendTakesFewLocks() throws Exception {
    SmallSendFlow.run(CountingLoader.What.LOCKS, WARM_UP, ARRAYS, SmallSendLocksTest::check);
  }

  private static void check(
      SmallSendSide sender, long atSender, SmallSendSide receiver, long atReceiver)
      throws Exception {
    System.out.printf(
        "locks per small array: %.2f at the sender, %.2f at the receiver%n",
        (double) atSender / ARRAYS, (double) atReceiver / ARRAYS);
    assertThat(atReceiver)
        .as("%d arrays at the receiver: %s", ARRAYS, receiver.places())
        .isBetween((long) ARRAYS, (long) MOST_AT_RECEIVER * ARRAYS + OTHERS);
    assertThat(atSender)
        .as("%d arrays at the sender: %s", ARRAYS, sender.places())
        .isBetween((long) ARRAYS, (long) MOST_AT_SENDER * ARRAYS + OTHERS);
  }
}
