package io.arraywire.benchmarks.bench;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import py4j.GatewayServer;

/**
 * Py4J: Python calls a method of an object in the JVM, which takes the elements as a {@code byte[]}
 * and returns one. Bytes are the fastest that it has for an array (bartdag/py4j issue 349): lists
 * and arrays of other types cost a call for each element.
 */
record Py4jMirror() implements PythonContender {

  @Override
  public String name() {
    return "py4j";
  }

  @Override
  public String summary() {
    return "Py4J: a method call that takes a byte[] and returns one, which travel as Base64";
  }

  @Override
  public List<PythonModule> modules() {
    return List.of(new PythonModule("py4j.java_gateway", "py4j"));
  }

  /** Base64 of the array, as characters and as bytes, in both directions. */
  @Override
  public long garbageBytes() {
    return 2 * PeerContenders.GARBAGE_BYTES;
  }

  @Override
  public String listen(Mirror mirror) {
    GatewayServer server =
        new GatewayServer.GatewayServerBuilder(new Entry(mirror))
            .javaPort(0)
            .javaAddress(InetAddress.getLoopbackAddress())
            .build();
    server.start(true);
    return Integer.toString(server.getListeningPort());
  }

  /** What Python calls; Py4J finds public methods only. */
  public static final class Entry {
    private final Mirror mirror;

    private Entry(Mirror mirror) {
      this.mirror = mirror;
    }

    /**
     * Puts elements into the array, and takes them out of it again.
     *
     * @param elements little-endian
     * @return the same
     */
    public byte[] mirror(byte[] elements) {
      mirror.put(ByteBuffer.wrap(elements));
      byte[] back = new byte[mirror.turn() * Float.BYTES];
      mirror.take(ByteBuffer.wrap(back).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer());
      return back;
    }
  }
}
