package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.frame.FrameType;
import io.arraywire.spi.CodecTraits;
import io.arraywire.spi.MemoryKind;
import io.arraywire.wire.Offer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which codec encodes an array, and what is said of one that cannot. */
class EngineCodecTest {
  private static final float[] FLOATS = {1, -2.5f, 0.1f};

  private static EngineBench bench() {
    return EngineBench.connector(EngineBench.options().checksums(Checksums.UNWANTED));
  }

  private static Set<Integer> types(ElementType... types) {
    Set<Integer> codes = new TreeSet<>();
    Arrays.stream(types).forEach(type -> codes.add(type.code()));
    return codes;
  }

  private static Offer peer(Map<Integer, String> encodings, Set<Integer> types) {
    Offer all = EngineBench.offer();
    return new Offer(
        encodings,
        types,
        ByteOrder.LITTLE_ENDIAN,
        all.maxArrayBytes(),
        all.maxFrameBytes(),
        false,
        new byte[0],
        "a test",
        all.flow());
  }

  private static int encodingOf(EngineBench bench, ArraySlice slice, SendOptions options) {
    bench.out.reset();
    bench.connection.sendAsync(slice, options);
    bench.pump();
    List<RawFrame> frames = bench.frames();
    RawFrame array = frames.get(frames.size() - 1);
    assertThat(array.type()).isEqualTo(FrameType.ARRAY);
    return array.header().encoding;
  }

  @Test
  void eachArrayGoesWithTheCodecThatItNames() throws Exception {
    EngineBench bench = bench().open();
    assertThat(bench.connection.agreement().codecs())
        .containsExactly("le", "be", "object", "proto");
    SendOptions options = SendOptions.handedOff().tag(7);
    ArraySlice slice = ArraySlice.of(FLOATS);
    assertThat(encodingOf(bench, slice, options.codec("proto"))).isEqualTo(4);
    assertThat(encodingOf(bench, slice, options.codec("be"))).isEqualTo(2);
    assertThat(encodingOf(bench, slice, options)).isEqualTo(1);
    assertThat(encodingOf(bench, slice, options.codec("object"))).isEqualTo(3);
    assertThat(encodingOf(bench, slice, options.codec("object").codec(null))).isEqualTo(1);
    bench.out.reset();
    bench.connection.request(slice, RequestOptions.defaults().codec("proto"));
    bench.pump();
    assertThat(bench.frames().get(0).header().encoding).isEqualTo(4);
    bench.out.reset();
    assertThat(bench.connection.offer(slice, options.codec("be"))).isNotNull();
    bench.pump();
    assertThat(bench.frames().get(0).header().encoding).isEqualTo(2);
  }

  @Test
  void otherwiseItIsTheFirstThatSupportsTheType() {
    EngineBench bench =
        EngineBench.connector(
                EngineBench.options().codecs(EngineBench.PROTOBUF, EngineBench.RAW_BE))
            .open();
    SendOptions options = SendOptions.handedOff();
    assertThat(bench.connection.agreement().sendCodec()).isEqualTo("proto");
    assertThat(bench.connection.agreement().elementTypes()).containsExactly(ElementType.values());
    assertThat(encodingOf(bench, ArraySlice.of(FLOATS), options)).isEqualTo(4);
    assertThat(encodingOf(bench, ArraySlice.of(new short[3]), options)).isEqualTo(2);
    assertThat(encodingOf(bench, ArraySlice.of(new short[3]).as(ElementType.BF16), options))
        .isEqualTo(2);
  }

  @Test
  void whatThePeerCannotDecodeIsRefusedBeforeAByteLeaves() {
    Set<Integer> types = types(ElementType.FLOAT, ElementType.SHORT);
    EngineBench bench =
        bench()
            .open(
                peer(
                    Map.of(
                        Encoding.RAW_LITTLE_ENDIAN.code(),
                        Encoding.RAW_LITTLE_ENDIAN.name(),
                        Encoding.PROTOBUF.code(),
                        Encoding.PROTOBUF.name()),
                    types));
    assertThat(bench.connection.agreement().codecs()).containsExactly("le", "proto");
    bench.out.reset();
    refused(bench, ArraySlice.of(FLOATS), "be", "codec=be", "agreed=[le, proto]", "both sides");
    refused(bench, ArraySlice.of(FLOATS), "no such", "codec=no such", "agreed=[le, proto]");
    refused(bench, ArraySlice.of(new short[1]), "proto", "codec=proto", "type=short", "another");
    refused(bench, ArraySlice.of(new int[1]), "le", "type=int", "agreed=[FLOAT, SHORT]");
    refused(
        bench,
        ArraySlice.of(new short[1]).as(ElementType.FP16),
        "le",
        "type=fp16",
        "agreed=[FLOAT, SHORT]");
    bench.pump();
    assertThat(bench.outBytes()).isEmpty();
    assertThat(bench.connection.isOpen()).isTrue();
  }

  private static void refused(EngineBench bench, ArraySlice slice, String codec, String... words) {
    SendOptions options = SendOptions.handedOff().codec(codec);
    assertThatThrownBy(() -> bench.connection.sendAsync(slice, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
    assertThatThrownBy(() -> bench.connection.send(slice, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
    assertThatThrownBy(() -> bench.connection.offer(slice, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
    assertThatThrownBy(
            () -> bench.connection.request(slice, RequestOptions.defaults().codec(codec)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void aCodecThatWritesEachElementIsForAWholeConnection() {
    CodecTraits elementwise = new CodecTraits(MemoryKind.HEAP, true, 1, 1);
    EngineBench bench =
        EngineBench.connector(
                EngineBench.options()
                    .codecs(
                        EngineBench.PROTOBUF,
                        SimpleCodec.of(Encoding.RAW_BIG_ENDIAN)
                            .named("each")
                            .asking(() -> elementwise)))
            .open();
    assertThat(bench.connection.agreement().elementTypes()).doesNotContain(ElementType.SHORT);
    refused(bench, ArraySlice.of(FLOATS), "each", "codec=each", "whole connection", "first");
  }

  @Test
  void plainModeHasOneEncoding() {
    EngineBench bench = EngineBench.connector(EngineBench.options().plain(ElementType.FLOAT));
    assertThat(bench.connection.agreement().codecs()).containsExactly("be");
    assertThatThrownBy(() ->
            bench.connection.sendAsync(ArraySlice.of(FLOATS), SendOptions.handedOff().codec("be")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("plain mode has one encoding", "codec=be");
    assertThat(bench.outBytes()).isEmpty();
  }
}
