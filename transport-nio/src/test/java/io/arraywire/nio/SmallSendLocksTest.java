package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * How often a small array that goes over a quiet connection has the library take a lock or monitor,
 * at each side. The ways of the threads depend on who waits for whom, so it is an average over many
 * arrays, to which the keep-alive timer may add a few.
 */
class SmallSendLocksTest {
  private static final int WARM_UP = 2_000;
  private static final int ARRAYS = 500;

  /** For timers. */
  private static final int OTHERS = 20;

  private static final int MOST_AT_SENDER = 4;
  private static final int MOST_AT_RECEIVER = 4;

  /** One side, in classes of its own. */
  private static final class Side {
    private final Class<?> sends;
    private final Class<?> counts;

    Side() throws ReflectiveOperationException {
      LockCountingLoader loader = new LockCountingLoader();
      sends = loader.loadClass(SmallSends.class.getName());
      counts = loader.loadClass(LockCounts.class.getName());
    }

    Object call(Class<?> on, String method, Object... arguments) throws Exception {
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      thread.setContextClassLoader(sends.getClassLoader());
      try {
        Class<?>[] types = arguments.length == 0 ? new Class<?>[0] : new Class<?>[] {int.class};
        return on.getMethod(method, types).invoke(null, arguments);
      } finally {
        thread.setContextClassLoader(before);
      }
    }

    String places() throws Exception {
      return String.valueOf(call(counts, "places"));
    }
  }

  @Test
  void aSmallSendTakesFewLocks() throws Exception {
    Side receiver = new Side();
    Side sender = new Side();
    try {
      sender.call(sender.sends, "connect", receiver.call(receiver.sends, "receive"));
      sender.call(sender.sends, "send", WARM_UP);
      receiver.call(receiver.counts, "begin");
      sender.call(sender.counts, "begin");
      sender.call(sender.sends, "send", ARRAYS);
      long atSender = (long) sender.call(sender.counts, "end");
      long atReceiver = (long) receiver.call(receiver.counts, "end");
      System.out.printf(
          "locks per small array: %.2f at the sender, %.2f at the receiver%n",
          (double) atSender / ARRAYS, (double) atReceiver / ARRAYS);
      assertThat(atReceiver)
          .as("%d arrays at the receiver: %s", ARRAYS, receiver.places())
          .isBetween((long) ARRAYS, (long) MOST_AT_RECEIVER * ARRAYS + OTHERS);
      assertThat(atSender)
          .as("%d arrays at the sender: %s", ARRAYS, sender.places())
          .isBetween((long) ARRAYS, (long) MOST_AT_SENDER * ARRAYS + OTHERS);
    } finally {
      sender.call(sender.sends, "close");
      receiver.call(receiver.sends, "close");
    }
  }
}
