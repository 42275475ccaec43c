package io.arraywire.stream;

import io.arraywire.TransportOptions;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
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
    public InputStream input() throws IOException {
      return new FilterInputStream(socket.input()) {
        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          int count = super.read(bytes, offset, Math.min(length, mostPerRead));
          if (count > 0) {
            reads.incrementAndGet();
          }
          return count;
        }
      };
    }

    @Override
    public OutputStream output() throws IOException {
      return new FilterOutputStream(socket.output()) {
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          out.write(bytes, offset, length);
          writes.incrementAndGet();
          longestWrite.accumulateAndGet(length, Math::max);
        }
      };
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
