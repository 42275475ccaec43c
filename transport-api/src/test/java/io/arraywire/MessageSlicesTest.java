package io.arraywire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.arraywire.message.Message;
import org.junit.jupiter.api.Test;

class MessageSlicesTest {
  /** A codec that a connection would leave out is refused before a byte leaves. */
  @Test
  void aConnectionRefusesCodecsOfParts() {
    Message plain = Message.of("ids", new int[2]).with("scores", new float[2]);
    Message named = plain.codec("scores", "raw-be");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MessageSlices.of(named, named.toAttributes()))
        .withMessageContainingAll("part=scores", "codec=raw-be");
    ArraySlice slice = MessageSlices.of(plain, plain.toAttributes());
    assertThat(slice.length()).isEqualTo(16);
  }
}
