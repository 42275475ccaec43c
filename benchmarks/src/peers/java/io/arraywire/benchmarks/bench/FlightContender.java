package io.arraywire.benchmarks.bench;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightClient.ClientStreamListener;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightGrpcUtils;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Arrow Flight, one {@code DoPut} stream of batches of a column of floats. Writes without a copy,
 * so each batch has fresh memory (the javadoc of {@code OutboundStreamListener.setUseZeroCopy});
 * reads without one, which is the default. Memory without Netty's pool and without checks of bounds
 * (apache/arrow-java, README, "Performance Tuning"). gRPC beneath is as in {@link GrpcContender}:
 * listeners run on the event loop, windows of 4 MiB, 1 MiB in the queue before a call is not ready.
 *
 * <p>Compression is that of Arrow's batches. Flight opens compressed batches by itself if {@code
 * arrow-compression} is there, but has no option to write them: {@link CompressedBatches}.
 *
 * @param compression of batches, or null for none
 */
record FlightContender(@Nullable CodecType compression) implements Contender {
  static final int WINDOW_BYTES = 4 << 20;
  private static final int QUEUE_BYTES = 1 << 20;

  /** Arrow reaches into the JDK, and leaves out checks where it is told to. */
  static final List<String> JVM_OPTIONS =
      List.of(
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "-Darrow.allocation.manager.type=Unsafe",
          "-Darrow.enable_unsafe_memory_access=true",
          "-Darrow.enable_null_check_for_get=false");

  static final Schema SCHEMA =
      new Schema(
          List.of(
              new Field(
                  "elements",
                  FieldType.notNullable(new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)),
                  null)));

  @Override
  public String name() {
    return compression == null ? "arrow-flight" : "arrow-flight-" + word(compression);
  }

  @Override
  public String summary() {
    return "Arrow Flight DoPut, batches of "
        + ((FlightBatch.ELEMENTS * Float.BYTES) >> 10)
        + " KiB"
        + (compression == null ? "" : ", " + word(compression));
  }

  /** {@code zstd}, {@code lz4}. */
  private static String word(CodecType type) {
    return type.name().toLowerCase(Locale.ROOT).replace("_frame", "");
  }

  @Override
  public boolean usual() {
    return compression == null;
  }

  @Override
  public List<String> jvmOptions() {
    return JVM_OPTIONS;
  }

  @Override
  public long garbageBytes() {
    return PeerContenders.GARBAGE_BYTES;
  }

  @Override
  public Receiver listen(float[] target) throws IOException {
    BufferAllocator allocator = new RootAllocator();
    Arrivals arrivals = new Arrivals(target);
    Consumer<NettyServerBuilder> tuning =
        builder -> builder.directExecutor().flowControlWindow(WINDOW_BYTES);
    FlightServer server =
        FlightServer.builder(
                allocator,
                Location.forGrpcInsecure(
                    ((InetSocketAddress) Loopback.TCP.free()).getHostString(), 0),
                new Taking(allocator, arrivals))
            .transportHint("grpc.builderConsumer", tuning)
            .build()
            .start();
    return arrivals.receiver(server.getPort(), server::shutdown);
  }

  @Override
  public Sender connect(int port, float[] source) throws IOException {
    BufferAllocator allocator = new RootAllocator();
    FlightClient client =
        FlightGrpcUtils.createFlightClient(
            allocator,
            NettyChannelBuilder.forAddress(Loopback.TCP.numbered(port))
                .usePlaintext()
                .directExecutor()
                .flowControlWindow(WINDOW_BYTES)
                .intercept(new LongQueue())
                .build());
    Sending sending = new Sending(client, VectorSchemaRoot.create(SCHEMA, allocator), source);
    if (compression != null) {
      CompressedBatches.write(sending.batches, sending.root, compression);
    }
    return sending;
  }

  /** A call is ready until more is in its queue. */
  private static final class LongQueue implements ClientInterceptor {
    @Override
    public <A, B> ClientCall<A, B> interceptCall(
        MethodDescriptor<A, B> method, CallOptions options, Channel next) {
      return next.newCall(method, options.withOnReadyThreshold(QUEUE_BYTES));
    }
  }

  /** The server's side of the stream. */
  private static final class Taking extends NoOpFlightProducer {
    private final BufferAllocator allocator;
    private final Arrivals arrivals;

    Taking(BufferAllocator allocator, Arrivals arrivals) {
      this.allocator = allocator;
      this.arrivals = arrivals;
    }

    @Override
    public Runnable acceptPut(
        CallContext context, FlightStream stream, StreamListener<PutResult> acks) {
      return () -> {
        try {
          while (stream.next()) {
            VectorSchemaRoot root = stream.getRoot();
            ArrowBuf elements = root.getVector(0).getDataBuffer();
            int arrays = arrivals.put(elements.nioBuffer(0, root.getRowCount() * Float.BYTES));
            if (arrays > 0) {
              try (ArrowBuf count = allocator.buffer(Integer.BYTES)) {
                count.writeInt(arrays);
                acks.onNext(PutResult.metadata(count));
              }
              arrivals.acknowledged(arrays);
            }
          }
          acks.onCompleted();
        } catch (RuntimeException e) {
          arrivals.fail(e);
          throw e;
        }
      };
    }
  }

  private record Acks(Acknowledged acknowledged) implements FlightClient.PutListener {

    @Override
    public void onNext(PutResult ack) {
      acknowledged.add(ack.getApplicationMetadata().getInt(0));
    }

    @Override
    public void onError(Throwable cause) {
      acknowledged.fail(cause);
    }

    @Override
    public void onCompleted() {
      acknowledged.fail(new IOException("the other end ended the stream"));
    }

    @Override
    public void getResult() {}
  }

  private static final class Sending extends AcknowledgedSender {
    private final FlightClient client;
    private final VectorSchemaRoot root;
    private final Departures departures;
    private final ClientStreamListener batches;

    Sending(FlightClient client, VectorSchemaRoot root, float[] source) {
      this.client = client;
      this.root = root;
      departures = new Departures(source);
      batches = client.startPut(FlightDescriptor.path("arrays"), root, new Acks(acknowledged));
      batches.setUseZeroCopy(true);
    }

    @Override
    void write(int count, int arrays) {
      departures.begin(count, arrays);
      while (departures.left() > 0) {
        int some = (int) Math.min(departures.left(), FlightBatch.ELEMENTS);
        FlightBatch.send(root, some, departures::take, batches);
      }
    }

    @Override
    public void close() throws IOException {
      try {
        root.close();
        client.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while closing", e);
      }
    }
  }
}
