package io.arraywire.examples;

import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.nio.NioTransport;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/**
 * Half of an old application: {@link #send} and {@link #receive} know nothing of Arraywire, they
 * write and read an {@code int} count and then each {@code float}. In plain mode Arraywire takes
 * the place of either half, so that one side of a pair can be replaced first.
 *
 * <pre>
 * LegacyPeer                     shows both
 * LegacyPeer send HOST PORT N    sends N floats to, say, arraywire receive --plain --type float
 * LegacyPeer receive             prints its port, then what comes from, say, arraywire send --plain
 * </pre>
 */
public final class LegacyPeer {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  private LegacyPeer() {}

  /**
   * Runs one half, or both against Arraywire.
   *
   * @param arguments as above
   * @throws Exception if that fails
   */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 4 && arguments[0].equals("send")) {
      float[] floats = new float[Integer.parseInt(arguments[3])];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = i;
      }
      send(new Socket(arguments[1], Integer.parseInt(arguments[2])), floats);
    } else if (arguments.length == 1 && arguments[0].equals("receive")) {
      try (ServerSocket server = new ServerSocket(0, 1, HERE)) {
        System.out.println("listening on port " + server.getLocalPort());
        System.out.flush();
        for (float[] floats : receive(server.accept())) {
          System.out.println(
              floats.length + " floats, hash " + Integer.toHexString(Arrays.hashCode(floats)));
        }
      }
    } else {
      System.out.println("from the old program: " + Arrays.toString(fromOldToNew()));
      System.out.println("to the old program:   " + Arrays.toString(fromNewToOld()));
    }
  }

  /** The old sending half: the loop that is in the application today. */
  private static void send(Socket socket, float[] floats) throws IOException {
    try (socket;
        DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()))) {
      out.writeInt(floats.length);
      for (float each : floats) {
        out.writeFloat(each);
      }
    }
  }

  /** The old receiving half: arrays until the other side ends. */
  private static List<float[]> receive(Socket socket) throws IOException {
    List<float[]> arrays = new ArrayList<>();
    try (socket;
        DataInputStream in =
            new DataInputStream(new BufferedInputStream(socket.getInputStream()))) {
      while (true) {
        float[] floats = new float[in.readInt()];
        for (int i = 0; i < floats.length; i++) {
          floats[i] = in.readFloat();
        }
        arrays.add(floats);
      }
    } catch (EOFException e) {
      return arrays;
    }
  }

  /** The old sender talks to Arraywire. */
  static float[] fromOldToNew() throws Exception {
    TransportOptions plain = TransportOptions.builder().plain(ElementType.FLOAT).build();
    try (Transport transport = NioTransport.create(plain);
        Listener listener = transport.listen(new InetSocketAddress(HERE, 0))) {
      int port = ((InetSocketAddress) listener.address()).getPort();
      send(new Socket(HERE, port), new float[] {1, 2, 3});
      try (Connection connection = listener.accept()) {
        return connection.receive().floats();
      }
    }
  }

  /** Arraywire talks to the old receiver. */
  static float[] fromNewToOld() throws Exception {
    TransportOptions plain = TransportOptions.builder().plain(ElementType.FLOAT).build();
    try (Transport transport = NioTransport.create(plain);
        ServerSocket server = new ServerSocket(0, 1, HERE)) {
      FutureTask<List<float[]>> old = inBackground(() -> receive(server.accept()));
      try (Connection connection = transport.connect(server.getLocalSocketAddress())) {
        connection.send(new float[] {4, 5, 6});
      }
      return old.get().get(0);
    }
  }

  private static <T> FutureTask<T> inBackground(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    new Thread(task, "old program").start();
    return task;
  }
}
