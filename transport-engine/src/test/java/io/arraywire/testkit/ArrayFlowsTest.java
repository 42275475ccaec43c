package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.arraywire.ArrayFlows;
import io.arraywire.ArraySlice;
import io.arraywire.ArraySubscriber;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ErrorCode;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.testkit.TransportStage.Ends;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the ends of streams do that the rules of Reactive Streams leave open. */
class ArrayFlowsTest {
  private final TransportStage stage =
      TransportStage.of(InMemoryTransport::create, MemoryAddress::free);
  private final ExecutorService threads =
      Executors.newCachedThreadPool(task -> new Thread(task, "junit-flows"));

  @AfterEach
  void end() throws Exception {
    stage.close();
    threads.shutdownNow();
  }

  /** Notes what it is told, and requests nothing by itself. */
  private static class Notes implements Flow.Subscriber<ReceivedArray> {
    final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    final List<Long> tags = new CopyOnWriteArrayList<>();
    final CompletableFuture<Void> end = new CompletableFuture<>();

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription.complete(given);
    }

    @Override
    public void onNext(ReceivedArray array) {
      tags.add(array.tag());
    }

    @Override
    public void onError(Throwable thrown) {
      end.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
      end.complete(null);
    }
  }

  private Flow.Subscription subscribe(Connection source, Notes notes) throws Exception {
    ArrayFlows.publisher(source, threads).subscribe(notes);
    return Eventually.get(notes.subscription);
  }

  private static void offer(Connection connection, long tag) throws Exception {
    connection.offer(ArraySlice.of(new int[10]), SendOptions.handedOff().tag(tag));
  }

  @Test
  void onlyWhatIsRequestedIsReceived() throws Exception {
    Ends ends = stage.ends();
    for (int tag = 0; tag < 4; tag++) {
      offer(ends.here(), tag);
    }
    Notes notes = new Notes();
    Flow.Subscription subscription = subscribe(ends.there(), notes);
    Eventually.until("all have come", () -> Described.number(ends.there(), "waitingArrays") == 4);
    assertThat(notes.tags).isEmpty();
    subscription.request(3);
    Eventually.until("what was requested has come", () -> notes.tags.size() == 3);
    assertThat(ends.there().receive().tag()).isEqualTo(3);
    assertThat(notes.tags).containsExactly(0L, 1L, 2L);
    subscription.request(1);
    ends.here().close();
    Eventually.get(notes.end);
  }

  @Test
  void anIdleSubscriberHoldsUpTheStreamAtTheOtherEnd() throws Exception {
    Ends ends = stage.ends(options -> options.inboxBytes(1 << 20));
    int[] elements = new int[64 << 10]; // A quarter of the inbox.
    AtomicInteger published = new AtomicInteger();
    ArraySubscriber sender = ArrayFlows.subscriber(ends.here(), SendOptions.processed(), 3);
    Notes notes = new Notes();
    Flow.Subscription subscription = subscribe(ends.there(), notes);
    try (SubmissionPublisher<ArraySlice> publisher = new SubmissionPublisher<>(threads, 1)) {
      publisher.subscribe(
          new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription given) {
              sender.onSubscribe(given);
            }

            @Override
            public void onNext(ArraySlice slice) {
              published.incrementAndGet();
              sender.onNext(slice);
            }

            @Override
            public void onError(Throwable thrown) {
              sender.onError(thrown);
            }

            @Override
            public void onComplete() {
              sender.onComplete();
            }
          });
      Running<Void> source =
          Running.start(() -> {
            for (int i = 0; i < 20; i++) {
              publisher.submit(ArraySlice.of(elements));
            }
            return null;
          });
      Eventually.until("the window is used up", () -> published.get() == 3);
      Eventually.until(
          "they have come", () -> Described.number(ends.there(), "waitingArrays") == 3);
      assertThat(published).hasValue(3);
      subscription.request(2);
      Eventually.until("two more are wanted", () -> published.get() == 5);
      Eventually.until(
          "they have come", () -> Described.number(ends.there(), "waitingArrays") == 3);
      assertThat(published).hasValue(5);
      assertThat(sender.done().toCompletableFuture()).isNotDone();
      subscription.request(Long.MAX_VALUE);
      source.get();
    }
    Eventually.get(sender.done());
    // The last one is acknowledged before it is handed on.
    Eventually.until("all were handed on", () -> notes.tags.size() == 20);
    ends.here().close();
    Eventually.get(notes.end);
  }

  @Test
  void cancellingLeavesTheArrayToTheNextReceiver() throws Exception {
    Ends ends = stage.ends();
    for (int round = 0; round < 20; round++) {
      Notes notes = new Notes();
      Flow.Subscription subscription = subscribe(ends.there(), notes);
      subscription.request(5);
      Described.awaitReceivers(ends.there(), 1);
      subscription.cancel();
      Described.awaitReceivers(ends.there(), 0);
      offer(ends.here(), round);
      assertThat(ends.there().receive().tag()).isEqualTo(round);
      assertThat(notes.tags).isEmpty();
      assertThat(notes.end).isNotDone();
    }
  }

  @Test
  void noArrayIsLostHoweverCancellingAndArrivingMeet() throws Exception {
    Ends ends = stage.ends();
    AtomicReference<CompletableFuture<Void>> task = new AtomicReference<>();
    Executor noting = work -> task.set(CompletableFuture.runAsync(work, threads));
    int rounds = 500;
    for (int round = 0; round < rounds; round++) {
      Notes notes = new Notes();
      ArrayFlows.publisher(ends.there(), noting).subscribe(notes);
      Flow.Subscription subscription = Eventually.get(notes.subscription);
      subscription.request(1);
      offer(ends.here(), round);
      for (int spin = 0; spin < round * 20; spin++) {
        Thread.onSpinWait();
      }
      subscription.cancel();
      // Until then it may still receive what came at the same time.
      Eventually.get(task.get());
      if (notes.tags.isEmpty()) {
        assertThat(ends.there().receive().tag()).isEqualTo(round);
      } else {
        assertThat(notes.tags).containsExactly((long) round);
      }
    }
  }

  @Test
  void aFailureComesWithItsType() throws Exception {
    Ends ends = stage.ends();
    Notes notes = new Notes();
    subscribe(ends.there(), notes).request(1);
    Described.awaitReceivers(ends.there(), 1);
    ends.here().closeNow();
    assertThat(Eventually.failure(notes.end))
        .isInstanceOf(ArraywireException.class)
        .isNotInstanceOf(ConnectionClosedException.class);
  }

  @Test
  void closingHereCompletes() throws Exception {
    Ends ends = stage.ends();
    Notes notes = new Notes();
    subscribe(ends.there(), notes).request(1);
    Described.awaitReceivers(ends.there(), 1);
    ends.there().close();
    Eventually.get(notes.end);
  }

  @Test
  void aConnectionWithAHandlerCannotPublish() throws Exception {
    CountDownLatch opened = new CountDownLatch(1);
    CompletableFuture<Connection> accepted = new CompletableFuture<>();
    Connection here =
        stage.connectionTo((from, array) -> {
          accepted.complete(from);
          opened.countDown();
        });
    offer(here, 1);
    Notes notes = new Notes();
    subscribe(Eventually.get(accepted), notes).request(1);
    assertThat(Eventually.failure(notes.end)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anExecutorThatRefusesEndsTheStream() throws Exception {
    Ends ends = stage.ends();
    Notes notes = new Notes();
    ArrayFlows.publisher(
            ends.there(),
            task -> {
              throw new RejectedExecutionException("full");
            })
        .subscribe(notes);
    Eventually.get(notes.subscription).request(1);
    assertThat(Eventually.failure(notes.end))
        .isInstanceOfSatisfying(
            ArraywireException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL));
  }

  @Test
  void aSubscriberThatThrowsIsCancelled() throws Exception {
    Ends ends = stage.ends();
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Notes notes =
        new Notes() {
          @Override
          public void onNext(ReceivedArray array) {
            super.onNext(array);
            throw new IllegalStateException("no more");
          }
        };
    ArrayFlows.publisher(
            ends.there(),
            task ->
                threads.execute(() -> {
                  try {
                    task.run();
                  } catch (Throwable e) {
                    thrown.complete(e);
                  }
                }))
        .subscribe(notes);
    Eventually.get(notes.subscription).request(10);
    offer(ends.here(), 1);
    assertThat(Eventually.get(thrown)).hasMessage("no more");
    offer(ends.here(), 2);
    assertThat(ends.there().receive().tag()).isEqualTo(2);
    assertThat(notes.end).isNotDone();
  }

  @Test
  void aSecondSubscriberIsRefused() throws Exception {
    Ends ends = stage.ends();
    Flow.Publisher<ReceivedArray> publisher = ArrayFlows.publisher(ends.there(), threads);
    publisher.subscribe(new Notes());
    Notes second = new Notes();
    publisher.subscribe(second);
    assertThat(second.subscription).isDone();
    assertThat(Eventually.failure(second.end)).isInstanceOf(IllegalStateException.class);
  }

  /** A publisher's subscription that notes what it is told. */
  private static final class Asked implements Flow.Subscription {
    long requested;
    int cancelled;

    @Override
    public synchronized void request(long n) {
      requested += n;
    }

    @Override
    public synchronized void cancel() {
      cancelled++;
    }

    synchronized int cancelled() {
      return cancelled;
    }
  }

  @Test
  void aSendThatFailsCancelsTheStreamAndIsReported() throws Exception {
    Ends ends = stage.ends();
    ArraySubscriber sender = ArrayFlows.subscriber(ends.here(), SendOptions.processed(), 2);
    Asked asked = new Asked();
    sender.onSubscribe(asked);
    assertThat(asked.requested).isEqualTo(2);
    sender.onNext(ArraySlice.of(new int[1]));
    sender.onNext(ArraySlice.of(new int[2]));
    ends.there().closeNow();
    assertThat(Eventually.failure(sender.done())).isInstanceOf(ArraywireException.class);
    Eventually.until("it is cancelled", () -> asked.cancelled() == 1);
    sender.onNext(ArraySlice.of(new int[3]));
    sender.onComplete();
    assertThat(asked.cancelled()).isEqualTo(1);
    assertThat(asked.requested).isEqualTo(2);
  }

  @Test
  void thePublishersErrorIsReportedWhenTheSendsAreDone() throws Exception {
    Ends ends = stage.ends();
    ArraySubscriber sender = ArrayFlows.subscriber(ends.here(), SendOptions.processed(), 2);
    sender.onSubscribe(new Asked());
    sender.onNext(ArraySlice.of(new int[1]));
    sender.onError(new IllegalStateException("the source ran dry"));
    assertThat(sender.done().toCompletableFuture()).isNotDone();
    ends.there().receive();
    assertThat(Eventually.failure(sender.done())).hasMessage("the source ran dry");
    assertThat(ends.here().isOpen()).isTrue();
  }

  @Test
  void aWindowHoldsOneAtLeast() throws Exception {
    Ends ends = stage.ends();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArrayFlows.subscriber(ends.here(), SendOptions.processed(), 0))
        .withMessageContaining("window=0");
  }
}
