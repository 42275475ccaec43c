package io.arraywire.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.codec.StandardCodecs;
import org.junit.jupiter.api.Test;

class CodecsTest {

  @Test
  void findsWhatTheServicesBring() {
    assertThat(Codecs.installed()).containsAll(StandardCodecs.list());
    assertThat(Codecs.installed()).extracting(Codec::name).isSorted().doesNotHaveDuplicates();
    assertThat(Codecs.named("protobuf")).isSameAs(StandardCodecs.protobuf());
  }

  @Test
  void saysWhichCodecsThereAreWhenOneIsNotThere() {
    assertThatThrownBy(() -> Codecs.named("morse"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name one that is present, or add the module that has it")
        .hasMessageContaining("codec=morse")
        .hasMessageContaining("protobuf");
  }
}
