package io.arraywire.memory;

import io.arraywire.engine.ArrayIo;
import io.arraywire.engine.Intake;
import io.arraywire.engine.Link;
import io.arraywire.engine.Output;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.WireEnd;
import java.nio.ByteBuffer;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** One connection's part of a {@link CopyingLayer}. Knows nothing of the protocol. */
final class CopyingEnd implements WireEnd {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int MOST_BYTES = 64 << 10;

  private final Link below;
  private final WireEnd above;

  // The reading thread's.
  private final Random reads;
  private final ReadPlan plan = new ReadPlan();

  /** What came and was not passed on. */
  private ByteBuffer held = NOTHING;

  private @Nullable ByteBuffer window;

  /** What was passed on and refused. */
  private @Nullable ByteBuffer refused;

  /** Whether what is above is a layer that can pass on more by itself. */
  private boolean aboveHolds;

  // The writing thread's.
  private final Random writes;
  private final Copy copy = new Copy();
  private boolean begun;
  private boolean delayed;
  private boolean last;

  CopyingEnd(Link below, WireEnd above, long seed) {
    this.below = below;
    this.above = above;
    reads = new Random(seed);
    writes = new Random(~seed);
  }

  @Override
  public void start() {
    above.start();
  }

  /** Anything, in portions of any size: bytes that the channel should put elsewhere it cannot. */
  @Override
  public void plan(ReadPlan ofTransport) {
    ofTransport.intoWindow(Integer.MAX_VALUE, 0, held.remaining() > 0);
  }

  @Override
  public Intake input(ByteBuffer bytes, boolean fresh) {
    hold(bytes);
    boolean waits = !fresh && refused == null && reads.nextInt(16) == 0;
    int pieces = waits ? 0 : 1 + reads.nextInt(8);
    Intake intake = Intake.CONTROL;
    for (int i = 0; i < pieces && holds(); i++) {
      intake = passOn();
      if (intake == Intake.PAUSED) {
        return intake;
      }
    }
    if (!holds()) {
      return intake;
    }
    if (reads.nextInt(40) == 0) {
      below.resumeReading();
      return Intake.PAUSED;
    }
    return Intake.HELD;
  }

  private boolean holds() {
    return refused != null || aboveHolds || held.hasRemaining();
  }

  private void hold(ByteBuffer bytes) {
    if (!bytes.hasRemaining()) {
      return;
    }
    held.compact();
    if (held.remaining() < bytes.remaining()) {
      ByteBuffer larger = like(bytes, held.position() + bytes.remaining() + MOST_BYTES);
      held = larger.put(held.flip());
    }
    held.put(bytes).flip();
  }

  private static ByteBuffer like(ByteBuffer bytes, int capacity) {
    return bytes.isDirect() ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
  }

  /** Passes a piece on. */
  private Intake passOn() {
    ByteBuffer again = refused == null && aboveHolds ? NOTHING : refused;
    if (again != null) {
      return took(above.input(again, false), again);
    }
    above.plan(plan);
    ByteBuffer space = plan.space();
    int most = Math.min(held.remaining(), piece(reads));
    if (space != null) {
      int count = Math.min(most, space.remaining());
      move(held, space, count);
      above.filled(space, count);
      return Intake.ARRAYS;
    }
    ByteBuffer piece = window == null ? like(held, MOST_BYTES) : window.clear();
    window = piece;
    move(held, piece, Math.min(most, plan.limit()));
    return took(above.input(piece.flip(), true), piece);
  }

  private Intake took(Intake intake, ByteBuffer piece) {
    refused = intake == Intake.PAUSED ? piece : null;
    aboveHolds = intake == Intake.HELD;
    return intake;
  }

  private static void move(ByteBuffer from, ByteBuffer to, int count) {
    int limit = from.limit();
    to.put(from.limit(from.position() + count));
    from.limit(limit);
  }

  private static int piece(Random random) {
    return switch (random.nextInt(16)) {
      case 0 -> 1 + random.nextInt(9);
      case 1, 2, 3 -> 1 + random.nextInt(601);
      default -> MOST_BYTES - random.nextInt(60_000);
    };
  }

  @Override
  public void filled(ByteBuffer space, int bytes) {
    throw new IllegalStateException("this layer lends no space");
  }

  @Override
  public long inputArray(ArrayIo io, int atMost) {
    throw new IllegalStateException("no array passes by this layer");
  }

  @Override
  public boolean inputEnded() {
    while (holds()) {
      if (passOn() == Intake.PAUSED) {
        return false;
      }
    }
    return above.inputEnded();
  }

  @Override
  public @Nullable Output output() {
    if (copy.count() > 0) {
      // What has woken the writer is answered by this, so it has to ask once more.
      last = false;
      return copy;
    }
    delayed = !delayed && writes.nextInt(16) == 0;
    if (delayed) {
      below.wakeWriter();
      return null;
    }
    Output next = above.output();
    if (next == null || Output.isEnd(next)) {
      return next;
    }
    // Whole at first: a peer that closes after a part of the handshake leaves no way for the rest.
    int taken = begun ? copy.take(next, piece(writes), writes) : copy.take(next, MOST_BYTES, null);
    begun = true;
    last = above.wrote(taken);
    return copy;
  }

  @Override
  public boolean wrote(long bytes) {
    copy.wrote();
    return last && copy.count() == 0;
  }

  @Override
  public void disposed(Direction direction) {
    above.disposed(direction);
  }

  @Override
  public void failed(Throwable thrown) {
    above.failed(thrown);
  }

  /** Bytes from above, in up to three buffers. */
  private static final class Copy implements Output {
    private final ByteBuffer[] pieces = {NOTHING, NOTHING, NOTHING};
    private @Nullable ByteBuffer memory;
    private int first;
    private int end;
    private boolean movesArrays;

    /**
     * Takes bytes of the next output; returns how many.
     *
     * @param most at most how many
     * @param random into what buffers they are split; null for one
     */
    int take(Output next, int most, @Nullable Random random) {
      ByteBuffer[] theirs = next.buffers();
      ByteBuffer into = memory == null ? like(theirs[next.first()], MOST_BYTES) : memory.clear();
      memory = into;
      for (int i = 0; i < next.count() && into.position() < most; i++) {
        ByteBuffer from = theirs[next.first() + i];
        move(from, into, Math.min(from.remaining(), most - into.position()));
      }
      into.flip();
      int count = into.limit();
      first = 0;
      end = 0;
      for (int from = 0; from < count; end++) {
        int to =
            random == null || end == pieces.length - 1
                ? count
                : from + 1 + random.nextInt(count - from);
        pieces[end] = into.duplicate().limit(to).position(from);
        from = to;
      }
      movesArrays = next.movesArrays();
      return count;
    }

    void wrote() {
      while (first < end && !pieces[first].hasRemaining()) {
        first++;
      }
    }

    @Override
    public ByteBuffer[] buffers() {
      return pieces;
    }

    @Override
    public int first() {
      return first;
    }

    @Override
    public int count() {
      return end - first;
    }

    @Override
    public long remaining() {
      long remaining = 0;
      for (int i = first; i < end; i++) {
        remaining += pieces[i].remaining();
      }
      return remaining;
    }

    @Override
    public boolean movesArrays() {
      return movesArrays;
    }
  }
}
