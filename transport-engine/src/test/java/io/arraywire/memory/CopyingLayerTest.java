package io.arraywire.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.engine.ArrayIo;
import io.arraywire.engine.Intake;
import io.arraywire.engine.Link;
import io.arraywire.engine.Output;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.Role;
import io.arraywire.engine.WireEnd;
import java.io.ByteArrayOutputStream;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The layer that the contract of each transport runs through once more splits what it passes on,
 * and holds it back. If it did not, those contracts would show nothing.
 */
class CopyingLayerTest {
  private static final long SEED = 20261128;
  private static final int BYTES = 16 << 20;
  private static final int PORTION = 256 << 10;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Below below = new Below();
  private final byte[] bytes = new byte[BYTES];
  private final Above above = new Above(bytes);
  private final WireEnd end =
      CopyingLayer.of(SEED).wrap(Role.ACCEPTOR, below.remoteAddress(), below, link -> above);

  CopyingLayerTest() {
    new Random(SEED).nextBytes(bytes);
  }

  @Test
  void whatComesIsPassedOnInPiecesSomeOfThemLate() {
    int late = 0;
    int pauses = 0;
    for (int from = 0; from < BYTES; from += PORTION) {
      Intake intake = end.input(ByteBuffer.wrap(bytes, from, PORTION), true);
      while (intake == Intake.HELD || intake == Intake.PAUSED) {
        if (intake == Intake.PAUSED) {
          // Nobody above asked for it, so the layer itself has said when to read on.
          assertThat(below.resumed).isEqualTo(++pauses);
        }
        int before = above.pieces.size();
        intake = end.input(NOTHING, false);
        late += above.pieces.size() == before ? 1 : 0;
      }
    }
    assertThat(above.came.toByteArray()).isEqualTo(bytes);
    assertThat(above.pieces).hasSizeGreaterThan(4 * BYTES / PORTION).anyMatch(piece -> piece < 10);
    assertThat(new HashSet<>(above.pieces)).hasSizeGreaterThan(30);
    assertThat(late).as("calls that passed nothing on").isPositive();
    assertThat(pauses).isPositive();
  }

  @Test
  void whatGoesIsPassedOnInPiecesOfSeveralBuffersSomeOfThemLate() {
    ByteArrayOutputStream went = new ByteArrayOutputStream();
    List<Integer> pieces = new ArrayList<>();
    int late = 0;
    int several = 0;
    while (went.size() < BYTES) {
      Output output = end.output();
      if (output == null) {
        // It is asked again, since it has woken the writer.
        assertThat(below.woken).isEqualTo(++late);
        continue;
      }
      several += output.count() > 1 ? 1 : 0;
      long left = output.remaining();
      pieces.add((int) left);
      for (int i = 0; i < output.count(); i++) {
        ByteBuffer buffer = output.buffers()[output.first() + i];
        byte[] some = new byte[buffer.remaining()];
        buffer.get(some);
        went.writeBytes(some);
      }
      boolean unused = end.wrote(left);
    }
    assertThat(went.toByteArray()).isEqualTo(bytes);
    assertThat(pieces).hasSizeGreaterThan(4 * BYTES / PORTION);
    assertThat(new HashSet<>(pieces)).hasSizeGreaterThan(30);
    assertThat(late).as("times that it gave nothing").isPositive();
    assertThat(several).as("pieces in several buffers").isPositive();
  }

  /** The channel, which only counts. */
  private static final class Below implements Link {
    int woken;
    int resumed;

    @Override
    public void wakeWriter() {
      woken++;
    }

    @Override
    public void resumeReading() {
      resumed++;
    }

    @Override
    public void close() {}

    @Override
    public SocketAddress localAddress() {
      return MemoryAddress.of("here");
    }

    @Override
    public SocketAddress remoteAddress() {
      return MemoryAddress.of("there");
    }
  }

  /** What a connection would be: takes all that comes, and has bytes to send. */
  private static final class Above implements WireEnd, Output {
    final ByteArrayOutputStream came = new ByteArrayOutputStream();
    final List<Integer> pieces = new ArrayList<>();
    private final ByteBuffer[] left;

    Above(byte[] bytes) {
      left = new ByteBuffer[] {ByteBuffer.wrap(bytes)};
    }

    @Override
    public void plan(ReadPlan plan) {
      plan.intoWindow(Integer.MAX_VALUE, 0, false);
    }

    @Override
    public Intake input(ByteBuffer in, boolean fresh) {
      pieces.add(in.remaining());
      byte[] some = new byte[in.remaining()];
      in.get(some);
      came.writeBytes(some);
      return Intake.ARRAYS;
    }

    @Override
    public @Nullable Output output() {
      return left[0].hasRemaining() ? this : null;
    }

    @Override
    public boolean wrote(long count) {
      return !left[0].hasRemaining();
    }

    @Override
    public ByteBuffer[] buffers() {
      return left;
    }

    @Override
    public int first() {
      return 0;
    }

    @Override
    public int count() {
      return 1;
    }

    @Override
    public long remaining() {
      return left[0].remaining();
    }

    @Override
    public void start() {}

    @Override
    public void filled(ByteBuffer space, int count) {
      throw new IllegalStateException("it lends no space");
    }

    @Override
    public long inputArray(ArrayIo io, int atMost) {
      throw new IllegalStateException("it has no array");
    }

    @Override
    public boolean inputEnded() {
      return true;
    }

    @Override
    public void disposed(Direction direction) {}

    @Override
    public void failed(Throwable thrown) {
      throw new IllegalStateException(thrown);
    }
  }
}
