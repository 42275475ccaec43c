package io.arraywire.examples.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.examples.NpyFiles;
import io.arraywire.nio.NioTransport;
import io.arraywire.source.ArraySink;
import io.arraywire.source.ArraySource;
import io.arraywire.source.ElementReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files larger than one window: at 1 GiB a real one would take too long. */
@Timeout(60)
class MappedReaderTest {
  private static final long STEP = 1 << 20;

  /** The largest frame that the receiver takes, by its default; less than 16 chunks. */
  private static final long OVERLAP = 1 << 20;

  @TempDir Path dir;

  /** The file in windows that begin a step behind each other. */
  private record Windowed(ArrayFile file) implements ArraySource {
    @Override
    public ElementType type() {
      return file.type();
    }

    @Override
    public long count() {
      return file.bytes() / file.type().bytes();
    }

    @Override
    public ElementReader open() throws IOException {
      ElementReader direct =
          ArraySource.file(file.path(), file.position(), file.type(), file.order(), count()).open();
      return new MappedReader(file, direct, STEP, OVERLAP);
    }
  }

  @Test
  void theChannelWritesFromEachWindow() throws Exception {
    // Five windows, of which the last begins within the last frame of the one before.
    long elements = 5 * STEP / 8 - 3;
    ArrayFile file = ArrayFile.npy(NpyFiles.random(dir.resolve("sent.npy"), "<f8", elements));
    Path got = dir.resolve("got.bin");
    // Frames of which none ends where a window does.
    TransportOptions options = TransportOptions.builder().chunkBytes(72_000).build();
    Handlers handlers =
        Handlers.ofArrays((connection, array) -> {})
            .withTargets((connection, header) -> ArraySink.file(got, header.type(), file.order()));
    try (Transport transport = NioTransport.create(options);
        Listener listener =
            transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), handlers);
        Connection connection = transport.connect(listener.address())) {
      Receipt receipt = connection.send(new Windowed(file), SendOptions.processed());
      assertThat(receipt.copiedBytes()).as("copied on the way").isZero();
    }
    byte[] sent = Files.readAllBytes(file.path());
    byte[] expected = Arrays.copyOfRange(sent, (int) file.position(), sent.length);
    assertThat(Files.readAllBytes(got)).isEqualTo(expected);
  }
}
