package io.arraywire.benchmarks.bench;

import com.google.protobuf.Message;
import io.arraywire.benchmarks.proto.Acknowledgement;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.OpenSsl;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.netty.shaded.io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.grpc.protobuf.ProtoUtils;
import java.io.IOException;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * gRPC on its own Netty, which its documentation recommends. One stream in both directions for all
 * arrays, since a call for each would cost its set-up (grpc.io/docs/guides/performance, "Use
 * streaming RPCs"); direct executors, because nothing here blocks the event loop (the javadoc of
 * {@code directExecutor}); a window of {@link #WINDOW_BYTES} that is not searched for (the javadoc
 * of {@code flowControlWindow}); as much in the queue before a call is not ready, where the default
 * is 32 KiB (the javadoc of {@code CallOptions.withOnReadyThreshold}). Large arrays are several
 * messages, so the limit of 4 MiB for one is not in the way. Compression is that of gRPC itself,
 * message by message (grpc.io/docs/guides/compression); servers open it unasked. TLS is what gRPC
 * takes by itself where it can, the BoringSSL that its shaded Netty has inside; here it takes
 * nothing else, and the server checks what was agreed.
 *
 * @param name what it is called
 * @param summary what it does
 * @param forms makes what turns elements into messages, for one end
 * @param compressor the name of the compression of requests, or null for none
 * @param tls whether the connection is over TLS
 * @param <M> the message
 */
record GrpcContender<M extends Message>(
    String name,
    String summary,
    Supplier<GrpcForm<M>> forms,
    @Nullable String compressor,
    boolean tls)
    implements Contender {
  private static final String SERVICE = "arraywire.benchmarks.Arrays";
  private static final int WINDOW_BYTES = 4 << 20;
  private static final int QUEUE_BYTES = 1 << 20;

  /** Messages that may come before one was taken. */
  private static final int AHEAD = 64;

  private MethodDescriptor<M, Acknowledgement> method(GrpcForm<M> form) {
    return MethodDescriptor.<M, Acknowledgement>newBuilder()
        .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Move"))
        .setRequestMarshaller(form.marshaller())
        .setResponseMarshaller(ProtoUtils.marshaller(Acknowledgement.getDefaultInstance()))
        .build();
  }

  @Override
  public @Nullable String unavailable() {
    return tls ? NettyContenders.missing(OpenSsl.unavailabilityCause()) : null;
  }

  @Override
  public boolean usual() {
    return compressor == null && !tls;
  }

  @Override
  public long garbageBytes() {
    return PeerContenders.GARBAGE_BYTES;
  }

  @Override
  public Receiver listen(float[] target) throws IOException {
    Arrivals arrivals = new Arrivals(target);
    GrpcForm<M> form = forms.get();
    ServerServiceDefinition service =
        ServerServiceDefinition.builder(SERVICE)
            .addMethod(method(form), new Taking<>(form, arrivals, tls))
            .build();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(Loopback.TCP.free())
            .directExecutor()
            .flowControlWindow(WINDOW_BYTES)
            .addService(service);
    if (tls) {
      builder.sslContext(tls(SslContextBuilder.forServer(BenchTls.keys())));
    }
    Server server = builder.build().start();
    return arrivals.receiver(server.getPort(), server::shutdownNow);
  }

  @Override
  public Sender connect(int port, float[] source) throws IOException {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(Loopback.TCP.numbered(port))
            .directExecutor()
            .flowControlWindow(WINDOW_BYTES);
    if (tls) {
      builder.sslContext(
          tls(
              SslContextBuilder.forClient()
                  .trustManager(InsecureTrustManagerFactory.INSTANCE)
                  .endpointIdentificationAlgorithm(null)));
    } else {
      builder.usePlaintext();
    }
    ManagedChannel channel = builder.build();
    GrpcForm<M> form = forms.get();
    CallOptions options = CallOptions.DEFAULT.withOnReadyThreshold(QUEUE_BYTES);
    if (compressor != null) {
      options = options.withCompression(compressor);
    }
    Sending<M> sending =
        new Sending<>(
            channel, channel.newCall(method(form), options), form, new Departures(source));
    sending.start();
    return sending;
  }

  private static SslContext tls(SslContextBuilder builder) throws SSLException {
    return GrpcSslContexts.configure(builder, SslProvider.OPENSSL)
        .protocols(BenchTls.PROTOCOL)
        .build();
  }

  /** The server's side of the call; on its event loop. */
  private record Taking<M extends Message>(GrpcForm<M> form, Arrivals arrivals, boolean tls)
      implements ServerCallHandler<M, Acknowledgement> {

    @Override
    public ServerCall.Listener<M> startCall(ServerCall<M, Acknowledgement> call, Metadata headers) {
      if (tls) {
        try {
          BenchTls.check(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
        } catch (SSLException e) {
          arrivals.fail(e);
          call.close(
              Status.FAILED_PRECONDITION.withDescription(e.getMessage()).withCause(e),
              new Metadata());
          return new ServerCall.Listener<>() {};
        }
      }
      call.sendHeaders(new Metadata());
      call.request(AHEAD);
      return new ServerCall.Listener<>() {
        @Override
        public void onMessage(M message) {
          try {
            int arrays = form.put(message, arrivals);
            if (arrays > 0) {
              call.sendMessage(Acknowledgement.newBuilder().setArrays(arrays).build());
              arrivals.acknowledged(arrays);
            }
            call.request(1);
          } catch (RuntimeException e) {
            arrivals.fail(e);
            throw e;
          }
        }

        @Override
        public void onCancel() {
          arrivals.fail(new IOException("the call was cancelled"));
        }
      };
    }
  }

  private static final class Sending<M extends Message> extends AcknowledgedSender {
    private final ManagedChannel channel;
    private final ClientCall<M, Acknowledgement> call;
    private final GrpcForm<M> form;
    private final Departures departures;

    Sending(
        ManagedChannel channel,
        ClientCall<M, Acknowledgement> call,
        GrpcForm<M> form,
        Departures departures) {
      this.channel = channel;
      this.call = call;
      this.form = form;
      this.departures = departures;
    }

    void start() {
      call.start(
          new ClientCall.Listener<>() {
            @Override
            public void onMessage(Acknowledgement message) {
              acknowledged.add(message.getArrays());
              call.request(1);
            }

            @Override
            public void onReady() {
              acknowledged.wake();
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
              acknowledged.fail(status.asException());
            }
          },
          new Metadata());
      call.request(AHEAD);
    }

    @Override
    void write(int count, int arrays) throws IOException {
      departures.begin(count, arrays);
      while (departures.left() > 0) {
        acknowledged.await(call::isReady);
        call.sendMessage(form.take(departures));
      }
    }

    @Override
    public void close() {
      call.cancel("closed", null);
      channel.shutdownNow();
    }
  }
}
