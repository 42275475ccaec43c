package io.arraywire.nio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Opens and closes sockets all the time, each of which says something and listens whether that, and
 * nothing else, arrives. The kernel gives them the lowest descriptors that are free, so those that
 * have just been closed. Code that still uses one of those takes bytes away here, or leaves some.
 */
final class SocketCanary implements AutoCloseable {
  private static final int AT_ONCE = 4;
  private static final int WORDS = 8;

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong sung = new AtomicLong();
  private final CompletableFuture<Void> life =
      CompletableFuture.runAsync(this::run, song -> new Thread(song, "canary").start());

  /** How many sockets have been opened and closed. */
  long sung() {
    return sung.get();
  }

  private void run() {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      for (long song = 1; !over.get(); song += AT_ONCE) {
        sing(server, song);
        sung.addAndGet(AT_ONCE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void sing(ServerSocketChannel server, long song) throws IOException {
    List<SocketChannel> opened = new ArrayList<>();
    try {
      for (int i = 0; i < AT_ONCE; i++) {
        SocketChannel out = SocketChannel.open(server.getLocalAddress());
        opened.add(out);
        opened.add(server.accept());
      }
      for (int i = 0; i < opened.size(); i++) {
        write(opened.get(i), song + i);
      }
      for (int i = 0; i < opened.size(); i++) {
        // The one at the other end has the number beside.
        hear(opened.get(i), song + (i ^ 1));
      }
    } finally {
      for (SocketChannel each : opened) {
        each.close();
      }
    }
  }

  private static void write(SocketChannel channel, long word) throws IOException {
    ByteBuffer words = ByteBuffer.allocate(WORDS * Long.BYTES);
    while (words.hasRemaining()) {
      words.putLong(word);
    }
    words.flip();
    while (words.hasRemaining()) {
      channel.write(words);
    }
    channel.shutdownOutput();
  }

  private static void hear(SocketChannel channel, long word) throws IOException {
    ByteBuffer words = ByteBuffer.allocate(WORDS * Long.BYTES + 1);
    while (channel.read(words) >= 0) {
      if (!words.hasRemaining()) {
        throw new AssertionError("somebody else has written to this socket");
      }
    }
    words.flip();
    if (words.remaining() != WORDS * Long.BYTES) {
      throw new AssertionError(
          "somebody else has read from this socket (left=" + words.remaining() + ")");
    }
    while (words.hasRemaining()) {
      long heard = words.getLong();
      if (heard != word) {
        throw new AssertionError("heard " + heard + " in place of " + word);
      }
    }
  }

  /** Ends; fails if anything but its own song was heard. */
  @Override
  public void close() {
    over.set(true);
    try {
      life.join();
    } catch (CompletionException e) {
      throw new AssertionError("a descriptor was used after its close", e);
    }
  }
}
