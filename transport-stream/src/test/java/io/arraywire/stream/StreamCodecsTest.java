package io.arraywire.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.MemoryKind;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class StreamCodecsTest {

  @Test
  void listsAllCodecsFastestFirst() {
    assertThat(StreamCodecs.list())
        .extracting(Codec::name)
        .containsExactlyInAnyOrder(
            "buffer-view-le",
            "buffer-view",
            "object-stream",
            "data-output-buffered",
            "data-output");
    assertThat(StreamCodecs.list().get(0).encoding().order()).isEqualTo(ByteOrder.nativeOrder());
    assertThat(StreamCodecs.list().get(4)).isSameAs(StreamCodecs.dataOutput());
  }

  @Test
  void codecsAreFoundAsServices() {
    for (Codec codec : StreamCodecs.list()) {
      assertThat(Codecs.named(codec.name())).isSameAs(codec);
    }
  }

  @Test
  void codecsTakeAllElementTypesFromHeapMemoryAndCountTheirCopies() {
    for (Codec codec : StreamCodecs.list()) {
      for (ElementType type : ElementType.values()) {
        assertThat(codec.encoding().supports(type))
            .as("%s %s", codec, type)
            .isEqualTo(type.isPrimitive() || !codec.encoding().equals(Encoding.JAVA_OBJECT));
      }
      assertThat(codec.traits().staging()).as("%s", codec).isEqualTo(MemoryKind.HEAP);
      assertThat(codec.traits().copiesToEncode()).isPositive();
      assertThat(codec.traits().copiesToDecode()).isPositive();
    }
    assertThat(StreamCodecs.objectStream().traits().copiesToEncode()).isEqualTo(3);
    assertThat(StreamCodecs.objectStream().traits().copiesToDecode()).isEqualTo(1);
  }

  @Test
  void viewsHaveTheOrderThatTheirNamesSay() {
    assertThat(StreamCodecs.bufferView()).hasToString("buffer-view");
    assertThat(StreamCodecs.bufferView().encoding()).isEqualTo(Encoding.RAW_BIG_ENDIAN);
    assertThat(StreamCodecs.bufferView(ByteOrder.BIG_ENDIAN)).isSameAs(StreamCodecs.bufferView());
    assertThat(StreamCodecs.bufferView(ByteOrder.LITTLE_ENDIAN)).hasToString("buffer-view-le");
    assertThat(StreamCodecs.bufferView(ByteOrder.LITTLE_ENDIAN).encoding())
        .isEqualTo(Encoding.RAW_LITTLE_ENDIAN);
  }
}
