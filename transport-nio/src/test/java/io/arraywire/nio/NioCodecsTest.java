package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.MemoryKind;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class NioCodecsTest {

  @Test
  void theDirectCodecHasTheOrderOfTheHost() {
    assertThat(NioCodecs.direct()).hasToString("direct");
    assertThat(NioCodecs.direct().encoding().order()).isEqualTo(ByteOrder.nativeOrder());
    assertThat(NioCodecs.direct(ByteOrder.nativeOrder())).isSameAs(NioCodecs.direct());
  }

  @Test
  void bothOrdersArePresent() {
    assertThat(NioCodecs.direct(ByteOrder.BIG_ENDIAN).encoding())
        .isEqualTo(Encoding.RAW_BIG_ENDIAN);
    assertThat(NioCodecs.direct(ByteOrder.LITTLE_ENDIAN).encoding())
        .isEqualTo(Encoding.RAW_LITTLE_ENDIAN);
    boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    assertThat(NioCodecs.list())
        .extracting(Codec::name)
        .containsExactly("direct", little ? "direct-be" : "direct-le");
  }

  @Test
  void codecsAreFoundAsServices() {
    for (Codec codec : NioCodecs.list()) {
      assertThat(Codecs.named(codec.name())).isSameAs(codec);
    }
  }

  @Test
  void codecsTakeAllElementTypesAndCopyOnce() {
    for (Codec codec : NioCodecs.list()) {
      for (ElementType type : ElementType.values()) {
        assertThat(codec.encoding().supports(type)).as("%s %s", codec, type).isTrue();
      }
      assertThat(codec.traits().staging()).isEqualTo(MemoryKind.DIRECT);
      assertThat(codec.traits().copiesToEncode()).isEqualTo(1);
      assertThat(codec.traits().copiesToDecode()).isEqualTo(1);
    }
  }

  @Test
  void onlyElementsInTheHostsOrderMayPassTheCodecBy() {
    for (Codec codec : NioCodecs.list()) {
      assertThat(codec.traits().verbatim())
          .as("%s", codec)
          .isEqualTo(codec.encoding().order() == ByteOrder.nativeOrder());
    }
  }
}
