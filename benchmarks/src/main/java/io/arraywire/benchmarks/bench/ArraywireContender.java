package io.arraywire.benchmarks.bench;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Listener;
import io.arraywire.OfferStatus;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.codec.AdaptiveCompression;
import io.arraywire.compression.Compression;
import io.arraywire.nio.NioOptions;
import io.arraywire.nio.NioTransport;
import io.arraywire.nio.WaitStrategy;
import io.arraywire.security.AcceptLimits;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.Transports;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * This library, as an application uses it: {@code send} with {@code PROCESSED} from an array,
 * {@code receiveInto} an array that is used again.
 *
 * @param name what it is called
 * @param summary what it does
 * @param transports makes a transport out of options
 * @param codec the codec of both ends, or null for the transport's own choice
 * @param checksums where payloads carry a checksum
 * @param where where both ends meet
 * @param type of the elements: {@code FLOAT}, or {@code INT} for the same bits in an {@code int[]}
 * @param rounding of the codec that each send names, or null where none is named
 */
record ArraywireContender(
    String name,
    String summary,
    Function<TransportOptions, Transport> transports,
    @Nullable String codec,
    Checksums checksums,
    Loopback where,
    ElementType type,
    @Nullable Rounding rounding)
    implements Contender {
  /** What an encoding may add to an array's elements. */
  private static final long MORE_THAN_ENCODED = 1 << 10;

  /** Those that show what the library does by itself, and what its choices cost. */
  static List<Contender> all() {
    List<Contender> all =
        new ArrayList<>(
            List.of(
                of("nio", "nonblocking transport, every default", NioTransport::create),
                of("nio-staged", "the same, always staging", told(it -> it.arrayDirect(false))),
                of(
                    "nio-paced",
                    "the same as the system paces it",
                    told(it -> it.unpacedLoopback(false))),
                of("nio-sealed", "the same with checksums", NioTransport::create)
                    .with(Checksums.WANTED),
                of("nio-unsealed", "the same without, between hosts too", NioTransport::create)
                    .with(Checksums.UNWANTED),
                of(
                    "nio-sleep",
                    "the same, always sleeping",
                    told(it -> it.waitStrategy(WaitStrategy::sleeping))),
                of(
                    "nio-busy",
                    "the same, always polling",
                    told(it -> it.waitStrategy(ArraywireContender::busyInTurn))),
                of("nio", "nonblocking, over a Unix domain socket", NioTransport::create)
                    .over(Loopback.UNIX),
                of("stream", "blocking transport, every default", named("stream")),
                of("stream-sealed", "the same with checksums", named("stream"))
                    .with(Checksums.WANTED),
                of("stream-unsealed", "the same without, between hosts too", named("stream"))
                    .with(Checksums.UNWANTED),
                of("nio-tls", "the same over TLS", BenchTls.over(NioTransport::create)),
                of("stream-tls", "blocking, over TLS", BenchTls.over(named("stream"))),
                of("nio", "nonblocking transport, every default", NioTransport::create).ofInts(),
                of("stream", "blocking transport, every default", named("stream")).ofInts()));
    all.addAll(compressing());
    for (Codec each : Codecs.installed()) {
      // Those in blocks compress or lose bits, and are above.
      if (each.encoding().supports(ElementType.FLOAT) && !each.encoding().isInBlocks()) {
        for (String transport : Transports.names()) {
          all.add(
              new ArraywireContender(
                  transport + "-" + each.name(),
                  transport + " transport with codec " + each.name(),
                  named(transport),
                  each.name(),
                  Checksums.ACROSS_HOSTS,
                  Loopback.TCP,
                  ElementType.FLOAT,
                  null));
        }
      }
    }
    return all;
  }

  /**
   * Those that compress, or make sure that nothing does. By itself a connection compresses between
   * hosts only.
   */
  private static List<Contender> compressing() {
    List<Contender> all = new ArrayList<>();
    for (String transport : Transports.names()) {
      all.add(
          of(
              transport + "-adaptive",
              transport + " transport that chooses whether it compresses, on one host, too",
              adaptive(transport, AdaptiveCompression.WANTED)));
      all.add(
          of(
              transport + "-uncompressed",
              transport + " transport that never compresses, between hosts neither",
              adaptive(transport, AdaptiveCompression.UNWANTED)));
      for (Codec each : List.of(Compression.shuffleLz4(), Compression.shuffleZstd())) {
        all.add(
            of(
                transport + "-" + each.name(),
                transport + " transport that compresses all with " + each.name(),
                options -> Transports.create(transport, options.toBuilder().codecs(each).build())));
      }
      for (Rounding each : Rounding.all()) {
        all.add(
            of(
                    transport + "-" + each.codec(),
                    transport + " transport whose sends name " + each.codec() + ": loses bits",
                    named(transport))
                .with(each));
      }
    }
    return all;
  }

  private static Function<TransportOptions, Transport> adaptive(
      String transport, AdaptiveCompression where) {
    return options ->
        Transports.create(transport, options.toBuilder().adaptiveCompression(where).build());
  }

  static ArraywireContender of(
      String name, String summary, Function<TransportOptions, Transport> transports) {
    return new ArraywireContender(
        name,
        summary,
        transports,
        null,
        Checksums.ACROSS_HOSTS,
        Loopback.TCP,
        ElementType.FLOAT,
        null);
  }

  private static Function<TransportOptions, Transport> named(String transport) {
    return options -> Transports.create(transport, options);
  }

  private static WaitStrategy busyInTurn() {
    WaitStrategy busy = WaitStrategy.busy();
    WaitStrategy sleeping = WaitStrategy.sleeping();
    return (loop, expecting) -> (Turn.isOurs() ? busy : sleeping).await(loop, expecting);
  }

  private static Function<TransportOptions, Transport> told(
      UnaryOperator<NioOptions.Builder> what) {
    NioOptions nioOptions = what.apply(NioOptions.builder()).build();
    return options -> NioTransport.create(options, nioOptions);
  }

  @Override
  public boolean acrossHosts() {
    return where == Loopback.TCP;
  }

  private ArraywireContender with(Checksums wanted) {
    return new ArraywireContender(name, summary, transports, codec, wanted, where, type, rounding);
  }

  private ArraywireContender over(Loopback other) {
    return new ArraywireContender(
        name + other.suffix(), summary, transports, codec, checksums, other, type, rounding);
  }

  private ArraywireContender ofInts() {
    return new ArraywireContender(
        name + "-int",
        summary + ", int[]",
        transports,
        codec,
        checksums,
        where,
        ElementType.INT,
        rounding);
  }

  private ArraywireContender with(Rounding other) {
    return new ArraywireContender(name, summary, transports, codec, checksums, where, type, other);
  }

  /** What is sent, or where it goes: the floats themselves, or an array of as many ints. */
  private Object elements(float[] floats) {
    return type == ElementType.INT ? new int[floats.length] : floats;
  }

  private static ArraySlice slice(Object elements, int count) {
    return elements instanceof int[] ints
        ? ArraySlice.of(ints, 0, count)
        : ArraySlice.of((float[]) elements, 0, count);
  }

  private Transport transport(float[] array) {
    TransportOptions.Builder options = options(array.length).checksums(checksums);
    if (codec != null) {
      options.codecs(Codecs.named(codec));
    }
    return transports.apply(options.build());
  }

  /** Defaults, but that arrays of that many elements pass, and as many connections as come. */
  static TransportOptions.Builder options(int elements) {
    long bytes = (long) elements * Float.BYTES + MORE_THAN_ENCODED;
    // A thousand connections at once are what is measured, and not an attack.
    return TransportOptions.builder()
        .acceptLimits(AcceptLimits.none())
        .maxArrayBytes(Math.max(TransportOptions.defaults().maxArrayBytes(), bytes));
  }

  @Override
  public Receiver listen(float[] target) throws Exception {
    Transport transport = transport(target);
    return new Receiving(transport, transport.listen(where.free()), target, elements(target));
  }

  @Override
  public Sender connect(int port, float[] source) throws Exception {
    Transport transport = transport(source);
    Object elements = elements(source);
    if (elements instanceof int[] ints) {
      Elements.toBits(source, ints);
    }
    return new Sending(transport, transport.connect(where.numbered(port)), elements, rounding);
  }

  private final class Receiving implements Receiver {
    private final Transport transport;
    private final Listener listener;
    private final float[] target;

    /** The target, or ints whose bits the target gets at the end. */
    private final Object elements;

    private @Nullable Connection connection;

    Receiving(Transport transport, Listener listener, float[] target, Object elements) {
      this.transport = transport;
      this.listener = listener;
      this.target = target;
      this.elements = elements;
    }

    @Override
    public int port() throws Exception {
      return where.number(listener.address());
    }

    @Override
    public void serve(int count, Tally tally) throws Exception {
      Connection peer = connection;
      if (peer == null) {
        peer = listener.accept();
        where.met(listener.address());
        connection = peer;
      }
      ArraySlice slice = slice(elements, count);
      ArrayInfo note = new ArrayInfo();
      do {
        peer.receiveInto(slice, note);
      } while (tally.add(1));
      if (elements instanceof int[] ints) {
        Elements.fromBits(ints, target, count);
      }
    }

    @Override
    public void close() throws IOException {
      if (connection != null) {
        connection.closeNow();
      }
      transport.close();
    }
  }

  private static final class Sending implements Sender {
    private final Transport transport;
    private final Connection connection;
    private final Object elements;
    private final SendOptions processed;
    private final SendOptions handedOff;

    Sending(
        Transport transport, Connection connection, Object elements, @Nullable Rounding rounding) {
      this.transport = transport;
      this.connection = connection;
      this.elements = elements;
      processed = naming(SendOptions.processed(), rounding);
      handedOff = naming(SendOptions.handedOff(), rounding);
    }

    private static SendOptions naming(SendOptions options, @Nullable Rounding rounding) {
      return rounding == null ? options : options.codec(rounding.codec());
    }

    @Override
    public void send(int count) throws Exception {
      connection.send(slice(elements, count), processed);
    }

    @Override
    public long stream(int count, int window, BooleanSupplier more) throws Exception {
      ArraySlice slice = slice(elements, count);
      // Half a window at a time, as the contenders without a library do. Arrays of a channel are
      // acknowledged in order, so that of the last is that of all.
      int batch = Math.max(1, window / 2);
      CompletableFuture<?> before = CompletableFuture.completedFuture(null);
      long sent = 0;
      for (; more.getAsBoolean(); sent += batch) {
        for (int i = 1; i < batch; i++) {
          if (connection.offer(slice, handedOff) != OfferStatus.ACCEPTED) {
            // Waits for room; fails if that is not why.
            connection.send(slice, processed);
          }
        }
        CompletableFuture<?> last = connection.sendAsync(slice, processed).toCompletableFuture();
        before.join();
        before = last;
      }
      before.join();
      return sent;
    }

    @Override
    public void close() throws IOException {
      connection.closeNow();
      transport.close();
    }
  }
}
