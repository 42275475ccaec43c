package io.arraywire.testkit;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.RemoteErrorException;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.message.Message;
import io.arraywire.spi.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A server in a JVM of its own, with a small heap and the default options, whose handler keeps for
 * ever what hostile peers send. Ends with a line that says whether peers were told that there is no
 * memory, and that a friend was served.
 */
final class HandledArrays {
  /** What a hostile peer sends on each of its channels. */
  enum Sent {
    /** Larger than what each array may begin with. */
    LARGE(10),
    /** As large as that: it counts, too. */
    SMALL(250),
    /** The same to handlers that all have a thread of their own, and keep it. */
    HELD(60),
    /** A message whose parts are each so small. */
    PARTS(10);

    private final int channels;

    Sent(int channels) {
      this.channels = channels;
    }

    private CompletionStage<Receipt> send(Connection peer, int channel) {
      if (this != PARTS) {
        byte[] elements = this == LARGE ? LARGE_ARRAY : PART;
        SendOptions options = SendOptions.processed().tag(HOSTILE);
        return peer.channel(channel).sendAsync(ArraySlice.of(elements), options);
      }
      Message message = Message.of("0", ArraySlice.of(PART));
      for (int i = 1; i < PARTS_OF_A_MESSAGE; i++) {
        message = message.with(Integer.toString(i), ArraySlice.of(PART));
      }
      return peer.channel(channel).sendAsync(message.tag(HOSTILE), SendOptions.processed());
    }
  }

  /** All that they send is more than the heap has room for, for fewer handlers than may run. */
  private static final int CONNECTIONS = 20;

  private static final byte[] LARGE_ARRAY = new byte[600 << 10];
  private static final byte[] PART = new byte[31 << 10];
  private static final int PARTS_OF_A_MESSAGE = 20;
  private static final long HOSTILE = 1;
  private static final int FRIENDLY_BYTES = 100_000;

  /** So little may come whatever others hold, also while those that make room have yet to go. */
  private static final int LITTLE = 48 << 10;

  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private HandledArrays() {}

  /**
   * Serves.
   *
   * @param arguments the name of the transport, and what is sent
   */
  public static void main(String[] arguments) throws Exception {
    Sent sent = Sent.valueOf(arguments[1]);
    TransportOptions.Builder options = TransportOptions.builder();
    if (sent == Sent.SMALL) {
      // A thread for each of 5,000 handlers is another matter.
      options.handlerExecutor(Executors.newFixedThreadPool(4));
    } else if (sent == Sent.HELD) {
      options.handlerExecutor(Executors.newCachedThreadPool());
    }
    SmallHeapProgram.main(
        arguments[0], options.build(), (transport, listener) -> serve(transport, listener, sent));
  }

  private static String serve(Transport transport, Listener untaken, Sent sent) throws Exception {
    Listener handled =
        transport.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Handlers.ofArrays((from, array) -> {
              if (array.tag() == HOSTILE) {
                NEVER.await();
              }
            }));
    Transport strange = Transports.create(transport.name(), TransportOptions.defaults());
    Connection friend = transport.connect(handled.address());
    Connection received = transport.connect(untaken.address());
    Connection receiver = untaken.accept();
    AtomicBoolean refused = new AtomicBoolean();
    List<Connection> hostile = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      Connection peer = strange.connect(handled.address());
      hostile.add(peer);
      for (int channel = 0; channel < sent.channels; channel++) {
        var unused =
            sent.send(peer, channel)
                .whenComplete((receipt, thrown) -> {
                  if (isRefused(thrown)) {
                    refused.set(true);
                  }
                });
      }
      Eventually.until(
          "all of it has left", () -> !peer.isOpen() || peer.load().queuedBytes() == 0);
      if (sent != Sent.SMALL) {
        byte[] handed = new byte[sent == Sent.HELD ? LITTLE : FRIENDLY_BYTES];
        friend.send(ArraySlice.of(handed), SendOptions.processed());
      }
      byte[] waiting = new byte[sent == Sent.SMALL ? LITTLE : FRIENDLY_BYTES];
      var unused = received.sendAsync(ArraySlice.of(waiting), SendOptions.processed());
      Eventually.until("it is here", () -> receiver.load().waitingArrays() == 1);
      if (receiver.receive().count() != waiting.length) {
        return "another array";
      }
    }
    Eventually.until("hostile peers are refused", refused::get);
    return "hostile=" + hostile.size() + ", served=true";
  }

  /** Whether the array was refused alone, or its connection for want of memory. */
  private static boolean isRefused(@Nullable Throwable thrown) {
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (each instanceof RemoteRejectedException
          || (each instanceof RemoteErrorException told
              && told.code() == ErrorCode.MEMORY_BUDGET)) {
        return true;
      }
    }
    return false;
  }
}
