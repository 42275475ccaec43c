package io.arraywire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.Encoding;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import io.arraywire.spi.Codecs;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class RawCodecTest {
  private static final ByteOrder SWAPPED =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
          ? ByteOrder.BIG_ENDIAN
          : ByteOrder.LITTLE_ENDIAN;

  @Test
  void theOrderIsThatOfTheEncoding() {
    assertThat(StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN).encoding())
        .isEqualTo(Encoding.RAW_LITTLE_ENDIAN);
    assertThat(StandardCodecs.raw(ByteOrder.BIG_ENDIAN).encoding())
        .isEqualTo(Encoding.RAW_BIG_ENDIAN);
    assertThat(StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN)).hasToString("raw-le");
    assertThat(StandardCodecs.raw(ByteOrder.BIG_ENDIAN)).hasToString("raw-be");
  }

  @Test
  void aTransportsOwnNameAndMemoryAreKept() {
    RawCodec codec = RawCodec.of("mine", ByteOrder.nativeOrder(), CodecTraits.VERBATIM);

    assertThat(codec.name()).isEqualTo("mine");
    assertThat(codec.traits()).isSameAs(CodecTraits.VERBATIM);
  }

  @Test
  void whatIsSwappedIsNotMovedAsItIs() {
    assertThatThrownBy(() -> RawCodec.of("mine", SWAPPED, CodecTraits.VERBATIM))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("codec=mine");
  }

  /** Names belong to transports: one codec more to choose from would do the same as theirs. */
  @Test
  void theCodecsOfNoTransportAreNotFoundByName() {
    assertThat(StandardCodecs.list()).extracting(Codec::name).containsExactly("protobuf");
    assertThat(Codecs.installed()).extracting(Codec::name).doesNotContain("raw-le", "raw-be");
  }
}
