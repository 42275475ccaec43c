package io.arraywire.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ProtocolException;
import io.arraywire.codec.proto.DoubleArray;
import io.arraywire.codec.proto.FloatArray;
import io.arraywire.codec.proto.IntArray;
import io.arraywire.codec.proto.LongArray;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our bytes against those of protobuf's own generated classes, both ways. */
class ProtobufCodecInteropTest {
  private static final long SEED = 20261101;

  private static final Codec CODEC = StandardCodecs.protobuf();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 5000})
  void floats(int count) throws Exception {
    float[] array = new float[count];
    Random random = new Random(SEED);
    for (int i = 0; i < count; i++) {
      array[i] = Float.intBitsToFloat(random.nextInt());
    }
    List<Float> boxed = IntStream.range(0, count).mapToObj(i -> array[i]).toList();

    assertThat(FloatArray.parseFrom(encoded(ElementType.FLOAT, array, count)).getValuesList())
        .isEqualTo(boxed);

    FloatArray message = FloatArray.newBuilder().addAllValues(boxed).build();
    float[] decoded = new float[count];
    decode(ElementType.FLOAT, message, decoded, count);
    // Bits, because NaNs are among them.
    assertThat(ByteBuffer.wrap(encoded(ElementType.FLOAT, decoded, count).toByteArray()))
        .isEqualTo(ByteBuffer.wrap(message.toByteArray()));
    assertThat(decoded).containsExactly(array);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 5000})
  void ints(int count) throws Exception {
    int[] array = new Random(SEED).ints(count).toArray();
    List<Integer> boxed = IntStream.of(array).boxed().toList();

    assertThat(IntArray.parseFrom(encoded(ElementType.INT, array, count)).getValuesList())
        .isEqualTo(boxed);

    int[] decoded = new int[count];
    decode(ElementType.INT, IntArray.newBuilder().addAllValues(boxed).build(), decoded, count);
    assertThat(decoded).isEqualTo(array);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 5000})
  void doubles(int count) throws Exception {
    double[] array = new Random(SEED).doubles(count, -1e300, 1e300).toArray();
    List<Double> boxed = DoubleStream.of(array).boxed().toList();

    assertThat(DoubleArray.parseFrom(encoded(ElementType.DOUBLE, array, count)).getValuesList())
        .isEqualTo(boxed);

    double[] decoded = new double[count];
    decode(
        ElementType.DOUBLE, DoubleArray.newBuilder().addAllValues(boxed).build(), decoded, count);
    assertThat(decoded).isEqualTo(array);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 5000})
  void longs(int count) throws Exception {
    long[] array = new Random(SEED).longs(count).toArray();
    List<Long> boxed = LongStream.of(array).boxed().toList();

    assertThat(LongArray.parseFrom(encoded(ElementType.LONG, array, count)).getValuesList())
        .isEqualTo(boxed);

    long[] decoded = new long[count];
    decode(ElementType.LONG, LongArray.newBuilder().addAllValues(boxed).build(), decoded, count);
    assertThat(decoded).isEqualTo(array);
  }

  private static ByteString encoded(ElementType type, Object array, int count) {
    Encoding encoding = CODEC.encoding();
    ByteBuffer target = ByteBuffer.allocate((int) encoding.encodedBytes(type, count));
    encoding.putPrefix(type, count, target);
    if (count > 0) {
      CODEC.encode(type, array, 0, count, target);
    }
    assertThat(target.remaining()).isZero();
    return ByteString.copyFrom(target.array());
  }

  private static void decode(ElementType type, MessageLite message, Object array, int count)
      throws ProtocolException {
    ByteBuffer source = ByteBuffer.wrap(message.toByteArray());
    assertThat((long) source.remaining()).isEqualTo(CODEC.encoding().encodedBytes(type, count));
    CODEC.encoding().checkPrefix(type, count, source);
    if (count > 0) {
      CODEC.decode(type, source, array, 0, count);
    }
    assertThat(source.remaining()).isZero();
  }
}
