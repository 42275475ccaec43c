package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.Handlers;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.spi.TlsEngines;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;

/**
 * One portion of bytes brings thousands of small arrays. The thread that reads takes as many as it
 * has time for, leaves the others until other connections have had their turn, and then goes on.
 * Nothing else has to come for that.
 */
class EngineReaderTurnTest {
  private static final int ARRAYS = 3000;
  private static final long TURN = TimeUnit.MICROSECONDS.toNanos(500);

  /** So many small frames pass between two looks at the clock. */
  private static final int IN_A_ROW = 64;

  private static final StackWalker LOOKERS =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  /** Time that passes with each look at it, and in handlers. */
  private final class Runtime extends ForwardingRuntime {
    @Override
    public long nanoTime() {
      if (LOOKERS.getCallerClass().getSimpleName().equals("FramedEnd")) {
        looks++;
      }
      now += forEachLook;
      return now;
    }
  }

  /** Runs on the thread that reads, and takes as long as a test says. */
  private final class OnLoop extends EngineBench.Recorder {
    @Override
    Handlers handlers() {
      return super.handlers().onLoop();
    }

    @Override
    public void onArray(Connection connection, ReceivedArray array) throws Exception {
      super.onArray(connection, array);
      now += forEachCall;
    }
  }

  private long now;
  private long looks;
  private long forEachLook;
  private long forEachCall;

  private EngineBench open(TransportOptions.Builder options, EngineBench.Recorder handler) {
    EngineBench bench = EngineBench.acceptor(options, handler, new Runtime());
    bench.readingNanos = TURN;
    return bench;
  }

  private EngineBench open(EngineBench.Recorder handler) {
    return open(EngineBench.options().checksums(Checksums.UNWANTED), handler).open();
  }

  private static byte[] arrays() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < ARRAYS; i++) {
      RawFrame frame =
          RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, i + 1L, ArraySlice.of(new int[] {i}));
      all.writeBytes(frame.bytes());
    }
    return all.toByteArray();
  }

  private static void assertAll(EngineBench bench) {
    List<Integer> seen = new ArrayList<>();
    bench.handler.arrays.forEach(array -> seen.add(array.ints()[0]));
    assertThat(seen).hasSize(ARRAYS).isSorted().doesNotHaveDuplicates();
  }

  /** Where time goes by: the first frames, and then as many as it takes to look four times. */
  @Test
  void theThreadThatReadsLeavesWhatItHasNoTimeFor() {
    EngineBench bench = open(new EngineBench.Recorder());
    forEachLook = TURN / 4;
    bench.feed(arrays());
    assertAll(bench);
    assertThat(bench.resumed).isEqualTo(ARRAYS / (5 * IN_A_ROW));
  }

  /** Where little time goes by, nothing is left, and the clock costs next to nothing. */
  @Test
  void theClockIsRarelyLookedAt() {
    EngineBench bench = open(new EngineBench.Recorder());
    bench.feed(arrays());
    assertAll(bench);
    assertThat(bench.resumed).isZero();
    // Once after the first frames, and after each as many.
    assertThat(looks).isEqualTo(ARRAYS / IN_A_ROW);
  }

  /** A thread that serves one connection alone never leaves anything. */
  @Test
  void whereNobodyElseWaitsNothingIsLeft() {
    EngineBench bench = open(new EngineBench.Recorder());
    bench.readingNanos = Long.MAX_VALUE;
    forEachLook = TURN;
    bench.feed(arrays());
    assertAll(bench);
    assertThat(bench.resumed).isZero();
  }

  /** Handlers that run on the thread that reads are a part of its time. */
  @Test
  void handlersOnTheLoopTakeItsTime() {
    EngineBench bench = open(new OnLoop());
    forEachCall = TURN / IN_A_ROW + 1;
    bench.feed(arrays());
    assertAll(bench);
    // The first frames, before which there was no look, and once as many.
    assertThat(bench.resumed).isEqualTo(ARRAYS / (2 * IN_A_ROW));
  }

  @Test
  void inPlainModeLikewise() {
    EngineBench bench =
        open(EngineBench.options().plain(ElementType.INT), new EngineBench.Recorder());
    forEachLook = TURN / 4;
    ByteBuffer all = ByteBuffer.allocate(ARRAYS * 2 * Integer.BYTES);
    for (int i = 0; i < ARRAYS; i++) {
      all.putInt(1).putInt(i);
    }
    bench.feed(all.array());
    assertAll(bench);
    assertThat(bench.resumed).isEqualTo(ARRAYS / (5 * IN_A_ROW));
  }

  /** Over TLS the layer holds back what was decrypted and not taken. */
  @Test
  void overTlsLikewise() {
    SSLContext context =
        TestAuthority.named("arraywire test").issue("both", "localhost", "127.0.0.1").context();
    EngineBench connector = EngineBench.encrypting(Role.CONNECTOR, options(), engines(context));
    EngineBench acceptor = EngineBench.encrypting(Role.ACCEPTOR, options(), engines(context));
    EngineBench.join(connector, acceptor);
    assertThat(connector.connection.isOpen()).as(connector.connection.describe()).isTrue();
    for (int i = 0; i < ARRAYS; i++) {
      var unused =
          connector.connection.sendAsync(ArraySlice.of(new int[] {i}), SendOptions.handedOff());
    }
    connector.pump();
    // However little time has passed, there is none left.
    acceptor.readingNanos = 0;
    acceptor.resumed = 0;
    EngineBench.join(connector, acceptor);
    assertAll(acceptor);
    assertThat(acceptor.resumed).isBetween(ARRAYS / (2 * IN_A_ROW) - 3, ARRAYS / IN_A_ROW);
  }

  private static TransportOptions.Builder options() {
    return EngineBench.options().checksums(Checksums.UNWANTED);
  }

  private static TlsEngines engines(SSLContext context) {
    return new TlsEngines() {
      @Override
      public SSLEngine client(String peerName, int port) {
        SSLEngine engine = context.createSSLEngine("localhost", 1);
        engine.setUseClientMode(true);
        return engine;
      }

      @Override
      public SSLEngine server() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        return engine;
      }
    };
  }
}
