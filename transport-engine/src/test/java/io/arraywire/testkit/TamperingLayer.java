package io.arraywire.testkit;

import io.arraywire.engine.ArrayIo;
import io.arraywire.engine.Intake;
import io.arraywire.engine.Link;
import io.arraywire.engine.Output;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.Role;
import io.arraywire.engine.WireEnd;
import io.arraywire.engine.WireLayer;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Cuts or changes what one side of a connection reads, at a byte that a test chooses. */
final class TamperingLayer implements WireLayer {
  /** What is done to the byte and those after it. */
  enum Deed {
    /** The stream ends before it. */
    CUT,
    /** A bit of it is another. */
    FLIP
  }

  private final Role victim;
  private final Deed deed;

  /** Which byte of the connections that are made from now on. */
  volatile long at = Long.MAX_VALUE;

  /** How many bytes the last connection's victim has read. */
  final AtomicLong read = new AtomicLong();

  TamperingLayer(Role victim, Deed deed) {
    this.victim = victim;
    this.deed = deed;
  }

  @Override
  public WireEnd wrap(Role role, SocketAddress peer, Link below, Function<Link, WireEnd> above) {
    WireEnd end = above.apply(below);
    return role == victim ? new Tampered(end, at) : end;
  }

  private final class Tampered implements WireEnd {
    private final WireEnd above;
    private final long at;
    private long seen;
    private boolean flipped;
    private boolean over;

    Tampered(WireEnd above, long at) {
      this.above = above;
      this.at = at;
      read.set(0);
    }

    @Override
    public Intake input(ByteBuffer bytes, boolean fresh) {
      if (over) {
        bytes.position(bytes.limit());
        return Intake.CONTROL;
      }
      long left = at - seen;
      if (deed == Deed.FLIP && !flipped && left < bytes.remaining()) {
        int index = bytes.position() + (int) left;
        bytes.put(index, (byte) (bytes.get(index) ^ 0x10));
        flipped = true;
      }
      int limit = bytes.limit();
      boolean cuts = deed == Deed.CUT && left < bytes.remaining();
      if (cuts) {
        bytes.limit(bytes.position() + (int) left);
      }
      int before = bytes.position();
      Intake intake = above.input(bytes, fresh);
      seen += bytes.position() - before;
      read.set(seen);
      bytes.limit(limit);
      if (cuts && seen == at && intake != Intake.PAUSED) {
        over = true;
        if (!above.inputEnded()) {
          throw new IllegalStateException("TLS has a place for an end");
        }
        bytes.position(limit);
      }
      return intake;
    }

    @Override
    public boolean inputEnded() {
      return over || above.inputEnded();
    }

    @Override
    public void start() {
      above.start();
    }

    @Override
    public void plan(ReadPlan plan) {
      above.plan(plan);
    }

    @Override
    public void filled(ByteBuffer space, int bytes) {
      above.filled(space, bytes);
    }

    @Override
    public long inputArray(ArrayIo io, int atMost) throws IOException {
      return above.inputArray(io, atMost);
    }

    @Override
    public @Nullable Output output() {
      return above.output();
    }

    @Override
    public boolean wrote(long bytes) {
      return above.wrote(bytes);
    }

    @Override
    public void disposed(Direction direction) {
      above.disposed(direction);
    }

    @Override
    public void failed(Throwable thrown) {
      above.failed(thrown);
    }
  }
}
