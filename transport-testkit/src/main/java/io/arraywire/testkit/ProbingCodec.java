package io.arraywire.testkit;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A codec of little-endian elements that notes the threads on which it runs, and does what a test
 * wants done there: throw, for one.
 */
final class ProbingCodec implements Codec {
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private volatile Runnable beforeEncode = () -> {};
  private volatile Runnable beforeDecode = () -> {};

  /** What to run before each piece is encoded. */
  void beforeEncode(Runnable action) {
    beforeEncode = action;
  }

  /** What to run before each piece is decoded. */
  void beforeDecode(Runnable action) {
    beforeDecode = action;
  }

  /** The threads that have encoded or decoded. */
  Set<Thread> threads() {
    return threads;
  }

  @Override
  public String name() {
    return "probing";
  }

  @Override
  public Encoding encoding() {
    return Encoding.RAW_LITTLE_ENDIAN;
  }

  @Override
  public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    threads.add(Thread.currentThread());
    beforeEncode.run();
    BulkElements.put(type, array, index, count, target, encoding().order());
  }

  @Override
  public void decode(ElementType type, ByteBuffer source, Object array, int index, int count) {
    threads.add(Thread.currentThread());
    beforeDecode.run();
    BulkElements.get(type, source, array, index, count, encoding().order());
  }
}
