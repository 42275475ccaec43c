package io.arraywire.kafka;

import io.arraywire.codec.proto.FloatArray;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.reflect.ReflectDatumReader;
import org.apache.avro.reflect.ReflectDatumWriter;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;

/**
 * A way to put a {@code float[]} into a record and to take it out again. Each is written as its
 * library is used at its best: Avro takes and gives the {@code float[]} itself, by reflection, and
 * keeps encoder and decoder; those made by hand read where the consumer has the bytes.
 */
record FloatContender(
    String name, Serializer<float[]> serializer, Deserializer<float[]> deserializer) {
  static final String BASE = "bytes, view";
  static final String LONGER = "view, 64 bytes more";
  static final String OURS = "`FloatArraySerializer`";
  private static final int HEADER_BYTES = 64;

  static List<FloatContender> all() {
    return List.of(
        new FloatContender("bytes, loop", FloatContender::loop, reader(FloatContender::unloop)),
        new FloatContender(BASE, FloatContender::view, reader(FloatContender::unview)),
        new FloatContender(LONGER, FloatContender::longer, reader(FloatContender::unlonger)),
        new FloatContender(OURS, new FloatArraySerializer(), new FloatArrayDeserializer()),
        new FloatContender(
            "Avro, `array<float>`", new AvroFloats()::serialize, reader(new AvroFloats()::read)),
        new FloatContender(
            "protobuf, `repeated float`",
            FloatContender::protobuf,
            reader(FloatContender::unprotobuf)));
  }

  private interface Reader {
    float[] read(ByteBuffer bytes) throws IOException;
  }

  /** Kafka would copy what lies in its buffer for a deserializer that takes arrays only. */
  private static Deserializer<float[]> reader(Reader reader) {
    return new Deserializer<>() {
      @Override
      public float[] deserialize(String topic, byte[] bytes) {
        return deserialize(topic, null, ByteBuffer.wrap(bytes));
      }

      @Override
      public float[] deserialize(String topic, Headers headers, ByteBuffer bytes) {
        try {
          return reader.read(bytes);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  private static byte[] loop(String topic, float[] floats) {
    byte[] bytes = new byte[floats.length * Float.BYTES];
    for (int i = 0; i < floats.length; i++) {
      int bits = Float.floatToRawIntBits(floats[i]);
      bytes[4 * i] = (byte) bits;
      bytes[4 * i + 1] = (byte) (bits >>> 8);
      bytes[4 * i + 2] = (byte) (bits >>> 16);
      bytes[4 * i + 3] = (byte) (bits >>> 24);
    }
    return bytes;
  }

  private static float[] unloop(ByteBuffer source) {
    byte[] bytes = source.array();
    int at = source.arrayOffset() + source.position();
    float[] floats = new float[source.remaining() / Float.BYTES];
    for (int i = 0; i < floats.length; i++) {
      floats[i] =
          Float.intBitsToFloat(
              (bytes[at + 4 * i] & 0xff)
                  | (bytes[at + 4 * i + 1] & 0xff) << 8
                  | (bytes[at + 4 * i + 2] & 0xff) << 16
                  | bytes[at + 4 * i + 3] << 24);
    }
    return floats;
  }

  private static byte[] view(String topic, float[] floats) {
    byte[] bytes = new byte[floats.length * Float.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(floats);
    return bytes;
  }

  private static float[] unview(ByteBuffer bytes) {
    float[] floats = new float[bytes.remaining() / Float.BYTES];
    bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(floats);
    return floats;
  }

  /** What the length of our header costs, apart from what is in it. */
  private static byte[] longer(String topic, float[] floats) {
    byte[] bytes = new byte[HEADER_BYTES + floats.length * Float.BYTES];
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .position(HEADER_BYTES)
        .asFloatBuffer()
        .put(floats);
    return bytes;
  }

  private static float[] unlonger(ByteBuffer bytes) {
    ByteBuffer elements = bytes.duplicate();
    return unview(elements.position(elements.position() + HEADER_BYTES));
  }

  private static byte[] protobuf(String topic, float[] floats) {
    FloatArray.Builder message = FloatArray.newBuilder();
    for (float each : floats) {
      message.addValues(each);
    }
    return message.build().toByteArray();
  }

  private static float[] unprotobuf(ByteBuffer bytes) throws IOException {
    FloatArray message = FloatArray.parseFrom(bytes);
    float[] floats = new float[message.getValuesCount()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = message.getValues(i);
    }
    return floats;
  }

  /** For one thread at a time. */
  static final class AvroFloats {
    private static final Schema SCHEMA =
        new Schema.Parser().parse("{\"type\": \"array\", \"items\": \"float\"}");

    private final ReflectDatumWriter<float[]> writer = new ReflectDatumWriter<>(SCHEMA);
    private final ReflectDatumReader<float[]> reader = new FloatReader();
    private final ByteArrayOutputStream out;
    private final BinaryEncoder encoder;
    private final BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(new byte[0], null);

    AvroFloats() {
      this(new ByteArrayOutputStream());
    }

    /** With a stream of a test. */
    AvroFloats(ByteArrayOutputStream out) {
      this.out = out;
      encoder = EncoderFactory.get().binaryEncoder(out, null);
    }

    byte[] serialize(String topic, float[] floats) {
      try {
        out.reset();
        writer.write(floats, encoder);
        encoder.flush();
        return out.toByteArray();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    float[] read(ByteBuffer bytes) throws IOException {
      return reader.read(
          null,
          DecoderFactory.get()
              .binaryDecoder(
                  bytes.array(),
                  bytes.arrayOffset() + bytes.position(),
                  bytes.remaining(),
                  decoder));
    }
  }

  /** Avro asks a property of the schema which class an array has; this one says it. */
  private static final class FloatReader extends ReflectDatumReader<float[]> {
    FloatReader() {
      super(AvroFloats.SCHEMA);
    }

    @Override
    protected Object newArray(Object old, int size, Schema schema) {
      return new float[size];
    }
  }
}
