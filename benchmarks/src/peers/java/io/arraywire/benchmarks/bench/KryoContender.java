package io.arraywire.benchmarks.bench;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.unsafe.UnsafeByteBufferInput;
import com.esotericsoftware.kryo.unsafe.UnsafeByteBufferOutput;
import com.esotericsoftware.kryo.unsafe.UnsafeUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Kryo over a plain socket. Unsafe buffers, which write arrays in bulk (EsotericSoftware/kryo,
 * README, "Unsafe buffers"), over direct memory, so that a channel takes it without a further copy;
 * registered classes only and no references (README, "Registration", "References"); a serializer of
 * its own for a slice, because that for {@code float[]} writes all of it and reads into a fresh
 * one. One byte acknowledges an array.
 *
 * @param polling whether both ends poll instead of sleeping
 */
record KryoContender(boolean polling) implements Contender {
  private int chunkBytes() {
    return RawStaged.chunkBytes(polling);
  }

  @Override
  public String name() {
    return polling ? "kryo-spin" : "kryo";
  }

  @Override
  public String summary() {
    return "Kryo with unsafe direct buffers of "
        + (chunkBytes() >> 10)
        + " KiB, plain socket; "
        + (polling ? "polls" : "sleeps");
  }

  /** The addresses of direct buffers. */
  @Override
  public List<String> jvmOptions() {
    return List.of("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");
  }

  @Override
  public Receiver listen(float[] target) throws IOException {
    return new Receiving(target);
  }

  @Override
  public Sender connect(int port, float[] source) throws IOException {
    return new Sending(RawSocket.connect(Loopback.TCP, port, polling), source);
  }

  /** The first elements of an array. */
  private static final class Slice {
    private final float[] array;
    private int count;

    Slice(float[] array) {
      this.array = array;
    }
  }

  /** Reads into the same slice every time. */
  private static final class SliceSerializer extends Serializer<Slice> {
    private final Slice slice;

    SliceSerializer(Slice slice) {
      this.slice = slice;
    }

    @Override
    public void write(Kryo kryo, Output output, Slice written) {
      output.writeInt(written.count);
      // writeFloats of these buffers writes all of an array, whatever its other arguments say.
      ((UnsafeByteBufferOutput) output)
          .writeBytes(written.array, UnsafeUtil.floatArrayBaseOffset, written.count * Float.BYTES);
    }

    @Override
    public Slice read(Kryo kryo, Input input, Class<? extends Slice> type) {
      slice.count = input.readInt();
      if (slice.count < 0 || slice.count > slice.array.length) {
        throw new KryoException("too many elements (count=" + slice.count + ")");
      }
      ((UnsafeByteBufferInput) input)
          .readBytes(slice.array, UnsafeUtil.floatArrayBaseOffset, slice.count * Float.BYTES);
      return slice;
    }
  }

  private static Kryo kryo(Slice slice) {
    Kryo kryo = new Kryo();
    kryo.setRegistrationRequired(true);
    kryo.setReferences(false);
    kryo.register(Slice.class, new SliceSerializer(slice));
    return kryo;
  }

  /** Kryo's buffer, filled from a socket. */
  private static final class SocketInput extends UnsafeByteBufferInput {
    private final RawSocket socket;

    SocketInput(RawSocket socket, int bytes) {
      super(bytes);
      this.socket = socket;
      // Nothing is there yet.
      limit = 0;
    }

    /** Whether what was read ahead is less than another array. */
    boolean holdsNoneAfter(int count) {
      return limit - position <= count * Float.BYTES;
    }

    @Override
    protected int fill(ByteBuffer buffer, int offset, int count) {
      if (count == 0) {
        return 0;
      }
      try {
        return socket.readSome(buffer.limit(offset + count).position(offset));
      } catch (IOException e) {
        throw new KryoException(e);
      }
    }
  }

  /** Kryo's buffer, emptied into a socket. */
  private static final class SocketOutput extends UnsafeByteBufferOutput {
    private final RawSocket socket;

    SocketOutput(RawSocket socket, int bytes) {
      super(bytes);
      this.socket = socket;
    }

    @Override
    public void flush() {
      try {
        ByteBuffer buffer = getByteBuffer();
        socket.write(buffer.limit(position()).position(0));
        buffer.clear();
        reset();
      } catch (IOException e) {
        throw new KryoException(e);
      }
    }
  }

  private final class Receiving extends RawReceiver {
    private final Slice slice;
    private final Kryo kryo;
    private @Nullable SocketInput input;

    Receiving(float[] target) throws IOException {
      super(Loopback.TCP, polling);
      slice = new Slice(target);
      kryo = kryo(slice);
    }

    @Override
    void serve(RawSocket socket, RawAcks acks, int count, Tally tally) throws IOException {
      SocketInput from = input;
      if (from == null) {
        from = new SocketInput(socket, chunkBytes());
        input = from;
      }
      int owed = 0;
      do {
        kryo.readObject(from, Slice.class);
        owed++;
        // One write for all that came together. A part of an array at the end is followed by its
        // rest,
        // but perhaps only when these are acknowledged.
        if (from.holdsNoneAfter(count)) {
          acks.give(owed);
          owed = 0;
        }
      } while (tally.add(1));
      acks.give(owed);
    }
  }

  private final class Sending extends RawSender {
    private final Slice slice;
    private final Kryo kryo;
    private final SocketOutput output;

    Sending(RawSocket socket, float[] source) {
      super(socket);
      slice = new Slice(source);
      kryo = kryo(slice);
      output = new SocketOutput(socket, chunkBytes());
    }

    @Override
    void write(int count, int arrays) {
      slice.count = count;
      for (int i = 0; i < arrays; i++) {
        kryo.writeObject(output, slice);
      }
      output.flush();
    }
  }
}
