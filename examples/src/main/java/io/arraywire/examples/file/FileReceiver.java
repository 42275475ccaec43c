package io.arraywire.examples.file;

import io.arraywire.ArraywireException;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.nio.NioOptions;
import io.arraywire.nio.NioTransport;
import io.arraywire.nio.WaitStrategy;
import io.arraywire.security.AcceptLimits;
import io.arraywire.spi.Codecs;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

/**
 * Receives one array from any sender of Arraywire straight into a file, by one of the {@linkplain
 * ReceiveTechnique techniques}. What it holds of an array does not grow with it. Any thread.
 *
 * <p>Peers are served at the same time, each into a hidden file of its own. So nobody waits for a
 * peer that does nothing, and one that breaks off ends nothing but its own transfer. The first
 * array that is whole is taken, and further ones are refused. At most 64 peers are served. If all
 * places are taken, the slowest peer may have to make room for the next. It does so if it sends
 * nothing, or an array at less than 64 KiB a second.
 */
public final class FileReceiver implements Closeable {
  /**
   * The words that refuse a request. A sender that resumes a file begins with a request, and quotes
   * them.
   */
  public static final String KEEPS_NOTHING =
      "the receiver has --into: it takes one sent array, no requests, and keeps no part";

  /**
   * A file is a stream, so the loop has nothing to gain by polling; the sender, perhaps on the same
   * host, has the processor meanwhile.
   */
  private static final NioOptions WAITING =
      NioOptions.builder().waitStrategy(WaitStrategy::sleeping).build();

  private final Transport transport;
  private final Reports reports;
  private final FilePeers peers;
  private final FileReception reception;
  private final Listener listener;

  private FileReceiver(
      Transport transport,
      Reports reports,
      FilePeers peers,
      FileReception reception,
      Listener listener) {
    this.transport = transport;
    this.reports = reports;
    this.peers = peers;
    this.reception = reception;
    this.listener = listener;
  }

  /**
   * Elements come as they lie in memory, in either byte order, so that nothing has to be decoded.
   * Peers in their handshake are counted apart from those that are served: by the limits of the
   * library, those for each address among them.
   */
  private static TransportOptions options(long maxArrayBytes, Patience patience, FilePeers peers) {
    AcceptLimits limits = AcceptLimits.defaults();
    return TransportOptions.builder()
        .codecs(Codecs.named("direct"), Codecs.named("direct-be"))
        .maxArrayBytes(maxArrayBytes)
        .maxChannels(1)
        .acceptLimits(limits.connections(FilePeers.MOST + limits.handshakes()))
        .connectTimeout(patience.handshake())
        .closeTimeout(Duration.ofSeconds(2))
        .observer(peers)
        .build();
  }

  /**
   * Listens, and takes arrays from now on.
   *
   * @param at where
   * @param target the file
   * @param technique how
   * @param maxArrayBytes the most bytes of elements to accept
   * @param strangers told of connections that failed, that ended without an array, or whose array
   *     had no room on the disk. One thread tells it, which holds up no transfer when it waits, and
   *     leaves out some of very many
   * @return the receiver
   * @throws IOException if that is not possible there
   */
  public static FileReceiver listen(
      SocketAddress at,
      TargetFile target,
      ReceiveTechnique technique,
      long maxArrayBytes,
      PeerFailures strangers)
      throws IOException {
    return listen(at, target, technique, maxArrayBytes, strangers, Patience.DEFAULT);
  }

  static FileReceiver listen(
      SocketAddress at,
      TargetFile target,
      ReceiveTechnique technique,
      long maxArrayBytes,
      PeerFailures strangers,
      Patience patience)
      throws IOException {
    Reports reports = new Reports(strangers::unreported);
    FilePeers peers =
        new FilePeers(patience, (peer, why) -> reports.tell(() -> strangers.failed(peer, why)));
    try {
      FileReception reception = new FileReception(target, technique, peers);
      return listen(at, options(maxArrayBytes, patience, peers), reports, peers, reception);
    } catch (IOException | RuntimeException e) {
      // They have threads from the beginning.
      peers.close();
      reports.close();
      throw e;
    }
  }

  private static FileReceiver listen(
      SocketAddress at,
      TransportOptions options,
      Reports reports,
      FilePeers peers,
      FileReception reception)
      throws IOException {
    Transport transport = NioTransport.create(options, WAITING);
    try {
      Handlers handlers =
          Handlers.ofArrays(reception)
              .withTargets(reception)
              .withRequests((connection, request, reply) -> {
                throw ArraywireException.refusal(KEEPS_NOTHING);
              });
      return new FileReceiver(transport, reports, peers, reception, transport.listen(at, handlers));
    } catch (IOException | RuntimeException e) {
      transport.close();
      throw e;
    }
  }

  /**
   * Where it listens.
   *
   * @return the address
   */
  public SocketAddress address() {
    return listener.address();
  }

  /**
   * Waits for the array; when this returns, its file is whole. Its sender is told at the same time,
   * for which {@link #close()} waits.
   *
   * @return what came
   * @throws IOException if the file cannot be written, or this was closed
   */
  public ReceivedFile await() throws IOException {
    try {
      return reception.result().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("the wait was interrupted").initCause(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      }
      throw new IOException(e.getCause());
    }
  }

  /**
   * Removes the file of a Unix domain socket, if it listens at one: for a process that ends.
   *
   * @throws IOException if it cannot be removed
   */
  public void removeSocketFile() throws IOException {
    if (address() instanceof UnixDomainSocketAddress unix) {
      Files.deleteIfExists(unix.getPath());
    }
  }

  /** Says goodbye to connected peers, after the last acknowledgement; idempotent. */
  @Override
  public void close() throws IOException {
    peers.close();
    reception.fail(new ClosedChannelException());
    try {
      listener.close();
    } catch (ArraywireException e) {
      // Peers that are lost while this closes had nothing to do with the file.
    } finally {
      transport.close();
      reports.close();
    }
  }
}
