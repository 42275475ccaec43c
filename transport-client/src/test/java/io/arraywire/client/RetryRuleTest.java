package io.arraywire.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import io.arraywire.RemoteRejectedException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryRuleTest {
  private static final List<ArraywireException> LOSSES =
      List.of(
          new ConnectionLostException(ErrorCode.CONNECTION_RESET, "it broke"),
          new ProtocolException(ErrorCode.TRUNCATED, "in the middle of a reply"),
          new RemoteErrorException(ErrorCode.IDLE_TIMEOUT, "no array went"),
          new RemoteErrorException(ErrorCode.SLOW_FRAME, "too slow"),
          new RemoteErrorException(ErrorCode.STALLED_ARRAY, "no more of it"),
          new RemoteErrorException(ErrorCode.CLOSE_TIMEOUT, "it closes"));

  @Test
  void aLossGoesOnWhereItDoesNoHarmAndNotForEver() {
    assertThat(LOSSES)
        .allSatisfy(loss -> {
          assertThat(RetryRule.NOT_TAKEN.goesOn(loss, 0)).isFalse();
          assertThat(RetryRule.BROKEN_OFF.goesOn(loss, 0)).isTrue();
          assertThat(RetryRule.IDEMPOTENT.goesOn(loss, 1)).isTrue();
          assertThat(RetryRule.IDEMPOTENT.goesOn(loss, 2)).isFalse();
          assertThat(RetryRule.isRefusal(loss)).isFalse();
        });
  }

  @Test
  void whatWasNotTakenAlwaysGoesOn() {
    ArraywireException closed = new ConnectionClosedException("by the peer");
    for (RetryRule each : RetryRule.values()) {
      assertThat(each.goesOn(closed, 2)).isTrue();
    }
  }

  @Test
  void theAnswersOfTheFarSideAreTheCallers() {
    ArraywireException no = new RemoteRejectedException(ErrorCode.REJECTED, "no");
    for (RetryRule each : RetryRule.values()) {
      assertThat(each.goesOn(no, 0)).isFalse();
    }
  }
}
