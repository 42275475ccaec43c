package io.arraywire.examples.soak;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.nio.NioTransport;
import io.arraywire.security.AcceptLimits;
import io.arraywire.security.Tls;
import io.arraywire.spi.MemoryPool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One side of a soak in a JVM of its own: a listener with and without TLS, or their clients. It
 * says where it listens, then answers each line of its standard input with a sample, and ends with
 * it. A third argument plants leaks.
 */
final class SoakProgram {
  /** What subscribers get. */
  static final String SUBJECT = "news";

  private static final long NEWS_NANOS = 20_000_000;
  private static final Duration SESSION = Duration.ofSeconds(5);

  private final MemoryPool pool = pool();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final AtomicLong plain = new AtomicLong();
  private final AtomicLong tls = new AtomicLong();
  private volatile boolean over;

  private SoakProgram() {}

  /**
   * Plays a side.
   *
   * @param arguments {@code listener} or {@code clients}, the folder of certificates, whether leaks
   *     are planted; for clients also the ports without and with TLS
   */
  public static void main(String... arguments) throws Exception {
    Path certificates = Path.of(arguments[1]);
    SoakProgram program = new SoakProgram();
    Transport plainOne = program.transport(null);
    Transport tlsOne = program.transport(certificates);
    if (Boolean.parseBoolean(arguments[2])) {
      PlantedLeaks.begin(program.pool);
    }
    if (arguments[0].equals("listener")) {
      say(program.listen(plainOne, program.plain) + " " + program.listen(tlsOne, program.tls));
    } else {
      long begun = System.nanoTime();
      boolean tiring = Boolean.parseBoolean(arguments[2]);
      for (boolean overTls : new boolean[] {false, true}) {
        SoakTraffic traffic =
            new SoakTraffic(
                overTls ? tlsOne : plainOne,
                loopback(Integer.parseInt(arguments[overTls ? 4 : 3])),
                overTls ? program.tls : program.plain,
                () -> tiring ? Math.pow(2, (System.nanoTime() - begun) / 15e9) : 1);
        traffic.begin();
        program.open.add(0, traffic::end);
      }
      say("begun");
    }
    program.answer();
    program.end();
    say("ended");
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private Transport transport(@Nullable Path certificates) {
    TransportOptions.Builder options =
        TransportOptions.builder()
            .memoryPool(pool)
            .acceptLimits(AcceptLimits.none())
            .sessionTimeout(SESSION)
            .heartbeatInterval(Duration.ofMillis(500))
            .heartbeatTimeout(Duration.ofMillis(1500))
            // On one host there are none unless somebody wants them, and the proxy flips bits.
            .checksums(Checksums.of(true));
    if (certificates != null) {
      options.tls(
          Tls.server(certificates.resolve("own.pem"), certificates.resolve("own.key"))
              .trust(certificates.resolve("ca.pem"))
              .requireClientCertificate());
    }
    Transport transport = NioTransport.create(options.build());
    open.add(transport);
    return transport;
  }

  /** The pool that transports have where the user gives none; its figure is not public. */
  private static MemoryPool pool() {
    try {
      Constructor<?> constructor =
          Class.forName("io.arraywire.nio.NettyMemoryPool").getDeclaredConstructor();
      constructor.setAccessible(true);
      return (MemoryPool) constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private int listen(Transport transport, AtomicLong count) throws ArraywireException {
    Listener listener =
        transport.listen(
            loopback(0),
            Handlers.ofArrays((connection, array) -> count.incrementAndGet())
                .withRequests((connection, request, reply) -> {
                  count.incrementAndGet();
                  var unused = reply.send(request.slice());
                }));
    open.add(0, listener);
    Thread publisher = new Thread(() -> publish(listener), "publisher");
    publisher.setDaemon(true);
    publisher.start();
    return ((InetSocketAddress) listener.address()).getPort();
  }

  private void publish(Listener listener) {
    ArraySlice news = ArraySlice.of(new double[512]);
    try {
      while (!over) {
        var unused = listener.publish(SUBJECT, news);
        LockSupport.parkNanos(NEWS_NANOS);
      }
    } catch (ArraywireException | InterruptedException e) {
      if (!over) {
        System.err.println("publisher: " + e);
      }
    }
  }

  /** Answers until the standard input ends. */
  private void answer() throws IOException {
    BufferedReader questions =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (questions.readLine() != null) {
      Runtime runtime = Runtime.getRuntime();
      System.gc();
      long heap = runtime.totalMemory() - runtime.freeMemory();
      say(heap + " " + pool.acquiredBytes() + " " + plain.get() + " " + tls.get());
    }
  }

  /** The pool says if memory is out that nobody gives back any more. */
  private void end() throws Exception {
    over = true;
    for (AutoCloseable each : open) {
      each.close();
    }
    pool.close();
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
