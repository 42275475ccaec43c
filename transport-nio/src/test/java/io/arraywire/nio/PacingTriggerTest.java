package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a channel is told that it need not be paced, whatever the system does. */
class PacingTriggerTest {
  private static final SocketAddress LOOPBACK =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** Elements of 64 KiB, headers not counted. */
  private static final int LARGE = 1 << 14;

  private final AtomicInteger told = new AtomicInteger();

  @TempDir private Path directory;

  /** Counts. */
  private SocketIo counting(SocketChannel channel) {
    return new StagedIo(SocketIo.of(channel)) {
      @Override
      public void endPacing() {
        told.incrementAndGet();
      }

      @Override
      public String pacing() {
        return ", told " + told;
      }
    };
  }

  private void sends(SocketAddress address, boolean unpaced, int elements, int times)
      throws Exception {
    NioOptions options = NioOptions.builder().unpacedLoopback(unpaced).build();
    try (Transport transport =
            new SelectorTransport(TransportOptions.defaults(), options, this::counting);
        Listener listener = transport.listen(address);
        Connection connection = transport.connect(listener.address());
        Connection accepted = listener.accept()) {
      for (int i = 0; i < times; i++) {
        connection.send(new float[elements]);
        assertThat(accepted.receive().floats()).hasSize(elements);
      }
      assertThat(connection.describe()).contains(", told " + told);
    }
  }

  @Test
  void onceByTheEndThatWritesSomethingLarge() throws Exception {
    sends(LOOPBACK, true, LARGE, 3);
    assertThat(told).hasValue(1);
  }

  @Test
  void notByWhatIsSmall() throws Exception {
    sends(LOOPBACK, true, LARGE / 2, 3);
    assertThat(told).hasValue(0);
  }

  @Test
  void notWhereTheUserDoesNotWantIt() throws Exception {
    sends(LOOPBACK, false, LARGE, 1);
    assertThat(told).hasValue(0);
  }

  @Test
  void notOverAUnixDomainSocket() throws Exception {
    sends(UnixDomainSocketAddress.of(directory.resolve("socket")), true, LARGE, 1);
    assertThat(told).hasValue(0);
  }
}
