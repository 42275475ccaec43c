package io.arraywire.examples.cli;

import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import io.arraywire.examples.npy.PartFile;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import io.arraywire.spi.Transports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** What {@code receive --out} is made of, within this JVM, until it is closed. */
final class ResumeServer implements AutoCloseable {
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
  private final List<IOException> complaints = new CopyOnWriteArrayList<>();
  private final Path out;
  private final ArrayStore store;
  private final ReceivingHandler handler;
  private final Transport transport;
  private final Listener listener;
  private final Transport client = NioTransport.create(TransportOptions.defaults());

  ResumeServer(String name, Path out) throws IOException {
    this(name, out, Long.MAX_VALUE);
  }

  ResumeServer(String name, Path out, long maxBytes) throws IOException {
    this.out = out;
    store = ArrayStore.at(out);
    PrintStream print = new PrintStream(lines, true, StandardCharsets.UTF_8);
    handler =
        new ReceivingHandler(
            1 << 30,
            maxBytes,
            store,
            new ReceiveReport(new Console(print, print, false), false, () -> {}),
            Long.MAX_VALUE,
            (connection, cause) -> complaints.add(cause));
    transport = Transports.create(name, TransportOptions.defaults());
    listener =
        transport.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), handler.handlers());
  }

  /**
   * Leaves a part that takes minutes to read, and hardly any room on the disk; returns the question
   * whether another file begins with all of it.
   */
  Message huge(String name) throws IOException {
    long count = 1L << 38;
    NpyHeader header = new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of(count));
    try (FileChannel file =
        FileChannel.open(
            PartFile.keptPath(out.resolve(name), name),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE)) {
      ByteBuffer first = NpyWriter.headerBytes(header);
      long end = first.remaining() + 4 * count;
      file.write(first, 0);
      file.write(ByteBuffer.allocate(1), end - 1);
    }
    return question(name, count, "0".repeat(64), count);
  }

  /** Whether a file of floats begins with elements of this digest. */
  static Message question(String name, long elements, String sha256, long... shape) {
    return Message.of(shape)
        .attribute(TravelName.KEY, name)
        .attribute("type", "float")
        .attribute("elements", Long.toString(elements))
        .attribute(ElementDigest.KEY, sha256);
  }

  /** The answer to a question. */
  static String state(Connection peer, Message question) throws Exception {
    return peer.call(question, Duration.ofSeconds(60))
        .header()
        .attributes()
        .metadata()
        .getOrDefault("state", "none");
  }

  SocketAddress address() {
    return listener.address();
  }

  /** A connection of a peer, closed by the caller. */
  Connection connect() throws IOException, InterruptedException {
    return client.connect(address());
  }

  /** What it printed. */
  String lines() {
    return lines.toString(StandardCharsets.UTF_8);
  }

  /** What went wrong. */
  List<IOException> complaints() {
    return complaints;
  }

  /** The hidden files below its directory. */
  List<Path> parts() throws IOException {
    return parts(out);
  }

  static List<Path> parts(Path out) throws IOException {
    Path below = Files.isDirectory(out) ? out : out.getParent();
    try (Stream<Path> files = Files.walk(below)) {
      return files.filter(file -> file.toString().endsWith(".part")).toList();
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
    handler.stop();
    listener.close();
    transport.close();
    store.close(1_000);
  }
}
