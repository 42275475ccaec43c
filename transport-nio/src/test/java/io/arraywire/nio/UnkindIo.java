package io.arraywire.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Makes reads and writes of a real channel short: one byte, a few, or none at all. */
final class UnkindIo implements SocketIo {
  final AtomicLong writes = new AtomicLong();
  final AtomicLong reads = new AtomicLong();

  private final SocketIo io;
  private final Random random;
  private final int most;

  private UnkindIo(SocketIo io, long seed, int most) {
    this.io = io;
    this.random = new Random(seed);
    this.most = most;
  }

  /** Every operation moves at most a number of bytes, chosen anew each time; sometimes none. */
  static Function<SocketChannel, SocketIo> portions(long seed, int most) {
    return channel -> new UnkindIo(SocketIo.of(channel), seed, most);
  }

  static UnkindIo counting(SocketChannel channel) {
    return new UnkindIo(SocketIo.of(channel), 0, Integer.MAX_VALUE);
  }

  @Override
  public synchronized long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    reads.incrementAndGet();
    return limited(targets, offset, length, io::read);
  }

  @Override
  public synchronized long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    writes.incrementAndGet();
    return limited(sources, offset, length, io::write);
  }

  private long limited(ByteBuffer[] buffers, int offset, int length, Operation operation)
      throws IOException {
    int portion = most == Integer.MAX_VALUE ? most : random.nextInt(most + 1);
    if (portion == 0 && most > 1) {
      return 0;
    }
    int left = Math.max(1, portion);
    int[] limits = new int[length];
    for (int i = 0; i < length; i++) {
      ByteBuffer buffer = buffers[offset + i];
      limits[i] = buffer.limit();
      int allowed = Math.min(left, buffer.remaining());
      buffer.limit(buffer.position() + allowed);
      left -= allowed;
    }
    try {
      return operation.run(buffers, offset, length);
    } finally {
      for (int i = 0; i < length; i++) {
        buffers[offset + i].limit(limits[i]);
      }
    }
  }

  private interface Operation {
    long run(ByteBuffer[] buffers, int offset, int length) throws IOException;
  }
}
