package io.arraywire.jcstress;

import io.arraywire.ArraywireException;
import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * An arrival, a receive call and an end meet in the inbox in any order. The call gets the array or
 * learns of the end, and no memory is left. Two actors each, as in {@link AcceptQueueStress}.
 */
public final class ReceiveStress {
  private static final int ENDED = -1;

  private ReceiveStress() {}

  /** The sum of the elements that were received. */
  private static int received(StressedConnection it) {
    try {
      return Arrays.stream(it.connection.receive().ints()).sum();
    } catch (ArraywireException | InterruptedException e) {
      return ENDED;
    }
  }

  private static int receivedInto(StressedConnection it) {
    int[] target = new int[3];
    try {
      it.connection.receiveInto(target);
      return Arrays.stream(target).sum();
    } catch (ArraywireException | InterruptedException e) {
      return ENDED;
    }
  }

  private static void look(StressedConnection it, IZ_Result result) {
    it.connection.closeNow();
    it.write();
    it.dispose();
    result.r2 = it.isEnded() && it.holdsNothing();
  }

  /** An array that comes while somebody begins to wait for it. */
  @JCStressTest
  @Outcome(id = "6, true", expect = Expect.ACCEPTABLE, desc = "received")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or torn, or memory is left")
  @State
  public static class ArriveAndReceive {
    private final StressedConnection it = new StressedConnection(false);

    /** The reading thread. */
    @Actor
    public void arrive() {
      it.arrive();
    }

    /** The user's thread that receives. */
    @Actor
    public void receive(IZ_Result result) {
      result.r1 = received(it);
    }

    /** Afterwards. */
    @Arbiter
    public void after(IZ_Result result) {
      look(it, result);
    }
  }

  /** An array that comes while somebody posts where it is to go. */
  @JCStressTest
  @Outcome(id = "6, true", expect = Expect.ACCEPTABLE, desc = "received")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or torn, or memory is left")
  @State
  public static class ArriveAndReceiveInto {
    private final StressedConnection it = new StressedConnection(false);

    /** The reading thread. */
    @Actor
    public void arrive() {
      it.arrive();
    }

    /** The user's thread that receives. */
    @Actor
    public void receive(IZ_Result result) {
      result.r1 = receivedInto(it);
    }

    /** Afterwards. */
    @Arbiter
    public void after(IZ_Result result) {
      look(it, result);
    }
  }

  /** A waiting call is told of the end. */
  @JCStressTest
  @Outcome(id = "-1, true", expect = Expect.ACCEPTABLE, desc = "told")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or torn, or memory is left")
  @State
  public static class ReceiveAndClose {
    private final StressedConnection it = new StressedConnection(false);

    /** The user's thread that receives. */
    @Actor
    public void receive(IZ_Result result) {
      result.r1 = received(it);
    }

    /** The user's thread that closes. */
    @Actor
    public void close() {
      it.connection.closeNow();
    }

    /** Afterwards. */
    @Arbiter
    public void after(IZ_Result result) {
      look(it, result);
    }
  }

  /** A waiting call gets its own array back. */
  @JCStressTest
  @Outcome(id = "-1, true", expect = Expect.ACCEPTABLE, desc = "told")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or torn, or memory is left")
  @State
  public static class ReceiveIntoAndClose {
    private final StressedConnection it = new StressedConnection(false);

    /** The user's thread that receives. */
    @Actor
    public void receive(IZ_Result result) {
      result.r1 = receivedInto(it);
    }

    /** The user's thread that closes. */
    @Actor
    public void close() {
      it.connection.closeNow();
    }

    /** Afterwards. */
    @Arbiter
    public void after(IZ_Result result) {
      look(it, result);
    }
  }

  /** An array that comes while the connection is closed is there or not, and keeps no memory. */
  @JCStressTest
  @Outcome(id = "6, true", expect = Expect.ACCEPTABLE, desc = "came first")
  @Outcome(id = "-1, true", expect = Expect.ACCEPTABLE, desc = "came too late")
  @Outcome(expect = Expect.FORBIDDEN, desc = "torn, or memory is left")
  @State
  public static class ArriveAndClose {
    private final StressedConnection it = new StressedConnection(false);

    /** The reading thread. */
    @Actor
    public void arrive() {
      it.arrive();
    }

    /** The user's thread that closes. */
    @Actor
    public void close() {
      it.connection.closeNow();
    }

    /** Afterwards. */
    @Arbiter
    public void after(IZ_Result result) {
      result.r1 = received(it);
      look(it, result);
    }
  }
}
