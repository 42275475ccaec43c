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
 * gRPC on its own Netty, with {@code grpcio} at the other end: one stream in both directions for
 * all arrays, of messages without Protocol Buffers around the bytes. A call for each array took
 * several times as long, at 64 bytes and at 64 MiB. The marshaller reads out of Netty's buffers and
 * writes into those of the stream, so there is no {@code byte[]} of the whole array here ({@code
 * HasByteBuffer}, {@code Drainable} of io.grpc). Otherwise as in {@link GrpcContender}.
 */
record GrpcMirror() implements PythonContender {
  private static final String METHOD = "arraywire.benchmarks.Mirror/Mirror";
  private static final int CHUNK_BYTES = 64 << 10;
  private static final int MESSAGE_BYTES = 1 << 20;
  private static final int WINDOW_BYTES = 4 << 20;
  private static final int QUEUE_BYTES = 1 << 20;

  /** Messages that may come before one was taken. */
  private static final int AHEAD = 64;

  @Override
  public String name() {
    return "grpc";
  }

  @Override
  public String summary() {
    return "gRPC: grpcio and grpc-java, a stream of bytes without Protocol Buffers, messages of up to "
        + (MESSAGE_BYTES >> 20)
        + " MiB";
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
    MethodDescriptor<Message, Message> method =
        MethodDescriptor.<Message, Message>newBuilder()
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName(METHOD)
            .setRequestMarshaller(elements)
            .setResponseMarshaller(elements)
            .build();
    ServerServiceDefinition service =
        ServerServiceDefinition.builder(MethodDescriptor.extractFullServiceName(METHOD))
            .addMethod(method, new Answering(mirror))
            .build();
    int port =
        NettyServerBuilder.forAddress(Loopback.TCP.free())
            .directExecutor()
            .flowControlWindow(WINDOW_BYTES)
            .addService(service)
            .build()
            .start()
            .getPort();
    return Integer.toString(port);
  }

  /** The server's side of the stream; on the event loop. */
  private record Answering(Mirror mirror) implements ServerCallHandler<Message, Message> {

    @Override
    public ServerCall.Listener<Message> startCall(
        ServerCall<Message, Message> call, Metadata headers) {
      call.sendHeaders(new Metadata());
      call.setOnReadyThreshold(QUEUE_BYTES);
      call.request(AHEAD);
      return new ServerCall.Listener<>() {
        @Override
        public void onMessage(Message message) {
          if (message.completes()) {
            mirror.turn();
            onReady();
          }
          call.request(1);
        }

        @Override
        public void onReady() {
          while (mirror.left() > 0 && call.isReady()) {
            call.sendMessage(new Message(false));
          }
        }
      };
    }
  }

  /**
   * Elements that came, or that are to go. They are in the mirror.
   *
   * @param completes whether an array is complete with them
   */
  private record Message(boolean completes) {}

  /** Puts messages into the mirror, and makes messages of it. */
  private record Marshaller(Mirror mirror) implements MethodDescriptor.Marshaller<Message> {

    @Override
    public Message parse(InputStream stream) {
      boolean complete = false;
      try {
        if (stream instanceof HasByteBuffer buffers && buffers.byteBufferSupported()) {
          for (ByteBuffer each = next(stream, buffers); each != null; ) {
            int bytes = each.remaining();
            complete |= mirror.put(each);
            stream.skipNBytes(bytes);
            each = next(stream, buffers);
          }
        } else {
          complete = mirror.put(ByteBuffer.wrap(stream.readAllBytes()));
        }
        return new Message(complete);
      } catch (IOException e) {
        throw Status.INTERNAL.withCause(e).asRuntimeException();
      }
    }

    private static @Nullable ByteBuffer next(InputStream stream, HasByteBuffer buffers)
        throws IOException {
      return stream.available() == 0 ? null : buffers.getByteBuffer();
    }

    @Override
    public InputStream stream(Message message) {
      return new Outgoing(mirror);
    }
  }

  /** The elements of a mirror as a message, which gRPC has written into its buffers. */
  private static final class Outgoing extends InputStream implements Drainable, KnownLength {
    private final Mirror mirror;
    private int left;

    Outgoing(Mirror mirror) {
      this.mirror = mirror;
      left = Math.min(MESSAGE_BYTES, mirror.left() * Float.BYTES);
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
