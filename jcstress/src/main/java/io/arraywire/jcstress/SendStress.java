package io.arraywire.jcstress;

import io.arraywire.SendOptions;
import java.io.IOException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIZ_Result;

/**
 * A send, the writing of it and an end meet in any order. The send is over once, the handler hears
 * of it once, and no memory is left. Two actors each, as in {@link AcceptQueueStress}.
 */
public final class SendStress {
  private SendStress() {}

  /** Afterwards: completed sends, calls of {@code onClosed}, whether nothing is left. */
  private static void look(StressedConnection it, IIZ_Result result) {
    it.write();
    it.connection.closeNow();
    it.dispose();
    result.r1 = it.completions();
    result.r2 = it.ends();
    result.r3 = it.isEnded() && it.holdsNothing();
  }

  /** A send that meets {@code closeNow}. */
  @JCStressTest
  @Outcome(id = "1, 1, true", expect = Expect.ACCEPTABLE, desc = "over once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not over, over twice, or memory is left")
  @State
  public static class SendAndClose {
    private final StressedConnection it = new StressedConnection();

    /** The user's thread that sends. */
    @Actor
    public void send() {
      it.count(it.connection.sendAsync(StressedConnection.slice(), SendOptions.handedOff()));
    }

    /** The user's thread that closes. */
    @Actor
    public void close() {
      it.connection.closeNow();
    }

    /** Afterwards. */
    @Arbiter
    public void after(IIZ_Result result) {
      look(it, result);
    }
  }

  /** A send that meets a channel that fails. */
  @JCStressTest
  @Outcome(id = "1, 1, true", expect = Expect.ACCEPTABLE, desc = "over once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not over, over twice, or memory is left")
  @State
  public static class SendAndFail {
    private final StressedConnection it = new StressedConnection();

    /** The user's thread that sends. */
    @Actor
    public void send() {
      it.count(it.connection.sendAsync(StressedConnection.slice(), SendOptions.processed()));
    }

    /** The reading thread. */
    @Actor
    public void fail() {
      it.wire.failed(new IOException("reset, for the test"));
    }

    /** Afterwards. */
    @Arbiter
    public void after(IIZ_Result result) {
      look(it, result);
    }
  }

  /** An array that is being written when the connection is closed. */
  @JCStressTest
  @Outcome(id = "1, 1, true", expect = Expect.ACCEPTABLE, desc = "over once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not over, over twice, or memory is left")
  @State
  public static class WriteAndClose {
    private final StressedConnection it = new StressedConnection();

    /** An array was sent. */
    public WriteAndClose() {
      it.count(it.connection.sendAsync(StressedConnection.slice(), SendOptions.handedOff()));
    }

    /** The writing thread. */
    @Actor
    public void write() {
      it.write();
    }

    /** The user's thread that closes. */
    @Actor
    public void close() {
      it.connection.closeNow();
    }

    /** Afterwards. */
    @Arbiter
    public void after(IIZ_Result result) {
      look(it, result);
    }
  }

  /** A send that waits for its acknowledgement, and two ends. */
  @JCStressTest
  @Outcome(id = "1, 1, true", expect = Expect.ACCEPTABLE, desc = "over once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not over, over twice, or memory is left")
  @State
  public static class FailAndClose {
    private final StressedConnection it = new StressedConnection();

    /** An array was sent. */
    public FailAndClose() {
      it.count(it.connection.sendAsync(StressedConnection.slice(), SendOptions.processed()));
    }

    /** The reading thread. */
    @Actor
    public void fail() {
      it.wire.failed(new IOException("reset, for the test"));
    }

    /** The user's thread that closes. */
    @Actor
    public void close() {
      it.connection.closeNow();
    }

    /** Afterwards. */
    @Arbiter
    public void after(IIZ_Result result) {
      look(it, result);
    }
  }

  /** The copy that {@code offer} took is given back. */
  @JCStressTest
  @Outcome(id = "0, 1, true", expect = Expect.ACCEPTABLE, desc = "over once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not over, over twice, or memory is left")
  @State
  public static class OfferAndClose {
    private final StressedConnection it = new StressedConnection();

    /** The user's thread that sends. */
    @Actor
    public void offer() {
      try {
        it.connection.offer(StressedConnection.slice());
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    /** The user's thread that closes. */
    @Actor
    public void close() {
      it.connection.closeNow();
    }

    /** Afterwards. */
    @Arbiter
    public void after(IIZ_Result result) {
      look(it, result);
    }
  }

  /** An orderly close that is overtaken. */
  @JCStressTest
  @Outcome(id = "1, 1, true", expect = Expect.ACCEPTABLE, desc = "over once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not over, over twice, or memory is left")
  @State
  public static class CloseAndCloseNow {
    private final StressedConnection it = new StressedConnection();

    /** An array was sent. */
    public CloseAndCloseNow() {
      it.count(it.connection.sendAsync(StressedConnection.slice(), SendOptions.processed()));
    }

    /** The user's thread that closes in an orderly way. */
    @Actor
    public void begin() {
      it.core.beginClose();
    }

    /** The user's thread that closes. */
    @Actor
    public void close() {
      it.connection.closeNow();
    }

    /** Afterwards. */
    @Arbiter
    public void after(IIZ_Result result) {
      look(it, result);
    }
  }

  /** Two that close at once. */
  @JCStressTest
  @Outcome(id = "1, 1, true", expect = Expect.ACCEPTABLE, desc = "over once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not over, over twice, or memory is left")
  @State
  public static class CloseNowTwice {
    private final StressedConnection it = new StressedConnection();

    /** An array was sent. */
    public CloseNowTwice() {
      it.count(it.connection.sendAsync(StressedConnection.slice(), SendOptions.processed()));
    }

    /** The user's thread that closes. */
    @Actor
    public void close() {
      it.connection.closeNow();
    }

    /** Another that closes at once. */
    @Actor
    public void closeToo() {
      it.connection.closeNow();
    }

    /** Afterwards. */
    @Arbiter
    public void after(IIZ_Result result) {
      look(it, result);
    }
  }
}
