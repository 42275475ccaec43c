package io.arraywire.nio;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import java.net.InetSocketAddress;

/**
 * One side of a connection over which small arrays go, one after the other. Each side is loaded by
 * a loader of its own, so that what it does is counted apart.
 */
public final class SmallSends {
  private static final int ELEMENTS = 16;

  private static Connection sender;
  private static Listener listener;

  /** What ended the receiver: the sender's goodbye, where all is well. */
  private static volatile Exception ended;

  private SmallSends() {}

  /** The receiving side; returns its port. */
  public static int receive() throws Exception {
    listener = NioTransport.listen(new InetSocketAddress("127.0.0.1", 0));
    Thread thread =
        new Thread(
            () -> {
              float[] target = new float[ELEMENTS];
              ArrayInfo note = new ArrayInfo();
              try (Connection connection = listener.accept()) {
                while (true) {
                  connection.receiveInto(ArraySlice.of(target), note);
                }
              } catch (Exception e) {
                ended = e;
              }
            },
            "small-receiver");
    thread.setDaemon(true);
    thread.start();
    return ((InetSocketAddress) listener.address()).getPort();
  }

  /** What ended the receiver. */
  public static String ended() {
    return String.valueOf(ended);
  }

  /** The sending side. */
  public static void connect(int port) throws Exception {
    sender = NioTransport.connect(new InetSocketAddress("127.0.0.1", port));
  }

  /** Sends arrays, and waits for the acknowledgement of each. */
  public static void send(int arrays) throws Exception {
    float[] array = new float[ELEMENTS];
    for (int i = 0; i < arrays; i++) {
      sender.send(ArraySlice.of(array), SendOptions.processed());
    }
  }

  /** Ends the side. */
  public static void close() throws Exception {
    if (sender != null) {
      sender.close();
    }
    if (listener != null) {
      listener.close();
    }
  }
}
