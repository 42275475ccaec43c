package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.LeasedArray;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A sink whose elements may go to another one from some time on. */
abstract class MovableSink extends Sink {
  /** The pool's or the user's sink that elements go to since it was named, if one was. */
  volatile @Nullable Sink elsewhere;

  @Override
  synchronized @Nullable ByteBuffer space(long atMost) {
    return elsewhere == null ? null : elsewhere.space(atMost);
  }

  @Override
  synchronized boolean isPooled() {
    return elsewhere != null && elsewhere.isPooled();
  }

  @Override
  synchronized void advance(int bytes) {
    if (elsewhere == null) {
      super.advance(bytes);
    } else {
      elsewhere.advance(bytes);
    }
  }

  @Override
  void stop() {
    Sink moved = elsewhere;
    if (moved instanceof WritingSink) {
      // Not behind the reading thread, which may wait for a disk.
      moved.stop();
    } else {
      stopNow();
    }
  }

  /** The same, when nobody puts anything into it. */
  synchronized void stopNow() {
    if (elsewhere != null) {
      elsewhere.stop();
    }
  }

  @Override
  @Nullable ArraywireException refusal() {
    return elsewhere == null ? null : elsewhere.refusal();
  }

  @Override
  long pooledBytes() {
    return elsewhere == null ? 0 : elsewhere.pooledBytes();
  }

  @Override
  LeasedArray lease(LeaseFacts facts) {
    return elsewhere == null ? super.lease(facts) : elsewhere.lease(facts);
  }
}
