package io.arraywire.examples.file;

import io.arraywire.ArrayHandler;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.TargetHandler;
import io.arraywire.examples.npy.NpyAttributes;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.PartFile;
import io.arraywire.source.ArraySink;
import io.arraywire.source.ElementWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the connections of a {@link FileReceiver} bring: each array into a hidden file of its own,
 * of which the first that is whole takes the name. Any thread.
 */
final class FileReception implements ArrayHandler, TargetHandler {
  private final TargetFile target;
  private final ReceiveTechnique technique;
  private final FilePeers peers;
  private final CompletableFuture<ReceivedFile> result = new CompletableFuture<>();

  /** Files that have their name, until their handler is called. One for each connection at most. */
  private final Map<Connection, Filling> whole = new ConcurrentHashMap<>();

  private boolean taken;

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
      throw ArraywireException.refusal(
          "a message of parts does not go into one file; send its parts as arrays");
    }
    return new Sink(connection, header);
  }

  @Override
  public void onArray(Connection connection, ReceivedArray array) throws ArraywireException {
    Filling file = whole.remove(connection);
    if (file == null) {
      throw refusal();
    }
    complete(connection, file, array.receipt().channelOperations());
  }

  private void complete(Connection connection, Filling file, long operations) {
    result.complete(
        new ReceivedFile(
            target.path(),
            file.npy,
            file.bytes,
            connection.remoteAddress(),
            System.nanoTime() - file.began,
            operations));
  }

  @Override
  public void onClosed(Connection connection, @Nullable ArraywireException cause) {
    Filling file = whole.remove(connection);
    if (file != null) {
      // Its handler was not called, for want of memory perhaps; the file is whole all the same.
      complete(connection, file, Receipt.UNKNOWN);
    }
    peers.closed(connection, cause);
  }

  /** The file of this name, for the first that asks, unless this has failed. */
  private synchronized boolean take(PartFile part) throws IOException {
    if (taken || result.isDone()) {
      return false;
    }
    target.finish(part);
    taken = true;
    return true;
  }

  /** Ends the reception, unless a file has its name: its handler has yet to be called, perhaps. */
  private synchronized void fail(IOException failed) {
    if (!taken) {
      result.completeExceptionally(failed);
    }
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
    return ArraywireException.refusal("the receiver cannot write its file; its output says why");
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
        return new Filling(connection, npy, bytes, part);
      } catch (IOException | RuntimeException | Error e) {
        target.end(part);
        throw e;
      }
    }
  }

  /** An array on its way into its hidden file. */
  private final class Filling implements ElementWriter {
    private final long began = System.nanoTime();
    private final Connection connection;
    private final NpyHeader npy;
    private final long bytes;
    private final PartFile part;
    private final ElementWriter writer;
    private final FilePeer.Arrival arrival;
    private long arrived;
    private boolean named;

    Filling(Connection connection, NpyHeader npy, long bytes, PartFile part) throws IOException {
      this.connection = connection;
      this.npy = npy;
      this.bytes = bytes;
      this.part = part;
      writer =
          technique.open(
              part.channel(), part.channel().position(), bytes, npy.dtype().type().bytes());
      arrival = peers.of(connection).begin();
    }

    @Override
    public void arrived(long elements) {
      arrival.moved((elements - arrived) * npy.dtype().type().bytes());
      arrived = elements;
    }

    @Override
    public void write(long index, int count, ByteBuffer source) throws IOException {
      try {
        writer.write(index, count, source);
      } catch (IOException e) {
        throw failed(connection, bytes, e);
      }
    }

    @Override
    public void finish() throws IOException {
      try {
        if (!take(part)) {
          throw refusal();
        }
        named = true;
        whole.put(connection, this);
      } catch (IOException e) {
        throw failed(connection, bytes, e);
      }
    }

    @Override
    public void close() throws IOException {
      arrival.end();
      try {
        end();
      } catch (IOException e) {
        // A file that is whole and has its name is not refused for what is left beside it.
        if (!named) {
          throw e;
        }
      }
    }

    private void end() throws IOException {
      try {
        writer.close();
      } finally {
        target.end(part);
      }
    }
  }
}
