package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the engine does with payloads that are not what their encoding prescribes. */
class EnginePayloadTest {
  private static final String TRIPPED = "io.arraywire.testkit.tripped";

  /** Betrays that somebody resolved a class or read an object of it. */
  static final class Tripwire implements Serializable {
    private static final long serialVersionUID = 1;

    static {
      System.setProperty(TRIPPED, "resolved");
    }

    private void readObject(ObjectInputStream in) {
      System.setProperty(TRIPPED, "read");
    }
  }

  private static EngineBench bench() {
    return EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED)).open();
  }

  private static byte[] serialized(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  /** A serialized object of {@link Tripwire}, written without touching the class. */
  private static byte[] tripwire() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0xaced0005);
    out.write(0x73); // TC_OBJECT
    out.write(0x72); // TC_CLASSDESC
    out.writeUTF("io.arraywire.testkit.EnginePayloadTest$Tripwire");
    out.writeLong(1);
    out.write(2); // SC_SERIALIZABLE
    out.writeShort(0);
    out.write(0x78);
    out.write(0x70);
    return bytes.toByteArray();
  }

  /** An array of {@link Tripwire}s. */
  private static byte[] tripwires() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0xaced0005);
    out.write(0x75); // TC_ARRAY
    out.write(0x72);
    out.writeUTF("[Lio.arraywire.testkit.EnginePayloadTest$Tripwire;");
    out.writeLong(1);
    out.write(2);
    out.writeShort(0);
    out.write(0x78);
    out.write(0x70);
    out.writeInt(0);
    return bytes.toByteArray();
  }

  private static String refused(ElementType type, byte[] payload) {
    int prefix = 27;
    int width = type.bytes();
    int count = Math.max(1, (payload.length - prefix + width - 1) / width);
    byte[] padded = Arrays.copyOf(payload, prefix + count * width);
    EngineBench bench = bench();
    bench.feed(RawFrame.array(Encoding.JAVA_OBJECT.code(), type.code(), 1, count, padded));
    assertThat(bench.handler.arrays).isEmpty();
    String text = bench.error(ErrorCode.MALFORMED_PAYLOAD);
    bench.end();
    bench.assertFailed(ErrorCode.MALFORMED_PAYLOAD);
    return text;
  }

  @Test
  void serializedObjectsAreRefusedByComparingBytes() throws Exception {
    System.clearProperty(TRIPPED);
    Map<String, Object> map = new HashMap<>();
    map.put("key", new float[] {1, 2});
    List<byte[]> payloads =
        List.of(
            serialized("a string"),
            serialized("x".repeat(10000)),
            serialized(new HashMap<>(map)),
            serialized(new float[][] {{1, 2}, {3}}),
            serialized(new Float[] {1f, 2f}),
            serialized(List.of(1, 2, 3)),
            serialized(new Object[] {new int[] {1}}),
            tripwire(),
            tripwires(),
            new byte[27],
            new byte[] {(byte) 0xac, (byte) 0xed, 0, 5});
    for (byte[] payload : payloads) {
      for (ElementType type : ElementType.values()) {
        if (!type.isPrimitive()) {
          continue;
        }
        String text = refused(type, payload);
        assertThat(text).contains("encoding=java-object").contains("type=" + type.typeName());
      }
    }
    assertThat(System.getProperty(TRIPPED)).isNull();
    // The wire is live.
    assertThat(Class.forName(Tripwire.class.getName())).isNotNull();
    assertThat(System.getProperty(TRIPPED)).isEqualTo("resolved");
    System.clearProperty(TRIPPED);
  }

  @Test
  void anotherTypeOfArrayIsRefused() throws Exception {
    Object[] arrays = {
      new float[3],
      new int[3],
      new double[3],
      new long[3],
      new short[3],
      new char[3],
      new byte[3],
      new boolean[3]
    };
    for (Object array : arrays) {
      for (ElementType type : ElementType.values()) {
        if (type.isPrimitive() && type != ElementType.of(array)) {
          refused(type, serialized(array));
        }
      }
    }
  }

  @Test
  void everyByteOfThePrefixCounts() throws Exception {
    byte[] right = serialized(new float[] {1, 2, 3});
    EngineBench taken = bench();
    taken.feed(RawFrame.array(Encoding.JAVA_OBJECT.code(), ElementType.FLOAT.code(), 1, 3, right));
    assertThat(taken.handler.arrays).hasSize(1);
    for (int i = 0; i < 27; i++) {
      byte[] wrong = right.clone();
      wrong[i] ^= 0x40;
      assertThat(refused(ElementType.FLOAT, wrong)).contains("at=" + i);
    }
  }

  @Test
  void countsInTheObjectStreamThatDiffer() throws Exception {
    // Row 15: a negative array size, and one that would allocate 8 GiB.
    for (int count : new int[] {-1, Integer.MIN_VALUE, 0, 2, 4, Integer.MAX_VALUE - 8}) {
      byte[] payload = serialized(new float[] {1, 2, 3});
      java.nio.ByteBuffer.wrap(payload).putInt(23, count);
      refused(ElementType.FLOAT, payload);
    }
  }

  @Test
  void protobufOfAnotherForm() {
    float[] floats = {1, 2, 3};
    byte[] right = RawFrame.payload(Encoding.PROTOBUF, ArraySlice.of(floats));
    assertThat(right).hasSize(14);
    byte[][] wrong = {right.clone(), right.clone(), right.clone()};
    wrong[0][0] = 0x12; // field 2
    wrong[1][0] = 0x0d; // field 1, not packed
    wrong[2][1] = 8; // shorter than declared
    for (byte[] payload : wrong) {
      EngineBench bench = bench();
      bench.feed(RawFrame.array(Encoding.PROTOBUF.code(), ElementType.FLOAT.code(), 1, 3, payload));
      assertThat(bench.error(ErrorCode.MALFORMED_PAYLOAD)).contains("encoding=protobuf");
      bench.end();
      bench.assertFailed(ErrorCode.MALFORMED_PAYLOAD);
    }
  }

  // Codecs that fail.

  private static EngineBench with(Codec codec) {
    return EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED).codecs(codec))
        .open();
  }

  private static final RawFrame ARRAY =
      RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new float[] {1, 2, 3}));

  @Test
  void aCodecThatRefuses() {
    EngineBench bench =
        with(
            SimpleCodec.of(Encoding.RAW_LITTLE_ENDIAN)
                .decodingWith((type, source, array, index, count) -> {
                  throw new ProtocolException(
                      ErrorCode.MALFORMED_PAYLOAD, "not to my taste", "index", index);
                }));
    bench.feed(ARRAY);
    assertThat(bench.error(ErrorCode.MALFORMED_PAYLOAD)).contains("not to my taste (index=0)");
    bench.end();
    bench.assertFailed(ErrorCode.MALFORMED_PAYLOAD);
  }

  @Test
  void aCodecThatThrows() {
    EngineBench bench =
        with(
            SimpleCodec.of(Encoding.RAW_LITTLE_ENDIAN)
                .decodingWith((type, source, array, index, count) -> {
                  throw new IllegalStateException("broken");
                }));
    bench.feed(ARRAY);
    assertThat(bench.error(ErrorCode.INTERNAL)).contains("broken");
    bench.end();
    bench.assertEnded(ArraywireException.class);
    assertThat(bench.handler.cause).hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void aCodecThatReadsTooLittle() {
    EngineBench bench =
        with(
            SimpleCodec.of(Encoding.RAW_LITTLE_ENDIAN)
                .decodingWith(
                    (type, source, array, index, count) -> source.position(source.position() + 1)));
    bench.feed(ARRAY);
    assertThat(bench.error(ErrorCode.INTERNAL))
        .contains("codec=simple")
        .contains("expectedPosition=");
    bench.end();
    bench.assertEnded(ArraywireException.class);
  }

  @Test
  void noMemoryForAnArray() {
    EngineBench bench =
        with(
            SimpleCodec.of(Encoding.RAW_LITTLE_ENDIAN)
                .decodingWith((type, source, array, index, count) -> {
                  throw new OutOfMemoryError("for the test");
                }));
    bench.feed(ARRAY);
    assertThat(bench.error(ErrorCode.ALLOCATION_FAILED)).contains("type=float").contains("count=3");
    bench.end();
    bench.assertFailed(ErrorCode.ALLOCATION_FAILED);
    assertThat(bench.handler.cause).hasCauseInstanceOf(OutOfMemoryError.class);
  }
}
