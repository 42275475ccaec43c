package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.TransportOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What windows that grow are worth over long and slow links, on a clock of the test. */
class FarWindowTest {
  private static final int MIB = 1 << 20;
  private static final long GB = 1_000_000_000;

  /** Keeps no array: a test sends many. */
  private static final class Taking extends EngineBench.Recorder {
    long bytes;

    @Override
    public void onArray(Connection connection, ReceivedArray array) {
      bytes += array.header().count();
    }
  }

  private static TransportOptions.Builder options() {
    return EngineBench.options().checksums(Checksums.UNWANTED).inboxBytes(MIB);
  }

  private static FarPair pair(Duration delay, long bytesPerSecond) {
    return new FarPair(options(), new Taking(), delay, bytesPerSecond);
  }

  private static Duration timeOf(FarPair pair, int bytes) {
    CompletableFuture<Receipt> sent = pair.send(0, bytes);
    Duration time = pair.until(sent::isDone);
    assertThat(sent).isCompleted();
    return time;
  }

  /** Sends arrays of which so many are on their way; returns how long all took. */
  private static Duration timeOfMany(FarPair pair, int arrays, int bytes, int window) {
    ArrayDeque<CompletableFuture<Receipt>> open = new ArrayDeque<>();
    Duration time = Duration.ZERO;
    for (int i = 0; i < arrays; i++) {
      if (open.size() == window) {
        time = time.plus(pair.until(open.remove()::isDone));
      }
      open.add(pair.send(0, bytes));
    }
    time = time.plus(pair.until(() -> open.stream().allMatch(CompletableFuture::isDone)));
    assertThat(open).allMatch(sent -> !sent.isCompletedExceptionally());
    return time;
  }

  @Test
  void aLargeArrayTakesOneRoundTripAfterAFewMore() {
    Random random = new Random(24);
    for (int seed = 0; seed < 8; seed++) {
      Duration delay = Duration.ofMillis(1 + random.nextInt(50));
      FarPair pair = pair(delay, 10 * GB);
      Duration roundTrip = delay.multipliedBy(2);
      assertThat(timeOf(pair, 4 * MIB))
          .as("%s, the first", delay)
          .isGreaterThan(delay.multipliedBy(4));
      for (int i = 0; i < 3; i++) {
        timeOf(pair, 4 * MIB);
      }
      assertThat(timeOf(pair, 4 * MIB))
          .as("%s, window %d", delay, pair.window(0))
          .isLessThan(roundTrip.plus(Duration.ofMillis(1)));
      pair.end();
    }
  }

  /** Credit for small ones comes in halves of the window: none of them waits in its middle. */
  @Test
  void manySmallArraysFillALongLink() {
    for (int bytes : new int[] {1 << 10, 16 << 10, 200 << 10}) {
      FarPair pair = pair(Duration.ofMillis(5), GB);
      Duration time = timeOfMany(pair, 64 * MIB / bytes, bytes, 8 * MIB / bytes);
      // The link takes 67 ms; with 1 MiB in each round trip it would be 640.
      assertThat(time).as("%d bytes each", bytes).isLessThan(Duration.ofMillis(250));
      assertThat(pair.window(0)).isGreaterThan(4 * MIB);
      pair.end();
    }
  }

  /** A queue before a slow link makes round trips longer, and a larger window does no more. */
  @Test
  void aSlowLinkDoesNotLetItGrowOn() {
    FarPair pair = pair(Duration.ofMillis(5), GB / 100);
    var unused = timeOfMany(pair, 200, 100 << 10, 100);
    assertThat(pair.window(0)).isLessThanOrEqualTo(2 * MIB);
    pair.end();
  }

  @Test
  void aShortLinkNeedsNone() {
    FarPair pair = pair(Duration.ofNanos(20_000), GB);
    var unused = timeOfMany(pair, 1000, 16 << 10, 4);
    assertThat(pair.window(0)).isEqualTo(MIB);
    pair.end();
  }

  /** The program takes an array every 20 ms, of which the link could bring a hundred. */
  @Test
  void aSlowProgramDoesNotLetItGrow() throws Exception {
    FarPair pair = new FarPair(options(), null, Duration.ofMillis(5), GB);
    for (int i = 0; i < 100; i++) {
      var unused = pair.send(0, 100_000);
    }
    for (int i = 0; i < 100; i++) {
      pair.until(() -> pair.far.connection.load().waitingArrays() > 0);
      assertThat(pair.far.connection.receive().header().count()).isEqualTo(100_000);
      pair.pass(Duration.ofMillis(20));
      assertThat(pair.window(0)).as("after %d", i).isEqualTo(MIB);
    }
    pair.end();
  }

