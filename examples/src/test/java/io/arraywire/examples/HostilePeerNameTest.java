package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportObserver;
import io.arraywire.TransportOptions;
import io.arraywire.spi.Transports;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A peer of a Unix domain socket names its own end as it likes. The name forges no line of a log
 * and reaches no terminal.
 */
class HostilePeerNameTest {
  private static final String NAME = "x\nNov 28, 2026 SEVERE: all arrays were lost\u001b[31m";

  @TempDir Path directory;

  private final BlockingQueue<SocketAddress> failed = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> logged = new LinkedBlockingQueue<>();

  private final TransportObserver observer =
      new TransportObserver() {
        @Override
        public void error(Connection connection, ArraywireException error) {
          failed.add(connection.remoteAddress());
        }
      };

  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          if (entry.getMessage().startsWith("a peer was not accepted")) {
            logged.add(entry.getMessage());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void aPeersOwnPathControlsNothing(String name) throws Exception {
    Logger logger = Logger.getLogger("io.arraywire");
    Level before = logger.getLevel();
    logger.setLevel(Level.INFO);
    logger.addHandler(handler);
    try (Transport transport =
            Transports.create(name, TransportOptions.builder().observer(observer).build());
        Listener listener =
            transport.listen(
                UnixDomainSocketAddress.of(directory.resolve("listener")), (from, array) -> {});
        SocketChannel hostile = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      hostile.bind(UnixDomainSocketAddress.of(directory.resolve(NAME)));
      hostile.connect(listener.address());
      hostile.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
      assertThat(failed.poll(60, TimeUnit.SECONDS)).isEqualTo(UnixDomainSocketAddress.of(""));
      assertThat(logged.poll(60, TimeUnit.SECONDS))
          .contains(directory.resolve("listener").toString())
          .doesNotContain("SEVERE", "\n", "\u001b");
    } finally {
      logger.removeHandler(handler);
      logger.setLevel(before);
    }
  }

  /** One that says nothing bad is shown as it is. */
  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void anOrdinaryPathIsShown(String name) throws Exception {
    UnixDomainSocketAddress own = UnixDomainSocketAddress.of(directory.resolve("größe"));
    try (Transport transport =
            Transports.create(name, TransportOptions.builder().observer(observer).build());
        Listener listener =
            transport.listen(
                UnixDomainSocketAddress.of(directory.resolve("listener")), (from, array) -> {});
        SocketChannel peer = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      peer.bind(own);
      peer.connect(listener.address());
      peer.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
      assertThat(failed.poll(60, TimeUnit.SECONDS)).isEqualTo(own);
    }
  }
}
