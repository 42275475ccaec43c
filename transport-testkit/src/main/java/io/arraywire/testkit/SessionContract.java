package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arraywire.ArrayHandler;
import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.Delivery;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.LeasedArray;
import io.arraywire.Listener;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.TimedOutException;
import io.arraywire.Transport;
import io.arraywire.TransportObserver;
import io.arraywire.TransportOptions;
import io.arraywire.security.Identity;
import io.arraywire.source.ArraySource;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What {@link Delivery#SESSION} promises, over a transport whose connections break. Extend it
 * beside {@link TransportContract}; a transport without IP addresses brings a {@link Cable} of its
 * own.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
public abstract class SessionContract {
  private static final Duration HOUR = Duration.ofHours(1);

  @SuppressWarnings("this-escape") // Kept for later; the stage asks for nothing before a test runs.
  private final TransportStage stage = TransportStage.of(this::create, this::address);

  /** For JUnit. */
  protected SessionContract() {}

  /**
   * Makes the transport to check.
   *
   * @param options its options
   * @return a new transport
   */
  protected abstract Transport create(TransportOptions options);

  /**
   * Where to listen: by default any free port of the loopback interface.
   *
   * @return an address, each time one that is free
   */
  protected SocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /**
   * Lays a cable to a listener.
   *
   * @param listener its address
   * @return the cable
   * @throws Exception if there is none
   */
  protected Cable cable(SocketAddress listener) throws Exception {
    return new SocketCable(listener);
  }

  @AfterEach
  final void end() throws Exception {
    stage.close();
  }

  private static TransportOptions.Builder sessions(TransportOptions.Builder options) {
    return options.sessionTimeout(HOUR);
  }

  /** Both ends of a session, and what lies between them. */
  private record Line(Cable cable, Connection here, Transport there) {}

  private Line lineTo(UnaryOperator<TransportOptions.Builder> change, Handlers handlers)
      throws Exception {
    Transport there = stage.transport(change);
    Cable cable = stage.closing(cable(there.listen(stage.address(), handlers).address()));
    return new Line(cable, stage.transport(change).connect(cable.address()), there);
  }

  private Line lineTo(UnaryOperator<TransportOptions.Builder> change, ArrayHandler handler)
      throws Exception {
    return lineTo(change, Handlers.ofArrays(handler));
  }

  private Line lineTo(ArrayHandler handler) throws Exception {
    return lineTo(SessionContract::sessions, Handlers.ofArrays(handler));
  }

  /** Notes what it is given, and how it was told of the end. */
  private static class Notes implements ArrayHandler {
    final Map<Integer, List<Long>> tags = new ConcurrentHashMap<>();
    final AtomicInteger count = new AtomicInteger();
    final List<String> ends = new CopyOnWriteArrayList<>();
    final AtomicInteger inHand = new AtomicInteger();
    private volatile @Nullable Connection connection;

    @Override
    public void onArray(Connection from, ReceivedArray array) throws Exception {
      if (array.header().channel() == 0 && inHand.incrementAndGet() != 1) {
        ends.add("two arrays of one channel at a time");
      }
      connection = from;
      int[] elements = array.ints();
      long tag = array.tag();
      for (int element : elements) {
        if (element != (int) tag) {
          throw new IllegalStateException("array " + tag + " holds an element of " + element);
        }
      }
      tags.computeIfAbsent(array.header().channel(), id -> new CopyOnWriteArrayList<>()).add(tag);
      count.incrementAndGet();
      took();
      if (array.header().channel() == 0) {
        inHand.decrementAndGet();
      }
    }

    void took() throws Exception {}

    /** The connection that it has had arrays from, in words. */
    String describe() {
      Connection from = connection;
      return from == null ? "" : from.describe();
    }

    @Override
    public void onClosed(Connection from, @Nullable ArraywireException why) {
      try {
        var unused = from.agreement();
      } catch (IllegalStateException e) {
        // It broke before it could say which session it was to go on with.
        return;
      }
      ends.add(why == null ? "orderly" : why.code().name());
    }
  }

  /** Keeps what it is given until it may go on. */
  private static final class Holding extends Notes {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    void took() throws InterruptedException {
      begun.countDown();
      goOn.await();
    }
  }

  private static ArraySlice numbered(int number) {
    int[] array = new int[number % 200 == 0 ? 60_000 : number % 97];
    Arrays.fill(array, number);
    return ArraySlice.of(array);
  }

  private static List<Long> numbers(int count) {
    List<Long> all = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      all.add(i);
    }
    return all;
  }

  private static List<CompletionStage<Receipt>> sendNumbered(Channel channel, int count) {
    List<CompletionStage<Receipt>> sent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sent.add(channel.sendAsync(numbered(i), SendOptions.session().tag(i)));
    }
    return sent;
  }

  /** Waits until one end has noticed that its connection is gone. */
  private static void awaitOutage(Connection end) {
    Eventually.until("it is noticed", () -> end.describe().contains("connecting again"));
  }

  /** However often the connection breaks, each array is delivered once, in the channel's order. */
  @Test
  final void everyArrayIsDeliveredOnceHoweverOftenTheConnectionBreaks() throws Exception {
    Random random = new Random();
    long seed = random.nextLong();
    random.setSeed(seed);
    int arrays = 600;
    int channels = 3;
    Notes notes = new Notes();
    Line line = lineTo(notes);
    List<CompletionStage<Receipt>> sent = new ArrayList<>();
    for (int channel = 0; channel < channels; channel++) {
      sent.addAll(sendNumbered(line.here().channel(channel), arrays));
    }
    int next = 0;
    while (notes.count.get() < arrays * channels) {
      int goal = Math.min(arrays * channels, next);
      Eventually.until(() -> "arrays (seed=" + seed + ")", () -> notes.count.get() >= goal);
      line.cable().cut();
      next = notes.count.get() + 1 + random.nextInt(150);
    }
    Eventually.all(sent);
    for (int channel = 0; channel < channels; channel++) {
      assertThat(notes.tags.get(channel)).as("seed=" + seed).isEqualTo(numbers(arrays));
    }
    assertThat(line.here().describe()).contains("resumes=").contains("unacknowledgedArrays=0");
    line.here().close();
    Eventually.until("the handler was told of the end", () -> !notes.ends.isEmpty());
    assertThat(notes.ends).containsExactly("orderly");
  }

  /**
   * What is kept of a source is the source: memory and file are read again, and have to be what
   * they were.
   */
  @Test
  final void sourcesAreReadAgainOverTheNextConnection() throws Exception {
    Holding holding = new Holding();
    Line line = lineTo(holding);
    int count = 300_000;
    ByteBuffer direct = ByteBuffer.allocateDirect(4 * count).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      direct.putInt(4 * i, 2);
    }
    Path path = Files.createTempFile("arraywire-session", ".bin");
    path.toFile().deleteOnExit();
    FileChannel file =
        stage.closing(FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
    file.write(direct.duplicate());
    var first = line.here().sendAsync(new int[] {1}, SendOptions.session().tag(1));
    Eventually.until("the first is held", holding.begun);
    var memory = line.here().sendAsync(direct.asIntBuffer(), SendOptions.session().tag(2));
    ArraySource ints = ArraySource.file(path, ElementType.INT);
    var wholeFile = line.here().sendAsync(ints, SendOptions.session().tag(2));
    ArraySource half =
        ArraySource.file(file, 4, ElementType.INT, ByteOrder.LITTLE_ENDIAN, count / 2);
    var region = line.here().sendAsync(half, SendOptions.session().tag(2));
    for (int i = 0; i < 3; i++) {
      line.cable().cut();
      line.here().sendAsync(new int[] {3}, SendOptions.session().tag(3));
    }
    holding.goOn.countDown();
    Eventually.all(List.of(first, memory, wholeFile, region));
    Eventually.until("all have come", () -> holding.count.get() == 7);
    assertThat(holding.tags.get(0)).containsExactly(1L, 2L, 2L, 2L, 3L, 3L, 3L);
    line.here().close();
  }

  @Test
  final void aFileThatChangesBeforeItIsSentAgainIsNotSentAgain() throws Exception {
    Path path = Files.createTempFile("arraywire-session", ".bin");
    path.toFile().deleteOnExit();
    Files.write(path, new byte[400_000]);
    assertIsNotSentAgain(
        ArraySource.file(path, ElementType.INT),
        () -> Files.setLastModifiedTime(path, FileTime.fromMillis(1_000)),
        "changed since");
  }

  /** Its file has no name, so only its size tells. */
  @Test
  final void aRegionOfAFileThatIsCutOffIsNotSentAgain() throws Exception {
    Path path = Files.createTempFile("arraywire-session", ".bin");
    path.toFile().deleteOnExit();
    Files.write(path, new byte[400_000]);
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      assertIsNotSentAgain(
          ArraySource.file(file, 0, ElementType.INT, ByteOrder.LITTLE_ENDIAN, 100_000),
          () -> file.truncate(399_999),
          "shorter");
    }
  }

  /** What was perhaps delivered is in doubt; what had not begun to leave was not delivered. */
  private void assertIsNotSentAgain(ArraySource zeros, Callable<?> change, String words)
      throws Exception {
    Holding holding = new Holding();
    Line line = lineTo(holding);
    var begun = line.here().sendAsync(zeros, SendOptions.session());
    Eventually.until("it is held", holding.begun);
    line.cable().unplug();
    line.cable().cut();
    awaitOutage(line.here());
    var notBegun = line.here().sendAsync(zeros, SendOptions.session());
    var after = line.here().sendAsync(new int[] {4}, SendOptions.session().tag(4));
    change.call();
    line.cable().plug();
    assertThat(Eventually.failure(begun))
        .isInstanceOf(DeliveryUnknownException.class)
        .hasMessageContaining("cannot be read again")
        .rootCause()
        .hasMessageContaining(words);
    assertThat(Eventually.reason(notBegun)).matches(ErrorCode.SOURCE_FAILED::isOf);
    holding.goOn.countDown();
    Eventually.get(after);
    assertThat(holding.tags.get(0)).containsExactly(0L, 4L);
    line.here().close();
  }

  /** The same for receive calls, for both ends at once. */
  @Test
  final void receiveCallsGetEveryArrayOnceInBothDirections() throws Exception {
    Transport there = stage.transport(SessionContract::sessions);
    Listener listener = there.listen(stage.address());
    Cable cable = stage.closing(cable(listener.address()));
    Connection here = stage.transport(SessionContract::sessions).connect(cable.address());
    Connection accepted = listener.accept();
    int arrays = 400;
    AtomicInteger received = new AtomicInteger();
    List<Running<?>> all = new ArrayList<>();
    for (Connection end : List.of(here, accepted)) {
      all.add(
          Running.start(() -> {
            Eventually.all(sendNumbered(end.channel(0), arrays));
            return null;
          }));
      all.add(
          Running.start(() -> {
            int[] target = new int[60_000];
            for (int i = 0; i < arrays; i++) {
              long tag;
              int[] elements;
              if (i % 3 == 0) {
                ReceivedArray array = end.receive();
                tag = array.tag();
                elements = array.ints();
              } else if (i % 3 == 1) {
                ReceivedArray array = end.receiveInto(ArraySlice.of(target));
                tag = array.tag();
                elements = Arrays.copyOf(target, array.count());
              } else {
                try (LeasedArray lease = end.receiveLeased()) {
                  tag = lease.header().attributes().tag();
                  elements = new int[lease.header().count()];
                  lease.copyTo(ArraySlice.of(elements));
                }
              }
              assertThat(tag).isEqualTo(i);
              assertThat(elements).isEqualTo((int[]) numbered(i).array());
              received.incrementAndGet();
            }
            return null;
          }));
    }
    int goal = 0;
    while (received.get() < 2 * arrays) {
      int most = Math.min(goal, 2 * arrays);
      Eventually.until(
          "arrays", () -> received.get() >= most || all.stream().anyMatch(SessionContract::failed));
      if (all.stream().anyMatch(SessionContract::failed)) {
        break;
      }
      cable.cut();
      goal = received.get() + 70;
    }
    for (Running<?> each : all) {
      each.get();
    }
    here.close();
  }

  /** A timeout goes on over the connection that follows; in an outage nothing comes. */
  @Test
  final void aReceiveWithATimeoutOutlivesAnOutage() throws Exception {
    Transport there = stage.transport(SessionContract::sessions);
    Listener listener = there.listen(stage.address());
    Cable cable = stage.closing(cable(listener.address()));
    Connection here = stage.transport(SessionContract::sessions).connect(cable.address());
    Connection accepted = listener.accept();
    int[] target = new int[2];
    ArrayInfo info = new ArrayInfo();
    Running<Boolean> into =
        Running.start(() -> accepted.receiveInto(ArraySlice.of(target), info, Eventually.LONG));
    Described.awaitReceivers(accepted, 1);
    cable.cut();
    here.send(ArraySlice.of(new int[] {5}), SendOptions.session());
    assertThat(into.get()).isTrue();
    assertThat(target).containsExactly(5, 0);
    assertThat(accepted.poll()).isNull();
    assertThat(accepted.receiveInto(ArraySlice.of(target), info, Duration.ofMillis(2))).isFalse();
    Running<ReceivedArray> fresh = Running.start(() -> accepted.receive(Eventually.LONG));
    Described.awaitReceivers(accepted, 1);
    cable.cut();
    here.send(ArraySlice.of(new int[] {6}), SendOptions.session());
    assertThat(fresh.get().ints()).containsExactly(6);
    here.close();
    assertThatThrownBy(accepted::poll).isInstanceOf(ConnectionClosedException.class);
  }

  @Test
  final void receivingIntoTheCallersArrayAllocatesNothing() throws Exception {
    assumeTrue(AllocationMeter.isSupported(), "this JVM counts what threads allocate");
    Listener listener = stage.transport(SessionContract::sessions).listen(stage.address());
    Connection here = stage.transport(SessionContract::sessions).connect(listener.address());
    Connection accepted = listener.accept();
    ArraySlice array = ArraySlice.of(new int[16]);
    ArraySlice target = ArraySlice.of(new int[16]);
    ArrayInfo info = new ArrayInfo();
    int arrays = 500;
    long bytes =
        AllocationMeter.bytesPerRun(
            () -> {
              for (int i = 0; i < arrays; i++) {
                here.send(array, SendOptions.handedOff());
              }
              Described.awaitWaiting(accepted, arrays);
            },
            () -> {
              for (int i = 0; i < arrays; i++) {
                accepted.receiveInto(target, info);
              }
            });
    // The JDK takes 32 bytes of a thread that meets the writing thread at a lock, or wakes it if it
    // is a virtual one; how often is chance. What is allocated for each array comes to more than
    // this.
    assertThat(bytes)
        .as("bytes for %d arrays", arrays)
        .isLessThan((long) arrays * AllocationMeter.SMALLEST_OBJECT);
    here.close();
  }

  private static boolean failed(Running<?> task) {
    return task.stage().toCompletableFuture().isCompletedExceptionally();
  }

  /** Sends that are made while there is no connection wait for one, whatever their delivery. */
  @Test
  final void sendsWaitForTheNextConnection() throws Exception {
    Notes notes = new Notes();
    Line line = lineTo(notes);
    line.cable().unplug();
    awaitOutage(line.here());
    assertThat(line.here().isOpen()).isTrue();
    CompletionStage<Receipt> async =
        line.here().sendAsync(numbered(0), SendOptions.session().tag(0));
    Running<Receipt> session =
        Running.start(() -> line.here().send(numbered(1), SendOptions.session().tag(1)));
    Eventually.until(
        "it is accepted", () -> line.here().describe().contains("unacknowledgedArrays=2"));
    Running<Receipt> processed =
        Running.start(
            () -> line.here().channel(1).send(numbered(2), SendOptions.processed().tag(2)));
    assertThat(async.toCompletableFuture()).isNotDone();
    line.cable().plug();
    Eventually.get(async);
    session.get();
    processed.get();
    assertThat(notes.tags.get(0)).containsExactly(0L, 1L);
    assertThat(notes.tags.get(1)).containsExactly(2L);
  }

  /** A subscription takes no channel, whichever connection carries the session. */
  @Test
  final void subscriptionsTakeNoChannelWhenTheSessionGoesOn() throws Exception {
    UnaryOperator<TransportOptions.Builder> two = options -> sessions(options).maxChannels(2);
    Listener listener = stage.transport(two).listen(stage.address());
    Cable cable = stage.closing(cable(listener.address()));
    Connection here = stage.transport(two).connect(cable.address());
    Connection accepted = listener.accept();
    Channel own = here.channel(1);
    cable.cut();
    Eventually.until("it goes on", () -> here.describe().contains("resumes=1"));
    Subscription news = here.subscribe("news", SubscribeOptions.defaults());
    listener.publish("news", numbered(7));
    CompletionStage<Receipt> sent =
        accepted.channel(1).sendAsync(numbered(1), SendOptions.session().tag(1));
    assertThat(own.receive().tag()).isEqualTo(1);
    assertThat(news.receive().header().channel()).isEqualTo(-1);
    Eventually.get(sent);
    here.closeNow();
  }

  /** Whoever asks whether arrays can still be sent is told so in every moment of an outage. */
  @Test
  final void anOutageDoesNotLookLikeTheEnd() throws Exception {
    Line line = lineTo(new Notes());
    AtomicBoolean over = new AtomicBoolean();
    Running<Long> asking =
        Running.start(() -> {
          long closed = 0;
          while (!over.get()) {
            closed += line.here().isOpen() ? 0 : 1;
          }
          return closed;
        });
    for (int i = 0; i < 30; i++) {
      line.cable().cut();
      Eventually.get(line.here().sendAsync(numbered(i), SendOptions.session().tag(i)));
    }
    over.set(true);
    assertThat(asking.get()).as("times that it looked closed").isZero();
  }

  /** An array that the handler has in hand when the connection breaks is not handed out again. */
  @Test
  final void whatIsInHandIsNotHandedOutAgain() throws Exception {
    Holding notes = new Holding();
    Line line = lineTo(notes);
    List<CompletionStage<Receipt>> sent = sendNumbered(line.here().channel(0), 3);
    Eventually.until("the handler has an array", notes.begun);
    for (int i = 1; i <= 3; i++) {
      String resumes = "resumes=" + i;
      line.cable().cut();
      // Each connection's arrays have come and wait before the next one replaces it.
      Eventually.until(
          resumes,
          () -> {
            String there = notes.describe();
            return there.contains(resumes + ",") && there.contains("waitingArrays=3");
          });
    }
    notes.goOn.countDown();
    Eventually.all(sent);
    assertThat(notes.tags.get(0)).isEqualTo(numbers(3));
    assertThat(notes.ends).isEmpty();
  }

  /**
   * What the handler refuses is refused, also when the sender hears of it over another connection.
   */
  @Test
  final void refusalsAreRememberedForTheSender() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Notes notes =
        new Notes() {
          @Override
          void took() throws Exception {
            begun.countDown();
            goOn.await();
            inHand.decrementAndGet();
            throw new IllegalStateException("not this one");
          }
        };
    Line line = lineTo(notes);
    CompletionStage<Receipt> sent = line.here().sendAsync(numbered(0), SendOptions.session());
    Eventually.until("the handler has the array", begun);
    line.cable().cut();
    Eventually.until("it resumes", () -> line.here().describe().contains("resumes=1"));
    goOn.countDown();
    assertThat(Eventually.failure(sent))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("not this one");
    assertThat(notes.count.get()).isEqualTo(1);
  }

  /** A targeting handler is asked for no target while it has an array in hand. */
  @Test
  final void targetsAreAskedForOneAtATime() throws Exception {
    AtomicInteger busy = new AtomicInteger();
    List<String> faults = new CopyOnWriteArrayList<>();
    List<Long> tags = new CopyOnWriteArrayList<>();
    int[] target = new int[60_000];
    Handlers handlers =
        Handlers.ofArrays(
                (from, array) -> {
                  if (busy.incrementAndGet() != 1) {
                    faults.add("two arrays at a time");
                  }
                  int number = (int) array.tag();
                  if (!Arrays.equals(
                      target,
                      0,
                      array.count(),
                      (int[]) numbered(number).array(),
                      0,
                      array.count())) {
                    faults.add("wrong elements of array " + number);
                  }
                  tags.add(array.tag());
                  busy.decrementAndGet();
                })
            .withTargets((from, header) -> {
              if (busy.get() != 0) {
                faults.add("a target was asked for inside onArray");
              }
              return ArraySlice.of(target);
            });
    Line line = lineTo(SessionContract::sessions, handlers);
    List<CompletionStage<Receipt>> sent = sendNumbered(line.here().channel(0), 500);
    for (int goal = 0; goal < 500; goal = tags.size() + 60) {
      int most = Math.min(500, goal);
      Eventually.until("arrays", () -> tags.size() >= most);
      line.cable().cut();
    }
    Eventually.all(sent);
    assertThat(faults).isEmpty();
    assertThat(tags).isEqualTo(numbers(500));
  }

  /** A session's token is of no use to anybody else. */
  @Test
  final void anotherIdentityDoesNotGoOnWithASession() throws Exception {
    AtomicBoolean stolen = new AtomicBoolean();
    Notes notes = new Notes();
    BlockingQueue<ArraywireException> errors = new LinkedBlockingQueue<>();
    Line line =
        lineTo(
            options ->
                sessions(options)
                    .authenticator(peer -> Identity.of(stolen.get() ? "thief" : "owner"))
                    .observer(
                        new TransportObserver() {
                          @Override
                          public void error(Connection connection, ArraywireException error) {
                            if (ErrorCode.RESUME_REJECTED.isOf(error)) {
                              errors.add(error);
                            }
                          }
                        }),
            notes);
    line.here().send(numbered(0), SendOptions.session());
    // The same one goes on.
    line.cable().cut();
    line.here().send(numbered(1), SendOptions.session().tag(1));
    stolen.set(true);
    line.cable().cut();
    // It may have begun to leave before the cut was noticed.
    assertThat(Eventually.reason(line.here().sendAsync(numbered(2), SendOptions.session().tag(2))))
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.RESUME_REJECTED::isOf)
        .hasMessageContaining("not known here")
        .hasMessageNotContaining("owner");
    Eventually.until(
        "the listener's side says who it was: " + errors,
        () -> errors.stream().anyMatch(each -> "owner".equals(each.facts().get("openedBy"))));
    assertThat(notes.count.get()).isEqualTo(2);
  }

  /** The directory that it asks may be down for a moment; that is no verdict. */
  @Test
  final void aSessionOutlivesAnAuthenticatorThatThrows() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Notes notes = new Notes();
    Line line =
        lineTo(
            options ->
                sessions(options)
                    .authenticator(peer -> {
                      if (asked.incrementAndGet() == 2) {
                        throw new IllegalStateException("the directory is down");
                      }
                      return Identity.of("owner");
                    }),
            notes);
    line.here().send(numbered(0), SendOptions.session());
    line.cable().cut();
    line.here().send(numbered(1), SendOptions.session().tag(1));
    assertThat(notes.count.get()).isEqualTo(2);
    assertThat(asked.get()).isGreaterThanOrEqualTo(3);
  }

  /** A listener that was restarted knows the session no more: the sender hears what that means. */
  @Test
  final void aListenerThatWasRestartedKnowsNothing() throws Exception {
    Holding notes = new Holding();
    Line line = lineTo(notes);
    CompletionStage<Receipt> inDoubt = line.here().sendAsync(numbered(0), SendOptions.session());
    Eventually.until("the handler has it", notes.begun);
    line.cable().unplug();
    Notes others = new Notes();
    Transport restarted = stage.transport(SessionContract::sessions);
    line.cable().leadTo(restarted.listen(stage.address(), others).address());
    awaitOutage(line.here());
    CompletionStage<Receipt> notBegun = line.here().sendAsync(numbered(1), SendOptions.session());
    line.cable().plug();

    assertThat(Eventually.failure(inDoubt))
        .isInstanceOf(DeliveryUnknownException.class)
        .hasCauseInstanceOf(ConnectionLostException.class);
    assertThat(Eventually.failure(notBegun))
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.RESUME_REJECTED::isOf);
    assertThatThrownBy(() -> line.here().send(numbered(2), SendOptions.session()))
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.RESUME_REJECTED::isOf);
    assertThatThrownBy(() -> line.here().receive())
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.RESUME_REJECTED::isOf);
    assertThat(line.here().isOpen()).isFalse();
    assertThat(others.count.get()).isZero();
    notes.goOn.countDown();
  }

  /** An outage longer than the session timeout ends the session, at both ends. */
  @Test
  final void anOutageCanBeTooLong() throws Exception {
    Notes there = new Notes();
    UnaryOperator<TransportOptions.Builder> brief =
        options -> options.sessionTimeout(Duration.ofMillis(300));
    Transport listening = stage.transport(brief);
    Listener listener = listening.listen(stage.address(), there);
    Cable cable = stage.closing(cable(listener.address()));
    Notes notes = new Notes();
    Connection here = stage.transport(SessionContract::sessions).connect(cable.address(), notes);
    assertThat(here.agreement().sessionTimeout()).isEqualTo(Duration.ofMillis(300));
    here.send(numbered(0), SendOptions.session());
    cable.unplug();
    CompletionStage<Receipt> sent = here.sendAsync(numbered(1), SendOptions.session());
    Throwable failure = Eventually.failure(sent);
    assertThat(failure)
        .matches(CallerErrors.anyOf(ErrorCode.SESSION_EXPIRED, ErrorCode.DELIVERY_UNKNOWN))
        .hasMessageContaining("sessionTimeout=PT0.3S");
    Eventually.until("both handlers are told", () -> notes.ends.size() + there.ends.size() >= 2);
    assertThat(notes.ends).containsExactly("SESSION_EXPIRED");
    assertThat(there.ends).containsExactly("SESSION_EXPIRED");
    cable.plug();
    assertThat(here.isOpen()).isFalse();
  }

  /** A send without a connection waits no longer than a send may. */
  @Test
  final void aSendDoesNotWaitForEverForAConnection() throws Exception {
    Notes notes = new Notes();
    Line line = lineTo(options -> sessions(options).sendTimeout(Duration.ofMillis(200)), notes);
    line.cable().unplug();
    awaitOutage(line.here());
    for (SendOptions options : List.of(SendOptions.session(), SendOptions.handedOff())) {
      assertThatThrownBy(() -> line.here().send(numbered(7), options.tag(7)))
          .isInstanceOf(TimedOutException.class)
          .matches(ErrorCode.SEND_TIMEOUT::isOf)
          .hasMessageContaining("sendTimeout=PT0.2S");
    }
    line.cable().plug();
    line.here().sendAsync(numbered(8), SendOptions.session().tag(8)).toCompletableFuture().get();
    assertThat(notes.tags.get(0)).containsExactly(8L);
  }

  /** A handler that hangs lets no more come than there is room for. */
  @Test
  final void anArrayThatMakesNoProgressFails() throws Exception {
    Holding notes = new Holding();
    Line line = lineTo(options -> sessions(options).sendTimeout(Duration.ofMillis(200)), notes);
    int[] large = new int[3 << 20];
    SendOptions options = SendOptions.session();
    CompletionStage<Receipt> first = line.here().sendAsync(numbered(1), options.tag(1));
    Eventually.until("the handler has an array", notes.begun);
    assertThat(Eventually.failure(line.here().sendAsync(ArraySlice.of(large), options)))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageContaining("it waited for the peer to receive")
        .hasMessageContaining("sendTimeout=PT0.2S, begun=true, channel=0");
    assertThatThrownBy(() -> line.here().send(ArraySlice.of(large), options))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageContaining("the peer to receive");
    notes.goOn.countDown();
    Eventually.get(first);
    line.here().send(numbered(2), options.tag(2));
    assertThat(notes.tags.get(0)).containsExactly(1L, 2L);
  }

  /** A send with a timeout waits no longer, in an outage or for a handler. */
  @Test
  final void aSendWithATimeoutWaitsNoLonger() throws Exception {
    Holding notes = new Holding();
    Line line = lineTo(notes);
    SendOptions options = SendOptions.session().timeout(Duration.ofSeconds(1));
    assertThat(
            SendDeadlineTests.failureOnceBegun(
                SendOptions.session().tag(1), each -> line.here().send(numbered(1), each)))
        .isInstanceOf(DeliveryUnknownException.class)
        .hasMessageContaining("channel=0")
        .hasMessageContaining("peer=" + line.here().remoteAddress());
    for (SendOptions each : List.of(options, SendOptions.processed().timeout(options.timeout()))) {
      assertThatThrownBy(() -> line.here().sendAsync(numbered(2), each))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("timeout=PT1S");
      assertThatThrownBy(() -> line.here().offer(numbered(2), each))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("timeout=PT1S");
    }
    notes.goOn.countDown();
    line.cable().unplug();
    awaitOutage(line.here());
    for (SendOptions each : List.of(options, SendOptions.processed().timeout(options.timeout()))) {
      assertThatThrownBy(() -> line.here().send(numbered(2), each.tag(2)))
          .isInstanceOf(TimedOutException.class)
          .matches(ErrorCode.SEND_TIMEOUT::isOf)
          .hasMessageContaining("timeout=PT");
    }
    line.cable().plug();
    line.here().send(numbered(3), SendOptions.session().tag(3));
    assertThat(notes.tags.get(0)).containsExactly(1L, 3L);
  }

  /** What broke the connection is one thing, why it cannot be replaced is another. */
  @Test
  final void whyConnectingAgainFailsIsTold() throws Exception {
    Line line = lineTo(new Notes());
    String refused = "lastFailure=cannot connect";
    line.cable().close();
    Eventually.until("an attempt failed", () -> line.here().describe().contains(refused));
    String told = line.here().describe();
    assertThat(told)
        .contains("connecting again (attempts=")
        .contains(", brokenBy=")
        .contains("address=" + line.cable().address());
    assertThat(told.substring(told.indexOf("brokenBy="), told.indexOf(", lastFailure=")))
        .doesNotContain("cannot connect");
    assertThat(Eventually.failure(line.here().sendAsync(numbered(1), SendOptions.processed())))
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.CONNECTION_RESET::isOf)
        .hasMessageContaining("brokenBy=")
        .hasMessageContaining(refused);
    SendOptions brief = SendOptions.processed().timeout(Duration.ofMillis(100));
    assertThatThrownBy(() -> line.here().send(numbered(1), brief))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageContaining("brokenBy=")
        .hasMessageContaining(refused);
  }

  /** Closing waits for what was accepted, also over the next connection. */
  @Test
  final void closeLosesNothingInAnOutage() throws Exception {
    Notes notes = new Notes();
    Line line = lineTo(notes);
    line.cable().unplug();
    List<CompletionStage<Receipt>> sent = sendNumbered(line.here().channel(0), 50);
    Running<Void> closing = Running.calling(line.here()::close);
    Eventually.until("it is closing", () -> !line.here().isOpen());
    assertThat(Eventually.failure(line.here().sendAsync(numbered(50), SendOptions.session())))
        .isInstanceOf(ConnectionClosedException.class);
    line.cable().plug();
    closing.get();
    Eventually.all(sent);
    assertThat(notes.tags.get(0)).isEqualTo(numbers(50));
    Eventually.until("the handler is told", () -> !notes.ends.isEmpty());
    assertThat(notes.ends).containsExactly("orderly");
  }

  /** What is not a part of the session has been accepted all the same. */
  @Test
  final void closeLosesNothingThatDoesNotComeAgain() throws Exception {
    Holding notes = new Holding();
    Line line = lineTo(notes);
    for (int i = 0; i < 100; i++) {
      SendOptions options = SendOptions.handedOff().tag(2L * i);
      Eventually.get(line.here().sendAsync(numbered(2 * i), options));
      assertThat(line.here().offer(numbered(2 * i + 1), options.tag(2L * i + 1)))
          .isEqualTo(OfferStatus.ACCEPTED);
    }
    Eventually.until("the handler has the first", notes.begun);
    Running<Void> closing = Running.calling(line.here()::close);
    Eventually.until("it is closing", () -> !line.here().isOpen());
    notes.goOn.countDown();
    closing.get();
    Eventually.until("the handler is told", () -> !notes.ends.isEmpty());
    assertThat(notes.ends).containsExactly("orderly");
    assertThat(notes.tags.get(0)).isEqualTo(numbers(200));
  }

  /** Nor does an end without a goodbye take away what has come: the handler gets it at once. */
  @Test
  final void whatHasComeIsHandledAlthoughTheConnectionBroke() throws Exception {
    Holding notes = new Holding();
    Line line = lineTo(notes);
    List<CompletionStage<Receipt>> sent = sendNumbered(line.here().channel(0), 20);
    for (int i = 20; i < 40; i++) {
      SendOptions options = SendOptions.handedOff().tag(i);
      Eventually.get(line.here().sendAsync(numbered(i), options));
    }
    Eventually.until("the handler has the first", notes.begun);
    Eventually.until("the others are there", () -> notes.describe().contains("waitingArrays=40"));
    line.cable().unplug();
    awaitOutage(line.here());
    notes.goOn.countDown();
    Eventually.until("all are handled", () -> notes.count.get() == 40);
    line.cable().plug();
    Eventually.all(sent);
    assertThat(notes.tags.get(0)).isEqualTo(numbers(40));
  }

  /** Closing says so if the session ends before everything is acknowledged. */
  @Test
  final void closingASessionThatExpiresFails() throws Exception {
    Holding notes = new Holding();
    Line line =
        lineTo(
            options ->
                options.sessionTimeout(Duration.ofSeconds(2)).closeTimeout(Duration.ofMinutes(10)),
            notes);
    CompletionStage<Receipt> sent =
        line.here().sendAsync(numbered(1), SendOptions.session().tag(1));
    Eventually.until("the handler has it", notes.begun);
    Running<Void> closing = Running.calling(line.here()::close);
    Eventually.until("it is closing", () -> !line.here().isOpen());
    // Not before: a session that has ended when it is closed is none that expires meanwhile.
    line.cable().unplug();
    assertThat(closing.failure())
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.SESSION_EXPIRED::isOf);
    notes.goOn.countDown();
    assertThat(Eventually.failure(sent)).isInstanceOf(ArraywireException.class);
    line.here().close();
  }

  /** An end that closes in an outage says goodbye over the next connection. */
  @Test
  final void closeInAnOutageIsStillHeardOf() throws Exception {
    Notes notes = new Notes();
    Line line = lineTo(notes);
    line.here().send(numbered(0), SendOptions.session());
    line.cable().unplug();
    awaitOutage(line.here());
    Running<Void> closing = Running.calling(line.here()::close);
    Eventually.until("it is closing", () -> !line.here().isOpen());
    line.cable().plug();
    closing.get();
    Eventually.until("the handler is told", () -> !notes.ends.isEmpty());
    assertThat(notes.ends).containsExactly("orderly");
  }

  /** Without a session an array that was sent whole is in doubt when the connection breaks. */
  @Test
  final void withoutASessionWhatWasSentIsInDoubt() throws Exception {
    Holding notes = new Holding();
    Line line = lineTo(UnaryOperator.identity(), notes);
    assertThat(line.here().agreement().sessionTimeout()).isNull();
    assertThatThrownBy(() -> line.here().send(numbered(0), SendOptions.session()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("delivery=SESSION, sessionTimeout=null");
    CompletionStage<Receipt> sent = line.here().sendAsync(numbered(0), SendOptions.processed());
    Eventually.until("the handler has it", notes.begun);
    line.cable().cut();
    assertThat(Eventually.failure(sent))
        .isInstanceOf(DeliveryUnknownException.class)
        .hasCauseInstanceOf(ArraywireException.class);
    notes.goOn.countDown();
  }

  /** A listener that keeps no sessions is no reason not to connect. */
  @Test
  final void theListenerNeedNotKeepSessions() throws Exception {
    Transport there = stage.transport();
    Listener listener = there.listen(stage.address());
    Connection here = stage.transport(SessionContract::sessions).connect(listener.address());
    assertThat(here.agreement().sessionTimeout()).isNull();
    assertThatThrownBy(() -> here.send(numbered(0), SendOptions.session()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sessionTimeout=" + HOUR);
    here.close();
  }

  /** Senders that are interrupted, while connections break, leave the others' arrays whole. */
  @Test
  final void interruptedSendersTearNothing() throws Exception {
    Notes notes = new Notes();
    Line line = lineTo(notes);
    int rounds = 30;
    List<Long> done = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      int number = 200 * i;
      Running<Receipt> sender =
          Running.start(
              () -> line.here().send(numbered(number), SendOptions.session().tag(number)));
      if (i % 3 == 0) {
        line.cable().cut();
      }
      sender.interrupt();
      try {
        sender.get();
        done.add((long) number);
      } catch (InterruptedException e) {
        // It may have been delivered, once.
        assertThat(sender.isDone()).isTrue();
      }
    }
    line.here().send(numbered(1), SendOptions.session().tag(1));
    List<Long> delivered = notes.tags.getOrDefault(0, List.of());
    assertThat(delivered).doesNotHaveDuplicates().containsAll(done).endsWith(1L);
    List<Long> sorted = new ArrayList<>(delivered.subList(0, delivered.size() - 1));
    sorted.sort(null);
    assertThat(delivered.subList(0, delivered.size() - 1)).isEqualTo(sorted);
  }
}
