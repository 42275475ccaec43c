package io.arraywire.benchmarks.bench;

import java.util.List;

/** Other libraries than Netty. */
public final class PeerContenders implements ContenderProvider {
  /** For ServiceLoader. */
  public PeerContenders() {}

  @Override
  public List<Contender> contenders() {
    return List.of(
        new GrpcContender<>("grpc-packed", "gRPC stream, repeated float", GrpcForm.Packed::new),
        new GrpcContender<>("grpc-bytes", "gRPC stream, bytes", GrpcForm.Bytes::new),
        new FlightContender(),
        new KryoContender(false),
        new KryoContender(true),
        new JeromqContender(),
        new AeronContender(true),
        new AeronContender(false));
  }
}
