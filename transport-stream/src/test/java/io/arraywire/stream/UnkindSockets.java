package io.arraywire.stream;

import io.arraywire.TransportOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The system's sockets, which give few bytes at a time, count, and fail when told to. */
final class UnkindSockets implements Sockets {
  final AtomicLong reads = new AtomicLong();
  final AtomicLong writes = new AtomicLong();
  final AtomicLong longestWrite = new AtomicLong();

  /** How many sockets were given buffers. */
  final AtomicLong withBuffers = new AtomicLong();

  /** Makes what an accept throws, if there is one. */
  final AtomicReference<@Nullable Supplier<IOException>> acceptFailure = new AtomicReference<>();

  private final Sockets sockets = Sockets.system();
  private final int mostPerRead;

  UnkindSockets(int mostPerRead) {
    this.mostPerRead = mostPerRead;
  }

  @Override
  public StreamSocket unconnected(SocketAddress address) throws IOException {
    return new Unkind(sockets.unconnected(address));
  }

  @Override
  public ServerEnd listen(SocketAddress address) throws IOException {
    ServerEnd server = sockets.listen(address);
    return new ServerEnd() {
      @Override
      public StreamSocket accept() throws IOException {
        Supplier<IOException> failure = acceptFailure.get();
        if (failure != null) {
          throw failure.get();
        }
        return new Unkind(server.accept());
      }

      @Override
      public SocketAddress address() {
        return server.address();
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }

  private final class Unkind implements StreamSocket {
    private final StreamSocket socket;

    Unkind(StreamSocket socket) {
      this.socket = socket;
    }

    @Override
    public void setBuffers(TransportOptions options) throws IOException {
      socket.setBuffers(options);
      withBuffers.incrementAndGet();
    }

    @Override
    public void connect(SocketAddress address) throws IOException {
      socket.connect(address);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      int limit = into.limit();
      into.limit(into.position() + Math.min(into.remaining(), mostPerRead));
      try {
        int count = socket.read(into);
        if (count > 0) {
          reads.incrementAndGet();
        }
        return count;
      } finally {
        into.limit(limit);
      }
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      int count = socket.write(from);
      if (count > 0) {
        writes.incrementAndGet();
        longestWrite.accumulateAndGet(count, Math::max);
      }
      return count;
    }

    @Override
    public void setBlocking(boolean on) throws IOException {
      socket.setBlocking(on);
    }

    @Override
    public SelectionKey register(Selector selector) throws IOException {
      return socket.register(selector);
    }

    @Override
    public void endOutput() throws IOException {
      socket.endOutput();
    }

    @Override
    public SocketAddress localAddress() {
      return socket.localAddress();
    }

    @Override
    public SocketAddress remoteAddress() {
      return socket.remoteAddress();
    }

    @Override
    public void close() {
      socket.close();
    }
  }
}
