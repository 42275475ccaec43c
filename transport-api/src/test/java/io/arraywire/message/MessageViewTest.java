package io.arraywire.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MessageViewTest {
  private static final Message MESSAGE =
      Message.of("ids", new int[] {7, 8, 9})
          .with("scores", new float[] {0.5f, 0.25f}, 2, 1)
          .with("größe", new double[] {1})
          .tag(5)
          .attribute("unit", "K");

  @Test
  void partsAreReadIntoTheCallersArrays() throws Exception {
    for (Encoding encoding : new Encoding[] {Encoding.RAW_LITTLE_ENDIAN, Encoding.RAW_BIG_ENDIAN}) {
      ByteBuffer bytes = ByteBuffer.allocate(500).position(3);
      ArrayMessage.encode(MESSAGE, bytes, MessageOptions.defaults().encoding(encoding));
      bytes.flip().position(3);
      MessageView view = MessageView.within(Limits.ofBytes(100));
      view.read(bytes);
      assertThat(bytes.hasRemaining()).isFalse();
      assertThat(bytes.order()).isEqualTo(ByteOrder.BIG_ENDIAN);

      assertThat(view.parts()).isEqualTo(3);
      assertThat(view.tag()).isEqualTo(5);
      assertThat(view.attribute("unit")).isEqualTo("K");
      assertThat(view.attribute("units")).isNull();
      assertThat(view.has("größe")).isTrue();
      assertThat(view.has("")).isFalse();
      assertThat(view.type("scores")).isEqualTo(ElementType.FLOAT);
      assertThat(view.count("ids")).isEqualTo(3);
      assertThat(view.shape("scores")).containsExactly(2, 1);
      assertThat(view.shape("ids")).isEmpty();
      int[] ids = new int[4];
      float[] scores = new float[4];
      assertThat(view.readInto("scores", scores, 1)).isEqualTo(2);
      assertThat(view.readInto("ids", ids)).isEqualTo(3);
      assertThat(ids).containsExactly(7, 8, 9, 0);
      assertThat(scores).containsExactly(0, 0.5f, 0.25f, 0);
      assertThat(view.toMessage().doubles("größe")).containsExactly(1);
      ByteBuffer inPlace = view.elements("ids");
      assertThat(inPlace.isReadOnly()).isTrue();
      assertThat(inPlace.remaining()).isEqualTo(12);
      assertThat(inPlace.asIntBuffer().get(1)).isEqualTo(8);
    }
  }

  @Test
  void whatDoesNotFitIsRefused() throws Exception {
    MessageView view = MessageView.within(Limits.ofBytes(100));
    view.read(ByteBuffer.wrap(ArrayMessage.encode(MESSAGE)));

    int[] small = new int[3];
    assertThatIllegalArgumentException()
        .isThrownBy(() -> view.readInto("ids", small, 1))
        .withMessageContainingAll("part=ids", "elements=3", "room=2");
    assertThat(small).containsOnly(0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> view.readInto("ids", new float[3]))
        .withMessageContainingAll("part=ids", "type=int", "asked=float");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> view.readInto("id", small))
        .withMessageContainingAll("name=id", "parts=[ids, scores, größe]");
    assertThatIllegalArgumentException().isThrownBy(() -> view.count(""));
  }

  @Test
  void aViewIsUsedAgain() throws Exception {
    MessageView view = MessageView.within(Limits.ofBytes(100));
    assertThat(view.parts()).isZero();
    assertThatThrownBy(view::toMessage).isInstanceOf(IllegalStateException.class);
    view.read(ByteBuffer.wrap(ArrayMessage.encode(MESSAGE)));
    view.read(ByteBuffer.wrap(ArrayMessage.encode(Message.of(new char[] {'x'}))));
    assertThat(view.parts()).isEqualTo(1);
    assertThat(view.type("")).isEqualTo(ElementType.CHAR);
    assertThat(view.attribute("unit")).isNull();
    assertThat(view.tag()).isZero();

    ByteBuffer damaged = ByteBuffer.wrap(ArrayMessage.encode(MESSAGE));
    damaged.put(damaged.limit() - 1, (byte) 1);
    assertThatThrownBy(() -> view.read(damaged))
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.PAYLOAD_CHECKSUM::isOf);
    assertThat(view.parts()).isZero();
    assertThat(view.attribute("unit")).isNull();
    assertThat(damaged.position()).isZero();
  }

  /** The same buffer, filled again: it is looked at anew. */
  @Test
  void aBufferIsUsedAgain() throws Exception {
    ByteBuffer buffer = ByteBuffer.allocateDirect(200);
    MessageView view = MessageView.within(Limits.ofBytes(100));
    float[] mine = new float[2];
    for (int i = 1; i < 9; i++) {
      buffer.clear().position(i);
      ArrayMessage.encode(Message.of(new float[] {i, -i}), buffer);
      buffer.flip().position(i);
      view.read(buffer);
      assertThat(view.readInto("", mine)).isEqualTo(2);
      assertThat(mine).containsExactly(i, -i);
    }
  }

  /** The view keeps its own buffer for the next one over the same array, and must not mix them. */
  @Test
  void buffersOverOneArrayAreToldApart() throws Exception {
    byte[] first = ArrayMessage.encode(Message.of(new float[] {1, -1}));
    byte[] second = ArrayMessage.encode(Message.of(new float[] {2, -2}));
    int length = first.length;
    byte[] both = Arrays.copyOf(first, 2 * length);
    System.arraycopy(second, 0, both, length, length);
    ByteBuffer whole = ByteBuffer.wrap(both);
    ByteBuffer direct = ByteBuffer.allocateDirect(length).put(second).flip();
    MessageView view = MessageView.within(Limits.ofBytes(100));
    assertElements(view, whole.slice(0, length), 1);
    assertElements(view, whole.slice(length, length), 2);
    assertElements(view, whole.slice(0, length), 1);
    assertElements(view, whole.duplicate().position(length), 2);
    assertElements(view, whole.duplicate().limit(length), 1);
    assertElements(view, ByteBuffer.wrap(first), 1);
    assertElements(view, ByteBuffer.wrap(second), 2);
    assertElements(view, whole.asReadOnlyBuffer().limit(length), 1);
    assertElements(view, direct, 2);
    assertElements(view, whole.slice(0, length), 1);
    assertElements(view, direct.rewind(), 2);
  }

  private static void assertElements(MessageView view, ByteBuffer bytes, float element)
      throws ProtocolException {
    float[] mine = new float[2];
    view.read(bytes);
    assertThat(bytes.hasRemaining()).isFalse();
    assertThat(view.readInto("", mine)).isEqualTo(2);
    assertThat(mine).containsExactly(element, -element);
  }

  /** A reader in place wants its elements aligned. */
  @Test
  void everyPartBeginsAtAMultipleOfEight() throws Exception {
    Message message = Message.of("a", new byte[] {1}).with("b", new short[] {2, 3, 4});
    message = message.with("c", new byte[0]).with("d", new double[] {1}).attribute("k", "vvvvv");
    byte[] bytes = ArrayMessage.encode(message);
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length + 8).alignedSlice(8);
    direct.put(bytes).flip();
    MessageView view = MessageView.within(Limits.ofBytes(100));
    view.read(direct);
    for (Part part : message.parts()) {
      assertThat(view.elements(part.name()).alignmentOffset(0, 8)).as(part.name()).isZero();
    }
    assertThat(view.elements("b").remaining()).isEqualTo(6);
  }
}
