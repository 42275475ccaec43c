package io.arraywire.testkit;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestHandler;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A server in a JVM of its own, with a small heap and the default options. It answers arrays or
 * requests without waiting until the answers are read. Most of its peers take no answer; one does.
 * Ends with a line that says whether answers were refused with a typed error, and that the one was
 * served.
 */
final class UnreadAnswers {
  /** How a peer keeps the server from being done with its answers. */
  enum Peers {
    /** Sends arrays and gives no credit for their echoes. */
    WITHOUT_CREDIT,
    /** Sends small requests and gives no credit for the large answers. */
    REQUESTING,
    /** Reads small echoes and acknowledges none. */
    WITHOUT_ACKNOWLEDGEMENT
  }

  private static final int CONNECTIONS = 20;
  private static final int BYTES = 64 << 10;

  /** What each peer sends: answers to all of it take several times the heap. */
  private static final int ARRAYS = 500;

  private static final int SMALL_ARRAYS = 30_000;

  private static final int AT_ONCE = 10;

  private static final int SMALL_AT_ONCE = 1000;

  /** Less than one answer. */
  private static final int LEAST_CREDIT = 4 << 10;

  private static final AtomicBoolean REFUSED = new AtomicBoolean();

  private UnreadAnswers() {}

  /**
   * Serves.
   *
   * @param arguments the name of the transport, and which peers
   */
  public static void main(String[] arguments) throws Exception {
    Peers peers = Peers.valueOf(arguments[1]);
    SmallHeapProgram.main(
        arguments[0], TransportOptions.defaults(), (transport, unused) -> serve(transport, peers));
  }

  private static String serve(Transport transport, Peers peers) throws Exception {
    boolean requests = peers == Peers.REQUESTING;
    Handlers handlers =
        requests ? Handlers.ofRequests(answers()) : Handlers.ofArrays(UnreadAnswers::echoes);
    Listener listener =
        transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), handlers);
    Connection friend = transport.connect(listener.address());
    List<Hostile> hostile = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      Hostile peer =
          new Hostile(
              listener.address(), peers == Peers.WITHOUT_ACKNOWLEDGEMENT ? 1L << 40 : LEAST_CREDIT);
      peer.send(peers);
      hostile.add(peer);
      byte[] large = new byte[2 * BYTES];
      large[0] = (byte) i;
      byte[] answer;
      if (requests) {
        answer =
            friend
                .request(ArraySlice.of(large))
                .toCompletableFuture()
                .get(1, TimeUnit.MINUTES)
                .bytes();
      } else {
        friend.send(large);
        answer = friend.receive().bytes();
      }
      if (answer[0] != i) {
        return "another answer";
      }
    }
    return "hostile=" + hostile.size() + ", refused=" + REFUSED.get() + ", served=true";
  }

  private static void echoes(Connection connection, ReceivedArray array) {
    watch(connection.sendAsync(array.slice(), SendOptions.processed()));
  }

  private static RequestHandler answers() {
    return (connection, request, reply) -> {
      byte[] answer = new byte[BYTES];
      answer[0] = request.bytes()[0];
      watch(reply.send(ArraySlice.of(answer)));
    };
  }

  private static void watch(CompletionStage<Receipt> answer) {
    var unused =
        answer.whenComplete((receipt, thrown) -> {
          if (ErrorCode.SEND_QUEUE_FULL.isOf(thrown)) {
            REFUSED.set(true);
          }
        });
  }

  /** A peer that keeps to the server's credit and takes no answers. */
  private static final class Hostile {
    private final RawPeer peer;
    private long granted = TransportOptions.defaults().inboxBytes();
    private long spent;
    private long done;

    Hostile(SocketAddress address, long credit) throws IOException {
      peer = RawPeer.connect(address).shakeHands(credit);
    }

    /** Sends arrays until the server is done with all of them, in whatever way, or ends this. */
    void send(Peers peers) throws IOException {
      boolean small = peers == Peers.WITHOUT_ACKNOWLEDGEMENT;
      ArraySlice elements =
          ArraySlice.of(new byte[peers == Peers.WITHOUT_CREDIT ? BYTES : Integer.BYTES]);
      int arrays = small ? SMALL_ARRAYS : ARRAYS;
      int atOnce = small ? SMALL_AT_ONCE : AT_ONCE;
      try {
        for (int sent = 1; sent <= arrays; sent++) {
          send(sent, elements, peers == Peers.REQUESTING);
          while (sent % atOnce == 0 && done < sent) {
            read();
          }
        }
      } catch (IOException cut) {
        // As good as being refused.
      }
    }

    private void send(long sequence, ArraySlice elements, boolean asks) throws IOException {
      RawFrame array = RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, elements);
      byte[] attributes =
          asks ? new RawSections().number(RawSections.REQUEST, sequence).toBytes() : new byte[0];
      spent += FrameLayout.ARRAY_COST + attributes.length + elements.bytes();
      while (spent > granted) {
        read();
      }
      peer.send(asks ? array.withAttributes(attributes) : array);
    }

    private void read() throws IOException {
      RawFrame frame = RawFrame.read(peer.in());
      if (frame == null) {
        throw new IOException("cut");
      }
      FrameHeader header = frame.header();
      switch (frame.type()) {
        case ACK, REJECTED -> done = Math.max(done, header.sequence);
        case CREDIT -> {
          granted = header.tag;
          done = Math.max(done, header.acknowledged);
        }
        default -> done = Math.max(done, header.acknowledged);
      }
    }
  }
}
