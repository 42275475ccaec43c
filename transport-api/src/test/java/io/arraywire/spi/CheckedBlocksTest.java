package io.arraywire.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckedBlocksTest {
  private static final Encoding ENCODING =
      Encoding.customInBlocks(211, "tried", ByteOrder.LITTLE_ENDIAN, type -> true);

  /** Does with the buffer what the test wants. */
  private record Tried(Consumer<ByteBuffer> act) implements Codec {
    @Override
    public String name() {
      return "tried-codec";
    }

    @Override
    public Encoding encoding() {
      return ENCODING;
    }

    @Override
    public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
      act.accept(target);
    }

    @Override
    public void decode(ElementType type, ByteBuffer source, Object array, int index, int count) {
      act.accept(source);
    }
  }

  private final List<Throwable> failures = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocate(64).position(8).limit(60);

  private boolean encode(Consumer<ByteBuffer> act, int elements) {
    return CheckedBlocks.encode(
        new Tried(act),
        ElementType.BYTE,
        new byte[40],
        0,
        elements,
        buffer,
        (codec, type, count, thrown) -> failures.add(thrown));
  }

  private static void decode(Consumer<ByteBuffer> act) throws ProtocolException {
    CheckedBlocks.decode(
        new Tried(act), ElementType.BYTE, ByteBuffer.allocate(9), new byte[40], 0, 40);
  }

  @Test
  void aBlockThatGetsSmallerIsWritten() {
    assertThat(encode(target -> target.putInt(7), 40)).isTrue();
    assertThat(buffer.position()).isEqualTo(12);
    assertThat(buffer.limit()).isEqualTo(60);
  }

  @Test
  void aCodecHasRoomForOneByteLessThanTheElements() {
    assertThat(encode(target -> assertThat(target.remaining()).isEqualTo(39), 40)).isFalse();
    assertThat(failures).isEmpty();
  }

  @Test
  void aBlockOfOneByteIsNotEvenTried() {
    assertThat(encode(target -> failures.add(new AssertionError("asked")), 1)).isFalse();
    assertThat(failures).isEmpty();
  }

  @Test
  void aCodecThatThrowsWritesNothing() {
    assertThat(encode(target -> target.put(new byte[40]), 40)).isFalse();
    assertThat(failures).singleElement().isInstanceOf(BufferOverflowException.class);
    assertThat(buffer.position()).isEqualTo(8);
    assertThat(buffer.limit()).isEqualTo(60);
  }

  @Test
  void anErrorOfACodecIsTheCallersAndTheLimitStays() {
    assertThatThrownBy(() ->
            encode(
                target -> {
                  throw new NoClassDefFoundError("for the test");
                },
                40))
        .isInstanceOf(NoClassDefFoundError.class);
    assertThat(buffer.limit()).isEqualTo(60);
    assertThat(buffer.position()).isEqualTo(8);
  }

  @Test
  void aCodecThatMovesTheLimitIsNamed() {
    assertThatThrownBy(() -> encode(target -> target.limit(64), 40))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("tried-codec");
    assertThat(buffer.limit()).isEqualTo(60);
  }

  @Test
  void aCodecThatMovesThePositionBackIsNamed() {
    assertThatThrownBy(() -> encode(target -> target.position(7), 40))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("position=7");
  }

  @Test
  void aBlockIsDecodedToItsEnd() throws ProtocolException {
    decode(source -> source.position(9));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8})
  void bytesBehindTheElementsAreRefused(int position) {
    assertThatThrownBy(() -> decode(source -> source.position(position)))
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.MALFORMED_PAYLOAD::isOf)
        .hasMessageContaining("bytesLeft=" + (9 - position));
  }

  @Test
  void aChangedLimitIsRefused() {
    assertThatThrownBy(() -> decode(source -> source.position(5).limit(5)))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("changed the limit");
  }

  @Test
  void whatACodecThrowsIsTheCauseOfARefusal() {
    assertThatThrownBy(() -> decode(source -> source.get(new byte[10])))
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.MALFORMED_PAYLOAD::isOf)
        .hasCauseInstanceOf(BufferUnderflowException.class);
  }
}
