package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How many files a small array that goes over a quiet connection passes through, at each side, with
 * its acknowledgement.
 *
 * <p>A file of the engine or the transport counts if its code calls another one of them for each
 * array: there the way goes on. A file that only holds or computes something is no station of the
 * way, and neither are the types of the API, of the wire and of codecs.
 */
@Tag("alone") // On a busy machine arrays come before they are asked for, which is another way.
class SmallSendFilesTest {
  private static final int WARM_UP = 500;
  private static final int ARRAYS = 200;

  // The counts of today; lower them when a hop goes. The goal of 18 was set by reading, when
  // classes were three times as large.
  private static final int MOST_AT_SENDER = 31;
  private static final int MOST_AT_RECEIVER = 35;

  @Test
  void aSmallSendPassesThroughFewFiles() throws Exception {
    SmallSendFlow.run(CountingLoader.What.CALLS, WARM_UP, ARRAYS, SmallSendFilesTest::check);
  }

  private static void check(
      SmallSendSide sender, long callsAtSender, SmallSendSide receiver, long callsAtReceiver)
      throws Exception {
    assertThat(callsAtSender).isPositive();
    assertThat(callsAtReceiver).isPositive();
    List<?> atSender = files(sender);
    List<?> atReceiver = files(receiver);
    System.out.printf("files of a small send: %d at the sender: %s%n", atSender.size(), atSender);
    System.out.printf("%d at the receiver: %s%n", atReceiver.size(), atReceiver);
    assertThat(atSender).hasSizeLessThanOrEqualTo(MOST_AT_SENDER);
    assertThat(atReceiver).hasSizeLessThanOrEqualTo(MOST_AT_RECEIVER);
  }

  private static List<?> files(SmallSendSide side) throws Exception {
    return (List<?>) side.call(side.counts, "placesOf", ARRAYS / 2);
  }
}
