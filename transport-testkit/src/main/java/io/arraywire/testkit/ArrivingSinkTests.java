package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.RemoteErrorException;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.source.ArraySink;
import io.arraywire.source.ElementWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a sink hears, and may do, while its array arrives. */
interface ArrivingSinkTests {
  TransportStage stage();

  /** Notes how many elements had arrived each time. */
  final class CountedSink implements ArraySink, ElementWriter {
    /** Of one writer, which one thread uses at a time. */
    final List<Long> arrived = new ArrayList<>();

    private long written;

    @Override
    public ElementType type() {
      return ElementType.INT;
    }

    @Override
    public ElementWriter open(long count, ByteOrder order) {
      return this;
    }

    @Override
    public void write(long index, int count, ByteBuffer source) {
      source.position(source.limit());
      written = index + count;
    }

    @Override
    public void arrived(long elements) {
      assertThat(elements).isGreaterThanOrEqualTo(written);
      arrived.add(elements);
    }
  }

  @Test
  default void aSinkHearsHowManyElementsHaveArrived() throws Exception {
    int count = 600_000;
    CountedSink sink = new CountedSink();
    Connection connection =
        stage()
            .connectionTo(
                Handlers.ofArrays((from, array) -> {}).withTargets((from, header) -> sink));
    connection.send(new int[count], SendOptions.processed());
    connection.close();
    assertThat(sink.arrived).isSorted().endsWith((long) count);
    // Unlike write, in any pieces in which they come.
    assertThat(sink.written).isEqualTo(count);
  }

  /** For a sender that had better not go on with a large array. */
  @Test
  default void aSinkMayEndTheConnection() throws Exception {
    for (boolean late : new boolean[] {false, true}) {
      ArraySink sink =
          new ArraySink() {
            @Override
            public ElementType type() {
              return ElementType.INT;
            }

            @Override
            public ElementWriter open(long count, ByteOrder order) throws IOException {
              if (!late) {
                throw new ArraywireException(ErrorCode.REJECTED, "no more of that");
              }
              return (index, some, source) -> {
                throw new ArraywireException(ErrorCode.REJECTED, "no more of that");
              };
            }
          };
      Connection connection =
          stage()
              .connectionTo(
                  Handlers.ofArrays((from, array) -> {}).withTargets((from, header) -> sink));
      assertThatThrownBy(() -> connection.send(new int[4_000_000], SendOptions.processed()))
          .isInstanceOf(RemoteErrorException.class)
          .hasMessageContaining("no more of that");
      connection.closeNow();
    }
  }

  /** What another connection failed with, in a sink that sends on, is no reason to end this one. */
  @Test
  default void aSinkThatFailsWithAnotherCodeRefusesItsArrayOnly() throws Exception {
    for (ErrorCode code :
        List.of(ErrorCode.SOURCE_FAILED, ErrorCode.INTERNAL, ErrorCode.NOT_PERMITTED)) {
      ArraySink sink =
          new ArraySink() {
            @Override
            public ElementType type() {
              return ElementType.INT;
            }

            @Override
            public ElementWriter open(long count, ByteOrder order) {
              return (index, some, source) -> {
                throw new ArraywireException(code, "the next hop failed");
              };
            }
          };
      Connection connection =
          stage()
              .connectionTo(
                  Handlers.ofArrays((from, array) -> {}).withTargets((from, header) -> sink));
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> connection.send(new int[1000], SendOptions.processed()))
            .isInstanceOf(RemoteRejectedException.class)
            .hasMessageContaining("the next hop failed");
      }
      connection.close();
    }
  }
}
