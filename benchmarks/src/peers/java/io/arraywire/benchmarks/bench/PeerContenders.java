package io.arraywire.benchmarks.bench;

import java.util.List;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;

/** Other libraries than Netty. */
public final class PeerContenders implements ContenderProvider {
  /** For those that make garbage of every array; record 26 has what that is worth. */
  static final long GARBAGE_BYTES = 512L << 20;

  /** For ServiceLoader. */
  public PeerContenders() {}

  @Override
  public List<Contender> contenders() {
    return List.of(
        new GrpcContender<>(
            "grpc-packed", "gRPC stream, repeated float", GrpcForm.Packed::new, null, false),
        new GrpcContender<>("grpc-bytes", "gRPC stream, bytes", GrpcForm.Bytes::new, null, false),
        new GrpcContender<>(
            "grpc-gzip", "gRPC stream, bytes, gzip", GrpcForm.Bytes::new, "gzip", false),
        new GrpcContender<>(
            "grpc-tls", "gRPC stream, bytes, over TLS", GrpcForm.Bytes::new, null, true),
        new FlightContender(null),
        new FlightContender(CodecType.LZ4_FRAME),
        new FlightContender(CodecType.ZSTD),
        new KryoContender(false),
        new KryoContender(true),
        new JeromqContender(),
        new AeronContender(true),
        new AeronContender(false));
  }

  @Override
  public List<ConnectionsContender> connections() {
    return List.of(new GrpcConnections());
  }

  @Override
  public List<AnswersContender> answers() {
    return List.of(new GrpcAnswers(true), new GrpcAnswers(false));
  }

  @Override
  public List<PythonContender> python() {
    return List.of(new GrpcMirror(), new FlightMirror(), new JeromqMirror(), new Py4jMirror());
  }
}
