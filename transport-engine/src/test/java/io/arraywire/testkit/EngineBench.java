package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayHandler;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.ReceivedArray;
import io.arraywire.TargetHandler;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Engine;
import io.arraywire.engine.EngineConnection;
import io.arraywire.engine.EngineRuntime;
import io.arraywire.engine.Intake;
import io.arraywire.engine.Link;
import io.arraywire.engine.Output;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.Role;
import io.arraywire.engine.Subjects;
import io.arraywire.engine.WireEnd;
import io.arraywire.engine.tls.TlsLayer;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.memory.Portions;
import io.arraywire.security.Tls;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.PooledMemory;
import io.arraywire.spi.TlsEngines;
import io.arraywire.spi.TrackingMemoryPool;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A protocol connection on the test's own thread: without a channel, a thread or a clock, so that
 * what happens is the same every time. Bytes go in with {@link #feed} and come out in {@link #out}.
 */
final class EngineBench implements Link {
  static final Codec RAW_LE = SimpleCodec.of(Encoding.RAW_LITTLE_ENDIAN).named("le");
  static final Codec RAW_BE = SimpleCodec.of(Encoding.RAW_BIG_ENDIAN).named("be");
  static final Codec JAVA_OBJECT = SimpleCodec.of(Encoding.JAVA_OBJECT).named("object");
  static final Codec PROTOBUF = SimpleCodec.of(Encoding.PROTOBUF).named("proto");

  /** Credit that no test uses up. */
  static final long PLENTY = 1L << 60;

  /** What a test's handler has been told. */
  static class Recorder implements ArrayHandler {
    final List<ReceivedArray> arrays = new ArrayList<>();
    int closed;
    @Nullable ArraywireException cause;

    Handlers handlers() {
      return Handlers.ofArrays(this);
    }

    @Override
    public void onArray(Connection connection, ReceivedArray array) throws Exception {
      arrays.add(array);
    }

    @Override
    public void onClosed(Connection connection, @Nullable ArraywireException cause) {
      closed++;
      this.cause = cause;
    }
  }

  /** Has each array put into an array of its own. */
  static class TargetingRecorder extends Recorder implements TargetHandler {
    final List<ArrayHeader> asked = new ArrayList<>();

    @Override
    Handlers handlers() {
      return super.handlers().withTargets(this);
    }

    @Override
    public ArraySlice target(Connection connection, ArrayHeader header) throws Exception {
      asked.add(header);
      return ArraySlice.ofArray(header.type().newArray(header.count())).as(header.type());
    }
  }

  final TestMemoryPool memory = TestMemoryPool.create();
  private final TestMemoryPool windows = TestMemoryPool.create();
  final TrackingMemoryPool pool = TrackingMemoryPool.around(memory);
  final ManualClock clock = new ManualClock();
  final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  final ByteArrayOutputStream out = new ByteArrayOutputStream();
  final Recorder handler;
  final TransportOptions options;
  final EngineConnection core;

  /** As users meet it. */
  final Connection connection;

  final WireEnd wire;
  private final ReadPlan plan = new ReadPlan();
  private final Engine engine;

  /** What the connection publishes, if it was accepted. */
  final Subjects subjects;

  private final ByteArrayOutputStream incoming = new ByteArrayOutputStream();
  private byte[] pending = new byte[0];
  private int pendingAt;
  private boolean endOfInput;
  private boolean inputEnded;
  private IntUnaryOperator reads = Portions.everything().begin();
  private IntUnaryOperator writes = Portions.everything().begin();
  private @Nullable ByteBuffer kept;
  private boolean paused;
  private boolean resume;
  private boolean disposed;
  boolean linkClosed;
  boolean outputShut;

  /** How many bytes may be written now; a full pipe has room for none. */
  long writable;

  /** Whether the connection said that it has something to write. */
  volatile boolean writerWoken;

  /** Whether handlers wait, as when their threads are busy. */
  boolean holdTasks;

  /** Whether the handlers' executor does no more with a task than what follows. */
  boolean dropsTasks;

  /** What the link does first when it is to wake a thread; it may throw. */
  Runnable onWake = () -> {};

  /** What the handlers' executor does first when it is given something; it may throw. */
  Consumer<Runnable> onTask = task -> {};

  /** How often reading was resumed. */
  int resumed;

  /** How long the thread that reads may be busy with one portion of the input. */
  long readingNanos = Long.MAX_VALUE;

  /** What the link was given to run as its reading thread; null where it takes nothing. */
  @Nullable ArrayDeque<Runnable> readersTasks;

  private EngineBench(
      Role role, TransportOptions.Builder settings, @Nullable Recorder recorder, long room) {
    this(role, settings, recorder, room, null, null);
  }

  private EngineBench(
      Role role,
      TransportOptions.Builder settings,
      @Nullable Recorder recorder,
      long room,
      @Nullable EngineRuntime runtime,
      @Nullable TlsEngines encryption) {
    handler = recorder == null ? new Recorder() : recorder;
    options = settings.handlerExecutor(this::execute).memoryPool(pool).build();
    EngineRuntime own = encryption == null ? runtime : new InlineRuntime(tasks::add);
    engine =
        own == null
            ? Engine.create("bench", options, List.of(), pool, 1, clock)
            : Engine.create("bench", options, List.of(), pool, 1, clock, own);
    Handlers handlers = recorder == null ? null : recorder.handlers();
    if (encryption == null) {
      core = engine.connection(role, this, handlers);
      wire = core.wire();
    } else {
      TlsLayer layer =
          new TlsLayer(encryption, options, pool, MemoryKind.DIRECT, clock, tasks::add);
      List<EngineConnection> made = new ArrayList<>();
      wire =
          layer.wrap(
              role,
              remoteAddress(),
              this,
              link -> {
                made.add(engine.connection(role, link, handlers));
                return made.get(0).wire();
              });
      core = made.get(0);
    }
    connection = core.userConnection();
    subjects = new Subjects(engine);
    if (role == Role.ACCEPTOR) {
      subjects.publishOver(core);
    }
    writable = room;
    wire.start();
    pump();
  }

  private EngineBench(EngineBench first) {
    handler = first.handler;
    options = first.options;
    engine = first.engine;
    subjects = first.subjects;
    core = engine.connection(Role.ACCEPTOR, this, handler.handlers());
    connection = core.userConnection();
    wire = core.wire();
    subjects.publishOver(core);
    writable = Long.MAX_VALUE;
    wire.start();
    pump();
  }

  /**
   * Another connection that the same transport accepts; the first one runs the handlers of both.
   */
  EngineBench another() {
    return new EngineBench(this);
  }

  private void execute(Runnable task) {
    onTask.accept(task);
    if (!dropsTasks) {
      tasks.add(task);
    }
  }

  static TransportOptions.Builder options() {
    return TransportOptions.builder()
        .codecs(RAW_LE, RAW_BE, JAVA_OBJECT, PROTOBUF)
        .inboxBytes(64 << 20);
  }

  static EngineBench acceptor(TransportOptions.Builder options) {
    return new EngineBench(Role.ACCEPTOR, options, new Recorder(), Long.MAX_VALUE);
  }

  static EngineBench acceptor(TransportOptions.Builder options, Recorder handler) {
    return new EngineBench(Role.ACCEPTOR, options, handler, Long.MAX_VALUE);
  }

  /** One that takes time, and what else there is of it, from a test. */
  static EngineBench acceptor(
      TransportOptions.Builder options, Recorder handler, EngineRuntime runtime) {
    return new EngineBench(Role.ACCEPTOR, options, handler, Long.MAX_VALUE, runtime, null);
  }

  /** One that encrypts; tasks of TLS and authenticators run with those of handlers. */
  static EngineBench encrypting(Role role, TransportOptions.Builder options, TlsEngines engines) {
    return new EngineBench(
        role, options.tls(Tls.of(engines)), new Recorder(), Long.MAX_VALUE, null, engines);
  }

  static EngineBench connector(TransportOptions.Builder options) {
    return connector(options, Long.MAX_VALUE);
  }

  /** One that at first may write so many bytes only. */
  static EngineBench connector(TransportOptions.Builder options, long room) {
    return new EngineBench(Role.CONNECTOR, options, new Recorder(), room);
  }

  /** One whose arrays are taken by receive calls. */
  static EngineBench withoutHandler(Role role, TransportOptions.Builder options) {
    return new EngineBench(role, options, null, Long.MAX_VALUE);
  }

  EngineBench portions(Portions forReads, Portions forWrites) {
    reads = forReads.begin();
    writes = forWrites.begin();
    return this;
  }

  /** A peer that understands everything, has one channel, and allows more than a test sends. */
  static Offer offer() {
    return offer(1L << 62, false);
  }

  static Offer offer(long maxArrayBytes, boolean checksums) {
    Map<Integer, String> encodings = new TreeMap<>();
    for (Encoding encoding :
        List.of(
            Encoding.RAW_LITTLE_ENDIAN,
            Encoding.RAW_BIG_ENDIAN,
            Encoding.JAVA_OBJECT,
            Encoding.PROTOBUF)) {
      encodings.put(encoding.code(), encoding.name());
    }
    Set<Integer> types = new TreeSet<>();
    for (ElementType type : ElementType.values()) {
      types.add(type.code());
    }
    return new Offer(
        encodings,
        types,
        ByteOrder.LITTLE_ENDIAN,
        maxArrayBytes,
        1 << 20,
        checksums,
        new byte[0],
        "a test",
        new FlowOffer(1, PLENTY, PLENTY, 0, 0));
  }

  /** The same, which says something else of credit, channels and heartbeats. */
  static Offer offer(FlowOffer flow) {
    Offer plain = offer();
    return new Offer(
        plain.encodings(),
        plain.elementTypes(),
        plain.nativeOrder(),
        plain.maxArrayBytes(),
        plain.maxFrameBytes(),
        plain.checksums(),
        plain.token(),
        plain.library(),
        flow);
  }

  static byte[] preambled(byte[] message) {
    return Preamble.write(FrameLayout.VERSION, FrameLayout.VERSION, message);
  }

  static byte[] hello() {
    return preambled(HandshakeMessage.hello(offer()));
  }

  static byte[] welcome() {
    return preambled(HandshakeMessage.welcome(offer(), FrameLayout.VERSION));
  }

  /** Gets the handshake over and forgets it. */
  EngineBench open() {
    return open(offer());
  }

  EngineBench open(Offer peer) {
    byte[] theirs =
        preambled(
            outBytes().length == 0
                ? HandshakeMessage.hello(peer)
                : HandshakeMessage.welcome(peer, FrameLayout.VERSION));
    feed(theirs);
    assertThat(connection.isOpen()).as(connection.describe()).isTrue();
    out.reset();
    return this;
  }

  EngineBench feed(byte[]... pieces) {
    for (byte[] piece : pieces) {
      incoming.writeBytes(piece);
    }
    pump();
    return this;
  }

  EngineBench feed(RawFrame... frames) {
    for (RawFrame frame : frames) {
      incoming.writeBytes(frame.bytes());
    }
    pump();
    return this;
  }

  /** The peer's stream ends. */
  EngineBench end() {
    endOfInput = true;
    pump();
    return this;
  }

  byte[] outBytes() {
    return out.toByteArray();
  }

  /** What was written since the last time, as frames. */
  List<RawFrame> frames() {
    try {
      ByteArrayInputStream in = new ByteArrayInputStream(outBytes());
      out.reset();
      List<RawFrame> frames = new ArrayList<>();
      for (RawFrame frame = RawFrame.read(in); frame != null; frame = RawFrame.read(in)) {
        frames.add(frame);
      }
      return frames;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The only frame of a type among those written. */
  RawFrame frame(FrameType type) {
    List<RawFrame> all = frames();
    List<RawFrame> found = all.stream().filter(frame -> frame.type() == type).toList();
    assertThat(found).as("%s among %s", type, all).hasSize(1);
    return found.get(0);
  }

  /** The text of the error frame that was written last, which must have a code. */
  String error(ErrorCode code) {
    List<RawFrame> all = frames();
    assertThat(all).as("frames of %s", connection.describe()).isNotEmpty();
    RawFrame last = all.get(all.size() - 1);
    assertThat(last.type()).isEqualTo(FrameType.ERROR);
    return fault(last, code);
  }

  static String fault(RawFrame frame, ErrorCode code) {
    try {
      ArraywireException fault = FaultBody.read(frame.payload());
      assertThat(fault.code()).as(fault.getMessage()).isEqualTo(code);
      return fault.getMessage();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The one handshake message written. */
  HandshakeMessage handshake() {
    byte[] bytes = outBytes();
    out.reset();
    try {
      Preamble preamble = Preamble.read(Arrays.copyOf(bytes, Preamble.BYTES));
      assertThat(bytes).hasSize(Preamble.BYTES + preamble.messageBytes());
      byte[] message = Arrays.copyOfRange(bytes, Preamble.BYTES, bytes.length);
      preamble.checkMessage(message);
      return HandshakeMessage.read(message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The handshake message that a stream begins with. */
  static HandshakeMessage handshakeIn(byte[] stream) throws IOException {
    Preamble preamble = Preamble.read(Arrays.copyOf(stream, Preamble.BYTES));
    return HandshakeMessage.read(
        Arrays.copyOfRange(stream, Preamble.BYTES, Preamble.BYTES + preamble.messageBytes()));
  }

  boolean isPaused() {
    return paused;
  }

  boolean isEnded() {
    return core.ended().toCompletableFuture().isDone();
  }

  /** Everything that can happen without a further byte, until nothing more does. */
  void pump() {
    boolean again = true;
    while (again) {
      again = false;
      while (!holdTasks && !tasks.isEmpty()) {
        tasks.remove().run();
        again = true;
      }
      if (linkClosed) {
        dispose();
        continue;
      }
      again |= write();
      again |= read();
    }
  }

  /** What {@code close} throws while everything happens that can. */
  Throwable failureOfClosing() throws InterruptedException {
    Running<Boolean> closing =
        Running.start(() -> {
          connection.close();
          return true;
        });
    Eventually.until(
        "it has given up",
        () -> {
          pump();
          return closing.isDone();
        });
    return closing.failure();
  }

  private boolean write() {
    if (outputShut || linkClosed) {
      return false;
    }
    boolean any = false;
    while (writable > 0) {
      Output output = wire.output();
      if (linkClosed) {
        return true;
      }
      if (Output.isEnd(output)) {
        outputShut = true;
        return true;
      }
      if (output == null) {
        return any;
      }
      long there = 0;
      for (int i = 0; i < output.count(); i++) {
        there += output.buffers()[output.first() + i].remaining();
      }
      assertThat(there).as("bytes in the buffers that may be written").isPositive();
      int portion = writes.applyAsInt((int) Math.min(there, writable));
      writable -= portion;
      int left = portion;
      for (int i = 0; left > 0; i++) {
        ByteBuffer buffer = output.buffers()[output.first() + i];
        byte[] bytes = new byte[Math.min(left, buffer.remaining())];
        buffer.get(bytes);
        out.writeBytes(bytes);
        left -= bytes.length;
      }
      boolean unused = wire.wrote(portion);
      any = true;
    }
    return any;
  }

  private boolean read() {
    boolean any = false;
    while (!linkClosed) {
      if (paused) {
        if (!resume) {
          return any;
        }
        resume = false;
        ByteBuffer left = kept;
        if (left == null || wire.input(left, false) == Intake.PAUSED) {
          // It may have been resumed already, for others that have had their turn.
          return any || resume;
        }
        paused = false;
        any = true;
        continue;
      }
      if (pendingAt == pending.length) {
        pending = incoming.toByteArray();
        pendingAt = 0;
        incoming.reset();
      }
      if (pendingAt == pending.length) {
        if (endOfInput && !inputEnded) {
          inputEnded = wire.inputEnded();
          return true;
        }
        return any;
      }
      any = true;
      int portion = reads.applyAsInt(pending.length - pendingAt);
      wire.plan(plan);
      ByteBuffer space = plan.space();
      if (space != null) {
        portion = Math.min(portion, space.remaining());
        space.put(pending, pendingAt, portion);
        pendingAt += portion;
        wire.filled(space, portion);
        continue;
      }
      portion = Math.min(portion, plan.limit());
      PooledMemory window = windows.acquire(portion, MemoryKind.DIRECT);
      ByteBuffer bytes = window.buffer().put(pending, pendingAt, portion).flip();
      pendingAt += portion;
      if (wire.input(bytes, true) == Intake.PAUSED) {
        paused = true;
        kept = ByteBuffer.allocateDirect(bytes.remaining()).put(bytes).flip();
      } else {
        assertThat(bytes.hasRemaining()).as("bytes not taken").isFalse();
      }
      // Code that keeps the window finds garbage in it.
      window.release();
    }
    return any;
  }

  private void dispose() {
    if (!disposed) {
      disposed = true;
      wire.disposed(WireEnd.Direction.INPUT);
      wire.disposed(WireEnd.Direction.OUTPUT);
    }
  }

  /** Carries what each has written to the other, until both are silent. */
  static void join(EngineBench one, EngineBench other) {
    join(one, other, () -> Long.MAX_VALUE);
  }

  /**
   * Carries what each has written to the other, until both are silent.
   *
   * @param capacities how much each pipe takes, at least 1, before the other side is read
   */
  static void join(EngineBench one, EngineBench other, LongSupplier capacities) {
    while (true) {
      one.writable = capacities.getAsLong();
      other.writable = capacities.getAsLong();
      one.pump();
      other.pump();
      byte[] there = one.outBytes();
      one.out.reset();
      byte[] back = other.outBytes();
      other.out.reset();
      boolean ends = (one.isShut() && !other.endOfInput) || (other.isShut() && !one.endOfInput);
      if (there.length == 0 && back.length == 0 && !ends) {
        return;
      }
      other.incoming.writeBytes(there);
      one.incoming.writeBytes(back);
      other.endOfInput |= one.isShut();
      one.endOfInput |= other.isShut();
    }
  }

  private boolean isShut() {
    return outputShut || linkClosed;
  }

  /** All memory was given back. */
  void assertNothingLeaks() {
    assertThat(pool.leaks()).isEmpty();
    assertThat(memory.acquiredBytes()).isZero();
  }

  /** The connection has failed with a code of this side, as {@link #assertEnded} says. */
  void assertFailed(ErrorCode code) {
    assertEnded(ArraywireException.class);
    assertThat(handler.cause).matches(code::isOf);
  }

  /** The connection has ended, with everything released and everybody told once. */
  void assertEnded(@Nullable Class<? extends ArraywireException> cause) {
    pump();
    assertThat(linkClosed).as("closed: %s", connection.describe()).isTrue();
    assertThat(isEnded()).isTrue();
    assertNothingLeaks();
    assertThat(clock.waiting()).as("deadlines still waiting").isZero();
    assertThat(handler.closed).as("times that the handler was told of the end").isEqualTo(1);
    if (cause == null) {
      assertThat(handler.cause).isNull();
    } else {
      assertThat(handler.cause).isInstanceOf(cause);
    }
  }

  @Override
  public void wakeWriter() {
    onWake.run();
    // The pump asks in any case.
    writerWoken = true;
  }

  @Override
  public boolean runsTask(Runnable task, Executor otherwise) {
    return readersTasks != null && readersTasks.add(task);
  }

  @Override
  public long readingNanos() {
    return readingNanos;
  }

  @Override
  public void resumeReading() {
    onWake.run();
    resumed++;
    resume = true;
  }

  @Override
  public void close() {
    linkClosed = true;
  }

  @Override
  public SocketAddress localAddress() {
    return MemoryAddress.of("here");
  }

  @Override
  public SocketAddress remoteAddress() {
    return MemoryAddress.of("there");
  }
}
