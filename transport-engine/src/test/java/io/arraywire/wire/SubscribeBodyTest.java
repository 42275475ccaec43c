package io.arraywire.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.arraywire.ErrorCode;
import io.arraywire.LagPolicy;
import io.arraywire.ProtocolException;
import io.arraywire.wire.proto.Subscribe;
import org.junit.jupiter.api.Test;

/** The limits of what a subscriber may ask for. */
class SubscribeBodyTest {
  private static Subscribe.Builder body() {
    return Subscribe.newBuilder().setSubject("a").setPolicy(1).setQueueBytes(1);
  }

  private static ProtocolException refusal(Subscribe.Builder body) {
    return catchThrowableOfType(
        ProtocolException.class, () -> SubscribeBody.read(body.build().toByteArray()));
  }

  @Test
  void subjectsHaveOneTo255Bytes() {
    for (String fit : new String[] {"a", "\u00e4".repeat(127) + "a"}) {
      assertThat(SubscribeBody.checked(fit)).isEqualTo(fit);
    }
    for (String unfit : new String[] {"", "\u00e4".repeat(128)}) {
      assertThatThrownBy(() -> SubscribeBody.checked(unfit))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("(bytes=" + 2 * unfit.length() + ", subject=");
    }
  }

  @Test
  void policiesAreCountedFromOne() throws Exception {
    LagPolicy[] policies = {
      LagPolicy.BLOCK, LagPolicy.DROP_OLDEST, LagPolicy.DROP_NEWEST, LagPolicy.DISCONNECT
    };
    for (int i = 0; i < policies.length; i++) {
      byte[] bytes = body().setPolicy(i + 1).build().toByteArray();
      assertThat(SubscribeBody.read(bytes)).isEqualTo(new SubscribeBody("a", policies[i], 1));
    }
    for (int unknown : new int[] {0, policies.length + 1, -1}) {
      ProtocolException refused = refusal(body().setPolicy(unknown));
      assertThat(refused.code()).isEqualTo(ErrorCode.UNKNOWN_CODE);
      assertThat(refused.facts()).containsEntry("policy", Integer.toUnsignedString(unknown));
    }
  }

  /** One byte is enough, see above. */
  @Test
  void aQueueOfNoBytesIsNone() {
    for (long impossible : new long[] {0, -1}) {
      ProtocolException refused = refusal(body().setQueueBytes(impossible));
      assertThat(refused.code()).isEqualTo(ErrorCode.MALFORMED_PAYLOAD);
      assertThat(refused.facts()).containsEntry("queueBytes", Long.toUnsignedString(impossible));
    }
  }

  @Test
  void aFieldThatIsNotKnownIsSkipped() throws Exception {
    byte[] more = body().setUnknownFields(FaultBodyTest.unknownField()).build().toByteArray();
    assertThat(SubscribeBody.read(more)).isEqualTo(new SubscribeBody("a", LagPolicy.BLOCK, 1));
  }
}
