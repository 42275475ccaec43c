package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.engine.ArrayIo;
import io.arraywire.engine.Intake;
import io.arraywire.engine.Output;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.WireEnd;
import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.spi.MemoryKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The turns of two connections of one event loop, by a clock of the test's: it goes as bytes are
 * taken.
 */
class NioReaderTurnTest {
  /** So many are taken at a time. What is left of a portion is refused. */
  private static final int READ_BYTES = 1 << 10;

  private final AtomicLong now = new AtomicLong();
  private final List<String> turns = Collections.synchronizedList(new ArrayList<>());
  private final List<Pipe> pipes = new ArrayList<>();
  private EventLoop loop;

  /** A connection of which the test says how long its bytes take. */
  private final class Reader extends NioReader implements WireEnd {
    private final String name;

    /** How long one read keeps the loop's thread. */
    private final long takes;

    /** How many bytes are read at a time. */
    private final int most;

    private final Pipe pipe;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private long left;

    Reader(EventLoop own, String name, Pipe pipe, SocketIo io, long bytes, long takes, int most) {
      super(own, io, MemoryKind.HEAP);
      this.name = name;
      this.pipe = pipe;
      this.takes = takes;
      this.most = most;
      left = bytes;
    }

    @Override
    long nanoTime() {
      return now.get();
    }

    @Override
    WireEnd wire() {
      return this;
    }

    @Override
    public void ready() {
      read();
    }

    @Override
    void work(int what) {
      resume();
    }

    @Override
    public void loopEnds() {
      closed = true;
      releaseKept();
    }

    void begin() {
      loop.execute(() -> {
        try {
          start(pipe.source().register(loop.selector(), 0, this));
        } catch (IOException e) {
          done.completeExceptionally(e);
        }
      });
    }

    // The connection.

    @Override
    public void start() {}

    @Override
    public void plan(ReadPlan plan) {
      plan.intoWindow(most, 0, false);
    }

    @Override
    public Intake input(ByteBuffer bytes, boolean fresh) {
      turns.add(name);
      now.addAndGet(takes);
      int count = Math.min(bytes.remaining(), READ_BYTES);
      bytes.position(bytes.position() + count);
      left -= count;
      if (left <= 0) {
        closed = true;
        cancelKey();
        done.complete(null);
      }
      if (bytes.hasRemaining()) {
        loop.ask(this, RESUME);
        return Intake.PAUSED;
      }
      return Intake.ARRAYS;
    }

    @Override
    public void filled(ByteBuffer space, int bytes) {}

    @Override
    public long inputArray(ArrayIo io, int atMost) {
      return 0;
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
      return true;
    }

    @Override
    public void disposed(Direction direction) {}

    @Override
    public void failed(Throwable thrown) {
      done.completeExceptionally(thrown);
    }
  }

  /** Has as much as there is room for, every time. */
  private static class FullIo implements SocketIo {
    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
      long count = 0;
      for (int i = offset; i < offset + length; i++) {
        count += targets[i].remaining();
        targets[i].position(targets[i].limit());
      }
      return count;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
      return 0;
    }

    @Override
    public void shutdownOutput() {}

    @Override
    public void close() {}
  }

  /** Has what a pipe has. */
  private static final class PipeIo extends FullIo {
    private final Pipe pipe;

    PipeIo(Pipe pipe) {
      this.pipe = pipe;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
      return pipe.source().read(targets, offset, length);
    }
  }

  @BeforeEach
  void begin() throws IOException {
    loop = new EventLoop("junit-loop", WaitStrategy.sleeping(), HeapMemoryPool.create());
  }

  @AfterEach
  void nothingStaysOpen() throws Exception {
    loop.stop();
    assertThat(loop.awaitEnd(TimeUnit.SECONDS.toNanos(60))).isTrue();
    for (Pipe each : pipes) {
      each.sink().close();
      each.source().close();
    }
  }

  /** A pipe in which so many bytes wait. */
  private Pipe pipe(int bytes) throws IOException {
    Pipe pipe = Pipe.open();
    pipes.add(pipe);
    pipe.source().configureBlocking(false);
    pipe.sink().write(ByteBuffer.allocate(bytes));
    return pipe;
  }

  /**
   * What a portion has left when its time is over is taken though nothing else comes, and others
   * have their turn before each part of it.
   */
  @Test
  void whatIsLeftOfAPortionFollowsTheTurnsOfOthers() throws Exception {
    int parts = 6;
    List<Reader> both = new ArrayList<>();
    for (String name : List.of("one", "other")) {
      Pipe pipe = pipe(parts * READ_BYTES);
      both.add(
          new Reader(loop, name, pipe, new PipeIo(pipe), (long) parts * READ_BYTES, 0, 1 << 20));
    }
    both.forEach(Reader::begin);
    loop.start();
    for (Reader each : both) {
      each.done.get(60, TimeUnit.SECONDS);
    }
    assertThat(turns).hasSize(2 * parts);
    // They take turns, one each time.
    for (int i = 2; i < turns.size(); i++) {
      assertThat(turns.subList(i - 2, i + 1)).as("of %s", turns).contains("one", "other");
    }
  }

  /** Reads in a row end by the clock, long before there are as many of them as there may be. */
  @Test
  void readsInARowEndWhenTheyHaveTakenLong() throws Exception {
    long takes = NioReader.TURN_NANOS / 2 + 1;
    // The first, which the clock does not see, and two.
    int inATurn = 3;
    int reads = 4 * inATurn;
    List<Reader> both = new ArrayList<>();
    for (String name : List.of("one", "other")) {
      Pipe pipe = pipe(1);
      both.add(
          new Reader(loop, name, pipe, new FullIo(), (long) reads * READ_BYTES, takes, READ_BYTES));
    }
    both.forEach(Reader::begin);
    loop.start();
    for (Reader each : both) {
      each.done.get(60, TimeUnit.SECONDS);
    }
    assertThat(turns).hasSize(2 * reads);
    for (int i = inATurn; i < turns.size(); i++) {
      assertThat(turns.subList(i - inATurn, i + 1)).as("of %s", turns).contains("one", "other");
    }
  }
}
