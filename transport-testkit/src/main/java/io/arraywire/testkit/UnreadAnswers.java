package io.arraywire.testkit;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Encoding;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.Transports;
import io.arraywire.frame.FrameType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server in a JVM of its own, with a small heap and the default options, that answers every array
 * and every request without waiting. Most of its peers take no answer; one does. Ends with a line
 * that says that this one was served.
 */
final class UnreadAnswers {
  /** How a peer keeps the server from being done with its answers. */
  enum Peers {
    /** Sends arrays and gives no credit for their echoes. */
    WITHOUT_CREDIT,
    /** Sends small requests and gives no credit for the large answers. */
    REQUESTING,
    /** Reads all echoes and acknowledges none. */
    WITHOUT_ACKNOWLEDGEMENT
  }

  private static final int CONNECTIONS = 20;

  /** What each peer sends: answers to all of it take several times the heap. */
  private static final int ARRAYS = 500;

  private static final int SMALL_ARRAYS = 30_000;
  private static final int BYTES = 64 << 10;

  /** The least that a peer may give. */
  private static final long LEAST_CREDIT = 4 << 10;

  /** The number of a request, in the attributes of its array. */
  private static final int REQUEST_FIELD = 4;

  private UnreadAnswers() {}

  /** Echoes arrays, and answers requests with large ones. */
  private static final class Server implements RequestHandler {
    @Override
    public void onArray(Connection connection, ReceivedArray array) {
      var unused = connection.channel(array.header().channel()).sendAsync(array.slice(), SendOptions.processed());
    }

    @Override
    public void onRequest(Connection connection, ReceivedArray request, Reply reply) {
      var unused = reply.send(ArraySlice.of(new byte[BYTES]));
    }
  }

  /**
   * Serves.
   *
   * @param arguments the name of the transport, and which peers
   */
  public static void main(String[] arguments) throws Exception {
    String said;
    try {
      said =
          serve(
              Transports.create(arguments[0], TransportOptions.defaults()),
              Peers.valueOf(arguments[1]));
    } catch (ArraywireException | RuntimeException | Error e) {
      said = "failed: " + e;
    }
    System.out.println(said);
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  private static String serve(Transport transport, Peers peers) throws Exception {
    Listener listener =
        transport.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new Server());
    Connection friend = transport.connect(listener.address());
    List<RawPeer> hostile = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      hostile.add(sends(listener.address(), peers));
      byte[] large = new byte[2 * BYTES];
      large[0] = (byte) i;
      var unused = friend.send(ArraySlice.of(large), SendOptions.processed());
      if (friend.receive().bytes()[0] != i) {
        return "another array";
      }
      ReceivedArray answer =
          friend
              .request(ArraySlice.of(large), RequestOptions.defaults())
              .toCompletableFuture()
              .get(1, TimeUnit.MINUTES);
      if (answer.bytes().length != BYTES) {
        return "another answer";
      }
    }
    return "hostile=" + hostile.size() + ", served=true";
  }

  private static RawPeer sends(SocketAddress address, Peers peers) throws IOException {
    boolean small = peers == Peers.WITHOUT_ACKNOWLEDGEMENT;
    RawPeer peer =
        small
            ? RawPeer.connect(address).shakeHands(1L << 40)
            : RawPeer.connect(address).shakeHands(LEAST_CREDIT);
    RawFrame array =
        RawFrame.array(
            Encoding.RAW_LITTLE_ENDIAN,
            1,
            ArraySlice.of(new byte[peers == Peers.WITHOUT_CREDIT ? BYTES : 4]));
    int arrays = small ? SMALL_ARRAYS : ARRAYS;
    // Less than there is credit for before the server has dealt with it.
    int atOnce = small ? 1000 : 10;
    try {
      for (int sent = 0; sent < arrays; sent += atOnce) {
        for (int i = 1; i <= atOnce; i++) {
          long sequence = sent + i;
          array.with(header -> header.sequence = sequence);
          if (peers == Peers.REQUESTING) {
            array.withAttributes(new RawFields().number(REQUEST_FIELD, sequence).toBytes());
          }
          peer.send(array);
        }
        awaitAcknowledgement(peer, sent + atOnce);
      }
    } catch (IOException cut) {
      // As good as being told that there is no memory.
    }
    return peer;
  }

  private static void awaitAcknowledgement(RawPeer peer, long last) throws IOException {
    RawFrame frame = RawFrame.read(peer.in());
    while (frame != null && acknowledged(frame) < last) {
      frame = RawFrame.read(peer.in());
    }
    if (frame == null) {
      throw new IOException("cut");
    }
  }

  private static long acknowledged(RawFrame frame) {
    return frame.type() == FrameType.ACK ? frame.header().sequence : frame.header().acknowledged;
  }
}
