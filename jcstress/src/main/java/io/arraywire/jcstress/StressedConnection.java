package io.arraywire.jcstress;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.Handlers;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Engine;
import io.arraywire.engine.EngineConnection;
import io.arraywire.engine.Intake;
import io.arraywire.engine.Link;
import io.arraywire.engine.Output;
import io.arraywire.engine.Role;
import io.arraywire.engine.WireEnd;
import io.arraywire.frame.FrameLayout;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose handshake is over, without a channel: what it writes goes nowhere, and what
 * comes a test gives it. Handlers and stages run where they are found out, or soon after, and no
 * time passes.
 */
final class StressedConnection implements Link {
  private static final byte[] WELCOME =
      Preamble.write(
          FrameLayout.VERSION,
          FrameLayout.VERSION,
          HandshakeMessage.welcome(offer(), FrameLayout.VERSION));

  /** {@link #slice} as it comes from a peer: one frame. */
  private static final byte[] ARRAY = array();

  private final AtomicInteger completions = new AtomicInteger();
  private final AtomicInteger ends = new AtomicInteger();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final HeapMemoryPool pool = HeapMemoryPool.create();
  final EngineConnection core;

  /** As users meet it. */
  final Connection connection;

  final WireEnd wire;
  private volatile boolean closed;

  /** With a handler. */
  StressedConnection() {
    this(true);
  }

  /** With a handler, or for receive calls. */
  StressedConnection(boolean handled) {
    TransportOptions options =
        TransportOptions.builder()
            .codecs(new Little())
            .memoryPool(pool)
            .handlerExecutor(tasks::add)
            .build();
    Engine engine = Engine.create("stress", options, List.of(), pool, 0, (delay, task) -> () -> {});
    core = engine.connection(Role.CONNECTOR, this, handled ? Handlers.ofArrays(new Ends()) : null);
    connection = core.userConnection();
    wire = core.wire();
    wire.start();
    write();
    ByteBuffer welcome = ByteBuffer.allocateDirect(WELCOME.length).put(WELCOME).flip();
    if (wire.input(welcome, true) == Intake.PAUSED || !connection.isOpen()) {
      throw new IllegalStateException(connection.describe());
    }
  }

  private final class Ends implements ArrayHandler {
    @Override
    public void onArray(Connection from, ReceivedArray array) {}

    @Override
    public void onClosed(Connection from, @Nullable ArraywireException cause) {
      ends.incrementAndGet();
    }
  }

  private record Little() implements Codec {
    @Override
    public String name() {
      return "little";
    }

    @Override
    public Encoding encoding() {
      return Encoding.RAW_LITTLE_ENDIAN;
    }

    @Override
    public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
      BulkElements.put(type, array, index, count, target, ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void decode(ElementType type, ByteBuffer source, Object array, int index, int count) {
      BulkElements.get(type, source, array, index, count, ByteOrder.LITTLE_ENDIAN);
    }
  }

  private static Offer offer() {
    Encoding encoding = Encoding.RAW_LITTLE_ENDIAN;
    Set<Integer> types = new TreeSet<>();
    for (ElementType type : ElementType.values()) {
      types.add(type.code());
    }
    return new Offer(
        new TreeMap<>(Map.of(encoding.code(), encoding.name())),
        types,
        ByteOrder.LITTLE_ENDIAN,
        1L << 40,
        1 << 20,
        false,
        new byte[0],
        "a stress test",
        new FlowOffer(1, 1L << 60, 1L << 60, 0, 0));
  }

  private static byte[] array() {
    StressedConnection peer = new StressedConnection();
    peer.count(peer.connection.sendAsync(slice(), SendOptions.handedOff()));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    peer.write(buffer -> {
      while (buffer.hasRemaining()) {
        bytes.write(buffer.get());
      }
    });
    return bytes.toByteArray();
  }

  static ArraySlice slice() {
    return ArraySlice.of(new int[] {1, 2, 3});
  }

  /** Counts what completes it, now or later. */
  void count(CompletionStage<?> stage) {
    var unused = stage.whenComplete((result, thrown) -> completions.incrementAndGet());
  }

  /** What a writing thread does that finds room for everything. For one thread at a time. */
  void write() {
    write(buffer -> {});
  }

  private void write(Consumer<ByteBuffer> socket) {
    for (Output output = wire.output();
        output != null && !Output.isEnd(output);
        output = wire.output()) {
      int written = 0;
      for (int i = 0; i < output.count(); i++) {
        ByteBuffer buffer = output.buffers()[output.first() + i];
        written += buffer.remaining();
        socket.accept(buffer.duplicate());
        buffer.position(buffer.limit());
      }
      boolean unused = wire.wrote(written);
    }
    runTasks();
  }

  /** Whatever thread comes by, but none that is in the middle of something. */
  private void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /** What a reading thread does to which {@link #slice} comes. */
  void arrive() {
    Intake unused = wire.input(ByteBuffer.allocateDirect(ARRAY.length).put(ARRAY).flip(), true);
    runTasks();
  }

  /** What the transport does when the link is closed. Once. */
  void dispose() {
    if (closed) {
      wire.disposed(WireEnd.Direction.INPUT);
      wire.disposed(WireEnd.Direction.OUTPUT);
    }
    runTasks();
  }

  int completions() {
    return completions.get();
  }

  /** How often the handler was told of the end. */
  int ends() {
    return ends.get();
  }

  boolean isClosed() {
    return closed;
  }

  boolean isEnded() {
    return core.ended().toCompletableFuture().isDone();
  }

  /** Whether all its memory was given back. */
  boolean holdsNothing() {
    return pool.acquiredBytes() == 0;
  }

  @Override
  public void wakeWriter() {}

  @Override
  public void resumeReading() {}

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public SocketAddress localAddress() {
    return InetSocketAddress.createUnresolved("here", 1);
  }

  @Override
  public SocketAddress remoteAddress() {
    return InetSocketAddress.createUnresolved("there", 1);
  }
}
