package io.arraywire;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.message.Message;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A message that is sent again makes nothing anew, and each call has its own options. */
class SentMessageTest {
  private static final Message MESSAGE =
      Message.of("ids", new int[] {1}).with("scores", new float[] {2}).tag(7);

  @Test
  void eachCallHasItsOwnOptions() {
    List<SendOptions> given =
        List.of(
            SendOptions.processed(),
            SendOptions.handedOff(),
            SendOptions.processed().timeout(Duration.ofSeconds(1)),
            SendOptions.processed().timeout(Duration.ofSeconds(2)),
            SendOptions.processed().codec("raw-be"),
            SendOptions.processed().codec("raw-le"),
            SendOptions.processed());
    for (SendOptions options : given) {
      SendOptions sent = options.of(MESSAGE);
      assertThat(sent).isEqualTo(options.attributes(MESSAGE.toAttributes()));
      assertThat(options.of(MESSAGE)).isSameAs(sent);
    }
  }

  @Test
  void theStandInForTheBytesIsThatOfItsMessage() {
    ArraySlice bytes = MessageSlices.of(MESSAGE, MESSAGE.toAttributes());
    assertThat(bytes.array()).isSameAs(MESSAGE);
    assertThat(bytes.length()).isEqualTo(16);
    assertThat(MessageSlices.of(MESSAGE, MESSAGE.toAttributes())).isSameAs(bytes);
    Message tagged = MESSAGE.tag(8);
    ArraySlice other = MessageSlices.of(tagged, tagged.toAttributes());
    assertThat(other.array()).isSameAs(tagged);
    // Whatever attributes it is asked with.
    assertThat(MessageSlices.of(MESSAGE, tagged.toAttributes()).array()).isSameAs(MESSAGE);
  }
}
