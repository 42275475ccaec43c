package io.arraywire.examples.file;

import io.arraywire.ArrayHandler;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.ReceivedArray;
import io.arraywire.TargetHandler;
import io.arraywire.examples.npy.NpyAttributes;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.PartFile;
import io.arraywire.source.ArraySink;
import io.arraywire.source.ElementWriter;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the connections of a {@link FileReceiver} bring. Each array goes into a hidden file of its
 * own, and the first that is whole takes the name. Any thread.
 */
final class FileReception implements ArrayHandler, TargetHandler {
  private final TargetFile target;
  private final ReceiveTechnique technique;
  private final FilePeers peers;
  private final CompletableFuture<ReceivedFile> result = new CompletableFuture<>();

  /** Files that are whole, until their handler names them. One for each connection at most. */
  private final Map<Connection, Filling> whole = new ConcurrentHashMap<>();

  FileReception(TargetFile target, ReceiveTechnique technique, FilePeers peers) {
    this.target = target;
    this.technique = technique;
    this.peers = peers;
    CompletableFuture<ReceivedFile> unused = result.whenComplete((file, failed) -> peers.close());
  }

  /** Completes with the file that has its name, or with the failure to write it. */
  CompletableFuture<ReceivedFile> result() {
    return result;
  }

  private ArraywireException refusal() {
    return ArraywireException.refusal(
        result.isCompletedExceptionally()
            ? "the receiver takes no more arrays"
            : "the receiver has the one array that it was asked for");
  }

  @Override
  public ArraySink target(Connection connection, ArrayHeader header) throws ArraywireException {
    if (result.isDone()) {
      throw refusal();
    }
    if (header.attributes().parts() != null) {
      ArraywireException refused =
          ArraywireException.refusal(
              "a file holds one array, and this is a message of parts; send each by itself");
      peers.tellOnce(peers.of(connection), refused);
      throw refused;
    }
    return new Sink(connection, header);
  }

  @Override
  public void onArray(Connection connection, ReceivedArray array) throws IOException {
    Filling file = whole.remove(connection);
    if (file == null) {
      throw refusal();
    }
    try {
      take(connection, file, array.receipt().channelOperations());
    } catch (IOException e) {
      throw failed(connection, file.bytes(), e);
    } finally {
      // One that has its name is not refused for what is left beside it.
      drop(file);
    }
  }

  /** Gives the file its name, if it is the first that asks, unless this has failed. */
  private synchronized void take(Connection connection, Filling file, long operations)
      throws IOException {
    if (result.isDone()) {
      throw refusal();
    }
    target.finish(file.part());
    result.complete(
        new ReceivedFile(
            target.path(),
            file.header(),
            file.bytes(),
            connection.remoteAddress(),
            file.nanos(),
            operations));
  }

  @Override
  public void onClosed(Connection connection, @Nullable ArraywireException cause) {
    Filling file = whole.remove(connection);
    if (file != null) {
      // Its handler was not called, for want of memory perhaps: its sender was not told that it is
      // stored.
      drop(file);
    }
    peers.closed(connection, cause);
  }

  private void drop(Filling file) {
    try {
      target.end(file.part());
    } catch (IOException e) {
      // It stays under its hidden name, which cannot be taken for an array.
    }
  }

  /** Ends the reception, unless a file has its name. */
  synchronized void fail(IOException failed) {
    result.completeExceptionally(failed);
  }

  /** A failure to write the file, as its sender is told. */
  private ArraywireException failed(Connection connection, long bytes, IOException failed) {
    if (failed instanceof ArraywireException refused) {
      return refused;
    }
    IOException known = failed instanceof FullDiskException ? failed : target.failed(bytes, failed);
    if (known instanceof FullDiskException full) {
      // One that is too large for the disk ends nothing for others.
      peers.tellOnce(peers.of(connection), full);
      // No refusal: its sender had better not send the rest.
      return new ArraywireException(ErrorCode.REJECTED, full.wordsForPeer());
    }
    // The file cannot be written at all, so no other peer would fare better.
    fail(failed);
    // Its text names files here, which are none of the sender's business.
    return ArraywireException.refusal(
        "the receiver cannot write its file; see what the receiver printed");
  }

  private final class Sink implements ArraySink {
    private final Connection connection;
    private final ArrayHeader header;

    Sink(Connection connection, ArrayHeader header) {
      this.connection = connection;
      this.header = header;
    }

    @Override
    public ElementType type() {
      return header.type();
    }

    @Override
    public ElementWriter open(long count, ByteOrder order) throws IOException {
      NpyHeader npy = NpyAttributes.header(header.type(), count, header.attributes(), order);
      long bytes = count * header.type().bytes();
      try {
        return filling(npy, bytes, target.begin(npy));
      } catch (IOException e) {
        throw failed(connection, bytes, e);
      }
    }

    private Filling filling(NpyHeader npy, long bytes, PartFile part) throws IOException {
      try {
        int width = npy.dtype().type().bytes();
        ElementWriter writer =
            technique.open(part.channel(), part.channel().position(), bytes, width);
        return new Filling(npy, part, writer, new Peer(connection, bytes));
      } catch (IOException | RuntimeException | Error e) {
        target.end(part);
        throw e;
      }
    }
  }

  /** The peer whose array is filled. */
  private final class Peer implements Filling.Owner {
    private final Connection connection;
    private final long bytes;
    private final FilePeer.Arrival arrival;

    Peer(Connection connection, long bytes) {
      this.connection = connection;
      this.bytes = bytes;
      arrival = peers.of(connection).begin();
    }

    @Override
    public void moved(long more) {
      arrival.moved(more);
    }

    @Override
    public IOException failed(IOException failure) {
      return FileReception.this.failed(connection, bytes, failure);
    }

    @Override
    public void ended(Filling file, boolean isWhole) throws IOException {
      arrival.end();
      if (isWhole) {
        whole.put(connection, file);
      } else {
        target.end(file.part());
      }
    }
  }
}