  /** Nothing comes in the round trip in which the program at last asks for the rest. */
  @Test
  void aSlowProgramWithLargeArraysDoesNotEither() throws Exception {
    FarPair pair = new FarPair(options(), null, Duration.ofMillis(5), GB);
    for (int i = 0; i < 3; i++) {
      var unused = pair.send(0, 4 * MIB);
    }
    for (int i = 0; i < 3; i++) {
      pair.pass(Duration.ofMillis(100));
      Takers.Taker<ReceivedArray> taken =
          new Takers(pair.far.connection).beginInsideArray(() -> pair.far.connection.receive());
      pair.until(taken.result()::isDone);
      assertThat(taken.get().header().count()).isEqualTo(4 * MIB);
      assertThat(pair.window(0)).as("after %d", i).isEqualTo(MIB);
    }
    pair.end();
  }

  @Test
  void itIsTheFirstWindowAgainAfterARest() {
    FarPair pair = pair(Duration.ofMillis(5), GB);
    for (int i = 0; i < 4; i++) {
      timeOf(pair, 4 * MIB);
    }
    assertThat(pair.window(0)).isGreaterThanOrEqualTo(4 * MIB);
    pair.pass(Duration.ofSeconds(6));
    assertThat(pair.window(0)).isEqualTo(MIB);
    // What the peer was allowed meanwhile it may use; from then on it grows anew.
    for (int i = 0; i < 4; i++) {
      timeOf(pair, 4 * MIB);
    }
    assertThat(pair.window(0)).isGreaterThanOrEqualTo(4 * MIB);
    pair.end();
  }

  /** A peer bears 200 PINGs in 30 s, whatever the number of channels. */
  @Test
  void manyBusyChannelsDoNotFloodThePeerWithPings() {
    FarPair pair =
        new FarPair(
            options().inboxBytes(8 << 10).heartbeatInterval(Duration.ofSeconds(60)),
            new Taking(),
            Duration.ofMillis(1),
            GB);
    for (int second = 0; second < 70; second++) {
      for (int channel = 0; channel < 40; channel++) {
        CompletableFuture<Receipt> sent = pair.send(channel, 7 << 10);
        pair.pass(Duration.ofMillis(26));
        assertThat(sent).as(pair.near.connection.describe()).isCompleted();
      }
      assertThat(pair.near.connection.isOpen()).as("after %d s", second).isTrue();
    }
    pair.end();
  }

  /** Two channels that are short of credit at the same time both grow. */
  @Test
  void channelsGrowBesideEachOther() {
    FarPair pair = pair(Duration.ofMillis(5), 10 * GB);
    for (int i = 0; i < 8; i++) {
      CompletableFuture<Receipt> one = pair.send(1, 4 * MIB);
      CompletableFuture<Receipt> other = pair.send(2, 4 * MIB);
      pair.until(() -> one.isDone() && other.isDone());
    }
    assertThat(pair.window(1)).isGreaterThanOrEqualTo(4 * MIB);
    assertThat(pair.window(2)).isGreaterThanOrEqualTo(4 * MIB);
    pair.end();
  }

  /** Requests use the credit of one side and replies that of the other. */
  @Test
  void requestsAndRepliesGrowTheirs() {
    FarPair pair =
        new FarPair(
            options(),
            new EngineBench.Recorder() {
              @Override
              Handlers handlers() {
                return super.handlers()
                    .withRequests((connection, request, reply) -> {
                      var unused = reply.send(ArraySlice.of(new byte[4 * MIB]));
                    });
              }
            },
            Duration.ofMillis(5),
            10 * GB);
    Duration last = Duration.ZERO;
    for (int i = 0; i < 6; i++) {
      CompletableFuture<ReceivedArray> answer =
          pair.near.connection.request(ArraySlice.of(new byte[4 * MIB]), RequestOptions.defaults());
      last = pair.until(answer::isDone);
      assertThat(answer).isCompleted();
    }
    assertThat(last).isLessThan(Duration.ofMillis(11));
    pair.end();
  }
}
