package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import org.junit.jupiter.api.Test;

class SessionRefusalsTest {
  private static final int LIMIT = 1024;

  private final SessionRefusals refusals = new SessionRefusals();
  private final ArraywireException refusal = new ProtocolException(ErrorCode.REJECTED, "not this");

  @Test
  void eachChannelHasItsOwn() {
    refusals.add(3, 7, refusal);
    assertThat(refusals.of(3, 7)).isSameAs(refusal);
    assertThat(refusals.of(3, 6)).isNull();
    assertThat(refusals.of(3, 8)).isNull();
    assertThat(refusals.of(2, 7)).isNull();
  }

  /** Those of all channels together, or each of 65,536 channels would hold so many. */
  @Test
  void onlySoManyAreRemembered() {
    for (int i = 0; i < LIMIT; i++) {
      refusals.add(i % 2, 1 + i / 2, refusal);
    }
    assertThat(refusals.of(0, 1)).isSameAs(refusal);
    refusals.add(5, 1, refusal);
    assertThat(refusals.of(0, 1))
        .isInstanceOf(DeliveryUnknownException.class)
        .hasMessageContaining("sequence=1")
        .hasMessageContaining("limit=1024");
    assertThat(refusals.of(1, 1)).isSameAs(refusal);
    assertThat(refusals.of(0, 2)).isSameAs(refusal);
    assertThat(refusals.of(5, 1)).isSameAs(refusal);
  }
}
