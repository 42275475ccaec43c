package io.arraywire.benchmarks.bench;

import com.google.protobuf.UnsafeByteOperations;
import io.arraywire.benchmarks.proto.Acknowledgement;
import io.arraywire.benchmarks.proto.ElementBytes;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Many connections over gRPC, each a channel of its own with one stream in both directions; direct
 * executors, because nothing here blocks the event loop. The bytes of {@link RawSelector} are the
 * {@code bytes} of messages, of which an array that is larger than {@link #MOST_BYTES} has several.
 */
record GrpcConnections() implements ConnectionsContender {
  /** As {@link GrpcForm#MOST_ELEMENTS} says. */
  private static final int MOST_BYTES = GrpcForm.MOST_ELEMENTS * Float.BYTES;

  private static final String SERVICE = "arraywire.benchmarks.Connections";

  private static final MethodDescriptor<ElementBytes, Acknowledgement> METHOD =
      MethodDescriptor.<ElementBytes, Acknowledgement>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Move"))
          .setRequestMarshaller(ProtoUtils.marshaller(ElementBytes.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(Acknowledgement.getDefaultInstance()))
          .build();

  @Override
  public String name() {
    return "grpc-bytes";
  }

  @Override
  public String summary() {
    return "gRPC, bytes, a channel and a stream for each connection";
  }

  @Override
  public long garbageBytes() {
    return PeerContenders.GARBAGE_BYTES;
  }

  @Override
  public Receiver listen(Targets targets) throws IOException {
    Server server =
        NettyServerBuilder.forAddress(Loopback.TCP.free())
            .directExecutor()
            .addService(
                ServerServiceDefinition.builder(SERVICE)
                    .addMethod(METHOD, new Taking(targets))
                    .build())
            .build()
            .start();
    return Receiver.of(server.getPort(), server::shutdownNow);
  }

  @Override
  public Sender connect(int port, float[][] sources) {
    List<Sending> connections = new ArrayList<>();
    for (int i = 0; i < sources.length; i++) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress(Loopback.TCP.numbered(port))
              .usePlaintext()
              .directExecutor()
              .build();
      Sending sending =
          new Sending(
              i,
              new OutgoingArray(sources[i]),
              channel,
              channel.newCall(METHOD, CallOptions.DEFAULT));
      sending.start();
      connections.add(sending);
    }
    return new Sender() {
      @Override
      public void run(int count, ClosedLoops loops) throws Exception {
        List<CompletableFuture<@Nullable Void>> ends = new ArrayList<>();
        for (Sending each : connections) {
          ends.add(each.run(count, loops));
        }
        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).get();
      }

      @Override
      public void close() {
        connections.forEach(Sending::close);
      }
    };
  }

  /** The server's side of the calls, each on the event loop of its connection. */
  private record Taking(Targets targets)
      implements ServerCallHandler<ElementBytes, Acknowledgement> {
    private static final Acknowledgement ONE = Acknowledgement.newBuilder().setArrays(1).build();

    @Override
    public ServerCall.Listener<ElementBytes> startCall(
        ServerCall<ElementBytes, Acknowledgement> call, Metadata headers) {
      IncomingArray incoming = new IncomingArray(targets.next());
      call.sendHeaders(new Metadata());
      call.request(1);
      return new ServerCall.Listener<>() {
        @Override
        public void onMessage(ElementBytes message) {
          ByteBuffer bytes = message.getElements().asReadOnlyByteBuffer();
          if (incoming.takeMore(bytes.order(ByteOrder.LITTLE_ENDIAN))) {
            targets.arrived();
            call.sendMessage(ONE);
          }
          call.request(1);
        }
      };
    }
  }

  /** Sends the arrays of a connection, one when the one before is acknowledged. */
  private static final class Sending extends ClientCall.Listener<Acknowledgement> {
    private final int number;
    private final OutgoingArray outgoing;
    private final ManagedChannel channel;
    private final ClientCall<ElementBytes, Acknowledgement> call;
    private volatile @Nullable Work work;

    /** What goes on until all loops end. */
    private record Work(int count, ClosedLoops loops, CompletableFuture<@Nullable Void> end) {}

    Sending(
        int number,
        OutgoingArray outgoing,
        ManagedChannel channel,
        ClientCall<ElementBytes, Acknowledgement> call) {
      this.number = number;
      this.outgoing = outgoing;
      this.channel = channel;
      this.call = call;
    }

    void start() {
      call.start(this, new Metadata());
      call.request(1);
    }

    CompletableFuture<@Nullable Void> run(int count, ClosedLoops loops) {
      CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
      Work begun = new Work(count, loops, end);
      work = begun;
      send(begun);
      return end;
    }

    private void send(Work begun) {
      begun.loops().begins(number);
      outgoing.begin(begun.count());
      while (outgoing.hasRemaining()) {
        byte[] some = new byte[Math.min(outgoing.left(), MOST_BYTES)];
        ByteBuffer bytes = ByteBuffer.wrap(some).order(ByteOrder.LITTLE_ENDIAN);
        outgoing.stage(bytes);
        outgoing.wrote(bytes.remaining());
        call.sendMessage(
            ElementBytes.newBuilder()
                .setElements(UnsafeByteOperations.unsafeWrap(some, 0, bytes.limit()))
                .build());
      }
    }

    @Override
    public void onMessage(Acknowledgement message) {
      call.request(1);
      Work begun = work;
      if (begun == null) {
        throw new IllegalStateException("an acknowledgement of no array");
      }
      if (begun.loops().acknowledged(number)) {
        send(begun);
      } else {
        work = null;
        begun.end().complete(null);
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      Work begun = work;
      if (begun != null) {
        begun.end().completeExceptionally(status.asException());
      }
    }

    void close() {
      call.cancel("closed", null);
      channel.shutdownNow();
    }
  }
}
