package io.arraywire.testkit;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.memory.CopyingLayer;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.memory.MemoryOptions;
import io.arraywire.memory.Portions;
import java.net.SocketAddress;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The in-memory transport under what of the contract needs no sockets: with bytes that come at
 * once, on two threads, and in random portions.
 */
class InMemoryTransportTest {

  abstract static class Contract extends LocalTransportContract {
    abstract MemoryOptions memory();

    @Override
    protected Transport create(TransportOptions options) {
      return InMemoryTransport.create(options, memory());
    }

    @Override
    protected SocketAddress address() {
      return MemoryAddress.free();
    }

    /** Nothing else is between two ends: a batch of 512 KiB, the pipe, a window of 64 KiB. */
    @Override
    public long mostBytesOnTheWay() {
      return (512 << 10) + memory().pipeBytes() + (64 << 10);
    }
  }

  /** Likewise on one thread, where nothing but the layer's copies differs. */
  @Nested
  @Tag("variant")
  class AtOnce extends Contract {
    @Override
    MemoryOptions memory() {
      return MemoryOptions.defaults();
    }
  }

  /** Portions at random find more of what two threads do to each other. */
  @Nested
  @Tag("variant")
  class OnTwoThreads extends Contract {
    @Override
    MemoryOptions memory() {
      return MemoryOptions.defaults().threads(2);
    }
  }

  /** On one thread, which a layer must not keep from writing. */
  @Nested
  @Tag("newest")
  class ThroughALayer extends Contract {
    @Override
    protected Transport create(TransportOptions options) {
      return InMemoryTransport.create(options, memory(), CopyingLayer.of(20261125));
    }

    @Override
    MemoryOptions memory() {
      return MemoryOptions.defaults();
    }

    /** The layer holds a window and a piece besides, at either side. */
    @Override
    public long mostBytesOnTheWay() {
      return super.mostBytesOnTheWay() + 4 * (64 << 10);
    }
  }

  @Nested
  @Tag("newest")
  class InRandomPortions extends Contract {
    @Override
    MemoryOptions memory() {
      return MemoryOptions.defaults().portions(Portions.random(7)).threads(2);
    }
  }
}
