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

  /** The same of arrays that are not staged, however small. */
  static Function<SocketChannel, SocketIo> arrayPortions(long seed, int most) {
    return channel -> new UnkindIo(new ChannelIo(channel, 1), seed, most);
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

  @Override
  public synchronized long writeBeforeArray(ByteBuffer[] sources, int offset, int length)
      throws IOException {
    writes.incrementAndGet();
    return limited(sources, offset, length, io::writeBeforeArray);
  }

  @Override
  public synchronized long read(Object array, long offset, int bytes) throws IOException {
    reads.incrementAndGet();
    int portion = portion();
    return portion == 0 ? 0 : io.read(array, offset, Math.min(bytes, portion));
  }

  @Override
  public synchronized long write(Object array, long offset, int bytes) throws IOException {
    writes.incrementAndGet();
    int portion = portion();
    return portion == 0 ? 0 : io.write(array, offset, Math.min(bytes, portion));
  }

  @Override
  public void shutdownOutput() throws IOException {
    io.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    io.close();
  }

  @Override
  public int leastArrayBytes() {
    return io.leastArrayBytes();
  }

  @Override
  public String arrayPath() {
    return io.arrayPath();
  }

  @Override
  public void endPacing() {
    io.endPacing();
  }

  @Override
  public String pacing() {
    return io.pacing();
  }

  /** How many bytes the next operation moves at most. */
  private int portion() {
    int portion = most == Integer.MAX_VALUE ? most : random.nextInt(most + 1);
    return most > 1 ? portion : 1;
  }

  private long limited(ByteBuffer[] buffers, int offset, int length, Operation operation)
      throws IOException {
    int left = portion();
    if (left == 0) {
      return 0;
    }
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
