package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a socket can do if nobody wants arrays. Direct buffers that hold all the bytes, filled once
 * before the clock runs, go out in writes of 1 MiB and into such a buffer. It knows how many bytes
 * come and so needs no header. Its rate is what the others' are compared with.
 *
 * @param polling whether both ends poll instead of sleeping
 * @param where where they meet
 */
record RawDirect(boolean polling, Loopback where) implements Contender {
  private static final int WRITE_BYTES = 1 << 20;

  /** The buffers have room for a batch of small arrays. */
  private static final int LEAST_BYTES = 64 << 10;

  @Override
  public String name() {
    return (polling ? "raw-spin" : "raw-sleep") + where.suffix();
  }

  @Override
  public String summary() {
    return (where == Loopback.UNIX ? "Unix domain" : "plain")
        + " socket, direct buffers as large as the array, no array; "
        + (polling ? "polls" : "sleeps");
  }

  @Override
  public boolean acrossHosts() {
    return where == Loopback.TCP;
  }

  private static ByteBuffer buffer(float[] array) {
    return ByteBuffer.allocateDirect(Math.max(LEAST_BYTES, array.length * Float.BYTES))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public Receiver listen(float[] target) throws IOException {
    return new Receiving(target, buffer(target));
  }

  @Override
  public Sender connect(int port, float[] source) throws IOException {
    ByteBuffer message = buffer(source);
    message.asFloatBuffer().put(source);
    return new Sending(RawSocket.connect(where, port, polling), message);
  }

  private final class Receiving extends RawReceiver {
    private final float[] target;
    private final ByteBuffer message;

    Receiving(float[] target, ByteBuffer message) throws IOException {
      super(where, polling);
      this.target = target;
      this.message = message;
    }

    @Override
    void serve(RawSocket socket, RawAcks acks, int count, Tally tally) throws IOException {
      int bytes = count * Float.BYTES;
      // Small arrays that wait already are taken with one read.
      int room = message.capacity() / bytes * bytes;
      int filled = 0;
      int arrays;
      do {
        message.limit(room).position(filled);
        while (message.position() < bytes) {
          socket.readSome(message);
        }
        arrays = message.position() / bytes;
        acks.give(arrays);
        filled = message.position() % bytes;
        if (filled > 0) {
          message.limit(message.position()).position(message.position() - filled);
          message.compact();
        }
      } while (tally.add(arrays));
      message.clear().asFloatBuffer().get(target, 0, count);
    }
  }

  private static final class Sending extends RawSender {
    private final RawSocket socket;
    private final ByteBuffer message;

    Sending(RawSocket socket, ByteBuffer message) {
      super(socket);
      this.socket = socket;
      this.message = message;
    }

    @Override
    void write(int count, int arrays) throws IOException {
      int bytes = count * Float.BYTES;
      if (arrays > 1) {
        // Sent as often as the buffer holds it; the bytes of the later ones are not looked at.
        int most = Math.min(arrays, Math.max(1, message.capacity() / bytes));
        for (int left = arrays; left > 0; left -= most) {
          socket.write(message.clear().limit(Math.min(left, most) * bytes));
        }
        return;
      }
      for (int from = 0; from < bytes; from += WRITE_BYTES) {
        socket.write(message.limit(Math.min(bytes, from + WRITE_BYTES)).position(from));
      }
    }
  }
}
