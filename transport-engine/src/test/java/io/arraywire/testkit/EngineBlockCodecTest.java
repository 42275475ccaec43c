package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.spi.Codec;
import io.arraywire.wire.Offer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A connection ends in one typed error, whatever the codec of a block does while it decodes. */
class EngineBlockCodecTest {
  private static final Encoding ENCODING =
      Encoding.customInBlocks(212, "broken", ByteOrder.LITTLE_ENDIAN, type -> true);

  /** What a codec does with the bytes of a block. */
  private record Broken(String what, Consumer<ByteBuffer> act) implements Codec {
    @Override
    public String name() {
      return "broken";
    }

    @Override
    public Encoding encoding() {
      return ENCODING;
    }

    @Override
    public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {}

    @Override
    public void decode(ElementType type, ByteBuffer source, Object array, int index, int count) {
      act.accept(source);
    }

    @Override
    public String toString() {
      return what;
    }
  }

  static Stream<Broken> codecs() {
    return Stream.of(
        new Broken("throws", source -> source.get(new byte[100])),
        new Broken("reads nothing", source -> {}),
        new Broken("moves the limit", source -> source.limit(source.position())));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void theConnectionEndsInATypedError(Broken codec) {
    Offer all = EngineBench.offer();
    EngineBench bench =
        EngineBench.acceptor(
                EngineBench.options()
                    .codecs(EngineBench.RAW_LE, codec)
                    .checksums(Checksums.UNWANTED))
            .open(
                new Offer(
                    Map.of(1, "raw-le", ENCODING.code(), ENCODING.name()),
                    all.elementTypes(),
                    ByteOrder.LITTLE_ENDIAN,
                    all.maxArrayBytes(),
                    all.maxFrameBytes(),
                    false,
                    new byte[0],
                    "a test",
                    all.flow()));
    byte[] block =
        ByteBuffer.allocate(10)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(2)
            .putInt(600)
            .putShort((short) 1)
            .array();
    bench.feed(
        RawFrame.array(ENCODING.code(), ElementType.BYTE.code(), 1, 600, block)
            .with(header -> header.arrayBytes = 600));
    assertThat(bench.handler.arrays).isEmpty();
    assertThat(bench.error(ErrorCode.MALFORMED_PAYLOAD)).contains("encoding=broken");
    bench.end();
    bench.assertFailed(ErrorCode.MALFORMED_PAYLOAD);
  }
}
