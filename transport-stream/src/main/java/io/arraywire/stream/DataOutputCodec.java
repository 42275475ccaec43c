package io.arraywire.stream;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import io.arraywire.spi.MemoryKind;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * The element loop that many applications have: a real {@code DataOutputStream} and {@code
 * DataInputStream}, one call per element. It is here to be compared with.
 *
 * <p>Each call makes a stream of its own, some 350 bytes of garbage at most. The stream keeps
 * scratch memory, so a shared one would not be safe for several threads.
 */
final class DataOutputCodec implements Codec {
  private final String name;
  private final CodecTraits traits;

  DataOutputCodec(String name, boolean elementwise) {
    this.name = name;
    // From the JDK's sources: element to the stream's scratch array of 8 bytes, scratch array to
    // our memory, and the same back. That is at most; JDK 17 writes and reads types of up to 4
    // bytes one byte at a time, without the scratch array. No JDK uses it for single bytes.
    this.traits = new CodecTraits(MemoryKind.HEAP, elementwise, 2, 2);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Encoding encoding() {
    return Encoding.RAW_BIG_ENDIAN;
  }

  @Override
  public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    try {
      write(type, array, index, index + count, new DataOutputStream(new ByteBufferOutput(target)));
    } catch (IOException e) {
      throw new UncheckedIOException("a stream into memory failed", e);
    }
  }

  @Override
  public void decode(ElementType type, ByteBuffer source, Object array, int index, int count) {
    try {
      read(type, array, index, index + count, new DataInputStream(new ByteBufferInput(source)));
    } catch (IOException e) {
      throw new UncheckedIOException("a stream from memory failed", e);
    }
  }

  @Override
  public CodecTraits traits() {
    return traits;
  }

  @Override
  public String toString() {
    return name;
  }

  // writeFloat(v) is writeInt(floatToIntBits(v)), which makes all NaNs one. Written here are the
  // raw bits, because an encoding's bytes must not depend on the codec. writeDouble likewise.
  private static void write(ElementType type, Object array, int from, int to, DataOutputStream out)
      throws IOException {
    switch (type.carrier()) {
      case FLOAT -> {
        float[] floats = (float[]) array;
        for (int i = from; i < to; i++) {
          out.writeInt(Float.floatToRawIntBits(floats[i]));
        }
      }
      case INT -> {
        int[] ints = (int[]) array;
        for (int i = from; i < to; i++) {
          out.writeInt(ints[i]);
        }
      }
      case DOUBLE -> {
        double[] doubles = (double[]) array;
        for (int i = from; i < to; i++) {
          out.writeLong(Double.doubleToRawLongBits(doubles[i]));
        }
      }
      case LONG -> {
        long[] longs = (long[]) array;
        for (int i = from; i < to; i++) {
          out.writeLong(longs[i]);
        }
      }
      case SHORT -> {
        short[] shorts = (short[]) array;
        for (int i = from; i < to; i++) {
          out.writeShort(shorts[i]);
        }
      }
      case CHAR -> {
        char[] chars = (char[]) array;
        for (int i = from; i < to; i++) {
          out.writeChar(chars[i]);
        }
      }
      case BYTE -> {
        byte[] bytes = (byte[]) array;
        for (int i = from; i < to; i++) {
          out.writeByte(bytes[i]);
        }
      }
      case BOOLEAN -> {
        boolean[] booleans = (boolean[]) array;
        for (int i = from; i < to; i++) {
          out.writeBoolean(booleans[i]);
        }
      }
      default -> throw new IllegalStateException("not a carrier: " + type);
    }
  }

  private static void read(ElementType type, Object array, int from, int to, DataInputStream in)
      throws IOException {
    switch (type.carrier()) {
      case FLOAT -> {
        float[] floats = (float[]) array;
        for (int i = from; i < to; i++) {
          floats[i] = in.readFloat();
        }
      }
      case INT -> {
        int[] ints = (int[]) array;
        for (int i = from; i < to; i++) {
          ints[i] = in.readInt();
        }
      }
      case DOUBLE -> {
        double[] doubles = (double[]) array;
        for (int i = from; i < to; i++) {
          doubles[i] = in.readDouble();
        }
      }
      case LONG -> {
        long[] longs = (long[]) array;
        for (int i = from; i < to; i++) {
          longs[i] = in.readLong();
        }
      }
      case SHORT -> {
        short[] shorts = (short[]) array;
        for (int i = from; i < to; i++) {
          shorts[i] = in.readShort();
        }
      }
      case CHAR -> {
        char[] chars = (char[]) array;
        for (int i = from; i < to; i++) {
          chars[i] = in.readChar();
        }
      }
      case BYTE -> {
        byte[] bytes = (byte[]) array;
        for (int i = from; i < to; i++) {
          bytes[i] = in.readByte();
        }
      }
      case BOOLEAN -> {
        boolean[] booleans = (boolean[]) array;
        for (int i = from; i < to; i++) {
          booleans[i] = in.readBoolean();
        }
      }
      default -> throw new IllegalStateException("not a carrier: " + type);
    }
  }
}
