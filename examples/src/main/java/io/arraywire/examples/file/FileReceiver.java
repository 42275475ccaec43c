package io.arraywire.examples.file;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraywireException;
import io.arraywire.BindFailedException;
import io.arraywire.ConnectionResetException;
import io.arraywire.ErrorCode;
import io.arraywire.RemoteRejectedException;
import io.arraywire.TruncatedException;
import io.arraywire.examples.npy.NpyAttributes;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.wire.AttributesBody;
import io.arraywire.wire.FrameHeader;
import io.arraywire.wire.FrameType;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.util.function.BiConsumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Receives one array from any framed sender of Arraywire straight into a file, by one of the
 * {@linkplain ReceiveTechnique techniques}. What it holds of an array does not grow with it. One
 * connection at a time; for one thread.
 */
public final class FileReceiver implements Closeable {
  private final ServerSocketChannel server;
  private final SocketAddress address;

  private FileReceiver(ServerSocketChannel server) throws IOException {
    this.server = server;
    address = server.getLocalAddress();
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
   * and has gone.
   *
   * @param target the file
   * @param technique how
   * @param maxArrayBytes the most bytes of elements to accept
   * @param strangers told of connections whose handshake failed, or that ended without an array
   * @return what came
   * @throws ArraywireException if the connection broke, or its peer broke the protocol
   * @throws IOException if the file cannot be written
   */
  public ReceivedFile receive(
      TargetFile target,
      ReceiveTechnique technique,
      long maxArrayBytes,
      BiConsumer<SocketAddress, IOException> strangers)
      throws IOException {
    while (true) {
      SocketChannel channel = server.accept();
      SocketAddress peer = channel.getRemoteAddress();
      try (FramedSocket socket = greeted(channel, peer, maxArrayBytes, strangers)) {
        if (socket == null) {
          continue;
        }
        ReceivedFile file = new Reception(socket, target, technique).run();
        if (file != null) {
          return file;
        }
        strangers.accept(peer, new ConnectionResetException("the peer sent no array"));
      }
    }
  }

  private static @Nullable FramedSocket greeted(
      SocketChannel channel,
      SocketAddress peer,
      long maxArrayBytes,
      BiConsumer<SocketAddress, IOException> strangers) {
    try {
      return FramedSocket.accept(channel, maxArrayBytes);
    } catch (IOException e) {
      strangers.accept(peer, e);
      return null;
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
    server.close();
    removeSocketFile();
  }

  /** One connection. */
  private static final class Reception {
    private final FramedSocket socket;
    private final TargetFile target;
    private final ReceiveTechnique technique;
    private final CRC32C checksum = new CRC32C();
    private long lastSequence;

    Reception(FramedSocket socket, TargetFile target, ReceiveTechnique technique) {
      this.socket = socket;
      this.target = target;
      this.technique = technique;
    }

    /** The file that came, or null if the peer went without sending one. */
    @Nullable ReceivedFile run() throws IOException {
      try {
        ReceivedFile received = null;
        for (FrameHeader header = next(); header.type != FrameType.GOODBYE; header = next()) {
          if (header.type == FrameType.ARRAY && received == null) {
            received = store(header);
          } else if (header.type == FrameType.ARRAY) {
            refuse(header);
          } else {
            control(header);
          }
        }
        socket.write(FrameType.GOODBYE);
        endInOrder();
        return received;
      } catch (ArraywireException e) {
        socket.fail(e);
        throw e;
      } catch (IOException e) {
        if (socket.isOfChannel(e)) {
          throw socket.typed(e);
        }
        socket.fail(new ArraywireException(ErrorCode.INTERNAL, String.valueOf(e.getMessage())));
        throw e;
      } finally {
        target.close();
      }
    }

    private FrameHeader next() throws IOException {
      FrameHeader header = socket.read();
      if (header == null) {
        throw new ConnectionResetException(
            "the peer closed the connection without a goodbye; it may have crashed",
            "peer",
            socket.peerAddress());
      }
      return header;
    }

    /** A frame between arrays. */
    private void control(FrameHeader header) throws IOException {
      switch (header.type) {
        case ERROR -> throw socket.readFault(header);
        case PONG -> {}
        default ->
            throw FramedSocket.unexpected("a frame that is not expected here", "type", header.type);
      }
    }

    /** The peer has gone, and may have done so before this side has heard all of it. */
    private void endInOrder() {
      try {
        socket.endInOrder();
      } catch (IOException e) {
        // It had its acknowledgement, and has said goodbye.
      }
    }

    private @Nullable ReceivedFile store(FrameHeader header) throws IOException {
      long start = System.nanoTime();
      long operations = socket.operations();
      ArrivingArray array = arriving(header);
      socket.expectMoves();
      byte[] body = socket.readBytes(header.attributeBytes);
      ArrayAttributes attributes = AttributesBody.readEnvelope(0, body).attributes();
      array.check(attributes);
      NpyHeader npy = NpyAttributes.header(array.type, array.count, attributes, array.order());
      FileChannel file = target.begin(npy);
      long first = file.position();
      Transferred moved = bytes -> socket.moved();
      try (FileSink sink = technique.open(file, first + array.bytes, socket.channel(), moved)) {
        if (!fill(array, header, body, sink, first)) {
          return null;
        }
      }
      target.finish();
      socket.rest();
      FrameHeader ack = socket.next(FrameType.ACK);
      ack.sequence = array.sequence;
      socket.write(ack, new byte[0]);
      return new ReceivedFile(
          target.path(),
          npy,
          array.bytes,
          socket.peerAddress(),
          System.nanoTime() - start,
          socket.operations() - operations);
    }

    private ArrivingArray arriving(FrameHeader header) throws ArraywireException {
      ArrivingArray array =
          new ArrivingArray(
              header, lastSequence + 1, socket.own().maxArrayBytes(), socket.checksums());
      lastSequence = header.sequence;
      return array;
    }

    /** Whether all of it came; if not, its sender has withdrawn it. */
    private boolean fill(
        ArrivingArray array, FrameHeader begin, byte[] attributes, FileSink sink, long first)
        throws IOException {
      put(array, begin, attributes, sink, first);
      while (!array.isWhole()) {
        FrameHeader header = socket.read();
        if (header == null) {
          throw truncated(array, null);
        }
        switch (header.type) {
          case CHUNK -> {
            array.checkChunk(header);
            put(array, header, new byte[0], sink, first);
          }
          case ABORT -> {
            if (header.sequence != array.sequence) {
              throw FramedSocket.unexpected(
                  "an array is withdrawn that is not arriving", "sequence", header.sequence);
            }
            return false;
          }
          default -> control(header);
        }
      }
      return true;
    }

    private void put(
        ArrivingArray array, FrameHeader header, byte[] attributes, FileSink sink, long first)
        throws IOException {
      long payload = header.payloadBytes;
      try {
        sink.receive(first + array.received, payload);
      } catch (EOFException e) {
        throw truncated(array, e);
      }
      if (array.checked) {
        checksum.reset();
        checksum.update(attributes, 0, attributes.length);
        sink.addTo(checksum, first + array.received, payload);
        FramedSocket.checkPayload(header, (int) checksum.getValue());
      }
      array.received += payload;
    }

    private static ArraywireException truncated(ArrivingArray array, @Nullable EOFException cause) {
      return new TruncatedException(
              "the stream ended inside an array; no part of it was kept",
              "receivedAtLeast",
              array.received,
              "expected",
              array.bytes)
          .because(cause);
    }

    /** Reads and drops an array for which there is no file. */
    private void refuse(FrameHeader header) throws IOException {
      ArrivingArray array = arriving(header);
      socket.expectMoves();
      socket.readBytes(header.attributeBytes);
      drop(header, array);
      while (!array.isWhole()) {
        FrameHeader chunk = next();
        if (chunk.type == FrameType.ABORT && chunk.sequence == array.sequence) {
          return;
        }
        if (chunk.type != FrameType.CHUNK) {
          control(chunk);
          continue;
        }
        array.checkChunk(chunk);
        drop(chunk, array);
      }
      socket.rest();
      socket.reject(
          array.sequence,
          new RemoteRejectedException("the receiver has the one array that it was asked for"));
    }

    private void drop(FrameHeader header, ArrivingArray array) throws IOException {
      // At most MAX_FRAME_BYTES.
      socket.readBytes((int) header.payloadBytes);
      array.received += header.payloadBytes;
    }
  }
}
