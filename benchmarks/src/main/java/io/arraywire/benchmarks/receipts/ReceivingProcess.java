package io.arraywire.benchmarks.receipts;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.benchmarks.HeapAllocations;
import io.arraywire.examples.process.CommandLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The child process that receives. Arrays are only sent while as many calls of {@code receiveInto}
 * wait. What came earlier would be kept and copied once more, at the whim of the system's
 * scheduler.
 *
 * <pre>
 * listen PATH                       answers with the port, and with that of the meeting place
 * accept                            two connections
 * round WHICH ELEMENTS BURST BURSTS receives; answers with what that cost
 * check ELEMENTS                    fails if what came last is not what was sent
 * </pre>
 */
final class ReceivingProcess implements CommandLoop.Commands {
  private static final int PAUSE_NANOS = 20_000;
  private static final float SPOILED = -1;

  private final Tally tally = new Tally();
  private final Connection[] connections = new Connection[2];
  private final List<Taker> takers = new ArrayList<>();
  private @Nullable Listener listener;
  private @Nullable ServerSocketChannel meetings;
  private @Nullable Rendezvous meeting;

  private ReceivingProcess() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    new CommandLoop().serve(new ReceivingProcess());
  }

  /** What is sent. */
  static float[] elements(int count) {
    float[] elements = new float[count];
    for (int i = 0; i < count; i++) {
      elements[i] = i;
    }
    return elements;
  }

  @Override
  public String[] run(String[] words) throws Exception {
    switch (words[0]) {
      case "listen" -> {
        return listen(Route.named(words[1]));
      }
      case "accept" -> {
        if (listener == null || meetings == null) {
          throw new IllegalStateException("nothing listens");
        }
        for (int i = 0; i < connections.length; i++) {
          connections[i] = listener.accept();
        }
        meeting = Rendezvous.accept(meetings);
        return new String[0];
      }
      case "round" -> {
        Workload workload =
            new Workload(
                Integer.parseInt(words[2]), Integer.parseInt(words[3]), Integer.parseInt(words[4]));
        return round(connections[Integer.parseInt(words[1])], workload);
      }
      case "check" -> {
        check(Integer.parseInt(words[1]));
        return new String[0];
      }
      default -> throw new IllegalArgumentException("no such command (command=" + words[0] + ")");
    }
  }

  private String[] listen(Route route) throws Exception {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    Listener arrays = route.transport(null).listen(anyPort);
    ServerSocketChannel server = ServerSocketChannel.open().bind(anyPort);
    listener = arrays;
    meetings = server;
    return new String[] {
      Integer.toString(((InetSocketAddress) arrays.address()).getPort()),
      Integer.toString(server.socket().getLocalPort())
    };
  }

  private String[] round(Connection connection, Workload workload) throws Exception {
    Rendezvous with = meeting;
    if (with == null) {
      throw new IllegalStateException("not connected");
    }
    while (takers.size() < workload.burst()) {
      takers.add(new Taker(tally));
    }
    for (Taker taker : takers.subList(0, workload.burst())) {
      taker.prepare(connection, workload.elements());
    }
    // Not counted: what the first arrays leave behind is about what the last ones do.
    burst(with, workload.burst());
    tally.clear();
    long before = HeapAllocations.bytes();
    for (int i = 0; i < workload.bursts(); i++) {
      burst(with, workload.burst());
    }
    long allocated = HeapAllocations.bytes() - before;
    with.signal();
    return tally.words(allocated);
  }

  // By index: iterators would be garbage that is not the library's.
  private void burst(Rendezvous with, int arrays) throws Exception {
    for (int i = 0; i < arrays; i++) {
      takers.get(i).take();
    }
    for (int i = 0; i < arrays; i++) {
      while (!takers.get(i).waits()) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    with.signal();
    for (int i = 0; i < arrays; i++) {
      while (!takers.get(i).hasTaken()) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void check(int count) {
    float[] target = takers.get(0).target;
    for (int i = 0; i < count; i++) {
      if (target[i] != i) {
        throw new IllegalStateException(
            "what came is not what was sent (index=" + i + ", came=" + target[i] + ")");
      }
    }
    Arrays.fill(target, SPOILED);
  }

  /** Receives an array when it is told to, into memory that was used before. */
  private static final class Taker implements Runnable {
    private enum State {
      IDLE,
      TOLD,
      RECEIVING
    }

    private final Tally tally;
    private final Thread thread;
    private volatile State state = State.IDLE;
    private volatile @Nullable Connection connection;
    private volatile ArraySlice slice = ArraySlice.of(new float[0]);
    private final ArrayInfo note = new ArrayInfo();
    private float[] target = {};

    Taker(Tally tally) {
      this.tally = tally;
      thread = new Thread(this, "taker");
      thread.setDaemon(true);
      thread.start();
    }

    void prepare(Connection from, int elements) {
      connection = from;
      if (target.length < elements) {
        target = new float[elements];
      }
      slice = ArraySlice.of(target, 0, elements);
    }

    void take() {
      state = State.TOLD;
      LockSupport.unpark(thread);
    }

    /** Whether the call of {@code receiveInto} waits for an array. */
    boolean waits() {
      if (state != State.RECEIVING) {
        return false;
      }
      Thread.State now = thread.getState();
      return now == Thread.State.WAITING || now == Thread.State.TIMED_WAITING;
    }

    boolean hasTaken() {
      return state == State.IDLE;
    }

    @Override
    public void run() {
      try {
        while (true) {
          while (state != State.TOLD) {
            LockSupport.park(this);
          }
          Connection from = connection;
          if (from == null) {
            throw new IllegalStateException("not connected");
          }
          state = State.RECEIVING;
          from.receiveInto(slice, note);
          tally.add(note);
          state = State.IDLE;
        }
      } catch (ArraywireException | InterruptedException | RuntimeException e) {
        e.printStackTrace();
        // The sender would wait for ever.
        Runtime.getRuntime().halt(1);
      }
    }
  }
}
