package io.arraywire.nio;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds the file descriptor of a channel, which the JDK keeps to itself, without opening the JDK's
 * packages. It marks the socket by way of the channel, and looks for the mark by way of every
 * descriptor of the process.
 *
 * <p>The mark is a linger time, which every kind of stream socket has, and which matters to nobody
 * but the thread that closes the socket. Only the channel's event loop closes it, and looks here.
 */
final class Descriptors {
  private static final int SOL_SOCKET = 1;
  private static final int SO_LINGER = 13;

  /** Marks are beyond what anybody sets, and below what the JDK cuts to. */
  private static final int LEAST_MARK = 40_000;

  private static final int MOST_MARK = 65_000;

  private Descriptors() {}

  /** The descriptor, or -1 if there is not exactly one that can only be the channel's. */
  static synchronized int of(SocketChannel channel) throws IOException {
    int linger = channel.getOption(StandardSocketOptions.SO_LINGER);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(2 * ValueLayout.JAVA_INT.byteSize(), 4);
      MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
      List<Integer> found = mark(channel, all(), value, length);
      // Another socket may have that very linger time; it does not have the next one, too.
      found = mark(channel, found, value, length);
      return found.size() == 1 ? found.get(0) : -1;
    } finally {
      channel.setOption(StandardSocketOptions.SO_LINGER, linger);
    }
  }

  private static List<Integer> mark(
      SocketChannel channel, List<Integer> among, MemorySegment value, MemorySegment length)
      throws IOException {
    int mark = ThreadLocalRandom.current().nextInt(LEAST_MARK, MOST_MARK);
    channel.setOption(StandardSocketOptions.SO_LINGER, mark);
    List<Integer> marked = new ArrayList<>(1);
    for (int descriptor : among) {
      if (linger(descriptor, value, length) == mark) {
        marked.add(descriptor);
      }
    }
    return marked;
  }

  private static List<Integer> all() throws IOException {
    List<Integer> all = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path entry : entries) {
        all.add(Integer.valueOf(entry.getFileName().toString()));
      }
    }
    return all;
  }

  /** The linger time of a descriptor, -1 where there is none. */
  private static int linger(int descriptor, MemorySegment value, MemorySegment length) {
    boolean on =
        SocketOptionCalls.get(descriptor, SOL_SOCKET, SO_LINGER, value, length)
            && value.get(ValueLayout.JAVA_INT, 0) == 1;
    return on ? value.get(ValueLayout.JAVA_INT, Integer.BYTES) : -1;
  }
}
