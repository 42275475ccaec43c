package io.arraywire.benchmarks.bench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import zmq.Msg;
import zmq.SocketBase;

/**
 * JeroMQ, a pair of sockets with pyzmq at the other end. Large arrays go in chunks, so that one is
 * copied while the next is read. As in {@link JeromqContender}, messages are direct buffers, which
 * JeroMQ does not copy. One peer waits until its array is back, so no more chunks than one array
 * has are in flight, and one buffer as large as the array is enough to send.
 */
record JeromqMirror() implements PythonContender {
  private static final int CHUNK_BYTES = 256 << 10;

  @Override
  public String name() {
    return "pyzmq";
  }

  @Override
  public String summary() {
    return "ZeroMQ: pyzmq and JeroMQ, a PAIR, messages of up to " + (CHUNK_BYTES >> 10) + " KiB";
  }

  @Override
  public List<PythonModule> modules() {
    return List.of(new PythonModule("zmq", "pyzmq"));
  }

  @Override
  public String listen(Mirror mirror) {
    ZContext context = new ZContext();
    JeromqContender.Buffers buffers = new JeromqContender.Buffers(CHUNK_BYTES);
    ZMQ.Socket socket = JeromqContender.socket(context);
    socket.setMsgAllocator(buffers::allocate);
    int port = socket.bindToRandomPort("tcp://127.0.0.1");
    MirrorProcess.start(() -> {
      ByteBuffer out =
          ByteBuffer.allocateDirect(mirror.array().length * Float.BYTES)
              .order(ByteOrder.LITTLE_ENDIAN);
      while (true) {
        receive(socket.base(), buffers, mirror);
        send(socket.base(), out, mirror);
      }
    });
    return Integer.toString(port);
  }

  private static void receive(SocketBase socket, JeromqContender.Buffers buffers, Mirror mirror) {
    boolean complete = false;
    while (!complete) {
      ByteBuffer bytes = JeromqContender.take(socket).buf();
      complete = mirror.put(bytes);
      buffers.free(bytes);
    }
  }

  private static void send(SocketBase socket, ByteBuffer out, Mirror mirror) {
    mirror.turn();
    for (int at = 0; mirror.left() > 0; ) {
      int bytes = Math.min(CHUNK_BYTES, mirror.left() * Float.BYTES);
      // A slice: of a large message JeroMQ sends what the buffer has room for, whatever its limit.
      ByteBuffer chunk = out.slice(at, bytes).order(ByteOrder.LITTLE_ENDIAN);
      mirror.take(chunk.asFloatBuffer());
      socket.send(new Msg(chunk), 0);
      at += bytes;
    }
  }
}
