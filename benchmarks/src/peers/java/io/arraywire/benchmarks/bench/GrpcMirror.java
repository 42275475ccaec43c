package io.arraywire.benchmarks.bench;

import io.grpc.Drainable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * gRPC on its own Netty, with {@code grpcio} at the other end: a call for each array, which is one
 * message in each direction, without Protocol Buffers around the bytes. The limit of 4 MiB for a
 * message is lifted at both ends. The marshaller reads out of Netty's buffers and writes into those
 * of the call, so there is no {@code byte[]} of the whole array here ({@code HasByteBuffer}, {@code
 * Drainable} of io.grpc). Otherwise as in {@link GrpcContender}.
 */
record GrpcMirror() implements PythonContender {
  private static final String METHOD = "arraywire.benchmarks.Mirror/Mirror";
  private static final int CHUNK_BYTES = 64 << 10;
  private static final int WINDOW_BYTES = 4 << 20;

  @Override
  public String name() {
    return "grpc";
  }

  @Override
  public String summary() {
    return "gRPC: grpcio and grpc-java, a unary call, bytes without Protocol Buffers";
  }

  @Override
  public List<PythonModule> modules() {
    return List.of(new PythonModule("grpc", "grpcio"));
  }

  @Override
  public long garbageBytes() {
    return PeerContenders.GARBAGE_BYTES;
  }

  @Override
  public String listen(Mirror mirror) throws IOException {
    Marshaller elements = new Marshaller(mirror);
    MethodDescriptor<Mirror, Mirror> method =
        MethodDescriptor.<Mirror, Mirror>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(METHOD)
            .setRequestMarshaller(elements)
            .setResponseMarshaller(elements)
            .build();
    ServerServiceDefinition service =
        ServerServiceDefinition.builder(MethodDescriptor.extractFullServiceName(METHOD))
            .addMethod(method, new Answering())
            .build();
    int port =
        NettyServerBuilder.forAddress(Loopback.TCP.free())
            .directExecutor()
            .flowControlWindow(WINDOW_BYTES)
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .addService(service)
            .build()
            .start()
            .getPort();
    return Integer.toString(port);
  }

  /** The server's side of a call; on the event loop. */
  private static final class Answering implements ServerCallHandler<Mirror, Mirror> {
    @Override
    public ServerCall.Listener<Mirror> startCall(
        ServerCall<Mirror, Mirror> call, Metadata headers) {
      call.sendHeaders(new Metadata());
      // Two, as gRPC's own stubs request, to notice a second message.
      call.request(2);
      return new ServerCall.Listener<>() {
        @Override
        public void onMessage(Mirror mirror) {
          call.sendMessage(mirror);
          call.close(Status.OK, new Metadata());
        }
      };
    }
  }

  /** Puts a message into the mirror, and makes one of it. */
  private record Marshaller(Mirror mirror) implements MethodDescriptor.Marshaller<Mirror> {

    @Override
    public Mirror parse(InputStream stream) {
      try {
        if (stream instanceof HasByteBuffer buffers && buffers.byteBufferSupported()) {
          for (ByteBuffer each = next(stream, buffers); each != null; ) {
            int bytes = each.remaining();
            mirror.put(each);
            stream.skipNBytes(bytes);
            each = next(stream, buffers);
          }
        } else {
          mirror.put(ByteBuffer.wrap(stream.readAllBytes()));
        }
        return mirror;
      } catch (IOException e) {
        throw Status.INTERNAL.withCause(e).asRuntimeException();
      }
    }

    private static @Nullable ByteBuffer next(InputStream stream, HasByteBuffer buffers)
        throws IOException {
      return stream.available() == 0 ? null : buffers.getByteBuffer();
    }

    @Override
    public InputStream stream(Mirror value) {
      return new Outgoing(value);
    }
  }

  /** The elements of a mirror as a message, which gRPC has written into its buffers. */
  private static final class Outgoing extends InputStream implements Drainable, KnownLength {
    private final Mirror mirror;
    private int left;

    Outgoing(Mirror mirror) {
      this.mirror = mirror;
      left = mirror.turn() * Float.BYTES;
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int all = left;
      byte[] chunk = new byte[Math.min(CHUNK_BYTES, all)];
      ByteBuffer bytes = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
      while (left > 0) {
        int some = Math.min(chunk.length, left);
        mirror.take(bytes.clear().limit(some).asFloatBuffer());
        target.write(chunk, 0, some);
        left -= some;
      }
      return all;
    }

    @Override
    public int available() {
      return left;
    }

    /** Is not called: gRPC drains what can be drained. */
    @Override
    public int read() throws IOException {
      throw new IOException("elements are drained");
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
      throw new IOException("elements are drained");
    }
  }
}
