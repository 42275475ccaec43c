package io.arraywire.examples.cli;

import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.spi.Transports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

  SocketAddress address() {
    return listener.address();
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
    handler.stop();
    listener.close();
    transport.close();
    store.close(1_000);
  }
}
