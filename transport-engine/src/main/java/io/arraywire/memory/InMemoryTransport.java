package io.arraywire.memory;

import io.arraywire.TransportOptions;
import io.arraywire.codec.RawCodec;
import io.arraywire.engine.Acceptor;
import io.arraywire.engine.Engine;
import io.arraywire.engine.EngineConnection;
import io.arraywire.engine.EngineTransport;
import io.arraywire.engine.Opening;
import io.arraywire.engine.WireLayer;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A transport without sockets: connections through memory, between {@linkplain MemoryAddress names}
 * in this JVM. For tests of programs that use Arraywire, and for tests of Arraywire. Bytes can be
 * made to move in any portions and through pipes of any size.
 *
 * <p>Everything else is as with every other transport. Codecs of raw elements come with it, for
 * users that choose none. Any thread may call any method.
 */
public final class InMemoryTransport extends EngineTransport {
  private static final String NAME = "memory";

  private final MemoryOptions memory;

  private InMemoryTransport(
      TransportOptions options, MemoryOptions memory, @Nullable WireLayer layer) {
    super(engine(options).layered(layer), options.memoryPool() == null);
    this.memory = memory;
  }

  private static Engine engine(TransportOptions options) {
    List<Codec> codecs =
        List.of(
            RawCodec.of("memory-le", ByteOrder.LITTLE_ENDIAN, CodecTraits.DIRECT),
            RawCodec.of("memory-be", ByteOrder.BIG_ENDIAN, CodecTraits.DIRECT));
    return Engine.withCodecs(NAME, options, codecs, 0);
  }

  /**
   * Makes a transport.
   *
   * @param options its options
   * @return the transport, to be closed by the caller
   */
  public static InMemoryTransport create(TransportOptions options) {
    return create(options, MemoryOptions.defaults());
  }

  /**
   * Makes a transport.
   *
   * @param options its options
   * @param memory how it moves bytes
   * @return the transport, to be closed by the caller
   */
  public static InMemoryTransport create(TransportOptions options, MemoryOptions memory) {
    return new InMemoryTransport(options, memory, null);
  }

  /**
   * Makes a transport whose connections pass their bytes through a layer, such as TLS.
   *
   * @param options its options
   * @param memory how it moves bytes
   * @param layer what every connection passes through, at this side
   * @return the transport, to be closed by the caller
   */
  public static InMemoryTransport create(
      TransportOptions options, MemoryOptions memory, WireLayer layer) {
    return new InMemoryTransport(options, memory, layer);
  }

  @Override
  protected List<Class<? extends SocketAddress>> addressTypes() {
    return List.of(MemoryAddress.class);
  }

  @Override
  protected Runnable dial(
      SocketAddress address, Opening opening, CompletableFuture<EngineConnection> connected)
      throws ConnectException {
    connected.complete(
        begin(MemoryNetwork.connect((MemoryAddress) address, memory.pipeBytes()), opening));
    return () -> {};
  }

  @Override
  protected Acceptor bind(SocketAddress address) {
    return new MemoryAcceptor(this, (MemoryAddress) address);
  }

  /** Begins a connection on an end of its own. */
  EngineConnection begin(MemorySocket socket, Opening opening) {
    MemoryLink link = new MemoryLink(socket, engine(), opening, memory);
    link.start();
    return link.connection();
  }

  @Override
  public String toString() {
    return name() + " " + memory;
  }
}
