package io.arraywire.benchmarks.bench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import zmq.Msg;
import zmq.SocketBase;

/**
 * JeroMQ, a pair of sockets. Large arrays go in chunks, a few of which are in flight at a time, as
 * the guide's chapter 7, "Transferring files", does it with credit
 * (zguide.zeromq.org/docs/chapter7). Messages are direct buffers, which JeroMQ neither copies to
 * send (zeromq/jeromq pull request 308) nor to receive, and which are used again: at the sender
 * when they were acknowledged, at the receiver by an allocator of its own (issue 281). No
 * high-water mark, since the chunks in flight are counted. Both callers poll for as long as a
 * wake-up costs before they sleep.
 */
record JeromqContender() implements Contender {
  /** Larger than the batch of 8 KiB, below which JeroMQ copies. */
  private static final int CHUNK_BYTES = 64 << 10;

  private static final int CHUNKS = 16;
  private static final long SPIN_NANOS = 50_000;

  @Override
  public String name() {
    return "jeromq";
  }

  @Override
  public String summary() {
    return "JeroMQ PAIR, direct buffers of " + (CHUNK_BYTES >> 10) + " KiB, used again";
  }

  /** Without a high-water mark. */
  static ZMQ.Socket socket(ZContext context) {
    ZMQ.Socket socket = context.createSocket(SocketType.PAIR);
    socket.setHWM(0);
    socket.setLinger(0);
    return socket;
  }

  /** Waits for a message. */
  static Msg take(SocketBase socket) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < SPIN_NANOS) {
      Msg message = socket.recv(zmq.ZMQ.ZMQ_DONTWAIT);
      if (message != null) {
        return message;
      }
    }
    Msg message = socket.recv(0);
    if (message == null) {
      throw new IllegalStateException("the socket failed (errno=" + socket.errno() + ")");
    }
    return message;
  }

  private static String address(int port) {
    return "tcp://127.0.0.1:" + (port == 0 ? "*" : Integer.toString(port));
  }

  @Override
  public boolean acrossHosts() {
    return false;
  }

  @Override
  public Receiver listen(float[] target) {
    ZContext context = new ZContext();
    Buffers buffers = new Buffers(CHUNK_BYTES);
    ZMQ.Socket socket = socket(context);
    socket.setMsgAllocator(buffers::allocate);
    socket.bind(address(0));
    return new Receiving(context, socket, buffers, target);
  }

  @Override
  public Sender connect(int port, float[] source) {
    ZContext context = new ZContext();
    ZMQ.Socket socket = socket(context);
    socket.connect(address(port));
    return new Sending(context, socket.base(), new Departures(source));
  }

  /** Direct buffers of large messages, taken by the thread that reads. */
  static final class Buffers {
    private final Queue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
    private final int chunkBytes;

    /** Of so many bytes each. */
    Buffers(int chunkBytes) {
      this.chunkBytes = chunkBytes;
    }

    Msg allocate(int bytes) {
      if (bytes > chunkBytes || bytes < chunkBytes / 2) {
        return new Msg(bytes);
      }
      ByteBuffer buffer = free.poll();
      return new Msg(
          (buffer == null ? ByteBuffer.allocateDirect(chunkBytes) : buffer.clear()).limit(bytes));
    }

    void free(ByteBuffer buffer) {
      if (buffer.isDirect()) {
        free.add(buffer);
      }
    }
  }

  private static final class Receiving implements Receiver {
    private final ZContext context;
    private final ZMQ.Socket socket;
    private final Buffers buffers;
    private final Filling filling;

    Receiving(ZContext context, ZMQ.Socket socket, Buffers buffers, float[] target) {
      this.context = context;
      this.socket = socket;
      this.buffers = buffers;
      filling = new Filling(target);
    }

    @Override
    public int port() {
      String endpoint = socket.getLastEndpoint();
      return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    @Override
    public void serve(int count, Tally tally) {
      SocketBase from = socket.base();
      boolean more = true;
      while (more) {
        Msg message = take(from);
        ByteBuffer bytes = message.buf();
        int arrays = filling.put(bytes, count);
        buffers.free(bytes);
        // Empty: one message of the sender's is done with.
        from.send(new Msg(), 0);
        more = arrays == 0 || tally.add(arrays);
      }
    }

    @Override
    public void close() {
      context.close();
    }
  }

  private static final class Sending implements Sender {
    private final ZContext context;
    private final SocketBase socket;
    private final Departures departures;
    private final Deque<ByteBuffer> free = new ArrayDeque<>();
    private final Deque<ByteBuffer> onTheirWay = new ArrayDeque<>();

    Sending(ZContext context, SocketBase socket, Departures departures) {
      this.context = context;
      this.socket = socket;
      this.departures = departures;
      for (int i = 0; i < CHUNKS; i++) {
        free.add(ByteBuffer.allocateDirect(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN));
      }
    }

    @Override
    public void send(int count) {
      write(count, 1);
      finish();
    }

    @Override
    public long stream(int count, int window, BooleanSupplier more) {
      // Half a window in a message, as the contenders without a library do.
      int batch = Math.max(1, window / 2);
      long sent = 0;
      for (; more.getAsBoolean(); sent += batch) {
        while (onTheirWay.size() > 1) {
          takeAck();
        }
        write(count, batch);
      }
      finish();
      return sent;
    }

    private void write(int count, int arrays) {
      departures.begin(count, arrays);
      while (departures.left() > 0) {
        if (free.isEmpty()) {
          takeAck();
        }
        ByteBuffer chunk = free.remove().clear();
        int bytes = (int) Math.min(departures.left(), CHUNK_BYTES / Float.BYTES) * Float.BYTES;
        departures.take(chunk.asFloatBuffer());
        // A slice: of a large message JeroMQ sends what the buffer has room for, whatever its
        // limit.
        socket.send(new Msg(chunk.slice(0, bytes)), 0);
        onTheirWay.add(chunk);
      }
    }

    private void takeAck() {
      take(socket);
      free.add(onTheirWay.remove());
    }

    private void finish() {
      while (!onTheirWay.isEmpty()) {
        takeAck();
      }
    }

    @Override
    public void close() {
      context.close();
    }
  }
}
