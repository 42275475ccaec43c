package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Two connections far from each other, on the test's own thread and clock: bytes leave at a rate,
 * one after the other, and are there some time later. The queue before the link has no end.
 */
final class FarPair {
  private static final int SEGMENT = 16 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(100);
  private static final Duration STEP = Duration.ofMillis(50);

  final EngineBench near;
  final EngineBench far;

  private final Way there;
  private final Way back;
  private long now;

  /** What arrives, and when. */
  private record Segment(long at, byte[] bytes) {}

  /** One direction. */
  private final class Way {
    private final ArrayDeque<Segment> segments = new ArrayDeque<>();
    private final EngineBench from;
    private final EngineBench to;
    private final long delayNanos;
    private final double nanosPerByte;
    private long free;

    Way(EngineBench from, EngineBench to, Duration delay, long bytesPerSecond) {
      this.from = from;
      this.to = to;
      delayNanos = delay.toNanos();
      nanosPerByte = 1e9 / bytesPerSecond;
    }

    /** Takes what was written. */
    void take() {
      byte[] all = from.outBytes();
      from.out.reset();
      for (int at = 0; at < all.length; at += SEGMENT) {
        byte[] bytes = Arrays.copyOfRange(all, at, Math.min(all.length, at + SEGMENT));
        free = Math.max(free, now) + (long) (bytes.length * nanosPerByte);
        segments.add(new Segment(free + delayNanos, bytes));
      }
    }

    long next() {
      return segments.isEmpty() ? Long.MAX_VALUE : segments.element().at;
    }

    /** Brings what is there by now. */
    void bring() {
      while (next() <= now) {
        to.feed(segments.remove().bytes());
      }
    }
  }

  /**
   * Connects the two.
   *
   * @param options of both
   * @param recorder what the far side does with arrays; null for receive calls
   * @param delay each way
   */
  FarPair(
      TransportOptions.Builder options,
      EngineBench.@Nullable Recorder recorder,
      Duration delay,
      long bytesPerSecond) {
    near = EngineBench.timed(Role.CONNECTOR, options, new EngineBench.Recorder());
    far = EngineBench.timed(Role.ACCEPTOR, options, recorder);
    there = new Way(near, far, delay, bytesPerSecond);
    back = new Way(far, near, delay, bytesPerSecond);
    until(() -> near.connection.isOpen() && far.connection.describe().contains("agreed"));
  }

  /** Sends an array; done when the far side's program has taken it. */
  CompletableFuture<Receipt> send(int channel, int bytes) {
    CompletableFuture<Receipt> sent =
        near.connection
            .channel(channel)
            .sendAsync(ArraySlice.of(new byte[bytes]), SendOptions.processed())
            .toCompletableFuture();
    near.pump();
    return sent;
  }

  /** Lets time pass until something is so; returns how long that took. */
  Duration until(BooleanSupplier so) {
    long began = now;
    step(now);
    while (!so.getAsBoolean()) {
      assertThat(now - began).as(far.connection.describe()).isLessThan(PATIENCE.toNanos());
      step(Math.min(now + STEP.toNanos(), Math.min(there.next(), back.next())));
    }
    return Duration.ofNanos(now - began);
  }

  /** Lets some time pass. */
  void pass(Duration time) {
    long end = now + time.toNanos();
    step(now);
    while (now < end) {
      step(Math.min(end, Math.min(now + STEP.toNanos(), Math.min(there.next(), back.next()))));
    }
  }

  private void step(long to) {
    Duration time = Duration.ofNanos(to - now);
    now = to;
    near.clock.advance(time);
    far.clock.advance(time);
    there.bring();
    back.bring();
    near.pump();
    far.pump();
    there.take();
    back.take();
  }

  /** The window of a channel of the far side. */
  long window(int channel) {
    String words = far.connection.describe();
    int at = words.indexOf(", window=", words.indexOf("channel=" + channel + ","));
    assertThat(at).as(words).isPositive();
    return Long.parseLong(words.substring(at + ", window=".length()).split("[,;]", 2)[0]);
  }

  /** All memory was given back. */
  void end() {
    near.connection.closeNow();
    far.connection.closeNow();
    near.pump();
    far.pump();
    near.assertNothingLeaks();
    far.assertNothingLeaks();
  }
}
