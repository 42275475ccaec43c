package io.arraywire.benchmarks.bench;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
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
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Requests over gRPC, on its own Netty: elements as {@code bytes}, direct executors, because
 * nothing here blocks the event loop, and a timer for slow answers. Either a call for each request,
 * which is how most use it, or a stream in both directions for each thread that asks, which spares
 * the set-up of calls (grpc.io/docs/guides/performance, "Use streaming RPCs").
 *
 * @param streaming whether a call has many requests
 */
record GrpcAnswers(boolean streaming) implements AnswersContender {
  private static final String SERVICE = "arraywire.benchmarks.Answers";

  private static final MethodDescriptor<ElementBytes, ElementBytes> STREAMING =
      MethodDescriptor.<ElementBytes, ElementBytes>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Answer"))
          .setRequestMarshaller(ProtoUtils.marshaller(ElementBytes.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(ElementBytes.getDefaultInstance()))
          .build();

  private static final MethodDescriptor<ElementBytes, ElementBytes> UNARY =
      STREAMING.toBuilder().setType(MethodDescriptor.MethodType.UNARY).build();

  private static final ScheduledExecutorService LATER =
      Executors.newSingleThreadScheduledExecutor(ConnectionThreads::daemonOfTheSystem);

  @Override
  public String name() {
    return streaming ? "grpc-stream" : "grpc-unary";
  }

  @Override
  public String summary() {
    return streaming
        ? "gRPC, bytes, a stream for each thread that asks"
        : "gRPC, bytes, a call for each request";
  }

  @Override
  public long garbageBytes() {
    return PeerContenders.GARBAGE_BYTES;
  }

  private MethodDescriptor<ElementBytes, ElementBytes> method() {
    return streaming ? STREAMING : UNARY;
  }

  private static ElementBytes message(float[] elements) {
    byte[] bytes = new byte[elements.length * Float.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(elements);
    return ElementBytes.newBuilder().setElements(UnsafeByteOperations.unsafeWrap(bytes)).build();
  }

  private static void elements(ElementBytes message, float[] elements) {
    ByteString bytes = message.getElements();
    bytes.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(elements);
  }

  @Override
  public int listen(SlowAnswers slow, int count) throws IOException {
    ServerServiceDefinition service =
        ServerServiceDefinition.builder(SERVICE)
            .addMethod(method(), new Answering(slow, count))
            .build();
    Server server =
        NettyServerBuilder.forAddress(Loopback.TCP.free())
            .directExecutor()
            .addService(service)
            .build()
            .start();
    return server.getPort();
  }

  @Override
  public Client connect(int port, int count) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(Loopback.TCP.numbered(port))
            .usePlaintext()
            .directExecutor()
            .build();
    return streaming ? new Streams(channel) : new Calls(channel);
  }

  /** The server's side of a call. Calls of a connection have its event loop in common. */
  private record Answering(SlowAnswers slow, int count)
      implements ServerCallHandler<ElementBytes, ElementBytes> {

    @Override
    public ServerCall.Listener<ElementBytes> startCall(
        ServerCall<ElementBytes, ElementBytes> call, Metadata headers) {
      float[] array = new float[count];
      boolean once = call.getMethodDescriptor().getType() == MethodDescriptor.MethodType.UNARY;
      call.sendHeaders(new Metadata());
      // Two in a unary call, as gRPC's own stubs request, to notice a second message.
      call.request(once ? 2 : 1);
      return new ServerCall.Listener<>() {
        @Override
        public void onMessage(ElementBytes message) {
          elements(message, array);
          if (!once) {
            answer();
          }
        }

        @Override
        public void onHalfClose() {
          if (once) {
            answer();
          }
        }

        private void answer() {
          ElementBytes answer = GrpcAnswers.message(array);
          if (slow.isSlow(AnswersContender.number(array[0]))) {
            var unused =
                LATER.schedule(
                    () -> answer(answer), slow.delay().toMillis(), TimeUnit.MILLISECONDS);
          } else {
            answer(answer);
          }
        }

        private void answer(ElementBytes answer) {
          call.sendMessage(answer);
          if (once) {
            call.close(Status.OK, new Metadata());
          } else {
            call.request(1);
          }
        }
      };
    }
  }

  /** A call for each request. */
  private record Calls(ManagedChannel channel) implements Client {
    @Override
    public void request(float[] request, float[] answer) throws IOException {
      OpenRequest waiting = new OpenRequest(answer);
      ClientCall<ElementBytes, ElementBytes> call = channel.newCall(UNARY, CallOptions.DEFAULT);
      call.start(
          new ClientCall.Listener<>() {
            @Override
            public void onMessage(ElementBytes message) {
              elements(message, answer);
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
              if (status.isOk()) {
                waiting.answered();
              } else {
                waiting.fail(status.asException());
              }
            }
          },
          new Metadata());
      // Two, as gRPC's own stubs request, to notice a second answer.
      call.request(2);
      call.sendMessage(message(request));
      call.halfClose();
      waiting.await();
    }

    @Override
    public void close() {
      channel.shutdownNow();
    }
  }

  /** Streams over one connection, which threads take and give back. */
  private static final class Streams implements Client {
    private final ManagedChannel channel;
    private final ConcurrentLinkedDeque<Stream> idle = new ConcurrentLinkedDeque<>();

    Streams(ManagedChannel channel) {
      this.channel = channel;
    }

    @Override
    public void request(float[] request, float[] answer) throws IOException {
      Stream stream = idle.pollFirst();
      if (stream == null) {
        stream = new Stream(channel.newCall(STREAMING, CallOptions.DEFAULT));
        stream.start();
      }
      stream.request(request, answer);
      idle.addFirst(stream);
    }

    @Override
    public void close() {
      channel.shutdownNow();
    }
  }

  /** One of them, for one request at a time. */
  private static final class Stream extends ClientCall.Listener<ElementBytes> {
    private final ClientCall<ElementBytes, ElementBytes> call;
    private volatile @Nullable OpenRequest open;
    private volatile @Nullable Throwable failure;

    Stream(ClientCall<ElementBytes, ElementBytes> call) {
      this.call = call;
    }

    void start() {
      call.start(this, new Metadata());
      call.request(1);
    }

    void request(float[] request, float[] answer) throws IOException {
      OpenRequest waiting = new OpenRequest(answer);
      open = waiting;
      Throwable failed = failure;
      if (failed != null) {
        waiting.fail(failed);
      } else {
        call.sendMessage(message(request));
      }
      waiting.await();
    }

    @Override
    public void onMessage(ElementBytes message) {
      OpenRequest waiting = open;
      if (waiting == null) {
        throw new IllegalStateException("an answer to no request");
      }
      elements(message, waiting.answer());
      call.request(1);
      waiting.answered();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      Throwable cause = status.asException();
      failure = cause;
      OpenRequest waiting = open;
      if (waiting != null) {
        waiting.fail(cause);
      }
    }
  }
}
