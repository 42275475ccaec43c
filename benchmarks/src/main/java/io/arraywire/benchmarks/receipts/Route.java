package io.arraywire.benchmarks.receipts;

import io.arraywire.ElementType;
import io.arraywire.Transport;
import io.arraywire.TransportObserver;
import io.arraywire.TransportOptions;
import io.arraywire.nio.NioOptions;
import io.arraywire.nio.NioTransport;
import io.arraywire.spi.Codecs;
import io.arraywire.stream.StreamTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A path that elements take from one heap to another.
 *
 * @param name what it is called in the table
 * @param transports makes a transport out of options
 * @param codec the codec of both ends, or null for the transport's own choice
 * @param plain whether in plain mode
 * @param memory where the elements lie that are sent
 * @param ways the ways to send that are measured
 * @param workloads the sizes that are measured
 */
record Route(
    String name,
    Function<TransportOptions, Transport> transports,
    @Nullable String codec,
    boolean plain,
    Memory memory,
    List<Way> ways,
    List<Workload> workloads) {
  private static final int LARGEST = 16 << 20;

  /** Where elements lie. */
  enum Memory {
    ARRAY,
    DIRECT_BUFFER,
    FILE
  }

  /** Holds the largest array, so that it can be offered. */
  private static final int SEND_QUEUE_BYTES = 128 << 20;

  /**
   * Where stages complete. By default each task has a virtual thread, which is several hundred
   * bytes of the JDK's. How many stages one task completes depends on when threads run.
   */
  private static final Executor STAGES =
      Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "stages");
        thread.setDaemon(true);
        return thread;
      });

  /** Whether the kernel can copy from and to arrays on this JDK. */
  static boolean isArrayDirect() {
    return Runtime.version().feature() >= 22;
  }

  /** Those that this JDK has. */
  static List<Route> all() {
    List<Way> ways = List.of(Way.values());
    List<Workload> sizes = Workload.upTo(LARGEST);
    List<Route> all = new ArrayList<>();
    if (isArrayDirect()) {
      all.add(
          new Route(
              "nio-array-direct", NioTransport::create, null, false, Memory.ARRAY, ways, sizes));
    }
    all.add(new Route("nio-staged", Route::staging, null, false, Memory.ARRAY, ways, sizes));
    all.add(new Route("nio-plain", NioTransport::create, null, true, Memory.ARRAY, ways, sizes));
    all.add(new Route("stream", StreamTransport::create, null, false, Memory.ARRAY, ways, sizes));
    all.add(
        new Route("stream-plain", StreamTransport::create, null, true, Memory.ARRAY, ways, sizes));
    all.add(stream("buffer-view", sizes));
    all.add(stream("buffer-view-le", sizes));
    // The slower they are, the less they have to do.
    all.add(stream("object-stream", Workload.upTo(1 << 20)));
    all.add(stream("data-output-buffered", Workload.upTo(1 << 20)));
    all.add(stream("data-output", Workload.upTo(16 << 10).stream().map(Workload::slowly).toList()));
    all.add(source("nio/direct-buffer", Memory.DIRECT_BUFFER, sizes));
    all.add(source("nio/file", Memory.FILE, sizes));
    return all;
  }

  private static Route source(String name, Memory memory, List<Workload> sizes) {
    return new Route(name, NioTransport::create, null, false, memory, List.of(Way.SEND), sizes);
  }

  private static Route stream(String codec, List<Workload> sizes) {
    return new Route(
        "stream/" + codec,
        StreamTransport::create,
        codec,
        false,
        Memory.ARRAY,
        List.of(Way.SEND),
        sizes);
  }

  private static Transport staging(TransportOptions options) {
    return NioTransport.create(options, NioOptions.builder().arrayDirect(false).build());
  }

  static Route named(String name) {
    return all().stream()
        .filter(route -> route.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such path (path=" + name + ")"));
  }

  /**
   * The sizes that are measured for a way to send. Once an array is in the queue, it makes no
   * difference how it came there, so the largest are only sent in one way.
   */
  List<Workload> workloads(Way way) {
    return way == Way.SEND
        ? workloads
        : workloads.stream().filter(workload -> workload.elements() < LARGEST).toList();
  }

  /** A transport of this path. */
  Transport transport(@Nullable TransportObserver observer) {
    TransportOptions.Builder options =
        TransportOptions.builder().sendQueueBytes(SEND_QUEUE_BYTES).handlerExecutor(STAGES);
    if (codec != null) {
      options.codecs(Codecs.named(codec));
    }
    if (plain) {
      options.plain(ElementType.FLOAT);
    }
    if (observer != null) {
      options.observer(observer);
    }
    return transports.apply(options.build());
  }
}
