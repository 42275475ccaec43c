package io.arraywire.testkit;

import io.arraywire.ArrayHandler;
import io.arraywire.ArrayHeader;
import io.arraywire.ArrayInput;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.LeasedArray;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.TargetHandler;
import io.arraywire.TargetMismatchException;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Deadlines;
import io.arraywire.engine.Engine;
import io.arraywire.engine.EngineConnection;
import io.arraywire.engine.Intake;
import io.arraywire.engine.Link;
import io.arraywire.engine.Output;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.Role;
import io.arraywire.engine.Subjects;
import io.arraywire.engine.WireEnd;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.io.ByteArrayOutputStream;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A protocol connection with nothing beneath it: the caller's thread, heap memory, no clock. Cheap
 * enough to be made some thousand times a second by a fuzzer, and the same every time. Whatever
 * does not hold at every step is an {@link AssertionError}.
 */
final class BareConnection implements Link {
  private static final SocketAddress NOWHERE =
      new SocketAddress() {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
          return "nowhere";
        }
      };

  /** Which call takes the arrays. */
  enum Taking {
    HANDLER,
    TARGETING_HANDLER,
    FRESH,
    INTO,
    LEASED,
    ANSWERING,
    FAILING,
    KEEPING;

    boolean isHandler() {
      return this == HANDLER || this == TARGETING_HANDLER || answers();
    }

    boolean answers() {
      return this == ANSWERING || this == FAILING || this == KEEPING;
    }
  }

  /** An array as it was delivered. */
  record Taken(ArrayHeader header, Object elements) {}

  final EngineConnection core;

  /** As users meet it. */
  final Connection connection;

  final WireEnd wire;
  private final ReadPlan plan = new ReadPlan();
  final Subjects subjects;
  final List<Taken> taken = new ArrayList<>();
  final List<Reply> replies = new ArrayList<>();
  final ByteArrayOutputStream out = new ByteArrayOutputStream();
  final Pool pool = new Pool();

  private final Taking taking;
  private final IntUnaryOperator portions;
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

  /** What receive calls take arrays from: channels, and then what was subscribed to. */
  private final List<ArrayInput> inputs = new ArrayList<>();

  private boolean subscribing;
  private final Set<Runnable> deadlines = new LinkedHashSet<>();
  private final TransportOptions options;

  private byte[] in = new byte[0];
  private int inAt;
  private boolean inEnds;
  private boolean inputEnded;
  private @Nullable ByteBuffer kept;
  private boolean resume;
  private boolean takesNow;
  private boolean pumping;
  private boolean linkClosed;
  private boolean disposed;
  private boolean outputShut;
  private long steps;
  private long bytesFed;
  private int timesClosed;
  private @Nullable ArraywireException cause;
  private @Nullable AssertionError broken;

  /**
   * Makes a connection and starts it.
   *
   * @param portions how many of so many bytes each operation of the channel moves
   */
  BareConnection(
      Role role, TransportOptions.Builder settings, Taking taking, IntUnaryOperator portions) {
    this.taking = taking;
    this.portions = portions;
    options = settings.handlerExecutor(tasks::add).memoryPool(pool).build();
    Deadlines clock = this::after;
    Engine engine = Engine.create("bare", options, List.of(), pool, 1, clock);
    core = engine.connection(role, this, handlers());
    connection = core.userConnection();
    wire = core.wire();
    subjects = new Subjects(engine);
    if (role == Role.ACCEPTOR) {
      subjects.publishOver(core);
    }
    inputs.add(connection);
    wire.start();
    pump();
  }

  private @Nullable Handlers handlers() {
    return switch (taking) {
      case HANDLER -> Handlers.ofArrays(new Handler());
      case TARGETING_HANDLER -> {
        TargetingHandler handler = new TargetingHandler();
        yield Handlers.ofArrays(handler).withTargets(handler);
      }
      case FRESH, INTO, LEASED -> null;
      case ANSWERING, FAILING, KEEPING ->
          Handlers.ofRequests(
                  (from, request, reply) -> {
                    replies.add(reply);
                    if (taking == Taking.ANSWERING) {
                      reply.send(request.slice(), SendOptions.handedOff());
                    } else if (taking == Taking.FAILING) {
                      reply.fail("there is no such table");
                    }
                  })
              .withArrays(new Handler());
    };
  }

  private Runnable after(Duration delay, Runnable task) {
    if (delay.isZero()) {
      tasks.add(task);
      return () -> {};
    }
    deadlines.add(task);
    return () -> deadlines.remove(task);
  }

  /** Has receive calls take from the channels below a number, and not from channel 0 only. */
  void takeFromChannels(int channels) {
    for (int id = 1; id < channels; id++) {
      inputs.add(connection.channel(id));
    }
  }

  /** Subscribes; the peer agrees, and the number of the subscription is 0. */
  void subscribe(String subject) {
    subscribing = true;
    try {
      if (!taking.isHandler()) {
        inputs.add(connection.subscribe(subject, SubscribeOptions.defaults()));
      } else {
        var unused =
            connection.subscribe(
                subject, SubscribeOptions.defaults(), (from, array) -> taken(array));
      }
    } catch (ArraywireException | InterruptedException e) {
      throw new AssertionError(e);
    }
    check(!subscribing, "a subscription without a word to the peer");
  }

  /** Bytes come from the peer. */
  BareConnection feed(byte[]... pieces) {
    for (byte[] piece : pieces) {
      byte[] left = Arrays.copyOfRange(in, inAt, in.length);
      in = Arrays.copyOf(left, left.length + piece.length);
      System.arraycopy(piece, 0, in, left.length, piece.length);
      inAt = 0;
      bytesFed += piece.length;
    }
    pump();
    return this;
  }

  /**
   * The peer's stream ends, everything that has come is taken, and this side closes. Returns why
   * the connection failed, or null if it ended in order.
   */
  @Nullable ArraywireException end() {
    inEnds = true;
    pump();
    if (!taking.isHandler()) {
      takeAll();
    }
    if (!linkClosed) {
      core.beginClose();
      pump();
    }
    if (!linkClosed) {
      // What is left waits for a peer that has gone.
      List<Runnable> due = List.copyOf(deadlines);
      deadlines.clear();
      due.forEach(Runnable::run);
      pump();
    }
    check(linkClosed, "not closed");
    check(core.ended().toCompletableFuture().isDone(), "not ended");
    check(deadlines.isEmpty(), "a deadline is left");
    check(!taking.isHandler() || timesClosed == 1, "the handler was not told of the end once");
    check(pool.acquired == 0, "memory was not given back (bytes=" + pool.acquired + ")");
    if (broken != null) {
      throw broken; // What it was first thrown into may have swallowed it.
    }
    return cause;
  }

  /** What was written since the last time. */
  byte[] written() {
    byte[] bytes = out.toByteArray();
    out.reset();
    return bytes;
  }

  void check(boolean holds, String otherwise) {
    if (!holds) {
      throw broken(otherwise + ": " + connection.describe());
    }
  }

  private AssertionError broken(String text) {
    AssertionError error = new AssertionError(text);
    broken = broken == null ? error : broken;
    return error;
  }

  // Receive calls on this very thread: resumeReading() brings what the call waits for.

  private void takeAll() {
    for (ArrayInput input : inputs) {
      takeAll(input);
    }
  }

  private void takeAll(ArrayInput input) {
    ArraywireException over = null;
    while (over == null) {
      Thread.currentThread().interrupt(); // A call that would wait for ever says so.
      takesNow = true;
      try {
        takeOne(input);
      } catch (ArraywireException e) {
        over = e;
      } catch (InterruptedException e) {
        throw new AssertionError("a receive call waits: " + connection.describe(), e);
      } finally {
        takesNow = false;
        check(Thread.interrupted() || over != null, "the interrupt was lost");
      }
      pump();
    }
    if (input == connection && !(over instanceof ConnectionClosedException)) {
      cause = over;
    }
  }

  private void takeOne(ArrayInput input) throws ArraywireException, InterruptedException {
    switch (taking) {
      case LEASED -> {
        try (LeasedArray lease = input.receiveLeased()) {
          ArrayHeader header = lease.header();
          Object elements = header.type().newArray(header.count());
          lease.copyTo(ArraySlice.ofArray(elements).as(header.type()));
          taken.add(new Taken(header, elements));
        }
      }
      case INTO -> takeInto(input);
      default -> taken(input.receive());
    }
  }

  private void takeInto(ArrayInput input) throws ArraywireException, InterruptedException {
    ElementType type = ElementType.values()[portions.applyAsInt(ElementType.values().length) - 1];
    int room = portions.applyAsInt(64);
    Object array = type.newArray(room + 2);
    NaiveElements.setBits(type, array, 0, 1);
    NaiveElements.setBits(type, array, room + 1, 1);
    ReceivedArray received;
    try {
      received = input.receiveInto(ArraySlice.ofArray(array, 1, room).as(type));
    } catch (TargetMismatchException e) {
      taken(input.receive());
      return;
    }
    check(received.slice().array() == array && received.slice().offset() == 1, "not in place");
    check(
        (NaiveElements.bits(type, array, 0) & 1) == 1
            && (NaiveElements.bits(type, array, room + 1) & 1) == 1,
        "written beside the target");
    taken(received);
  }

  private void taken(ReceivedArray received) {
    ArraySlice slice = received.slice();
    Object elements = slice.type().newArray(slice.length());
    System.arraycopy(slice.array(), slice.offset(), elements, 0, slice.length());
    check(
        slice.type() == received.header().type() && slice.length() == received.header().count(),
        "the slice is not what the header says");
    taken.add(new Taken(received.header(), elements));
  }

  private class Handler implements ArrayHandler {
    @Override
    public void onArray(Connection from, ReceivedArray array) {
      check(timesClosed == 0, "an array after the end");
      taken(array);
    }

    @Override
    public void onClosed(Connection from, @Nullable ArraywireException why) {
      timesClosed++;
      cause = why;
    }
  }

  private final class TargetingHandler extends Handler implements TargetHandler {
    @Override
    public ArraySlice target(Connection from, ArrayHeader header) {
      check(header.count() <= options.maxArrayBytes(), "a header beyond the limit");
      return ArraySlice.ofArray(header.type().newArray(header.count() + 3), 3, header.count())
          .as(header.type());
    }
  }

  // The channel.

  /** How many bytes of the stream the connection has been given. */
  long received() {
    return bytesFed - (in.length - inAt);
  }

  /** Everything that can happen without a further byte. */
  void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      boolean again = true;
      while (again) {
        again = runTasks();
        if (linkClosed) {
          again |= dispose();
        } else {
          again |= write();
          again |= !linkClosed && read();
        }
      }
    } finally {
      pumping = false;
    }
  }

  /** Counts a step that moves at least a byte, or else must not happen often. */
  private void step() {
    steps++;
    check(steps < 1000 + 50 * bytesFed, "goes on and on");
  }

  private boolean runTasks() {
    boolean any = false;
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      step();
      task.run();
      any = true;
    }
    return any;
  }

  private boolean write() {
    boolean any = false;
    while (!outputShut && !linkClosed) {
      Output output = wire.output();
      if (output == null || Output.isEnd(output) || linkClosed) {
        outputShut = Output.isEnd(output);
        return any || outputShut || linkClosed;
      }
      step();
      any = true;
      int there = 0;
      for (int i = 0; i < output.count(); i++) {
        there += output.buffers()[output.first() + i].remaining();
      }
      check(there > 0, "an empty output");
      int left = portions.applyAsInt(there);
      boolean unused = wire.wrote(move(output, left));
    }
    return any;
  }

  private int move(Output output, int bytes) {
    int left = bytes;
    for (int i = 0; left > 0; i++) {
      ByteBuffer buffer = output.buffers()[output.first() + i];
      byte[] portion = new byte[Math.min(left, buffer.remaining())];
      buffer.get(portion);
      out.writeBytes(portion);
      left -= portion.length;
    }
    return bytes;
  }

  private boolean read() {
    ByteBuffer waiting = kept;
    if (waiting != null) {
      if (!resume) {
        return false;
      }
      resume = false;
      step();
      if (wire.input(waiting, false) == Intake.PAUSED) {
        return resume;
      }
      check(!waiting.hasRemaining(), "bytes not taken");
      kept = null;
      return true;
    }
    if (inAt == in.length) {
      if (inEnds && !inputEnded) {
        inputEnded = wire.inputEnded();
        return true;
      }
      return false;
    }
    step();
    int portion = portions.applyAsInt(in.length - inAt);
    wire.plan(plan);
    ByteBuffer space = plan.space();
    if (linkClosed) {
      return true;
    }
    if (space != null) {
      check(space.hasRemaining(), "no space to read into");
      portion = Math.min(portion, space.remaining());
      space.put(in, inAt, portion);
      inAt += portion;
      wire.filled(space, portion);
      return true;
    }
    check(plan.limit() > 0, "nothing may be read");
    portion = Math.min(portion, plan.limit());
    ByteBuffer window = ByteBuffer.wrap(Arrays.copyOfRange(in, inAt, inAt + portion));
    inAt += portion;
    resume = false;
    if (wire.input(window, true) != Intake.PAUSED) {
      check(!window.hasRemaining(), "bytes not taken");
    } else {
      kept = window;
    }
    return true;
  }

  private boolean dispose() {
    if (disposed) {
      return false;
    }
    disposed = true;
    wire.disposed(WireEnd.Direction.INPUT);
    wire.disposed(WireEnd.Direction.OUTPUT);
    return true;
  }

  @Override
  public void wakeWriter() {
    // The pump asks in any case.
    if (subscribing) {
      subscribing = false;
      feed(
          RawFrame.control(FrameType.SUBSCRIBED, 0)
              .with(header -> header.channel = FrameLayout.SUBSCRIPTION)
              .bytes());
    }
  }

  /** Reading stops as often as it can. */
  @Override
  public long readingNanos() {
    return 0;
  }

  @Override
  public void resumeReading() {
    resume = true;
    if (takesNow) {
      pump();
    }
  }

  @Override
  public void close() {
    linkClosed = true;
  }

  @Override
  public SocketAddress localAddress() {
    return NOWHERE;
  }

  @Override
  public SocketAddress remoteAddress() {
    return NOWHERE;
  }

  /** Heap memory, counted and poisoned. */
  final class Pool implements MemoryPool {
    private static final byte POISON = (byte) 0xdb;

    private long acquired;
    private long most;

    @Override
    public PooledMemory acquire(int bytes, MemoryKind kind) {
      byte[] array = new byte[bytes];
      Arrays.fill(array, POISON);
      acquired += bytes;
      most = Math.max(most, acquired);
      ByteBuffer buffer = ByteBuffer.wrap(array);
      return new PooledMemory() {
        private boolean released;

        @Override
        public ByteBuffer buffer() {
          if (released) {
            throw broken("memory used after its release");
          }
          return buffer;
        }

        @Override
        public void release() {
          if (released) {
            throw broken("memory released twice");
          }
          released = true;
          acquired -= bytes;
          Arrays.fill(array, POISON);
        }
      };
    }

    @Override
    public long acquiredBytes() {
      return acquired;
    }

    /** The most that was out at one time. */
    long most() {
      return most;
    }

    @Override
    public void close() {
      throw new IllegalStateException("a pool of the user's");
    }
  }
}
