package io.arraywire.nio;

import io.arraywire.engine.GuardedLogger;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A channel, and the socket beneath it from the first array on that is large enough. */
final class ChannelIo implements SocketIo {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

  /** An estimate: two system calls more for each array should be little beside a copy of it. */
  static final int LEAST_ARRAY_BYTES = 64 << 10;

  private final SocketChannel channel;
  private final int leastArrayBytes;

  /**
   * What the event loop has found when it looked: the socket, or why arrays are staged; null before
   * that. One field, because there are many idle connections.
   */
  private volatile @Nullable Object found;

  private volatile String pacing = "";

  ChannelIo(SocketChannel channel, int leastArrayBytes) {
    this.channel = channel;
    this.leastArrayBytes = leastArrayBytes;
    found = NativeSocket.obstacle();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return length == 1 ? channel.read(targets[offset]) : channel.read(targets, offset, length);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return length == 1 ? channel.write(sources[offset]) : channel.write(sources, offset, length);
  }

  @Override
  public long writeBeforeArray(ByteBuffer[] sources, int offset, int length) throws IOException {
    return length == 1 && sources[offset].isDirect() && found instanceof NativeSocket
        ? socket().writeMore(sources[offset])
        : write(sources, offset, length);
  }

  @Override
  public long read(Object array, long offset, int bytes) throws IOException {
    return socket().read(array, offset, bytes);
  }

  @Override
  public long write(Object array, long offset, int bytes) throws IOException {
    return socket().write(array, offset, bytes);
  }

  @Override
  public long write(ByteBuffer source) throws IOException {
    return channel.write(source);
  }

  @Override
  public long transfer(FileChannel file, long position, int bytes) throws IOException {
    return file.transferTo(position, bytes, channel);
  }

  @Override
  public int leastRegionBytes() {
    return leastArrayBytes;
  }

  @Override
  public void shutdownOutput() throws IOException {
    channel.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private NativeSocket socket() {
    if (found instanceof NativeSocket socket) {
      return socket;
    }
    throw new IllegalStateException("arrays are staged here");
  }

  @Override
  public int leastArrayBytes() {
    return found() instanceof NativeSocket ? leastArrayBytes : Integer.MAX_VALUE;
  }

  private Object found() {
    Object known = found;
    if (known == null) {
      known = find();
      found = known;
    }
    return known;
  }

  /** Not before it is needed: it looks at every descriptor of the process. */
  private Object find() {
    String notFound = "the socket's descriptor was not found";
    try {
      NativeSocket socket = NativeSocket.of(channel);
      return socket == null ? notFound : socket;
    } catch (IOException | RuntimeException | LinkageError e) {
      LOGGER.log(Level.DEBUG, "arrays are staged, since the socket's descriptor was not found", e);
      return notFound + " (" + e + ")";
    }
  }

  @Override
  public String arrayPath() {
    return found instanceof String obstacle
        ? "staged: " + obstacle
        : "of at least " + leastArrayBytes + " bytes without staging";
  }

  @Override
  public void endPacing() {
    try {
      CongestionControl control = congestionControl();
      pacing =
          control == null ? Pacing.goesOn(found + "; or " + OpenedJdk.FLAG) : Pacing.end(control);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOGGER.log(Level.DEBUG, "the congestion control of TCP was left as it is", e);
      pacing = Pacing.goesOn(e.toString());
    }
  }

  /** What is at hand; looks at every descriptor of the process only where that will be of use. */
  private @Nullable CongestionControl congestionControl() {
    if (!(found instanceof NativeSocket)) {
      CongestionControl opened = OpenedJdk.of(channel);
      if (opened != null || !Pacing.isSystems()) {
        return opened;
      }
    }
    return found() instanceof NativeSocket socket ? socket : null;
  }

  @Override
  public String pacing() {
    return pacing;
  }
}
