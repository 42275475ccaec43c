package io.arraywire.nio;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * What the thread of an event loop and the one that stands by agree on, in the package of both:
 * nobody else may see it.
 */
public final class LoopThreadStress {
  private LoopThreadStress() {}

  /** A task ends while the other thread takes over: one of both has the loop, and its state. */
  @JCStressTest
  @Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "the thread stays the loop's")
  @Outcome(id = "false, true, 1", expect = Expect.ACCEPTABLE, desc = "it is left behind")
  @Outcome(expect = Expect.FORBIDDEN, desc = "both, none, or what was written before is not seen")
  @State
  public static class EndAndTakeOver {
    private final LoopShift shift = new LoopShift(Thread.currentThread());

    /** What belongs to the thread of the loop, as all its state does. */
    private int written;

    private long begun;
    private volatile boolean begins;

    /** The loop's thread. */
    @Actor
    public void task(ZZI_Result result) {
      written = 1;
      begun = shift.begins();
      begins = true;
      result.r1 = shift.ends(begun);
      if (result.r1) {
        result.r3 = written;
      }
    }

    /** The one that stands by. */
    @Actor
    public void takeOver(ZZI_Result result) {
      while (!begins) {
        Thread.onSpinWait();
      }
      result.r2 = shift.leavesBehind(begun);
      if (result.r2) {
        result.r3 = written;
      }
    }
  }

  /** The same where the count alone tells of the task. */
  @JCStressTest
  @Outcome(id = "0, true", expect = Expect.ACCEPTABLE, desc = "it saw no task")
  @Outcome(id = "0, false", expect = Expect.FORBIDDEN, desc = "left behind, and nobody has it")
  @Outcome(id = "1, false", expect = Expect.ACCEPTABLE, desc = "it has the loop, and its state")
  @Outcome(expect = Expect.FORBIDDEN, desc = "both have it, or what was written is not seen")
  @State
  public static class LookAndTakeOver {
    private final LoopShift shift = new LoopShift(Thread.currentThread());
    private int written;

    /** The loop's thread. */
    @Actor
    public void task(IZ_Result result) {
      written = 1;
      result.r2 = shift.ends(shift.begins());
    }

    /** The one that stands by. */
    @Actor
    public void takeOver(IZ_Result result) {
      long seen = shift.count();
      if (LoopShift.isAtTask(seen) && shift.leavesBehind(seen)) {
        result.r1 = 1 + 2 * (1 - written);
      }
    }
  }

  /** A task begins while the watcher goes to sleep: it is woken, or has seen the task. */
  @JCStressTest
  @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "it saw the task")
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "it slept, and is to be woken")
  @Outcome(expect = Expect.FORBIDDEN, desc = "it sleeps, and the task runs unseen")
  @State
  public static class BeginAndSleep {
    private final LoopShift shift = new LoopShift(Thread.currentThread());
    private final LoopWatch watch = new LoopWatch(LoopWatch.State.LOOKS);
    private final long count = shift.count();

    /** The loop's thread. */
    @Actor
    public void task(ZZ_Result result) {
      long unused = shift.begins();
      result.r2 = watch.wanted() != LoopWatch.State.LOOKS;
    }

    /** The one that stands by. */
    @Actor
    public void sleep(ZZ_Result result) {
      result.r1 = watch.sleeps(shift, count);
    }

    /** Afterwards nobody may be asleep. */
    @Arbiter
    public void after(ZZ_Result result) {
      if (watch.isAsleep()) {
        throw new IllegalStateException("asleep beside a task");
      }
    }
  }
}
