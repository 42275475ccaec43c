package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.testkit.Running.Kind;
import io.arraywire.testkit.TransportStage.Ends;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What runs on which thread, and what that thread must not do. */
interface ThreadTests {
  /** The Flight Recorder's event of a virtual thread that waits and keeps its carrier. */
  String PINNED = "jdk.VirtualThreadPinned";

  TransportStage stage();

  /** Whatever of the user's is called: where it ran, by its name. */
  final class Calls {
    private static final Pattern IO_THREAD = Pattern.compile("arraywire-(nio|stream|memory)\\b.*");

    private final Map<String, Set<Thread>> threads = new ConcurrentHashMap<>();

    private void note(String call) {
      threads
          .computeIfAbsent(call, name -> ConcurrentHashMap.newKeySet())
          .add(Thread.currentThread());
    }

    private void note(String call, CompletionStage<?> stage) {
      var unused = stage.whenComplete((result, thrown) -> note(call));
    }

    private void await(String... calls) {
      Eventually.until(
          () -> "all were called: " + threads.keySet(),
          () -> threads.keySet().containsAll(Set.of(calls)));
    }

    private void assertNoneOn(Set<Thread> ioThreads) {
      assertThat(ioThreads).isNotEmpty();
      new TreeMap<>(threads)
          .forEach((call, where) -> {
            assertThat(where).as(call).doesNotContainAnyElementsOf(ioThreads);
            assertThat(where)
                .as(call)
                .noneMatch(thread -> IO_THREAD.matcher(thread.getName()).matches());
          });
    }
  }

  @Test
  default void nothingOfTheUsersRunsOnAnIoThread() throws Exception {
    ProbingCodec codec = new ProbingCodec();
    Calls calls = new Calls();
    CountDownLatch attached = new CountDownLatch(1);
    ArrayHandler arrays =
        new ArrayHandler() {
          @Override
          public void onArray(Connection from, ReceivedArray array) throws Exception {
            calls.note("onArray");
            // Nothing completes before the actions are attached, which would then run here.
            Eventually.until("the actions are attached", attached);
          }

          @Override
          public void onClosed(Connection from, @Nullable ArraywireException cause) {
            calls.note("onClosed");
          }
        };
    Handlers requests =
        Handlers.ofRequests((from, request, reply) -> {
          calls.note("onRequest");
          if (request.tag() == 1) {
            calls.note("stage of Reply.send", reply.send(ArraySlice.of(new int[9])));
          }
        });
    Connection connection =
        stage()
            .connectionTo(
                options -> options.codecs(codec),
                requests
                    .withArrays(arrays)
                    .withTargets((from, header) -> {
                      calls.note("target");
                      return ArraySlice.of(new int[header.count()]);
                    }));
    calls.note(
        "stage of sendAsync",
        connection.sendAsync(ArraySlice.of(new int[9]), SendOptions.processed()));
    CompletionStage<ReceivedArray> answered =
        connection.request(ArraySlice.of(new int[9]), RequestOptions.defaults().tag(1));
    calls.note("stage of request", answered);
    CompletionStage<ReceivedArray> never =
        connection.request(ArraySlice.of(new int[9]), RequestOptions.defaults().tag(2));
    calls.note("stage of a request that fails", never);
    attached.countDown();
    Eventually.get(answered);
    calls.await("stage of sendAsync", "stage of request", "stage of Reply.send");
    connection.closeNow();
    Eventually.failure(never);
    calls.await("target", "onArray", "onRequest", "onClosed", "stage of a request that fails");
    calls.assertNoneOn(codec.threads());
  }

  /**
   * A virtual thread that waits must let its carrier go. From JDK 24 on it does so in a monitor,
   * too, and this finds native frames only.
   */
  @Test
  default void callsFromVirtualThreadsDoNotPinTheirCarrier() throws Exception {
    assumeTrue(Running.kinds().contains(Kind.VIRTUAL), "virtual threads come with JDK 21");
    List<RecordedEvent> recorded;
    Instant warm;
    try (Recording recording = new Recording()) {
      recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
      recording.start();
      // Once before: loading and initializing a class pins threads that wait for it. While it
      // records, since the library's own events load theirs only then.
      talkOnVirtualThreads();
      warm = Instant.now();
      talkOnVirtualThreads();
      recording.stop();
      Path file = Files.createTempFile("arraywire-pinned", ".jfr");
      try {
        recording.dump(file);
        recorded = RecordingFile.readAllEvents(file);
      } finally {
        Files.delete(file);
      }
    }
    assertThat(recorded.stream().filter(each -> each.getStartTime().isAfter(warm)))
        .filteredOn(ThreadTests::isOurWait)
        .as("waits that pin")
        .isEmpty();
  }

  /** The recording has the library's own events, too; and a class may be loaded only now. */
  private static boolean isOurWait(RecordedEvent event) {
    if (!event.getEventType().getName().equals(PINNED)) {
      return false;
    }
    if (event.getStackTrace() == null) {
      return true;
    }
    List<RecordedFrame> frames = event.getStackTrace().getFrames();
    return frames.stream()
            .anyMatch(frame -> frame.getMethod().getType().getName().startsWith("io.arraywire."))
        && frames.stream().noneMatch(ThreadTests::loadsAClass);
  }

  private static boolean loadsAClass(RecordedFrame frame) {
    return frame.getMethod().getName().equals("<clinit>")
        || frame.getMethod().getType().getName().equals("java.lang.ClassLoader");
  }

  /** Every call that waits, in both directions, many at a time, so that they do wait. */
  private void talkOnVirtualThreads() throws Exception {
    Ends ends = stage().ends();
    int rounds = 50;
    int[] large = new int[100_000];
    List<Running<?>> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.add(
          Running.start(
              Kind.VIRTUAL,
              () -> {
                for (int round = 0; round < rounds; round++) {
                  ends.here().offer(ArraySlice.of(new int[10]));
                  ends.here().send(ArraySlice.of(large), SendOptions.processed());
                }
                return null;
              }));
    }
    int[] received = new int[1];
    all.add(
        Running.start(
            Kind.VIRTUAL,
            () -> {
              for (int sent = 0; sent < 3 * rounds; received[0]++) {
                switch (received[0] % 3) {
                  case 0 -> sent += ends.there().receive().count() == large.length ? 1 : 0;
                  case 1 ->
                      sent +=
                          ends.there()
                                      .receiveInto(ArraySlice.of(large.clone(), 0, large.length))
                                      .count()
                                  == large.length
                              ? 1
                              : 0;
                  default -> {
                    try (var lease = ends.there().receiveLeased()) {
                      sent += lease.header().count() == large.length ? 1 : 0;
                    }
                  }
                }
              }
              return null;
            }));
    Connection served =
        stage()
            .connectionTo(
                Handlers.ofRequests(
                    (from, request, reply) -> reply.send(ArraySlice.of(request.ints()))));
    all.add(
        Running.start(
            Kind.VIRTUAL,
            () -> {
              for (int round = 0; round < rounds; round++) {
                served.request(ArraySlice.of(large)).toCompletableFuture().get();
              }
              served.close();
              return null;
            }));
    for (Running<?> each : all) {
      each.get();
    }
    Running.start(
            Kind.VIRTUAL,
            () -> {
              ends.here().close();
              return null;
            })
        .get();
  }
}
