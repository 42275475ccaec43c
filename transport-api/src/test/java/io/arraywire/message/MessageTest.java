package io.arraywire.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class MessageTest {
  private static final Object[] ARRAYS = {
    new float[] {1, 2},
    new int[] {1, 2},
    new double[] {1, 2},
    new long[] {1, 2},
    new short[] {1, 2},
    new char[] {1, 2},
    new byte[] {1, 2},
    new boolean[] {true, false}
  };

  private static final List<Message> ONE =
      List.of(
          Message.of((float[]) ARRAYS[0], 2),
          Message.of((int[]) ARRAYS[1], 2),
          Message.of((double[]) ARRAYS[2], 2),
          Message.of((long[]) ARRAYS[3], 2),
          Message.of((short[]) ARRAYS[4], 2),
          Message.of((char[]) ARRAYS[5], 2),
          Message.of((byte[]) ARRAYS[6], 2),
          Message.of((boolean[]) ARRAYS[7], 2));

  private static final List<Message> NAMED =
      List.of(
          Message.of("a", (float[]) ARRAYS[0], 1, 2).with("b", (float[]) ARRAYS[0], 2),
          Message.of("a", (int[]) ARRAYS[1], 1, 2).with("b", (int[]) ARRAYS[1], 2),
          Message.of("a", (double[]) ARRAYS[2], 1, 2).with("b", (double[]) ARRAYS[2], 2),
          Message.of("a", (long[]) ARRAYS[3], 1, 2).with("b", (long[]) ARRAYS[3], 2),
          Message.of("a", (short[]) ARRAYS[4], 1, 2).with("b", (short[]) ARRAYS[4], 2),
          Message.of("a", (char[]) ARRAYS[5], 1, 2).with("b", (char[]) ARRAYS[5], 2),
          Message.of("a", (byte[]) ARRAYS[6], 1, 2).with("b", (byte[]) ARRAYS[6], 2),
          Message.of("a", (boolean[]) ARRAYS[7], 1, 2).with("b", (boolean[]) ARRAYS[7], 2));

  private static final List<Function<Message, Object>> UNNAMED =
      List.of(
          Message::floats,
          Message::ints,
          Message::doubles,
          Message::longs,
          Message::shorts,
          Message::chars,
          Message::bytes,
          Message::booleans);

  private static final List<BiFunction<Message, String, Object>> BY_NAME =
      List.of(
          Message::floats,
          Message::ints,
          Message::doubles,
          Message::longs,
          Message::shorts,
          Message::chars,
          Message::bytes,
          Message::booleans);

  @Test
  void theEightTypesAgree() {
    for (int i = 0; i < ARRAYS.length; i++) {
      ElementType type = ElementType.of(ARRAYS[i]);
      Message one = ONE.get(i);
      Message named = NAMED.get(i);
      assertThat(one.parts()).hasSize(1);
      assertThat(one.part(Message.UNNAMED).type()).isEqualTo(type);
      assertThat(one.part(Message.UNNAMED).shape()).containsExactly(2);
      assertThat(UNNAMED.get(i).apply(one)).isSameAs(ARRAYS[i]);
      assertThat(named.part("a").shape()).containsExactly(1, 2);
      assertThat(named.part("b").shape()).containsExactly(2);
      assertThat(named.part("b").type()).isEqualTo(type);
      assertThat(BY_NAME.get(i).apply(named, "a")).isSameAs(ARRAYS[i]);
      Function<Message, Object> other = UNNAMED.get((i + 1) % ARRAYS.length);
      assertThatThrownBy(() -> other.apply(one))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("type=" + type.typeName());
    }
  }

  @Test
  void aMessageOfIdsAndScores() {
    int[] ids = {3, 1};
    float[] scores = {0.5f, 0.25f};
    Message message = Message.of("ids", ids).with("scores", scores).tag(-1);

    assertThat(message.ints("ids")).isSameAs(ids);
    assertThat(message.floats("scores")).isSameAs(scores);
    assertThat(message.tag()).isEqualTo(-1);
    assertThat(message.has("ids")).isTrue();
    assertThat(message.has("id")).isFalse();
    assertThat(message.parts()).extracting(Part::name).containsExactly("ids", "scores");
    assertThat(message).hasToString("[ids=int[2], scores=float[2]], tag=-1");
  }

  @Test
  void nothingIsChangedByWhatIsMadeOfIt() {
    Message one = Message.of("a", new int[1]);
    assertThat(one.with("b", new int[2]).parts()).hasSize(2);
    assertThat(one.attribute("k", "v").tag(7).attributes()).isEqualTo(Map.of("k", "v"));

    assertThat(one.parts()).hasSize(1);
    assertThat(one.tag()).isZero();
    assertThat(one.attributes()).isEmpty();
    assertThatThrownBy(() -> one.parts().clear()).isInstanceOf(RuntimeException.class);
    long[] shape = {2, 1};
    Message shaped = Message.of(new int[2], shape);
    shape[0] = 7;
    shaped.parts().get(0).shape()[0] = 8;
    assertThat(shaped.parts().get(0).shape()).containsExactly(2, 1);
  }

  @Test
  void aPartOfAnArrayIsExactlyThat() {
    float[] array = {1, 2, 3, 4};
    Message message = Message.of(ArraySlice.of(array, 1, 2), 2);

    assertThat(message.floats()).containsExactly(2, 3);
    assertThat(message.parts().get(0).slices().get(0).array()).isSameAs(array);
    float[] mine = new float[5];
    assertThat(message.parts().get(0).readInto(mine, 3)).isEqualTo(2);
    assertThat(message.readInto(Message.UNNAMED, mine)).isEqualTo(2);
    assertThat(mine).containsExactly(2, 3, 0, 2, 3);
  }

  @Test
  void rowsAreGathered() {
    float[][] table = {{1, 2, 3}, {4, 5, 6}};
    Message message = Message.of("id", new long[] {7}).withRows("table", table);

    Part part = message.part("table");
    assertThat(part.type()).isEqualTo(ElementType.FLOAT);
    assertThat(part.shape()).containsExactly(2, 3);
    assertThat(part.slices()).hasSize(2);
    assertThat(part.slices().get(1).array()).isSameAs(table[1]);
    assertThat(message.floats("table")).containsExactly(1, 2, 3, 4, 5, 6);
    float[] mine = new float[6];
    assertThat(message.readInto("table", mine)).isEqualTo(6);
    assertThat(mine).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(Message.rows("none", new int[0][]).part("none").shape()).containsExactly(0, 0);
    assertThat(Message.rows("none", new int[3][0]).part("none").shape()).containsExactly(3, 0);
  }

  @Test
  void rowsOfTwoLengthsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.rows("table", new float[][] {{1, 2}, {3}}))
        .withMessageContainingAll("part=table", "row=1", "length=1", "expected=2");
  }

  @Test
  void rowsAreThoseOfPrimitiveArrays() {
    for (Object[] rows :
        new Object[][] {{new float[1]}, {"x"}, new float[1][1][1], new String[1]}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Message.rows("table", rows))
          .withMessageContaining("part=table");
    }
  }

  @Test
  void aNameIsTakenOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.of("ids", new int[1]).with("ids", new float[1]))
        .withMessageContainingAll("name=ids", "parts=[ids=int[1]]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.of(new int[1]).with("", new float[1]))
        .withMessageContaining("name=");
  }

  @Test
  void askingForWhatIsNotThereNamesWhatIs() {
    Message message = Message.of("ids", new int[1]).with("scores", new float[1]);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> message.floats("score"))
        .withMessageContainingAll("name=score", "parts=[ids=int[1], scores=float[1]]");
    assertThatIllegalArgumentException()
        .isThrownBy(message::floats)
        .withMessageContaining("no part without a name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> message.floats("ids"))
        .withMessageContainingAll("part=ids", "type=int", "asked=float");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> message.readInto("ids", new int[0]))
        .withMessageContainingAll("part=ids", "elements=1", "room=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> message.readInto("ids", new float[1]))
        .withMessageContainingAll("part=ids", "type=int", "asked=float");
    assertThatIllegalArgumentException().isThrownBy(() -> message.readInto("ids", "ids"));
    assertThatThrownBy(() -> message.part("ids").readInto(new int[1], 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aNameHasItsLimit() {
    String longest = "n".repeat(Message.MAX_NAME_BYTES);
    assertThat(Message.of(longest, new int[1]).has(longest)).isTrue();
    assertThat(Message.of("ü".repeat(127), new int[1]).parts()).hasSize(1);
    for (String name : List.of(longest + "n", "ü".repeat(128))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Message.of(name, new int[1]))
          .withMessageContainingAll("bytes=256", "limit=255")
          .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> Message.of("\ud800", new int[1]));
  }

  @Test
  void aShapeHoldsTheElements() {
    long[] most = new long[Message.MAX_DIMENSIONS];
    Arrays.fill(most, 1);
    assertThat(Message.of(new int[1], most).parts().get(0).shape()).isEqualTo(most);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.of(new int[1], Arrays.copyOf(most, 33)))
        .withMessageContainingAll("dimensions=33", "limit=32");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.of(new int[6], 2, 4))
        .withMessageContainingAll("shape=[2, 4]", "elements=6");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.of(new int[6], -2, -3))
        .withMessageContaining("shape=[-2, -3]");
    // The product overflows to the number of elements.
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.of(new int[0], 1L << 32, 1L << 32));
    assertThat(Message.of(new int[0], 1L << 62, 0, 1L << 62).parts()).hasSize(1);
    assertThatIllegalArgumentException().isThrownBy(() -> Message.of(new int[1], 1L << 62, 0));
  }

  @Test
  void partsHaveTheirLimit() {
    Message full = Message.of("p0", new byte[0]);
    for (int i = 1; i < Message.MAX_PARTS; i++) {
      full = full.with("p" + i, new byte[0]);
    }
    Message all = full;
    assertThat(all.parts()).hasSize(Message.MAX_PARTS);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> all.with("p", new byte[0]))
        .withMessageContainingAll("name=p", "limit=1024");
  }

  @Test
  void namesAndShapesHaveALimitTogether() {
    Message message = Message.of("n".repeat(48), new byte[0]);
    for (int i = 0; message.parts().size() < 900; i++) {
      message = message.with(String.format("%048d", i), new byte[0]);
    }
    // 900 entries of 64 bytes, and 8 before them.
    long[] shape = new long[30];
    for (int i = 0; i < 28; i++) {
      message = message.with("s" + i, new byte[0], shape);
    }
    // And 28 of 16 + 240 + 8 bytes, so that there is room for 528 more.
    Message nearly = message.with("x".repeat(248), new byte[0]);
    assertThat(ArrayMessage.encodedSize(nearly)).isEqualTo(64 + 65_264);
    assertThat(ArrayMessage.encodedSize(nearly.with("y".repeat(248), new byte[0])))
        .isEqualTo(64 + 65_528);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> nearly.with("y".repeat(249), new byte[0]))
        .withMessageContainingAll("bytes=65536", "limit=65528");
  }

  @Test
  void attributesHaveTheirLimits() {
    Message message = Message.of(new int[1]);
    String key = "k".repeat(Message.MAX_KEY_BYTES);
    String value = "v".repeat(Message.MAX_VALUE_BYTES);
    assertThat(message.attribute(key, value).attributes()).containsEntry(key, value);
    assertThat(message.attribute("k", "v").attribute("k", "").attributes()).containsEntry("k", "");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> message.attribute(key + "k", ""))
        .withMessageContainingAll("bytes=65", "limit=64");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> message.attribute("", ""))
        .withMessageContaining("bytes=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> message.attribute("k", value + "v"))
        .withMessageContainingAll("bytes=513", "limit=512")
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
    assertThatIllegalArgumentException().isThrownBy(() -> message.attribute("k", "\udc00"));

    Message full = message;
    for (int i = 0; i < Message.MAX_ATTRIBUTES; i++) {
      full = full.attribute("k" + i, "");
    }
    Message all = full.attribute("k3", "again");
    assertThat(all.attributes()).hasSize(Message.MAX_ATTRIBUTES);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> all.attribute("k", ""))
        .withMessageContainingAll("key=k", "limit=16");

    Message large = message;
    for (int i = 0; i < 3; i++) {
      large = large.attribute("k" + i, value);
    }
    Message most = large.attribute("last", "v".repeat(2048 - 3 * 514 - 4));
    assertThat(most.attributes()).hasSize(4);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> most.attribute("last", "v".repeat(2048 - 3 * 514 - 3)))
        .withMessageContainingAll("bytes=2049", "limit=2048");
  }

  /** What the limits are made for: see the specification of W3C. */
  @Test
  void aTraceContextFits() {
    Message message =
        Message.of(new int[1])
            .attribute("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
            .attribute("tracestate", "a".repeat(512))
            .attribute("unit", "K");
    assertThat(message.attributes().keySet()).containsExactly("traceparent", "tracestate", "unit");
  }

  /** What a connection sends with the elements is made once, and its table not for each tag. */
  @Test
  void whatIsSentAgainIsMadeOnce() {
    Message message = Message.of("ids", new int[] {1}).with("scores", new float[] {2});
    Message untouched = Message.of("ids", new int[] {1}).with("scores", new float[] {2});
    assertThat(message.toAttributes()).isSameAs(message.toAttributes());
    Message tagged = message.tag(7);
    assertThat(tagged.toAttributes()).isEqualTo(untouched.tag(7).toAttributes());
    assertThat(tagged.toAttributes().parts()).isSameAs(message.toAttributes().parts());
    assertThat(tagged.tag(0).toAttributes()).isEqualTo(untouched.toAttributes());
    Message unit = tagged.attribute("unit", "K");
    assertThat(unit.toAttributes())
        .isEqualTo(untouched.tag(7).attribute("unit", "K").toAttributes());
    Message more = tagged.with("more", new long[] {3});
    assertThat(more.toAttributes())
        .isEqualTo(untouched.with("more", new long[] {3}).tag(7).toAttributes());
    assertThat(message.toAttributes().tag()).isZero();
  }
}
