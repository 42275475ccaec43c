package io.arraywire.examples.cli;

import io.arraywire.examples.file.ArrayFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * The SHA-256 of the elements of a file as they lie in a little-endian one, so that it is the same
 * at both ends. {@code send --verify} tells it, and {@code receive} compares it with the file that
 * it has written.
 */
final class ElementDigest {
  /** The key of the metadata. */
  static final String KEY = "sha256";

  private static final int WINDOW_BYTES = 1 << 20;

  /**
   * Digests compute for seconds. Handlers may run on virtual threads, which leave their processor
   * only of their own accord. On two processors, two of them would hold up all others.
   */
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "arraywire-digest");
        thread.setDaemon(true);
        return thread;
      });

  private ElementDigest() {}

  /** Of a file that is to be sent. */
  static String of(ArrayFile file) throws IOException {
    return of(file, file.header().count());
  }

  /** Of so many elements from the first, of a file that is to be sent. */
  static String of(ArrayFile file, long elements) throws IOException {
    try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.READ)) {
      return of(
          channel,
          file.position(),
          elements * file.type().bytes(),
          file.order() == ByteOrder.BIG_ENDIAN ? file.type().bytes() : 1,
          file.type() == io.arraywire.ElementType.BOOLEAN);
    }
  }

  /**
   * Of so many bytes of a file.
   *
   * @param swapped of how many bytes an element is that has to be turned round; 1 for none
   * @param booleans whether each byte that is not 0 counts as 1, as it does on the wire
   */
  static String of(FileChannel channel, long position, long bytes, int swapped, boolean booleans)
      throws IOException {
    return of(channel, position, bytes, swapped, booleans, () -> false);
  }

  /**
   * As above, for as long as somebody wants it.
   *
   * @param unwanted whether nobody waits for it any more
   * @throws CancellationException if so
   */
  static String of(
      FileChannel channel,
      long position,
      long bytes,
      int swapped,
      boolean booleans,
      BooleanSupplier unwanted)
      throws IOException {
    AtomicBoolean left = new AtomicBoolean();
    Range range = new Range(channel, position, bytes, swapped, booleans);
    Future<String> digest =
        THREADS.submit(() -> range.digest(() -> left.get() || unwanted.getAsBoolean()));
    try {
      return digest.get();
    } catch (InterruptedException e) {
      left.set(true);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a file was read for its digest");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      } else if (e.getCause() instanceof CancellationException given) {
        throw given;
      }
      throw new IllegalStateException("the digest failed in an unforeseen way", e);
    }
  }

  /** Bytes of a file, and what is done to them before they are digested. */
  private record Range(
      FileChannel channel, long position, long bytes, int swapped, boolean booleans) {
    String digest(BooleanSupplier unwanted) throws IOException {
      MessageDigest digest = sha256();
      ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
      for (long done = 0; done < bytes; ) {
        if (unwanted.getAsBoolean()) {
          throw new CancellationException("nobody waits for the digest any more");
        }
        window.clear().limit((int) Math.min(WINDOW_BYTES, bytes - done));
        while (window.hasRemaining()) {
          if (channel.read(window, position + done + window.position()) < 0) {
            throw new IOException("the file ended while it was read; it is being changed");
          }
        }
        done += window.position();
        byte[] elements = window.array();
        int length = window.position();
        if (booleans) {
          for (int i = 0; i < length; i++) {
            elements[i] = (byte) (elements[i] == 0 ? 0 : 1);
          }
        }
        for (int i = 0; swapped > 1 && i < length; i += swapped) {
          for (int low = i, high = i + swapped - 1; low < high; low++, high--) {
            byte kept = elements[low];
            elements[low] = elements[high];
            elements[high] = kept;
          }
        }
        digest.update(elements, 0, length);
      }
      return HexFormat.of().formatHex(digest.digest());
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
