package io.arraywire.jcstress;

import io.arraywire.ConnectionClosedException;
import io.arraywire.engine.AcceptQueue;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A connection that comes while a listener closes is somebody's, or closed; never both. Two actors
 * each, for jcstress skips a test with more of them than there are processors.
 */
public final class AcceptQueueStress {
  private static final Duration LONG = Duration.ofHours(1);

  private AcceptQueueStress() {}

  private static boolean takes(AcceptQueue queue, StressedConnection expected) {
    try {
      return expected.connection.equals(queue.take(LONG));
    } catch (ConnectionClosedException | InterruptedException e) {
      return false;
    }
  }

  private static void look(StressedConnection connection, ZZ_Result result) {
    result.r2 = connection.isClosed();
    if (!connection.isClosed()) {
      connection.connection.closeNow();
    }
    connection.dispose();
  }

  /** A connection is accepted, or closed. */
  @JCStressTest
  @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "accepted")
  @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "closed with the queue")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, or closed under its acceptor")
  @State
  public static class TakeAndClose {
    private final AcceptQueue queue = new AcceptQueue();
    private final StressedConnection waits = new StressedConnection();

    /** A connection waits. */
    public TakeAndClose() {
      queue.add(waits.core);
    }

    /** The user's thread that accepts. */
    @Actor
    public void take(ZZ_Result result) {
      result.r1 = takes(queue, waits);
    }

    /** The user's thread that closes the listener. */
    @Actor
    public void close() {
      queue.close();
    }

    /** Afterwards. */
    @Arbiter
    public void after(ZZ_Result result) {
      look(waits, result);
    }
  }

  /** A connection that comes too late is closed. */
  @JCStressTest
  @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "closed")
  @Outcome(expect = Expect.FORBIDDEN, desc = "left in a closed queue")
  @State
  public static class AddAndClose {
    private final AcceptQueue queue = new AcceptQueue();
    private final StressedConnection comes = new StressedConnection();

    /** The transport. */
    @Actor
    public void add() {
      queue.add(comes.core);
    }

    /** The user's thread that closes the listener. */
    @Actor
    public void close() {
      queue.close();
    }

    /** Afterwards. */
    @Arbiter
    public void after(ZZ_Result result) {
      result.r1 = takes(queue, comes);
      look(comes, result);
    }
  }

  /** A waiting caller gets what comes. */
  @JCStressTest
  @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "accepted")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not accepted, or closed")
  @State
  public static class AddAndTake {
    private final AcceptQueue queue = new AcceptQueue();
    private final StressedConnection comes = new StressedConnection();

    /** The transport. */
    @Actor
    public void add() {
      queue.add(comes.core);
    }

    /** The user's thread that accepts. */
    @Actor
    public void take(ZZ_Result result) {
      result.r1 = takes(queue, comes);
    }

    /** Afterwards. */
    @Arbiter
    public void after(ZZ_Result result) {
      look(comes, result);
    }
  }
}
