package io.arraywire.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecProvider;
import java.io.IOException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A codec of one's own for array messages, which the service loader finds, and faulty ones. */
class OwnBlockCodecTest {
  private static final Encoding ENCODING =
      Encoding.customInBlocks(200, "same", ByteOrder.BIG_ENDIAN, type -> type == ElementType.INT);

  /** What the codec does behind what it should do; the test's thread sets it. */
  private static Fault fault = Fault.NONE;

  private static int asked;

  private enum Fault {
    NONE,
    THROWS,
    LEAVES_BYTES,
    LIMIT,
    BACK
  }

  /** Makes one int of a block of equal ones; other blocks are raw. */
  private static final class Same implements Codec {
    @Override
    public String name() {
      return "same-codec";
    }

    @Override
    public Encoding encoding() {
      return ENCODING;
    }

    @Override
    public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
      int[] ints = (int[]) array;
      for (int i = 1; i < count; i++) {
        if (ints[index + i] != ints[index]) {
          return;
        }
      }
      target.order(ByteOrder.BIG_ENDIAN);
      if (count > 1) {
        target.putInt(ints[index]);
      }
      act(target, target.position() - Integer.BYTES);
    }

    @Override
    public void decode(ElementType type, ByteBuffer source, Object array, int index, int count) {
      int from = source.position();
      int[] ints = (int[]) array;
      int all = source.order(ByteOrder.BIG_ENDIAN).getInt();
      java.util.Arrays.fill(ints, index, index + count, all);
      act(source, from);
    }

