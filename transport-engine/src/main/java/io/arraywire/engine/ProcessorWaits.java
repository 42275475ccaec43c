package io.arraywire.engine;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long the calling thread was ready to run and had no processor. A call that seems to take long
 * may only have lost its processor to another thread, which says nothing about the call. Linux
 * counts that time for each thread; elsewhere it is 0.
 *
 * <p>A thread has to {@link #begin} first. Others are not measured.
 */
public final class ProcessorWaits {
  private static final ThreadLocal<@Nullable ProcessorWaits> OF_THREAD = new ThreadLocal<>();

  /** A count that is older than this would say too little about a call that has just begun. */
  private static final long FRESH = TimeUnit.MILLISECONDS.toNanos(1);

  /** Three numbers of at most 20 digits: CPU time, time without a processor, time slices. */
  private static final int LINE = 64;

  private final String path;
  private final byte[] line = new byte[LINE];

  /** Opened when it is first wanted: most threads never make a long call. */
  private @Nullable RandomAccessFile file;

  private boolean unknown;
  private long counted;
  private long countedAt;

  ProcessorWaits(String path) {
    this.path = path;
  }

  /** Has the calling thread be measured until {@link #end}. */
  public static void begin() {
    OF_THREAD.set(new ProcessorWaits("/proc/thread-self/schedstat"));
  }

  /** Ends what {@link #begin} began. */
  public static void end() {
    ProcessorWaits own = OF_THREAD.get();
    if (own != null) {
      OF_THREAD.remove();
      own.close();
    }
  }

  /**
   * The calling thread begins some calls. This does not count anew each time, since most calls are
   * short. So what is lost up to a millisecond before may be taken for lost in the calls.
   *
   * @param now by {@link System#nanoTime()}
   */
  public static void callsBegin(long now) {
    ProcessorWaits own = OF_THREAD.get();
    if (own != null) {
      own.refresh(now);
    }
  }

  /**
   * How long the calling thread had no processor since its calls began, or since this was last
   * asked. Some system calls: to be asked only if a call seems to have taken long.
   *
   * @return nanoseconds; 0 if it is not known
   */
  public static long lost() {
    ProcessorWaits own = OF_THREAD.get();
    return own == null ? 0 : own.count();
  }

  // One thread's.

  void refresh(long now) {
    if (file != null && now - countedAt > FRESH) {
      long unused = count();
    }
  }

  long count() {
    if (unknown) {
      return 0;
    }
    boolean first = file == null;
    long before = counted;
    try {
      counted = read();
      countedAt = System.nanoTime();
    } catch (IOException | RuntimeException e) {
      // Not Linux, or a Linux that does not count, or no descriptor is left.
      unknown = true;
      close();
      return 0;
    }
    return first ? 0 : counted - before;
  }

  private long read() throws IOException {
    RandomAccessFile open = file;
    if (open == null) {
      open = new RandomAccessFile(path, "r");
      file = open;
    }
    open.seek(0);
    return second(line, open.read(line));
  }

  /** The second number of a line. */
  static long second(byte[] line, int length) throws IOException {
    int at = 0;
    while (at < length && line[at] != ' ') {
      at++;
    }
    long number = 0;
    int digits = 0;
    for (at++; at < length && line[at] >= '0' && line[at] <= '9'; at++, digits++) {
      number = 10 * number + line[at] - '0';
    }
    if (digits == 0) {
      throw new IOException("no second number (bytes=" + length + ")");
    }
    return number;
  }

  void close() {
    RandomAccessFile open = file;
    file = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        unknown = true;
      }
    }
  }
}
