package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.DeliveryUnknownException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Receipt;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.message.Message;
import io.arraywire.source.ArraySource;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a session delivers although its connections break: each array once, in order. */
interface SessionDeliveryTests extends SessionTests {
  /** However often the connection breaks, each array is delivered once, in the channel's order. */
  @Test
  default void everyArrayIsDeliveredOnceHoweverOftenTheConnectionBreaks() throws Exception {
    Random random = new Random();
    long seed = random.nextLong();
    random.setSeed(seed);
    int arrays = 600;
    int channels = 3;
    Notes notes = new Notes();
    Line line = lineTo(notes);
    List<CompletionStage<Receipt>> sent = new ArrayList<>();
    for (int channel = 0; channel < channels; channel++) {
      sent.addAll(SessionTests.sendNumbered(line.here().channel(channel), arrays));
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
      assertThat(notes.tags.get(channel))
          .as("seed=" + seed)
          .isEqualTo(SessionTests.numbers(arrays));
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
  default void sourcesAreReadAgainOverTheNextConnection() throws Exception {
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
        stage().closing(FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
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

  /** Its credit ends inside a part in blocks, so each connection breaks there. */
  @Test
  default void aMessageThatBreaksOffInsideAnEncodedPartIsSentAgain() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    List<Message> taken = new CopyOnWriteArrayList<>();
    Handlers holding =
        Handlers.ofArrays((from, array) -> {
          begun.countDown();
          goOn.await();
          taken.add(array.message());
        });
    Line line =
        lineTo(
            options ->
                SessionTests.sessions(options)
                    .inboxBytes(64 << 10)
                    .codecs(StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN), SameCodec.CODEC),
            holding);
    var first = line.here().sendAsync(new int[] {1}, SendOptions.session());
    Eventually.until("the first is held", begun);
    int[] same = new int[200_000];
    Arrays.fill(same, 3);
    Message message =
        Message.of("ids", new int[] {1, 2})
            .with("same", same)
            .with("scores", new float[] {0.5f})
            .codec("same", "same");
    var sent = line.here().sendAsync(message, SendOptions.session());
    Pattern little = Pattern.compile("creditLeft\\[[^]]*]=[0-9]{1,4}\\b");
    for (int i = 0; i < 3; i++) {
      Eventually.until(
          () -> "its credit is used up: " + line.here().describe(),
          () -> little.matcher(line.here().describe()).find());
      line.cable().cut();
      int resumed = i + 1;
      Eventually.until(
          () -> "it resumes: " + line.here().describe(),
          () -> line.here().describe().contains("resumes=" + resumed));
    }
    goOn.countDown();
    Eventually.get(first);
    assertThat(Eventually.get(sent).wireBytes()).isLessThan(5000);
    Eventually.until("both have come", () -> taken.size() == 2);
    assertThat(taken.get(1)).hasToString(message.toString());
    assertThat(taken.get(1).ints("ids")).containsExactly(1, 2);
    assertThat(taken.get(1).ints("same")).isEqualTo(same);
    assertThat(taken.get(1).floats("scores")).containsExactly(0.5f);
    line.here().close();
  }

  @Test
  default void aFileThatChangesBeforeItIsSentAgainIsNotSentAgain() throws Exception {
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
  default void aRegionOfAFileThatIsCutOffIsNotSentAgain() throws Exception {
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
    SessionTests.awaitOutage(line.here());
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

  /** Sends that are made while there is no connection wait for one, whatever their delivery. */
  @Test
  default void sendsWaitForTheNextConnection() throws Exception {
    Notes notes = new Notes();
    Line line = lineTo(notes);
    line.cable().unplug();
    SessionTests.awaitOutage(line.here());
    assertThat(line.here().isOpen()).isTrue();
    CompletionStage<Receipt> async =
        line.here().sendAsync(SessionTests.numbered(0), SendOptions.session().tag(0));
    Running<Receipt> session =
        Running.start(
            () -> line.here().send(SessionTests.numbered(1), SendOptions.session().tag(1)));
    Eventually.until(
        "it is accepted", () -> line.here().describe().contains("unacknowledgedArrays=2"));
    Running<Receipt> processed =
        Running.start(() ->
            line.here().channel(1).send(SessionTests.numbered(2), SendOptions.processed().tag(2)));
    assertThat(async.toCompletableFuture()).isNotDone();
    line.cable().plug();
    Eventually.get(async);
    session.get();
    processed.get();
    assertThat(notes.tags.get(0)).containsExactly(0L, 1L);
    assertThat(notes.tags.get(1)).containsExactly(2L);
  }

  /** In every moment of an outage a connection says that arrays can still be sent. */
  @Test
  default void anOutageDoesNotLookLikeTheEnd() throws Exception {
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
      Eventually.get(line.here().sendAsync(SessionTests.numbered(i), SendOptions.session().tag(i)));
    }
    over.set(true);
    assertThat(asking.get()).as("times that it looked closed").isZero();
  }

  /**
   * What the handler refuses is refused, also when the sender hears of it over another connection.
   */
  @Test
  default void refusalsAreRememberedForTheSender() throws Exception {
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
    CompletionStage<Receipt> sent =
        line.here().sendAsync(SessionTests.numbered(0), SendOptions.session());
    Eventually.until("the handler has the array", begun);
    line.cable().cut();
    Eventually.until("it resumes", () -> line.here().describe().contains("resumes=1"));
    goOn.countDown();
    assertThat(Eventually.failure(sent))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("not this one");
    assertThat(notes.count.get()).isEqualTo(1);
  }

  /** Senders that are interrupted, while connections break, leave the others' arrays whole. */
  @Test
  default void interruptedSendersTearNothing() throws Exception {
    Notes notes = new Notes();
    Line line = lineTo(notes);
    int rounds = 30;
    List<Long> done = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      int number = 200 * i;
      Running<Receipt> sender =
          Running.start(() ->
              line.here().send(SessionTests.numbered(number), SendOptions.session().tag(number)));
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
    line.here().send(SessionTests.numbered(1), SendOptions.session().tag(1));
    List<Long> delivered = notes.tags.getOrDefault(0, List.of());
    assertThat(delivered).doesNotHaveDuplicates().containsAll(done).endsWith(1L);
    List<Long> sorted = new ArrayList<>(delivered.subList(0, delivered.size() - 1));
    sorted.sort(null);
    assertThat(delivered.subList(0, delivered.size() - 1)).isEqualTo(sorted);
  }
}
