package io.arraywire.testkit;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.memory.CopyingLayer;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.memory.MemoryOptions;
import io.arraywire.memory.Portions;
import io.arraywire.security.Tls;
import java.net.SocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * TLS without sockets: which peers are let in, and all else that the contract says, in every
 * portion.
 */
@Tag("ci")
@Tag("ciphers")
class InMemoryTlsTest {
  private static final long SEED = 20261126;

  private static @Nullable Tls mutual;
  private static @Nullable Tls old;

  @BeforeAll
  static void issue(@TempDir Path folder) {
    mutual = TestTls.mutual(folder);
    old = TestTls.old();
  }

  @Nested
  class WhoIsLetIn extends TlsContract {
    @Override
    protected Transport create(TransportOptions options) {
      return InMemoryTransport.create(options);
    }

    @Override
    protected SocketAddress address() {
      return MemoryAddress.free();
    }
  }

  abstract static class Contract extends LocalTransportContract {
    MemoryOptions memory() {
      return MemoryOptions.defaults();
    }

    @Nullable Tls tls() {
      return mutual;
    }

    TransportOptions encrypted(TransportOptions options) {
      return options.toBuilder().tls(tls()).build();
    }

    @Override
    protected Transport create(TransportOptions options) {
      return InMemoryTransport.create(encrypted(options), memory());
    }

    @Override
    protected SocketAddress address() {
      return MemoryAddress.free();
    }

    /** A batch, the pipe and a window, and what TLS stages at either side. */
    @Override
    public long mostBytesOnTheWay() {
      return (512 << 10) + memory().pipeBytes() + (64 << 10) + (256 << 10) + (128 << 10);
    }
  }

  @Nested
  @Tag("newest")
  class AtOnce extends Contract {}

  @Nested
  @Tag("variant")
  class InOldVersion extends Contract {
    @Override
    @Nullable Tls tls() {
      return old;
    }
  }

  /** The layer is beneath TLS: it splits and holds back records. */
  @Nested
  @Tag("variant")
  class ThroughALayer extends Contract {
    @Override
    protected Transport create(TransportOptions options) {
      return InMemoryTransport.create(encrypted(options), memory(), CopyingLayer.of(SEED));
    }

    @Override
    public long mostBytesOnTheWay() {
      return super.mostBytesOnTheWay() + 4 * (64 << 10);
    }
  }

  @Nested
  @Tag("variant")
  class InRandomPortions extends Contract {
    @Override
    MemoryOptions memory() {
      return MemoryOptions.defaults().portions(Portions.random(7)).threads(2);
    }
  }
}
