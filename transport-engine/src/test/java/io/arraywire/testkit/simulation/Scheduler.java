package io.arraywire.testkit.simulation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Simulated time, and all that happens in it, one event at a time and in an order that the seed
 * decides. An event may wait for another one as a thread waits: its worker then stops and another
 * one goes on.
 */
final class Scheduler {
  /** Something that happens at a time. */
  private static final class Event implements Comparable<Event> {
    final long at;
    final long order;
    final long number;
    final String what;
    final @Nullable Runnable task;
    final @Nullable Wait woken;

    /** It stays in its place until its time: to take it out would mean to look for it. */
    boolean cancelled;

    Event(
        long at,
        long order,
        long number,
        String what,
        @Nullable Runnable task,
        @Nullable Wait woken) {
      this.at = at;
      this.order = order;
      this.number = number;
      this.what = what;
      this.task = task;
      this.woken = woken;
    }

    @Override
    public int compareTo(Event other) {
      if (at != other.at) {
        return Long.compare(at, other.at);
      }
      return order == other.order
          ? Long.compare(number, other.number)
          : Long.compare(order, other.order);
    }
  }

  /** Ends what still waits when the simulation is over. */
  static final class Over extends Error {
    private static final long serialVersionUID = 1;

    Over() {
      super("the simulation is over", null, false, false);
    }
  }

  /** An event that waits in its middle. */
  final class Wait {
    final String what;
    private final Thread thread = Thread.currentThread();
    private final Semaphore baton = new Semaphore(0);
    private final boolean interruptible;
    private boolean woken;
    private Runnable timeout = () -> {};
    private @Nullable BooleanSupplier ready;

    private Wait(String what, boolean interruptible) {
      this.what = what;
      this.interruptible = interruptible;
    }

    /** Ends the wait, soon. More often does nothing. */
    void wake() {
      if (!woken) {
        woken = true;
        timeout.run();
        add(choices.around(WAKE_NANOS), "goes on", null, this);
      }
    }

    @Override
    public String toString() {
      return what;
    }
  }

  private static final long WAKE_NANOS = 20_000;

  /** In real time; an event takes less than a millisecond. */
  private static final long STUCK_SECONDS = 60;

  private final Choices choices;
  private final Trace trace;
  private final long mostEvents;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Set<Wait> waits = new LinkedHashSet<>();
  private final List<Wait> polled = new ArrayList<>();
  private final CountDownLatch done = new CountDownLatch(1);
  private long now;
  private long numbers;
  private volatile long count;
  private volatile @Nullable Thread leader;
  private volatile boolean over;
  private @Nullable Throwable failure;

  Scheduler(Choices choices, Trace trace, long mostEvents) {
    this.choices = choices;
    this.trace = trace;
    this.mostEvents = mostEvents;
  }

  long now() {
    return now;
  }

  /** How many events there were. */
  long count() {
    return count;
  }

  /** Whether it stopped at the most events that there may be. */
  boolean isEndless() {
    return count >= mostEvents;
  }

  /** What an event threw, if one did. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Has something happen after a time; returns what cancels it. */
  Runnable after(long nanos, String what, Runnable task) {
    return add(nanos, what, task, null);
  }

  private Runnable add(long nanos, String what, @Nullable Runnable task, @Nullable Wait woken) {
    if (over) {
      return () -> {};
    }
    long at = now + Math.max(0, nanos);
    if (at < 0) {
      return () -> {};
    }
    Event event = new Event(at, choices.next(), numbers++, what, task, woken);
    events.add(event);
    return () -> event.cancelled = true;
  }

  /** The next event that is to happen; null if there is none. */
  private @Nullable Event next() {
    Event event = events.poll();
    while (event != null && event.cancelled) {
      event = events.poll();
    }
    return event;
  }

