package io.arraywire.benchmarks.network;

import io.arraywire.benchmarks.result.Environment;
import io.arraywire.examples.process.CommandLoop;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The child process at either end of a {@link Probe}. The end that listens gives a byte back for
 * each block of 64 KiB, or for a single byte. The first byte that it reads says which.
 *
 * <pre>
 * listen               answers with the port
 * connect PORT
 * roundTrip            answers with the median time of a byte there and back, in nanoseconds
 * send MILLIS          sends for that long; answers with bytes, and nanoseconds until all were there
 * congestionControl    answers with what the kernel has
 * </pre>
 */
final class ProbeProcess implements CommandLoop.Commands {
  private static final byte SINGLE = 1;
  private static final byte BLOCK = 2;
  private static final int BLOCK_BYTES = 64 << 10;

  /** So many blocks may be in flight: more than any of the networks holds. */
  private static final int WINDOW = 1024;

  private static final int ROUND_TRIPS = 200;
  private static final long MILLION = 1_000_000;

  private @Nullable SocketChannel connected;

  private ProbeProcess() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    new CommandLoop().serve(new ProbeProcess());
  }

  @Override
  public String[] run(String[] words) throws Exception {
    switch (words[0]) {
      case "listen" -> {
        return new String[] {Integer.toString(listen())};
      }
      case "connect" -> {
        SocketChannel channel =
            SocketChannel.open(
                new InetSocketAddress(
                    System.getProperty(JvmHosts.CONNECT_TO), Integer.parseInt(words[1])));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        connected = channel;
        return new String[0];
      }
      case "roundTrip" -> {
        return new String[] {Long.toString(roundTrip(channel()))};
      }
      case "send" -> {
        return send(channel(), Long.parseLong(words[1]) * MILLION);
      }
      case "congestionControl" -> {
        return new String[] {Environment.congestionControl()};
      }
      default -> throw new IllegalArgumentException("unknown command (command=" + words[0] + ")");
    }
  }

  private SocketChannel channel() {
    SocketChannel channel = connected;
    if (channel == null) {
      throw new IllegalStateException("not connected");
    }
    return channel;
  }

  private static int listen() throws IOException {
    ServerSocketChannel server =
        ServerSocketChannel.open()
            .bind(new InetSocketAddress(System.getProperty(JvmHosts.LISTEN_ON), 0));
    DaemonThread.start(
        "acknowledge",
        () -> {
          try (SocketChannel channel = server.accept()) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            acknowledge(channel);
          }
        });
    return ((InetSocketAddress) server.getLocalAddress()).getPort();
  }

  private static void acknowledge(SocketChannel channel) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    ByteBuffer one = ByteBuffer.allocateDirect(1);
    while (true) {
      readFully(channel, block.clear().limit(1));
      if (block.get(0) == BLOCK) {
        readFully(channel, block.limit(BLOCK_BYTES));
      }
      channel.write(one.clear());
    }
  }

  private static long roundTrip(SocketChannel channel) throws IOException {
    ByteBuffer one = ByteBuffer.allocateDirect(1);
    long[] nanos = new long[ROUND_TRIPS];
    for (int i = 0; i < nanos.length; i++) {
      long begin = System.nanoTime();
      channel.write(one.clear().put(0, SINGLE));
      readFully(channel, one.clear());
      nanos[i] = System.nanoTime() - begin;
    }
    Arrays.sort(nanos);
    return nanos[nanos.length / 2];
  }

  private static String[] send(SocketChannel channel, long forNanos) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES).put(0, BLOCK);
    ByteBuffer acknowledgements = ByteBuffer.allocateDirect(WINDOW);
    long begin = System.nanoTime();
    long sent = 0;
    long acknowledged = 0;
    while (System.nanoTime() - begin < forNanos) {
      block.clear();
      while (block.hasRemaining()) {
        channel.write(block);
      }
      sent++;
      if (sent - acknowledged == WINDOW) {
        acknowledged += readSome(channel, acknowledgements.clear());
      }
    }
    while (acknowledged < sent) {
      acknowledged += readSome(channel, acknowledgements.clear());
    }
    return new String[] {
      Long.toString(sent * BLOCK_BYTES), Long.toString(System.nanoTime() - begin)
    };
  }

  private static void readFully(SocketChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      readSome(channel, bytes);
    }
  }

  private static int readSome(SocketChannel channel, ByteBuffer bytes) throws IOException {
    int read = channel.read(bytes);
    if (read < 0) {
      throw new EOFException("the other end closed the connection");
    }
    return read;
  }
}
