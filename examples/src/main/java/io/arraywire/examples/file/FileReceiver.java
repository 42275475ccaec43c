package io.arraywire.examples.file;

import io.arraywire.BindFailedException;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.util.function.BiConsumer;

/**
 * Receives one array from any framed sender of Arraywire straight into a file, by one of the
 * {@linkplain ReceiveTechnique techniques}. What it holds of an array does not grow with it. For
 * one thread, but for {@link #close()}.
 */
public final class FileReceiver implements Closeable {
  private static final long RETRY_MILLIS = 100;

  private final ServerSocketChannel server;
  private final SocketAddress address;
  private final Selector selector;
  private final SelectionKey accepting;

  private FileReceiver(ServerSocketChannel server) throws IOException {
    this.server = server;
    address = server.getLocalAddress();
    server.configureBlocking(false);
    selector = Selector.open();
    accepting = server.register(selector, SelectionKey.OP_ACCEPT);
  }

  /**
   * Listens.
   *
   * @param at where
   * @return the receiver
   * @throws IOException if that is not possible there
   */
  public static FileReceiver listen(SocketAddress at) throws IOException {
    ServerSocketChannel server =
        at instanceof UnixDomainSocketAddress
            ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
            : ServerSocketChannel.open();
    try {
      server.bind(at);
      return new FileReceiver(server);
    } catch (IOException e) {
      server.close();
      throw new BindFailedException(
              "cannot listen", "address", at, "cause", String.valueOf(e.getMessage()))
          .because(e);
    }
  }

  /**
   * Where it listens.
   *
   * @return the address
   */
  public SocketAddress address() {
    return address;
  }

  /**
   * Waits for an array and stores it; when this returns the file is whole, and its sender knows it
   * and has gone. Peers are served at the same time, each into a hidden file of its own, so nobody
   * waits for a peer that does nothing, and one that breaks off ends nothing but its own transfer:
   * the first array that is whole is taken, and further ones are refused. Where all places are
   * taken, the slowest peer makes room for the next if it sends nothing, or an array at less than
   * 64 KiB a second.
   *
   * @param target the file
   * @param technique how
   * @param maxArrayBytes the most bytes of elements to accept
   * @param strangers told of connections that failed, that ended without an array, or whose array
   *     had no room on the disk; any thread, one call at a time
   * @return what came
   * @throws IOException if the file cannot be written, or nobody can be accepted any more
   */
  public ReceivedFile receive(
      TargetFile target,
      ReceiveTechnique technique,
      long maxArrayBytes,
      BiConsumer<SocketAddress, IOException> strangers)
      throws IOException {
    return receive(target, technique, maxArrayBytes, strangers, Patience.DEFAULT);
  }

  ReceivedFile receive(
      TargetFile target,
      ReceiveTechnique technique,
      long maxArrayBytes,
      BiConsumer<SocketAddress, IOException> strangers,
      Patience patience)
      throws IOException {
    try (FilePeers peers =
        new FilePeers(
            new FileSlot(target),
            socket -> FramedSocket.accept(socket, maxArrayBytes, patience),
            technique,
            patience.crowded(),
            strangers,
            selector::wakeup)) {
      while (true) {
        ReceivedFile file = peers.received();
        if (file != null) {
          return file;
        }
        // With no descriptor free there is nothing to do but to try again after a while.
        selector.select(accepting.interestOps() == 0 ? RETRY_MILLIS : 0);
        selector.selectedKeys().clear();
        accepting.interestOps(accept(peers) ? SelectionKey.OP_ACCEPT : 0);
      }
    } catch (ClosedSelectorException | CancelledKeyException e) {
      throw new ClosedChannelException();
    }
  }

  /** Accepts those who wait; whether that was possible. */
  private boolean accept(FilePeers peers) throws IOException {
    try {
      for (SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
        peers.add(channel);
      }
      return true;
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Removes the file of a Unix domain socket, if it listens at one. Any thread.
   *
   * @throws IOException if it cannot be removed
   */
  public void removeSocketFile() throws IOException {
    if (address instanceof UnixDomainSocketAddress unix) {
      Files.deleteIfExists(unix.getPath());
    }
  }

  @Override
  public void close() throws IOException {
    selector.close();
    server.close();
    removeSocketFile();
  }
}
