package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameType;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.wire.FlowOffer;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an operator reads of a connection that can do nothing more, and is told nowhere else. */
class EngineLogTest {
  private static final String NO_HANDLER = "a handler cannot run";
  private static final String PLAIN = "a connection in plain mode failed on the bytes that came";

  private final RecordedLog log = new RecordedLog();

  @AfterEach
  void end() {
    log.close();
  }

  /** Many arrays, several channels: said once, and to the peer. */
  @Test
  void aHandlerThatCanNeverRunIsLoggedOnceAndThePeerTold() {
    EngineBench bench =
        EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED)).open();
    bench.onTask =
        task -> {
          throw new RejectedExecutionException("shut down");
        };
    ArraySlice array = ArraySlice.of(new int[3]);
    bench.feed(
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, array),
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 2, array));
    bench.clock.advance(Duration.ofSeconds(1));
    bench.pump();
    assertThat(log.with(NO_HANDLER))
        .singleElement()
        .asString()
        .contains("the handler executor refuses its task", "peer=" + bench.remoteAddress())
        .hasSizeLessThan(300);
    assertThat(bench.error(ErrorCode.INTERNAL)).contains("the handler executor refuses tasks");
    bench.end();
    bench.clock.advance(Duration.ofSeconds(1));
    assertThat(log.with(NO_HANDLER)).as("said once").hasSize(1);
  }

  /** An executor that was shut down first, as in a service that stops, is no news. */
  @Test
  void anEndThatNoHandlerHearsOfIsNotLogged() {
    EngineBench bench =
        EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED)).open();
    bench.onTask =
        task -> {
          throw new RejectedExecutionException("shut down");
        };
    bench.end();
    bench.clock.advance(Duration.ofSeconds(1));
    assertThat(log.with(NO_HANDLER)).isEmpty();
  }

  /** In plain mode the peer ends the connection, whenever it likes. */
  @Test
  void aPlainCloseSaysWhatItWaitsFor() throws Exception {
    TransportOptions options =
        TransportOptions.builder()
            .plain(ElementType.INT)
            .closeTimeout(Duration.ofMillis(600))
            .build();
    try (Transport transport = InMemoryTransport.create(options);
        Listener listener = transport.listen(MemoryAddress.free())) {
      Connection here = transport.connect(listener.address());
      Connection there = listener.accept();
      here.close();
      assertThat(log.with("close waits for the peer to close"))
          .singleElement()
          .asString()
          .contains("plain mode has no other sign", "closeTimeout=PT0.6S", "peer=")
          .hasSizeLessThan(300);
      assertThat(there.isOpen()).isTrue();
    }
  }

  /** The peer learns a number, the operator what it stands for. */
  @Test
  void aHandlersFailureIsFoundInTheLogByTheNumberThatThePeerIsTold() {
    EngineBench.Recorder failing =
        new EngineBench.Recorder() {
          @Override
          public void onArray(Connection connection, ReceivedArray array) throws Exception {
            throw new NoSuchFileException("/srv/models/secret.npy");
          }
        };
    EngineBench bench =
        EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED), failing).open();
    bench.feed(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[3])));
    String told =
        bench.frames().stream()
            .filter(frame -> frame.type() == FrameType.REJECTED)
            .map(frame -> EngineBench.fault(frame, ErrorCode.REJECTED))
            .findFirst()
            .orElseThrow();
    assertThat(told)
        .containsPattern(
            "the handler threw an exception \\(logNumber=\\d+," + " cause=no such file\\)")
        .doesNotContain("secret", "Exception");
    String number = told.substring(told.indexOf("logNumber="), told.indexOf(", cause="));
    assertThat(log.with("array refused")).singleElement().asString().contains(number + ",");
  }

  private static void refuse(boolean first) {
    if (first) {
      throw new IllegalStateException("one bug");
    }
    throw new IllegalStateException("another");
  }

  /**
   * Of one class, at two places each, of which some are in a check of the JDK's or the library's.
   */
  @Test
  void twoBugsAreToldApart() {
    EngineBench.Recorder failing =
        new EngineBench.Recorder() {
          @Override
          public void onArray(Connection connection, ReceivedArray array) {
            switch (array.count()) {
              case 1, 2 -> refuse(array.count() == 1);
              case 3 -> Objects.checkIndex(3, 3);
              case 4 -> Objects.checkIndex(4, 4);
              case 5 -> array.floats();
              default -> array.doubles();
            }
          }
        };
    EngineBench bench =
        EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED), failing).open();
    for (int i = 1; i <= 12; i++) {
      int count = (i - 1) % 6 + 1;
      bench.feed(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, i, ArraySlice.of(new int[count])));
    }
    List<String> numbers =
        bench.frames().stream()
            .filter(frame -> frame.type() == FrameType.REJECTED)
            .map(frame -> EngineBench.fault(frame, ErrorCode.REJECTED))
            .map(told -> told.substring(told.indexOf("logNumber="), told.indexOf(", cause=")))
            .toList();
    assertThat(numbers).hasSize(12);
    assertThat(numbers.subList(0, 6)).doesNotHaveDuplicates().isEqualTo(numbers.subList(6, 12));
    assertThat(log.with("array refused")).as("each once, with its stack").hasSize(6);
  }

  /** Nothing is wrong here, so no warning tells of it, and no stack. */
  @Test
  void aRefusalOnPurposeIsNoBug() {
    EngineBench.Recorder refusing =
        new EngineBench.Recorder() {
          @Override
          public void onArray(Connection connection, ReceivedArray array) throws Exception {
            throw ArraywireException.refusal("the disk is full", "bytes", 12);
          }
        };
    EngineBench bench =
        EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED), refusing).open();
    bench.feed(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[3])));
    assertThat(EngineBench.fault(bench.frame(FrameType.REJECTED), ErrorCode.REJECTED))
        .isEqualTo("the peer reports: the disk is full (bytes=12) (code=REJECTED)");
    assertThat(log.with("array refused and its sender told")).hasSize(1);
    assertThat(log.warnings()).isEmpty();
  }

  @Test
  void aRequestThatItsCallerHasGivenUpIsNoSendThatWaits() throws Exception {
    EngineBench bench =
        EngineBench.withoutHandler(
                Role.CONNECTOR, EngineBench.options().checksums(Checksums.UNWANTED))
            .open();
    CompletableFuture<ReceivedArray> asked =
        bench.connection.request(
            ArraySlice.of(new int[1]), RequestOptions.defaults().timeout(Duration.ofSeconds(1)));
    bench.pump();
    bench.clock.advance(Duration.ofSeconds(2));
    bench.pump();
    assertThat(asked).isCompletedExceptionally();
    Running<Boolean> closing =
        Running.start(() -> {
          bench.connection.close();
          return true;
        });
    List<FrameType> written = new ArrayList<>();
    // It begins to close, and a moment later has its goodbye.
    Eventually.until(
        "it says goodbye",
        () -> {
          bench.pump();
          bench.frames().forEach(each -> written.add(each.type()));
          return written.contains(FrameType.GOODBYE);
        });
    for (int i = 0; i < 40; i++) {
      bench.clock.advance(Duration.ofSeconds(1));
    }
    assertThat(log.with("send on")).isEmpty();
    assertThat(written).containsExactly(FrameType.ARRAY, FrameType.CANCEL, FrameType.GOODBYE);
    bench.feed(RawFrame.control(FrameType.GOODBYE, 0)).end();
    bench.pump();
    assertThat(closing.get()).isTrue();
  }

  /** It is the peer that promises too few, so nothing can be refused when options are built. */
  @Test
  void aTimeoutThatThePeersHeartbeatsDoNotAllowIsLoggedOnce() {
    EngineBench.acceptor(EngineBench.options().heartbeatTimeout(Duration.ofSeconds(2)))
        .open(EngineBench.offer(new FlowOffer(8, 1 << 20, 1 << 20, 5000, 64)));
    assertThat(log.with("silence ends this connection after three"))
        .singleElement()
        .asString()
        .contains("(heartbeatTimeout=PT2S, peersInterval=PT5S, used=PT15S, peer=")
        .hasSizeLessThan(400);
    EngineBench.acceptor(EngineBench.options())
        .open(EngineBench.offer(new FlowOffer(8, 1 << 20, 1 << 20, 5000, 64)));
    assertThat(log.with("silence ends this connection after three")).hasSize(1);
  }

  private static byte[] plain(Object array) {
    ArraySlice slice = ArraySlice.ofArray(array);
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + slice.length() * slice.type().bytes());
    bytes.putInt(slice.length());
    if (array instanceof float[] floats) {
      for (float each : floats) {
        bytes.putFloat(each);
      }
    } else {
      for (double each : (double[]) array) {
        bytes.putDouble(each);
      }
    }
    return bytes.array();
  }

  private void assertSaysThatTypesMayDiffer(String type, String part) {
    assertThat(log.with(PLAIN))
        .singleElement()
        .asString()
        .contains("which plain mode does not tell (plainType=" + type, "peer=", part);
  }

  private static EngineBench plainEnd(ElementType type) {
    return EngineBench.acceptor(EngineBench.options().plain(type).maxArrayBytes(1 << 20));
  }

  /** Half of a double is the next array's count to an end that has floats. */
  @Test
  void doublesToAnEndOfFloatsAreLogged() {
    EngineBench bench = plainEnd(ElementType.FLOAT);
    bench.feed(plain(new double[] {1, 2, 3, 4, 5}));
    bench.clock.advance(Duration.ofSeconds(1));
    assertSaysThatTypesMayDiffer("float", "limit=1048576");
  }

  @Test
  void floatsToAnEndOfDoublesAreLoggedWhenTheyEnd() {
    EngineBench bench = plainEnd(ElementType.DOUBLE);
    bench.feed(plain(new float[] {1, 2, 3, 4}));
    bench.end();
    bench.clock.advance(Duration.ofSeconds(1));
    assertSaysThatTypesMayDiffer("double", "received=16, expected=32");
  }

  @Test
  void floatsToAnEndOfDoublesAreLoggedWhenNoMoreCome() {
    EngineBench bench = plainEnd(ElementType.DOUBLE);
    bench.feed(plain(new float[] {1, 2, 3, 4}));
    for (int i = 0; i < 40; i++) {
      bench.clock.advance(Duration.ofMillis(1250));
    }
    bench.end();
    assertSaysThatTypesMayDiffer("double", "received=16");
  }

  @Test
  void anOrderlyEndInPlainModeIsNotLogged() {
    EngineBench bench = plainEnd(ElementType.DOUBLE);
    bench.feed(plain(new double[] {1, 2, 3, 4}));
    bench.end();
    bench.clock.advance(Duration.ofSeconds(1));
    assertThat(log.with(PLAIN)).isEmpty();
  }
}
