package io.arraywire.testkit.simulation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a connection: what was written arrives in order, after a time, until the
 * direction is cut, which may happen behind any byte, or nothing gets through any more.
 */
final class SimulatedPipe {
  /** What travels together. */
  private static final class Segment {
    final long at;
    final int generation;
    final List<byte[]> bytes = new ArrayList<>(1);

    Segment(long at, int generation) {
      this.at = at;
      this.generation = generation;
    }
  }

  private final Scheduler scheduler;
  private final Choices choices;
  private int capacity;
  private long latency;

  private final ArrayDeque<byte[]> arrived = new ArrayDeque<>();
  private int at;
  private int arrivedBytes;
  private int inFlightBytes;
  private long lastArrival;
  private boolean endSent;
  private boolean endArrived;
  private boolean readerGone;
  private boolean silent;
  private boolean windowFlies;
  private @Nullable Segment sending;
  private @Nullable Choices flips;

  /** Grows when what is in flight is lost. */
  private int generation;

  private @Nullable String readFailure;
  private @Nullable String writeFailure;
  private @Nullable SimulatedPipe reverse;
  private Runnable onReadable = () -> {};
  private Runnable onWritable = () -> {};

  SimulatedPipe(Scheduler scheduler, Choices choices, int capacity, long latency) {
    this.scheduler = scheduler;
    this.choices = choices;
    this.capacity = capacity;
    this.latency = latency;
  }

  static void join(SimulatedPipe one, SimulatedPipe other) {
    one.reverse = other;
    other.reverse = one;
  }

  /** From now on it is as quick as it must be to bring what waits in the time that is left. */
  void hurry() {
    capacity = Math.max(capacity, 64 << 10);
    latency = Math.min(latency, 1_000_000);
    onWritable.run();
  }

  void onReadable(Runnable told) {
    onReadable = told;
  }

  void onWritable(Runnable told) {
    onWritable = told;
  }

  /** Whether reading would give something: bytes, the end or a failure. */
  boolean isReadable() {
    return arrivedBytes > 0 || endArrived || readFailure != null;
  }

  int available() {
    return arrivedBytes;
  }

  int room() {
    return Math.max(0, capacity - arrivedBytes - inFlightBytes);
  }

  /** Whether writing would take something or fail. */
  boolean isWritable() {
    return room() > 0 || writeFailure != null || readerGone;
  }

  /** Takes bytes, at least one if there is room. */
  int write(ByteBuffer source, int most) throws IOException {
    if (writeFailure != null) {
      throw new IOException(writeFailure);
    }
    if (readerGone && !silent) {
      reset("Broken pipe");
      throw new IOException("Broken pipe");
    }
    byte[] bytes = new byte[Math.min(Math.min(room(), most), source.remaining())];
    source.get(bytes);
    inFlightBytes += bytes.length;
    if (bytes.length > 0 && flips != null) {
      bytes[flips.below(bytes.length)] ^= (byte) (1 << flips.below(8));
      flips = null;
    }
    if (bytes.length > 0 && !silent) {
      Segment open = sending;
      if (open != null && open.at == scheduler.now() && open.generation == generation) {
        // What is written at one moment travels together.
        open.bytes.add(bytes);
      } else {
        Segment segment = new Segment(scheduler.now(), generation);
        segment.bytes.add(bytes);
        sending = segment;
        fly(() -> {
          sending = sending == segment ? null : sending;
          segment.bytes.forEach(this::arrives);
        });
      }
    }
    return bytes.length;
  }

  /** Has something arrive behind what is in flight. */
  private void fly(Runnable arrival) {
    lastArrival = Math.max(lastArrival, scheduler.now() + choices.around(latency));
    int sent = generation;
    Runnable unused =
        scheduler.after(
            lastArrival - scheduler.now(),
            "arrives",
            () -> {
              if (sent == generation) {
                arrival.run();
              }
            });
    lastArrival++;
  }

  private void arrives(byte[] bytes) {
    inFlightBytes -= bytes.length;
    if (readerGone) {
      SimulatedPipe back = reverse;
      if (back != null) {
        back.reset("Connection reset by peer");
      }
      return;
    }
    arrived.add(bytes);
    arrivedBytes += bytes.length;
    onReadable.run();
  }

  /** Gives what has arrived; 0 if nothing has, -1 at the end. */
  int read(ByteBuffer target, int most) throws IOException {
    if (arrivedBytes == 0) {
      if (readFailure != null) {
        throw new IOException(readFailure);
      }
      return endArrived ? -1 : 0;
    }
    int wanted = Math.min(Math.min(most, target.remaining()), arrivedBytes);
    int left = wanted;
    while (left > 0) {
      byte[] first = arrived.element();
      int part = Math.min(left, first.length - at);
      target.put(first, at, part);
      at += part;
      left -= part;
      if (at == first.length) {
        arrived.remove();
        at = 0;
      }
    }
    arrivedBytes -= wanted;
    // The window update goes back as an acknowledgement does.
    if (!silent && !windowFlies) {
      windowFlies = true;
      Runnable unused =
          scheduler.after(
              choices.around(latency),
              "window",
              () -> {
                windowFlies = false;
                onWritable.run();
              });
    }
    return wanted;
  }

  /** The writer sends nothing more. */
  void end() {
    if (!endSent) {
      endSent = true;
      sending = null;
      if (!silent) {
        fly(() -> {
          endArrived = true;
          onReadable.run();
        });
      }
    }
  }

  /** The reader closes. */
  void closeReader() {
    boolean unread = arrivedBytes > 0;
    readerGone = true;
    arrived.clear();
    arrivedBytes = 0;
    at = 0;
    SimulatedPipe back = reverse;
    if (unread && back != null) {
      back.reset("Connection reset by peer");
    } else if (back != null) {
      back.end();
    }
  }

  /** A reset goes along this direction: a side that reads here, and writes the other way, fails. */
  private void reset(String why) {
    if (silent) {
      return;
    }
    fly(() -> breaks(why));
  }

  private void breaks(String why) {
    if (choices.percent(50)) {
      arrived.clear();
      arrivedBytes = 0;
      at = 0;
    }
    if (readFailure == null) {
      readFailure = why;
    }
    onReadable.run();
    SimulatedPipe back = reverse;
    if (back != null && back.writeFailure == null) {
      back.writeFailure = why;
      back.onWritable.run();
    }
  }

  /** Cuts it behind some byte: of what is in flight some may still arrive. */
  void cut() {
    if (choices.percent(50)) {
      silence();
    }
    Runnable unused =
        scheduler.after(
            choices.around(latency),
            "cut",
            () -> {
              silence();
              breaks("Connection reset");
            });
  }

  /** One bit of what is written next arrives as another. */
  void flipOneBit(Choices which) {
    flips = which;
  }

  /** It ends in an orderly way, though its writer says more: that is lost. */
  void truncate() {
    end();
    silent = true;
  }

  /** From now on nothing gets through, and nobody is told. */
  void silence() {
    silent = true;
    generation++;
  }
}