    private static void act(ByteBuffer buffer, int from) {
      switch (fault) {
        case THROWS -> throw new IllegalStateException("for the test");
        case LEAVES_BYTES -> buffer.position(from);
        case LIMIT -> buffer.limit(buffer.limit() - 1);
        case BACK -> buffer.position(from - 1);
        default -> {}
      }
    }
  }

  /** What the service loader makes. */
  public static final class Provider implements CodecProvider {
    @Override
    public List<Codec> codecs() {
      asked++;
      return List.of(new Same());
    }
  }

  /** Sees a provider of the test beside those that there are. */
  private static final class Loader extends ClassLoader {
    private final URL services;

    Loader(URL services) {
      super(OwnBlockCodecTest.class.getClassLoader());
      this.services = services;
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
      return name.equals("META-INF/services/" + CodecProvider.class.getName())
          ? Collections.enumeration(List.of(services))
          : Collections.emptyEnumeration();
    }
  }

  private final ClassLoader before = Thread.currentThread().getContextClassLoader();
  private final int[] ints = new int[40_000];

  @TempDir private Path directory;

  @BeforeEach
  void begin() {
    fault = Fault.NONE;
    for (int i = 0; i < ints.length; i++) {
      ints[i] = i < 16_384 ? 0x01020304 : i;
    }
  }

  /** Each test begins with it: a test with a timeout runs in a thread of its own. */
  private void useCodec() throws IOException {
    Thread.currentThread().setContextClassLoader(loader());
  }

  private ClassLoader loader() throws IOException {
    Path file = Files.writeString(directory.resolve("services"), Provider.class.getName());
    return new Loader(file.toUri().toURL());
  }

  @AfterEach
  void end() {
    fault = Fault.NONE;
    Thread.currentThread().setContextClassLoader(before);
  }

  private byte[] encoded() {
    return ArrayMessage.encode(Message.of(ints), MessageOptions.defaults().encoding(ENCODING));
  }

  private void assertReads(byte[] bytes) throws Exception {
    assertThat(ArrayMessage.decode(bytes, Limits.ofBytes(1 << 20)).ints()).isEqualTo(ints);
  }

  /** The first block is one int; the others are raw, in the byte order of the encoding. */
  @Test
  void bigEndianBlocksOfACodecOfOnesOwn() throws Exception {
    useCodec();
    byte[] bytes = encoded();
    assertThat(bytes).hasSize(64 + 3 * 8 + 4 + 4 * (40_000 - 16_384));
    ByteBuffer big = ByteBuffer.wrap(bytes);
    assertThat(big.getInt(64 + 8)).isEqualTo(0x01020304);
    assertThat(big.getInt(64 + 8 + 4 + 8)).isEqualTo(16_384);
    assertReads(bytes);
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    assertThat(ArrayMessage.decode(direct, Limits.ofBytes(1 << 20)).ints()).isEqualTo(ints);
  }

  @Test
  void whatACodecFailsToEncodeIsRaw() throws Exception {
    useCodec();
    fault = Fault.THROWS;
    byte[] bytes = encoded();
    fault = Fault.NONE;
    assertThat(bytes).hasSize(64 + 3 * 8 + 4 * 40_000);
    assertReads(bytes);
  }

  @Test
  void aBufferKeepsLimitPositionAndOrderWhenItsCodecMovesThem() throws Exception {
    useCodec();
    for (Fault each : new Fault[] {Fault.LIMIT, Fault.BACK}) {
      fault = each;
      ByteBuffer target = ByteBuffer.allocate(200_000).position(3).limit(190_000);
      Message message = Message.of(ints);
      MessageOptions options = MessageOptions.defaults().encoding(ENCODING);
      assertThatThrownBy(() -> ArrayMessage.encode(message, target, options))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("codec=same-codec");
      assertThat(target.position()).isEqualTo(3);
      assertThat(target.limit()).isEqualTo(190_000);
      assertThat(target.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    }
  }

  @Test
  void whatACodecDoesWrongWhileItDecodesIsAMalformedBlock() throws Exception {
    useCodec();
    byte[] bytes = encoded();
    for (Fault each : new Fault[] {Fault.THROWS, Fault.LEAVES_BYTES, Fault.LIMIT, Fault.BACK}) {
      fault = each;
      ByteBuffer source = ByteBuffer.wrap(bytes);
      assertThatThrownBy(() -> ArrayMessage.decode(source, Limits.ofBytes(1 << 20)))
          .as(each.name())
          .isInstanceOfSatisfying(
              ProtocolException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_PAYLOAD))
          .hasMessageContaining("encoding=same");
      assertThat(source.position()).isZero();
      assertThat(source.limit()).isEqualTo(bytes.length);
    }
  }

  @Test
  void anEncodingIsTheCodecsOrRefused() throws Exception {
    useCodec();
    for (Encoding each :
        List.of(
            Encoding.customInBlocks(200, "other", ByteOrder.BIG_ENDIAN, type -> true),
            Encoding.custom(200, "same", ByteOrder.BIG_ENDIAN, type -> 4))) {
      assertThatThrownBy(() -> MessageOptions.defaults().encoding(each))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("encoding=" + each.name());
    }
    Encoding again = Encoding.customInBlocks(200, "same", ByteOrder.LITTLE_ENDIAN, type -> true);
    assertThat(MessageOptions.defaults().encoding(again).encoding()).isSameAs(ENCODING);
  }

  @Test
  void anEncodingHasOneNameForAllWhoAskForIt() throws Exception {
    useCodec();
    assertThat(MessageOptions.defaults().encodingNamed("same").encoding()).isSameAs(ENCODING);
    assertThat(MessageOptions.defaults().encodingNamed("raw-be").encoding())
        .isSameAs(Encoding.RAW_BIG_ENDIAN);
    assertThatThrownBy(() -> MessageOptions.defaults().encodingNamed("protobuf"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("encoding=protobuf, present=[raw-le, raw-be, same]");
  }

  /** A module cannot help where only connections have the encoding. */
  @Test
  void theCureOfAnUnknownEncodingDependsOnIt() throws Exception {
    useCodec();
    Message message = Message.of(new int[0]);
    for (int code : new int[] {3, 4, 16, 99, 201}) {
      byte[] bytes = EncodedMessage.of(message).u8(EncodedMessage.ENCODING, code).sealed();
      assertThatThrownBy(() -> ArrayMessage.decode(bytes, Limits.ofBytes(100)))
          .isInstanceOfSatisfying(
              ProtocolException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_CODE))
          .hasMessageContaining(
              code < 16 ? "only connections have; write" : "add the module that has it");
    }
  }

  /** As where two applications of one process use messages in turn. */
  @Test
  void twoClassLoadersAreAskedOnceEach() throws Exception {
    useCodec();
    byte[] bytes = encoded();
    ClassLoader other = loader();
    ClassLoader first = Thread.currentThread().getContextClassLoader();
    asked = 0;
    for (int i = 0; i < 10; i++) {
      Thread.currentThread().setContextClassLoader(i % 2 == 0 ? other : first);
      assertReads(bytes);
    }
    assertThat(asked).isEqualTo(1);
  }
}
