package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;

/**
 * The best loop by hand: a plain socket that sleeps in the kernel, and a direct buffer between it
 * and the array, as in {@link RawStaged}. Both ends know how many elements come, so no header does.
 */
record SocketMirror() implements PythonContender {
  private static final int CHUNK_BYTES = 256 << 10;

  @Override
  public String name() {
    return PythonContenders.BASELINE;
  }

  @Override
  public String summary() {
    return "plain sockets; Python sends its array's memory and reads into an array, Java stages in a"
        + " direct buffer of "
        + (CHUNK_BYTES >> 10)
        + " KiB";
  }

  @Override
  public String listen(Mirror mirror) throws IOException {
    ServerSocketChannel server = RawSocket.listen(Loopback.TCP);
    MirrorProcess.start(() -> {
      try (RawSocket peer = RawSocket.accept(server, false)) {
        ByteBuffer chunk = RawSelector.chunk(CHUNK_BYTES);
        while (true) {
          mirror(peer, chunk, mirror);
        }
      }
    });
    return Integer.toString(server.socket().getLocalPort());
  }

  private static void mirror(RawSocket peer, ByteBuffer chunk, Mirror mirror) throws IOException {
    boolean complete = false;
    while (!complete) {
      peer.readSome(chunk.clear());
      complete = mirror.put(chunk.flip());
    }
    mirror.turn();
    while (mirror.left() > 0) {
      chunk.clear().limit(Math.min(CHUNK_BYTES, mirror.left() * Float.BYTES));
      mirror.take(chunk.asFloatBuffer());
      peer.write(chunk);
    }
  }
}
