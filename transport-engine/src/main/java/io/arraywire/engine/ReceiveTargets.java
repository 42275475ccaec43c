package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryKind;

/** Puts an arriving array where a receive wants it. With the connection's lock. */
final class ReceiveTargets {
  private ReceiveTargets() {}

  /** The array begins where the receive wants it. */
  static void begin(InboundScope scope, InboundArray array, PendingReceive receive, Codec codec) {
    ArraySlice target = receive.target;
    if (target != null) {
      array.into(codec, target);
    } else if (receive.kind == PendingReceive.Kind.LEASE && codec.encoding().hasPlainElements()) {
      array.into(
          new PooledSink(
              scope.context().pool(),
              MemoryKind.DIRECT,
              array.type(),
              array.count(),
              codec.encoding().order()));
    } else {
      array.intoFreshParts(codec, scope.isPeerTrusted(), null);
    }
  }

  /**
   * The array goes on where the receive wants it. Returns false if a plug-in or memory failed that,
   * and with it the receive and the connection.
   */
  static boolean goOn(InboundScope scope, InboundArray array, PendingReceive receive) {
    try {
      ArraySlice target = receive.target;
      if (target != null) {
        array.sink.rebind(target);
      } else if (receive.kind == PendingReceive.Kind.LEASE && array.plain) {
        array.sink.rebindToPool(scope.context().pool());
      }
      return true;
    } catch (RuntimeException | Error e) {
      array.stop();
      fail(scope, array, receive, e);
      return false;
    }
  }

  /**
   * Gives the memory of a receive back to its caller; without other memory for the array to go on
   * in, the connection fails.
   */
  static void giveBack(InboundScope scope, InboundArray array) {
    try {
      array.sink.redirect();
    } catch (OutOfMemoryError e) {
      array.stop();
      scope.failLater(Failures.noMemoryFor(array.header(), e));
    }
  }

  /** A plug-in or memory has failed a receive that had an array, and with it the connection. */
  static void fail(
      InboundScope scope, InboundArray array, PendingReceive receive, Throwable thrown) {
    Throwable told = thrown;
    try {
      ArraywireException failed =
          thrown instanceof OutOfMemoryError memory
              ? Failures.noMemoryFor(array.header(), memory)
              : Failures.ofBug(thrown);
      told = failed;
      scope.failLater(failed);
    } finally {
      // Whatever else fails: the receive is in no list any more.
      receive.result.completeExceptionally(told);
    }
  }
}
