package io.arraywire.benchmarks.bench;

import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Arrow Flight with pyarrow at the other end: one {@code DoExchange} stream, in which both write
 * batches of a column of floats. Memory, windows and batches are as in {@link FlightContender}.
 */
record FlightMirror() implements PythonContender {
  @Override
  public String name() {
    return "arrow-flight";
  }

  @Override
  public String summary() {
    return "Arrow Flight: pyarrow and Java, a DoExchange stream, batches of up to "
        + ((FlightBatch.ELEMENTS * Float.BYTES) >> 10)
        + " KiB";
  }

  @Override
  public List<PythonModule> modules() {
    return List.of(new PythonModule("pyarrow.flight", "pyarrow"));
  }

  @Override
  public List<String> jvmOptions() {
    return FlightContender.JVM_OPTIONS;
  }

  @Override
  public long garbageBytes() {
    return PeerContenders.GARBAGE_BYTES;
  }

  @Override
  public String listen(Mirror mirror) throws IOException {
    BufferAllocator allocator = new RootAllocator();
    Consumer<NettyServerBuilder> tuning =
        builder -> builder.directExecutor().flowControlWindow(FlightContender.WINDOW_BYTES);
    FlightServer server =
        FlightServer.builder(
                allocator,
                Location.forGrpcInsecure(
                    ((InetSocketAddress) Loopback.TCP.free()).getHostString(), 0),
                new Mirroring(allocator, mirror))
            .transportHint("grpc.builderConsumer", tuning)
            .build()
            .start();
    return Integer.toString(server.getPort());
  }

  /** The server's side of the stream. */
  private static final class Mirroring extends NoOpFlightProducer {
    private final BufferAllocator allocator;
    private final Mirror mirror;

    Mirroring(BufferAllocator allocator, Mirror mirror) {
      this.allocator = allocator;
      this.mirror = mirror;
    }

    @Override
    public void doExchange(CallContext context, FlightStream reader, ServerStreamListener writer) {
      writer.setUseZeroCopy(true);
      try (VectorSchemaRoot out = VectorSchemaRoot.create(FlightContender.SCHEMA, allocator)) {
        writer.start(out);
        while (reader.next()) {
          VectorSchemaRoot root = reader.getRoot();
          ArrowBuf elements = root.getVector(0).getDataBuffer();
          if (mirror.put(elements.nioBuffer(0, root.getRowCount() * Float.BYTES))) {
            send(out, writer);
          }
        }
        writer.completed();
      }
    }

    private void send(VectorSchemaRoot out, ServerStreamListener writer) {
      mirror.turn();
      while (mirror.left() > 0) {
        FlightBatch.send(out, Math.min(mirror.left(), FlightBatch.ELEMENTS), mirror::take, writer);
      }
    }
  }
}
