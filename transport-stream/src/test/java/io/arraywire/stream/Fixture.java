package io.arraywire.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.spi.TrackingMemoryPool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** Transports whose memory and threads are accounted for: {@link #close} fails if any are left. */
final class Fixture implements AutoCloseable {
  /** What carries the bytes, and what kind of threads. */
  enum Kind {
    TCP,
    TCP_PLATFORM_THREADS,
    UNIX,
    UNIX_PLATFORM_THREADS;

    boolean isUnix() {
      return this == UNIX || this == UNIX_PLATFORM_THREADS;
    }

    Threads threads() {
      return this == TCP || this == UNIX ? Threads.best() : Threads.platform();
    }
  }

  private final Kind kind;
  private final TrackingMemoryPool pool = TrackingMemoryPool.around(HeapMemoryPool.create());
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final List<Transport> transports = new ArrayList<>();
  private final List<Path> directories = new ArrayList<>();

  Fixture(Kind kind) {
    this.kind = kind;
  }

  Transport transport() {
    return transport(options -> options);
  }

  Transport transport(UnaryOperator<TransportOptions.Builder> options) {
    return transport(options, Sockets.system(), kind.threads());
  }

  Transport transport(
      UnaryOperator<TransportOptions.Builder> options, Sockets sockets, Threads source) {
    TransportOptions built = options.apply(TransportOptions.builder().memoryPool(pool)).build();
    Transport transport = new BlockingTransport(built, sockets, remembered(source));
    transports.add(transport);
    return transport;
  }

  private Threads remembered(Threads source) {
    return (name, task) -> {
      Thread thread = source.unstarted(name, task);
      threads.add(thread);
      return thread;
    };
  }

  /** An address that nobody has. */
  SocketAddress anyAddress() throws IOException {
    if (kind.isUnix()) {
      Path directory = Files.createTempDirectory("aw");
      directories.add(directory);
      return UnixDomainSocketAddress.of(directory.resolve("s"));
    }
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /** Two ends of a connection. */
  Pair pair() throws Exception {
    return pair(transport());
  }

  Pair pair(Transport transport) throws Exception {
    return pair(transport, transport);
  }

  Pair pair(Transport connecting, Transport listening) throws Exception {
    try (Listener listener = listening.listen(anyAddress())) {
      Connection out = connecting.connect(listener.address());
      return new Pair(out, listener.accept());
    }
  }

  record Pair(Connection out, Connection in) {}

  long acquiredBytes() {
    return pool.acquiredBytes();
  }

  /** Fails until connections hold no memory. */
  void awaitIdle() {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(pool.acquiredBytes()).as(pool::leaks).isZero());
  }

  /** The reading and writing threads that are alive. */
  List<Thread> alive() {
    return threads.stream().filter(Thread::isAlive).toList();
  }

  @Override
  public void close() throws IOException {
    transports.forEach(Transport::close);
    // Throws with the place of every acquisition that was not given back.
    pool.close();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(alive()).as("threads left").isEmpty());
    for (Path directory : directories) {
      // Fails if the file of a socket is left in it.
      Files.delete(directory);
    }
  }
}
