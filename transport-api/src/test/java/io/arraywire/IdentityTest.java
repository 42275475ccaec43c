package io.arraywire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.security.Identity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityTest {
  @Test
  void aNewIdentityMayDoWhatTheOptionsAllow() {
    Identity all = Identity.of("trainer");
    assertThat(all.name()).isEqualTo("trainer");
    assertThat(all.maySubscribe("x")).isTrue();
    assertThat(all.mayPublish("x")).isTrue();
    assertThat(all.channels()).isEqualTo(Integer.MAX_VALUE);
    assertThat(all.maxArrayBytes()).isEqualTo(Long.MAX_VALUE);
    assertThat(all.maxOpenRequests()).isEqualTo(Integer.MAX_VALUE);
    assertThat(all.inboxBytes()).isEqualTo(Integer.MAX_VALUE);
    assertThat(all).hasToString("trainer");
  }

  @Test
  void subjectsEndWithAStarOrStandForThemselves() {
    Identity some = Identity.of("a").subscribing("weights/*", "loss").publishing();
    assertThat(some.maySubscribe("weights/")).isTrue();
    assertThat(some.maySubscribe("weights/1/2")).isTrue();
    assertThat(some.maySubscribe("loss")).isTrue();
    assertThat(some.maySubscribe("weights")).isFalse();
    assertThat(some.maySubscribe("losses")).isFalse();
    assertThat(some.maySubscribe("a weights/1")).isFalse();
    assertThat(some.mayPublish("loss")).isFalse();
    assertThat(Identity.of("a").publishing("*").mayPublish("anything")).isTrue();
  }

  @Test
  void eachPermissionIsInTheText() {
    Identity some =
        Identity.of("a")
            .subscribing("loss")
            .publishing("w*")
            .channels(1)
            .maxArrayBytes(0)
            .maxOpenRequests(0)
            .inboxBytes(4096);
    assertThat(some)
        .hasToString(
            "a (subscribing=[loss], publishing=[w*], channels=1, maxArrayBytes=0,"
                + " maxOpenRequests=0, inboxBytes=4096)")
        .isEqualTo(
            Identity.of("a")
                .inboxBytes(4096)
                .maxOpenRequests(0)
                .maxArrayBytes(0)
                .channels(1)
                .publishing("w*")
                .subscribing("loss"))
        .isNotEqualTo(some.channels(2))
        .isNotEqualTo(some.subscribing("loss", "more"));
    assertThat(some.hashCode()).isEqualTo(some.channels(2).channels(1).hashCode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n"})
  void anIdentityHasAName(String name) {
    assertThatThrownBy(() -> Identity.of(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 200 characters");
  }

  @Test
  void aNameFitsALine() {
    assertThat(Identity.of("x".repeat(200)).name()).hasSize(200);
    assertThatThrownBy(() -> Identity.of("x".repeat(201)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("length=201");
  }

  /** Two names must not become one. */
  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "a\u202eb", "a\u0000"})
  void aNameIsPrintable(String name) {
    assertThatThrownBy(() -> Identity.of(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("printable characters only; leave out control")
        .hasMessageContaining("name=a?");
  }

  @Test
  void limitsHaveALeast() {
    Identity some = Identity.of("a");
    assertThatThrownBy(() -> some.channels(0)).hasMessageContaining("channels=0, least=1");
    assertThatThrownBy(() -> some.maxArrayBytes(-1)).hasMessageContaining("maxArrayBytes=-1");
    assertThatThrownBy(() -> some.maxOpenRequests(-1)).hasMessageContaining("maxOpenRequests=-1");
    assertThatThrownBy(() -> some.inboxBytes(4095)).hasMessageContaining("least=4096");
  }
}
