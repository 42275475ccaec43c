package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import org.jspecify.annotations.Nullable;

/** What the receiving ends without a library share: one peer, one connection. */
abstract class RawReceiver implements Contender.Receiver {
  private final Loopback where;
  private final ServerSocketChannel server;
  private final boolean polling;
  private @Nullable RawSocket socket;
  private @Nullable RawAcks acks;

  RawReceiver(Loopback where, boolean polling) throws IOException {
    this.where = where;
    server = RawSocket.listen(where);
    this.polling = polling;
  }

  @Override
  public final int port() throws IOException {
    return where.number(server.getLocalAddress());
  }

  @Override
  public final void serve(int count, Contender.Tally tally) throws IOException {
    RawSocket peer = socket;
    RawAcks toPeer = acks;
    if (peer == null || toPeer == null) {
      peer = accept(server, polling);
      where.met(server.getLocalAddress());
      toPeer = new RawAcks(peer);
      socket = peer;
      acks = toPeer;
    }
    serve(peer, toPeer, count, tally);
  }

  /** Accepts the peer. */
  RawSocket accept(ServerSocketChannel listening, boolean polls) throws IOException {
    return RawSocket.accept(listening, polls);
  }

  abstract void serve(RawSocket socket, RawAcks acks, int count, Contender.Tally tally)
      throws IOException;

  @Override
  public final void close() throws IOException {
    // Nobody may have come.
    where.met(server.getLocalAddress());
    server.close();
    if (socket != null) {
      socket.close();
    }
  }
}
