package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;

/**
 * The best loop that can be written by hand without a library. At both ends the array goes through
 * a direct buffer of {@link #chunkBytes} bytes that stays in the processor's cache. Before the
 * elements goes an {@code int}, their number. Over TLS the buffer is on the heap, where JSSE is
 * faster.
 *
 * @param polling whether both ends poll instead of sleeping
 * @param chunkBytes of the buffers at both ends
 * @param tls whether TLS lies between; both ends sleep then
 */
record RawStaged(boolean polling, int chunkBytes, boolean tls) implements Contender {
  static RawStaged of(boolean polling) {
    return new RawStaged(polling, chunkBytes(polling), false);
  }

  /** The loop of an engine of JSSE, with a whole number of records in a buffer. */
  static RawStaged overTls() {
    return new RawStaged(false, RawTlsSocket.RECORDS * MOST_RECORD_BYTES, true);
  }

  /** Polling, chunks that stay in the cache win; sleeping, those that spare system calls. */
  static int chunkBytes(boolean polling) {
    return polling ? 64 << 10 : 256 << 10;
  }

  private static final int HEADER_BYTES = Integer.BYTES;

  /** Of what a record of TLS holds. */
  private static final int MOST_RECORD_BYTES = 16 << 10;

  @Override
  public String name() {
    return tls ? "raw-tls" : polling ? "raw-staged-spin" : "raw-staged";
  }

  @Override
  public String summary() {
    return (tls
            ? "TLS by an SSLEngine, float[] through heap"
            : "plain socket, float[] through direct")
        + " buffers of "
        + (chunkBytes >> 10)
        + " KiB; "
        + (polling ? "polls" : "sleeps");
  }

  private ByteBuffer chunk() {
    ByteBuffer chunk =
        tls ? ByteBuffer.allocate(chunkBytes) : ByteBuffer.allocateDirect(chunkBytes);
    return chunk.order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public Receiver listen(float[] target) throws IOException {
    return new Receiving(target);
  }

  @Override
  public Sender connect(int port, float[] source) throws IOException {
    RawSocket socket =
        tls
            ? RawTlsSocket.connect(Loopback.TCP, port)
            : RawSocket.connect(Loopback.TCP, port, polling);
    return new Sending(socket, source);
  }

  private final class Receiving extends RawReceiver {
    private final float[] target;
    private final ByteBuffer chunk = chunk();
    private int owed;

    Receiving(float[] target) throws IOException {
      super(Loopback.TCP, polling);
      this.target = target;
      chunk.limit(0);
    }

    @Override
    RawSocket accept(ServerSocketChannel listening, boolean polls) throws IOException {
      return tls ? RawTlsSocket.accept(listening) : super.accept(listening, polls);
    }

    @Override
    void serve(RawSocket socket, RawAcks acks, int count, Tally tally) throws IOException {
      do {
        if (chunk.remaining() < HEADER_BYTES) {
          more(socket, acks, HEADER_BYTES);
        }
        take(socket, acks, chunk.getInt());
        owed++;
        if (!chunk.hasRemaining()) {
          acknowledge(acks);
        }
      } while (tally.add(1));
    }

    private void take(RawSocket socket, RawAcks acks, int count) throws IOException {
      for (int done = 0; done < count; ) {
        if (chunk.remaining() < Float.BYTES) {
          more(socket, acks, Float.BYTES);
        }
        int some = Math.min(count - done, chunk.remaining() / Float.BYTES);
        chunk.asFloatBuffer().get(target, done, some);
        chunk.position(chunk.position() + some * Float.BYTES);
        done += some;
      }
    }

    private void acknowledge(RawAcks acks) throws IOException {
      acks.give(owed);
      owed = 0;
    }

    /**
     * Reads until so many bytes are there, and as many beyond as there are; what is owed goes
     * first.
     */
    private void more(RawSocket socket, RawAcks acks, int least) throws IOException {
      acknowledge(acks);
      chunk.compact();
      while (chunk.position() < least) {
        socket.readSome(chunk);
      }
      chunk.flip();
    }
  }

  private final class Sending extends RawSender {
    private final RawSocket socket;
    private final float[] source;
    private final ByteBuffer chunk = chunk();

    Sending(RawSocket socket, float[] source) {
      super(socket);
      this.socket = socket;
      this.source = source;
    }

    @Override
    void write(int count, int arrays) throws IOException {
      chunk.clear();
      for (int i = 0; i < arrays; i++) {
        put(count);
      }
      socket.write(chunk.flip());
    }

    private void put(int count) throws IOException {
      if (chunk.remaining() < HEADER_BYTES) {
        flush();
      }
      chunk.putInt(count);
      for (int done = 0; done < count; ) {
        if (chunk.remaining() < Float.BYTES) {
          flush();
        }
        int some = Math.min(count - done, chunk.remaining() / Float.BYTES);
        chunk.asFloatBuffer().put(source, done, some);
        chunk.position(chunk.position() + some * Float.BYTES);
        done += some;
      }
    }

    private void flush() throws IOException {
      socket.write(chunk.flip());
      chunk.clear();
    }
  }
}
