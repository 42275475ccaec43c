package io.arraywire.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.TransportOptions;
import io.arraywire.engine.ArrayIo;
import io.arraywire.engine.Intake;
import io.arraywire.engine.Output;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.WireEnd;
import io.arraywire.spi.HeapMemoryPool;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read by one thread and taken by another, step by step. */
class ReadingTest {
  private final Given socket = new Given("abcd", "efgh");
  private final Pausing wire = new Pausing();
  private final Reading reading =
      new Reading(new StreamLink(socket), socket, wire, HeapMemoryPool.create(), signalled());

  private static Wakeup signalled() {
    Wakeup wakeup = new Wakeup();
    wakeup.signal();
    return wakeup;
  }

  /** The resting thread comes for the trouble that a caller has left, and would read on. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2, 4})
  void nothingIsReadBehindWhatIsLeft(int taken) {
    wire.takes = taken;
    assertThat(reading.readNow()).isEqualTo(Reading.Brought.TROUBLE);
    wire.takes = Integer.MAX_VALUE;
    assertThat(reading.readNow()).isEqualTo(Reading.Brought.TROUBLE);
    assertThat(wire.came.toString()).isEqualTo("abcd".substring(0, taken));
    reading.run();
    assertThat(wire.came.toString()).isEqualTo("abcdefgh");
  }

  @Test
  void anEndIsReadOnce() {
    assertThat(reading.readNow()).isEqualTo(Reading.Brought.BYTES);
    assertThat(reading.readNow()).isEqualTo(Reading.Brought.BYTES);
    assertThat(reading.readNow()).isEqualTo(Reading.Brought.TROUBLE);
    assertThat(reading.readNow()).isEqualTo(Reading.Brought.TROUBLE);
    assertThat(socket.ends).isOne();
  }

  /** Takes {@code takes} bytes of each read and then stops reading; all by default. */
  private static final class Pausing implements WireEnd {
    final StringBuilder came = new StringBuilder();
    int takes = Integer.MAX_VALUE;

    @Override
    public void start() {}

    @Override
    public void plan(ReadPlan plan) {
      plan.intoWindow(Integer.MAX_VALUE, 0, false);
    }

    @Override
    public Intake input(ByteBuffer bytes, boolean fresh) {
      boolean pauses = takes != Integer.MAX_VALUE;
      byte[] some = new byte[Math.min(takes, bytes.remaining())];
      bytes.get(some);
      came.append(new String(some, US_ASCII));
      return pauses ? Intake.PAUSED : Intake.ARRAYS;
    }

    @Override
    public void filled(ByteBuffer space, int bytes) {
      throw new AssertionError("no space was given");
    }

    @Override
    public long inputArray(ArrayIo io, int atMost) {
      throw new AssertionError("no array was asked for");
    }

    @Override
    public boolean inputEnded() {
      return true;
    }

    @Override
    public @Nullable Output output() {
      return null;
    }

    @Override
    public boolean wrote(long bytes) {
      throw new AssertionError("there is no output");
    }

    @Override
    public void disposed(Direction direction) {}

    @Override
    public void failed(Throwable thrown) {
      throw new AssertionError(thrown);
    }
  }

  /** Has these bytes, one portion for each read, and then the end. */
  private static final class Given implements StreamSocket {
    private final Queue<String> portions;
    int ends;

    Given(String... portions) {
      this.portions = new ArrayDeque<>(List.of(portions));
    }

    @Override
    public int read(ByteBuffer into) {
      String next = portions.poll();
      if (next == null) {
        ends++;
        return -1;
      }
      into.put(next.getBytes(US_ASCII));
      return next.length();
    }

    @Override
    public int write(ByteBuffer from) {
      throw new AssertionError("nothing is written");
    }

    @Override
    public void setBuffers(TransportOptions options) {}

    @Override
    public void connect(SocketAddress address) {}

    @Override
    public void setBlocking(boolean on) {}

    @Override
    public SelectionKey register(Selector selector) {
      throw new AssertionError("nobody waits");
    }

    @Override
    public void endOutput() {}

    @Override
    public SocketAddress localAddress() {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    @Override
    public SocketAddress remoteAddress() {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);
    }

    @Override
    public void close() {}
  }
}