  /** Runs everything until nothing is left to happen; returns the events that still wait. */
  List<Wait> run() {
    Worker.lead(this);
    boolean interrupted = false;
    while (true) {
      try {
        long before = count;
        if (done.await(STUCK_SECONDS, TimeUnit.SECONDS)) {
          break;
        }
        if (count == before) {
          throw stuck();
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return new ArrayList<>(waits);
  }

  /** Somebody waits in another way than by {@link io.arraywire.engine.EngineRuntime}. */
  private IllegalStateException stuck() {
    IllegalStateException stuck =
        new IllegalStateException(
            "an event waits for something outside of the simulation, or runs for ever");
    Thread present = leader;
    if (present != null) {
      stuck.setStackTrace(present.getStackTrace());
    }
    return stuck;
  }

  /** Unwinds what still waits, so that its threads are free. */
  void discard() {
    waits.forEach(wait -> wait.baton.release());
  }

  /** On a worker: runs events until it is over, or another worker goes on. */
  void runEvents() {
    leader = Thread.currentThread();
    while (!over) {
      Event event = next();
      if (event == null || count >= mostEvents || failure != null) {
        over = true;
        done.countDown();
        return;
      }
      now = event.at;
      count = count + 1;
      trace.event(now, event.what);
      Wait woken = event.woken;
      if (woken != null && waits.remove(woken)) {
        woken.baton.release();
        return;
      }
      Runnable task = event.task;
      if (task != null) {
        try {
          task.run();
        } catch (Over e) {
          return;
        } catch (Throwable thrown) { // Whatever it is, the seed has found something.
          if (over) {
            return;
          }
          failure = thrown;
        }
        boolean unused = Thread.interrupted();
      }
      poll();
    }
  }

  private void poll() {
    for (int i = 0; i < polled.size(); i++) {
      Wait wait = polled.get(i);
      BooleanSupplier ready = wait.ready;
      if (ready != null && ready.getAsBoolean()) {
        polled.remove(i--);
        wait.wake();
      }
    }
  }

  /** A wait that the present event is about to begin. */
  Wait waitFor(String what, boolean interruptible) {
    return new Wait(what, interruptible);
  }

  /** The present event waits until it is woken, or the time is over; a time below 0 never is. */
  void park(Wait wait, long nanos) {
    if (over) {
      throw new Over();
    }
    if (wait.interruptible && Thread.currentThread().isInterrupted()) {
      return;
    }
    trace.event(now, wait.what);
    waits.add(wait);
    if (nanos >= 0 && nanos < Long.MAX_VALUE / 4) {
      wait.timeout = add(nanos, "time is up", wait::wake, null);
    }
    poll();
    Worker.lead(this);
    wait.baton.acquireUninterruptibly();
    leader = Thread.currentThread();
    if (over) {
      throw new Over();
    }
  }

  /** The present event waits for something that nobody tells it of. */
  void parkUntil(String what, BooleanSupplier ready) {
    if (ready.getAsBoolean()) {
      return;
    }
    Wait wait = waitFor(what, true);
    wait.ready = ready;
    polled.add(wait);
    park(wait, -1);
    polled.remove(wait);
  }

  /** The present event takes some time. */
  void sleep(long nanos) {
    park(waitFor("sleeps", false), nanos);
  }

  /**
   * Interrupts an event that waits as a caller that can be interrupted; returns whether one did.
   */
  boolean interruptOne() {
    List<Wait> all = new ArrayList<>();
    for (Wait wait : waits) {
      if (wait.interruptible && !wait.woken) {
        all.add(wait);
      }
    }
    if (all.isEmpty()) {
      return false;
    }
    interrupt(all.get(choices.below(all.size())));
    return true;
  }

  /** Interrupts whatever waits on a thread. */
  void interrupt(Thread thread) {
    for (Wait wait : waits) {
      if (wait.thread.equals(thread)) {
        interrupt(wait);
        return;
      }
    }
  }

  private static void interrupt(Wait wait) {
    if (wait.interruptible) {
      wait.thread.interrupt();
      wait.wake();
    }
  }
}
