package io.arraywire.stream;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Turns to read and to write, which threads and callers take at the same time. In the package of
 * both: nobody else may see it.
 */
public final class TurnsStress {
  private TurnsStress() {}

  /** A socket that is lent, and whose reading thread rests. */
  private static Turns lent() {
    Turns turns = new Turns();
    boolean unused = turns.beginWrite() && turns.lend();
    return turns;
  }

  /** Somebody asks for output while the one that writes ends its turn. */
  @JCStressTest
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "it ended: a thread is woken")
  @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "it goes on")
  @Outcome(expect = Expect.FORBIDDEN, desc = "nobody writes, or both believe that they do")
  @State
  public static class AskAndEndWrite {
    private final Turns turns = new Turns();

    /** With the turn to write. */
    public AskAndEndWrite() {
      boolean unused = turns.beginWrite();
      turns.looks();
    }

    /** Has something to be written. */
    @Actor
    public void ask(ZZ_Result result) {
      result.r1 = turns.ask();
    }

    /** Has written all that it found. */
    @Actor
    public void end(ZZ_Result result) {
      result.r2 = turns.endWrite();
    }
  }

  /** What is not urgent is asked for while the reading thread takes the socket back. */
  @JCStressTest
  @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "too late: it wakes a thread")
  @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "the reading thread wakes one")
  @Outcome(expect = Expect.FORBIDDEN, desc = "nobody writes it")
  @State
  public static class AskSoonAndTakeBack {
    private final Turns turns = lent();

    /** With both turns. */
    public AskSoonAndTakeBack() {
      boolean unused = turns.beginRead() && turns.beginWrite();
    }

    /** Has something to be written. */
    @Actor
    public void ask(ZZ_Result result) {
      result.r1 = turns.askSoon();
    }

    /** The reading thread. */
    @Actor
    public void takeBack(ZZ_Result result) {
      result.r2 = turns.takeBack();
    }
  }

  /** A caller that may not read goes to sleep while another one ends its turn. */
  @JCStressTest
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "it sleeps, the thread is woken")
  @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "it reads in its turn")
  @Outcome(expect = Expect.FORBIDDEN, desc = "it sleeps, and nobody reads")
  @State
  public static class SleepAndEndRead {
    private final Turns turns = lent();

    /** With the turn to read. */
    public SleepAndEndRead() {
      boolean unused = turns.beginRead();
    }

    /** Waits for something. */
    @Actor
    public void sleep(ZZ_Result result) {
      result.r1 = !turns.beginRead() && turns.sleeps();
    }

    /** Has its result. */
    @Actor
    public void end(ZZ_Result result) {
      result.r2 = turns.endRead(false);
    }
  }

  /** The socket is full while the caller that reads ends its turn. */
  @JCStressTest
  @Outcome(
      id = {"true, true, false", "true, true, true"},
      expect = Expect.ACCEPTABLE,
      desc = "it was still read, and its reader wakes the thread")
  @Outcome(
      id = "false, false, true",
      expect = Expect.ACCEPTABLE,
      desc = "nobody read, and the writer wakes the thread")
  @Outcome(expect = Expect.FORBIDDEN, desc = "nobody watches for room")
  @State
  public static class FullAndEndRead {
    private final Turns turns = lent();

    /** With both turns. */
    public FullAndEndRead() {
      boolean unused = turns.beginRead() && turns.beginLentWrite();
    }

    /** Finds no room. */
    @Actor
    public void full(ZZZ_Result result) {
      result.r1 = turns.endFullWrite();
      result.r3 = turns.leavesFull();
    }

    /** Has its result. */
    @Actor
    public void end(ZZZ_Result result) {
      result.r2 = turns.endRead(false);
    }
  }

  /** The turn to read passes on what was written with it. */
  @JCStressTest
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "it has the turn, and sees that")
  @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "it has no turn")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a turn without what was done in the one before")
  @State
  public static class PassRead {
    private final Turns turns = lent();
    private int read;

    /** With the turn to read. */
    public PassRead() {
      boolean unused = turns.beginRead();
    }

    /** Reads, and ends its turn. */
    @Actor
    public void first() {
      read = 1;
      boolean unused = turns.endRead(false);
    }

    /** Takes it. */
    @Actor
    public void second(ZZ_Result result) {
      result.r1 = turns.beginRead();
      result.r2 = result.r1 && read == 1;
    }

    /** Nobody has taken it twice. */
    @Arbiter
    public void after(ZZ_Result result) {
      if (turns.beginRead() == result.r1) {
        throw new IllegalStateException("the turn was lost, or given twice");
      }
    }
  }
}
