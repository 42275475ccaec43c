package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.Encoding;
import io.arraywire.SendOptions;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.message.Message;
import io.arraywire.message.PartTable;
import io.arraywire.spi.Codec;
import io.arraywire.testkit.RunsCodec;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a session and a publication make of encodings that one peer does not decode. */
class MessageEncodingsTest {
  private static final Codec LITTLE = StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN);
  private static final Codec BIG = StandardCodecs.raw(ByteOrder.BIG_ENDIAN);

  private static final SendCodecs ALL = new SendCodecs(List.of(LITTLE, BIG, RunsCodec.CODEC));
  private static final SendCodecs RAW = new SendCodecs(List.of(LITTLE, BIG));

  private static final Message MESSAGE =
      Message.of("a", new int[3])
          .with("b", new float[2])
          .with("c", new short[1])
          .codec("a", "runs")
          .codec("c", "raw-be");

  private static ArraySlice source(Message message) {
    return ArraySlice.ofParts(message, (int) table(options(message)).payloadBytes());
  }

  private static SendOptions options(Message message) {
    return SendOptions.handedOff().attributes(message.toAttributes());
  }

  private static PartTable table(SendOptions options) {
    return Objects.requireNonNull(options.attributes().parts());
  }

  private static List<String> encodings(SendOptions options) {
    PartTable table = table(options);
    return IntStream.range(0, table.size()).mapToObj(i -> table.encodingOf(i).name()).toList();
  }

  @Test
  void whatAPeerDoesNotDecodeIsRawForIt() {
    SendOptions asked = options(MESSAGE).codec("runs");
    assertThat(encodings(MessageEncodings.encoded(ALL, source(MESSAGE), asked)))
        .containsExactly("runs", "runs", "raw-be");
    assertThat(encodings(MessageEncodings.lenient(ALL, source(MESSAGE), asked)))
        .containsExactly("runs", "runs", "raw-be");
    assertThat(encodings(MessageEncodings.lenient(RAW, source(MESSAGE), asked)))
        .containsExactly("raw-le", "raw-le", "raw-be");
    // What it lacks is not said to be named, so that a receipt says nothing of it.
    assertThat(MessageEncodings.lenient(RAW, source(MESSAGE), asked).codec()).isNull();
    assertThat(MessageEncodings.lenient(ALL, source(MESSAGE), asked).codec()).isEqualTo("runs");
    SendOptions unasked = options(Message.of("a", new int[3]));
    assertThat(MessageEncodings.lenient(RAW, unasked)).isSameAs(unasked);
  }

  /** Bytes whose table says already what is asked for. */
  @Test
  void theTableMayHaveTheCodecThatIsNamed() {
    SendOptions asked = bytesInRuns().codec("runs");
    ArraySlice bytes = ArraySlice.of(new byte[(int) table(asked).payloadBytes()]);
    assertThat(MessageEncodings.encoded(ALL, bytes, asked)).isSameAs(asked);
  }

  private static SendOptions bytesInRuns() {
    PartTable table =
        table(options(MESSAGE))
            .withEncodings(List.of(RunsCodec.ENCODING, RunsCodec.ENCODING, RunsCodec.ENCODING));
    return SendOptions.handedOff().attributes(ArrayAttributes.of(0, new long[0], Map.of(), table));
  }

  /** No peer is to blame for what a publisher does not have. */
  @Test
  void aTransportRefusesWhatItDoesNotHaveInWordsOfItsOwn() {
    SendCodecs own = SendCodecs.ofTransport(List.of(LITTLE, BIG));
    assertThatThrownBy(() -> MessageEncodings.encoded(own, source(MESSAGE), options(MESSAGE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "this transport has no codec of that name; add it to the option codecs"
                + " (codec=runs, part=a, codecs=[raw-le, raw-be])");
    SendOptions inRuns = bytesInRuns();
    ArraySlice bytes = ArraySlice.of(new byte[(int) table(inRuns).payloadBytes()]);
    assertThatThrownBy(() -> MessageEncodings.encoded(own, bytes, inRuns))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("this transport has no codec", "codec=runs", "codecs=[raw-le");
    assertThatThrownBy(() -> MessageEncodings.encoded(RAW, bytes, inRuns))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("the peer does not decode", "codec=runs", "agreed=[raw-le");
  }

  @Test
  void theTableOfAnotherMessageIsRefused() {
    ArraySlice one = source(Message.of("a", new int[8]));
    assertThatThrownBy(() -> MessageEncodings.encoded(ALL, one, options(MESSAGE).codec("runs")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("partsOfMessage=1", "partsOfTable=3");
  }

  /** The bytes are there already, in the order that the encoding has. */
  @Test
  void rawBytesStayInTheirOrder() {
    Encoding big = Encoding.customInBlocks(213, "big", ByteOrder.BIG_ENDIAN, type -> true);
    PartTable table =
        table(options(MESSAGE))
            .withEncodings(List.of(big, RunsCodec.ENCODING, Encoding.RAW_BIG_ENDIAN));
    SendOptions options =
        SendOptions.handedOff().attributes(ArrayAttributes.of(0, new long[0], Map.of(), table));
    assertThat(encodings(MessageEncodings.lenient(RAW, options)))
        .containsExactly("raw-be", "raw-le", "raw-be");
    assertThat(encodings(MessageEncodings.lenient(ALL, options)))
        .containsExactly("raw-be", "runs", "raw-be");
  }
}
