package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteErrorException;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.source.ArraySink;
import io.arraywire.source.ArraySource;
import io.arraywire.source.ElementReader;
import io.arraywire.source.ElementWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a channel reads straight into, and what no array holds. */
class NioSinkTest {
  private static final SocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final TransportOptions OPTIONS =
      TransportOptions.builder().maxArrayBytes(1L << 40).build();

  @TempDir Path dir;

  private final BlockingQueue<ReceivedArray> handed = new LinkedBlockingQueue<>();

  /** Bytes that arrive before the handler names the file are copied; at most an inbox of them. */
  @Test
  void whatArrivesIsNotCopied() throws Exception {
    float[] array = new float[8 << 20];
    array[array.length - 1] = 3;
    Path file = dir.resolve("array.bin");
    Handlers handlers =
        Handlers.ofArrays((connection, received) -> handed.add(received))
            .withTargets((connection, header) ->
                ArraySink.file(file, header.type(), ByteOrder.nativeOrder()));
    try (Transport transport = NioTransport.create(OPTIONS);
        Listener listener = transport.listen(ANY, handlers);
        Connection connection = transport.connect(listener.address())) {
      connection.send(array, SendOptions.processed());
      Receipt receipt = handed.remove().receipt();
      assertThat(receipt.copiedBytes()).isBetween(0L, (long) array.length);
      assertThat(Files.size(file)).isEqualTo(4L * array.length);
    }
  }

  /** Bytes of zero, more than an array can have. */
  private record Zeros(long count) implements ArraySource {
    @Override
    public ElementType type() {
      return ElementType.BYTE;
    }

    @Override
    public ElementReader open() {
      return (index, some, target) -> target.position(target.position() + some);
    }
  }

  /** Counts elements, each at its place. */
  private record CountingSink(AtomicLong counted) implements ArraySink {
    @Override
    public ElementType type() {
      return ElementType.BYTE;
    }

    @Override
    public ElementWriter open(long count, ByteOrder order) {
      return (index, some, source) -> {
        assertThat(counted.getAndAdd(some)).isEqualTo(index);
        source.position(source.limit());
      };
    }
  }

  /** A handler without a sink for it refuses it, a receiver of arrays does not take it. */
  @Test
  @Tag("slow")
  void moreElementsThanAnArrayHolds() throws Exception {
    Zeros zeros = new Zeros((1L << 31) + (1 << 20) + 1);
    AtomicLong counted = new AtomicLong();
    AtomicBoolean namesSink = new AtomicBoolean(true);
    Handlers handlers =
        Handlers.ofArrays((connection, array) -> handed.add(array))
            .withTargets((connection, header) -> {
              assertThat(header.count()).isEqualTo(Integer.MAX_VALUE);
              return namesSink.get() ? new CountingSink(counted) : null;
            });
    try (Transport transport = NioTransport.create(OPTIONS);
        Listener listener = transport.listen(ANY, handlers);
        Listener receiving = transport.listen(ANY);
        Connection connection = transport.connect(listener.address());
        Connection other = transport.connect(receiving.address())) {
      Receipt receipt = connection.send(zeros, SendOptions.processed());
      assertThat(receipt.elements()).isEqualTo(zeros.count());
      assertThat(counted).hasValue(zeros.count());
      assertThat(handed.remove().receipt().elements()).isEqualTo(zeros.count());

      namesSink.set(false);
      assertThatThrownBy(() -> connection.send(zeros, SendOptions.processed()))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining(
              "must name a sink for it (count=" + zeros.count() + ", limit=2147483639)");
      assertThat(handed).isEmpty();

      assertThatThrownBy(() -> other.send(zeros, SendOptions.processed()))
          .isInstanceOf(RemoteErrorException.class)
          .hasMessageContaining("more elements than a Java array can hold");
      other.closeNow();
    }
  }
}
