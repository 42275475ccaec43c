package io.arraywire.testkit;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Two peers that speak TLS, and somebody between them who does what a fuzzer says. */
final class TamperedPair {
  private static final int MOST_ROUNDS = 300;
  private static final int[] LENGTHS = {8, 3000, 1, 700, 0, 2048};
  private static final int MOST_RECORDED = 64;

  /** What each side may hold, with a few arrays of at most 3,000 floats in flight. */
  private static final long MOST_BYTES = 1 << 20;

  private static final int HEADER_BYTES = 5;

  private final FuzzedDataProvider data;
  private final Way there;
  private final Way back;
  private boolean cut;

  /** Whether anything was done to what they say. */
  private boolean touched;

  /** What goes one way. */
  private static final class Way {
    final EngineBench from;
    final EngineBench to;
    final ByteArrayOutputStream carried = new ByteArrayOutputStream();
    final List<byte[]> recorded = new ArrayList<>();
    final List<float[]> sent = new ArrayList<>();
    final List<CompletableFuture<?>> sends = new ArrayList<>();

    /** What is held back until the next record has gone. */
    byte[] held = {};

    /** The part of a record that has come from the sender. */
    byte[] part = {};

    Way(EngineBench from, EngineBench to) {
      this.from = from;
      this.to = to;
    }
  }

  TamperedPair(EngineBench one, EngineBench other, FuzzedDataProvider data) {
    this.data = data;
    there = new Way(one, other);
    back = new Way(other, one);
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  /** Everything until the fuzzer has nothing more to say, and then until both sides are over. */
  void run() {
    for (int round = 0; round < MOST_ROUNDS && !cut; round++) {
      send(there);
      send(back);
      boolean any = carry(there, back);
      any |= carry(back, there);
      if (!any && data.remainingBytes() == 0) {
        break;
      }
    }
    if (!touched) {
      whole(there);
      whole(back);
    }
    if (data.consumeBoolean()) {
      there.from.end();
      there.to.end();
    }
    outwait(there.from);
    outwait(there.to);
  }

  /** Of two peers that were let alone, each has had everything. */
  private static void whole(Way way) {
    require(way.sends.size() == LENGTHS.length, "not open: " + way.from.connection.describe());
    require(way.to.handler.arrays.size() == LENGTHS.length, "less than was sent");
    for (CompletableFuture<?> send : way.sends) {
      require(send.isDone() && !send.isCompletedExceptionally(), "not acknowledged: " + send);
    }
  }

  private void send(Way way) {
    if (way.from.connection.isOpen() && way.sends.size() < LENGTHS.length) {
      float[] array = new float[LENGTHS[way.sends.size()]];
      Arrays.fill(array, way.sends.size() + 0.5f);
      SendOptions options = SendOptions.processed().tag(way.sends.size());
      way.sent.add(array.clone());
      way.sends.add(
          way.from.connection.sendAsync(ArraySlice.of(array), options).toCompletableFuture());
    }
  }

  private boolean carry(Way way, Way other) {
    way.from.pump();
    byte[] written = way.from.outBytes();
    way.from.out.reset();
    byte[] bytes = joined(way.part, written);
    int at = 0;
    while (!cut && bytes.length - at >= HEADER_BYTES) {
      int length = HEADER_BYTES + ((bytes[at + 3] & 0xff) << 8) + (bytes[at + 4] & 0xff);
      if (bytes.length - at < length) {
        break;
      }
      byte[] record = Arrays.copyOfRange(bytes, at, at + length);
      at += length;
      tamper(way, other, record);
    }
    way.part = Arrays.copyOfRange(bytes, at, bytes.length);
    byte[] carried = way.carried.toByteArray();
    way.carried.reset();
    if (carried.length > 0) {
      way.to.feed(carried);
    }
    require(
        way.to.memory.acquiredBytes() <= MOST_BYTES,
        "more memory than there is to hold: " + way.to.memory.acquiredBytes());
    return written.length > 0 || carried.length > 0;
  }

  /** Does something to a record, mostly nothing. */
  private void tamper(Way way, Way other, byte[] record) {
    byte[] before = way.held;
    way.held = new byte[0];
    int deed = data.consumeInt(0, 31);
    touched |= deed >= 12 && deed <= 30;
    switch (deed) {
      case 12 -> {} // It is lost.
      case 13 -> pass(way, record, record);
      case 14 -> way.held = record;
      case 15 -> {
        record[data.consumeInt(0, record.length - 1)] ^= (byte) (1 << data.consumeInt(0, 7));
        pass(way, record);
      }
      case 16 -> pass(way, Arrays.copyOf(record, data.consumeInt(0, record.length)));
      case 17 -> pass(way, record, data.consumeBytes(64));
      case 18 -> pass(way, data.consumeBytes(64), record);
      case 19 -> {
        record[3] = data.consumeByte();
        record[4] = data.consumeByte();
        pass(way, record);
      }
      case 20 -> pass(way, record, again(way), record);
      case 21 -> pass(way, again(way), record);
      case 22 -> pass(way, again(other), record);
      case 23 -> pass(way, empties(data.consumeInt(18, 26), data.consumeInt(1, 3000)), record);
      case 24 -> pass(way, inTwo(record));
      case 25 -> {
        record[0] = data.consumeByte();
        pass(way, record);
      }
      case 26 -> pass(way, alert(), record);
      case 27 -> pass(way, enclosed(record));
      case 28 -> {
        there.from.clock.advance(Duration.ofSeconds(data.consumeInt(0, 5)));
        there.to.clock.advance(Duration.ofSeconds(data.consumeInt(0, 5)));
        pass(way, record);
      }
      case 29 -> cut = data.consumeInt(0, 3) == 3;
      case 30 -> way.to.end();
      default -> pass(way, record);
    }
    way.carried.writeBytes(before);
    if (way.recorded.size() < MOST_RECORDED) {
      way.recorded.add(record);
    }
  }

  private static void pass(Way way, byte[]... records) {
    for (byte[] record : records) {
      way.carried.writeBytes(record);
    }
  }

  private byte[] again(Way way) {
    return way.recorded.isEmpty()
        ? new byte[0]
        : way.recorded.get(data.consumeInt(0, way.recorded.size() - 1));
  }

  private static byte[] empties(int type, int count) {
    byte[] empties = new byte[count * HEADER_BYTES];
    for (int i = 0; i < count; i++) {
      System.arraycopy(new byte[] {(byte) type, 3, 3, 0, 0}, 0, empties, i * HEADER_BYTES, 5);
    }
    return empties;
  }

  private byte[] alert() {
    return new byte[] {21, 3, 3, 0, 2, (byte) data.consumeInt(0, 3), data.consumeByte()};
  }

  /** A record in two that say each how long they are. */
  private byte[] inTwo(byte[] record) {
    int first = data.consumeInt(0, record.length - HEADER_BYTES);
    return joined(
        enclosed(record, HEADER_BYTES, HEADER_BYTES + first),
        enclosed(record, HEADER_BYTES + first, record.length));
  }

  /** A record inside a record. */
  private static byte[] enclosed(byte[] record) {
    return enclosed(record, 0, record.length);
  }

  private static byte[] enclosed(byte[] record, int from, int to) {
    int length = to - from;
    byte[] header = {record[0], record[1], record[2], (byte) (length >> 8), (byte) length};
    return joined(header, Arrays.copyOfRange(record, from, to));
  }

  private static byte[] joined(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  /** Lets two minutes pass in which nothing comes. */
  static void outwait(EngineBench bench) {
    for (int second = 0; second < 120; second++) {
      bench.clock.advance(Duration.ofSeconds(1));
      bench.pump();
    }
  }

  void check(Set<ErrorCode> codes) {
    ended(there.from, codes);
    ended(there.to, codes);
    delivered(there);
    delivered(back);
  }

  private static void delivered(Way way) {
    List<ReceivedArray> arrays = way.to.handler.arrays;
    require(arrays.size() <= way.sent.size(), "more arrays than were sent");
    for (int i = 0; i < arrays.size(); i++) {
      require(arrays.get(i).tag() == i, "another order: " + arrays.get(i));
      require(Arrays.equals(arrays.get(i).floats(), way.sent.get(i)), "another array: " + i);
    }
    for (int i = 0; i < way.sends.size(); i++) {
      require(way.sends.get(i).isDone(), "a send without an end");
      if (!way.sends.get(i).isCompletedExceptionally()) {
        require(i < arrays.size(), "an array is acknowledged that was not delivered");
        continue;
      }
      try {
        way.sends.get(i).join();
      } catch (CompletionException e) {
        require(e.getCause() instanceof ArraywireException, "not typed: " + e.getCause());
      }
    }
  }

  /** It has ended once, with a typed error that nothing but the peer or the provider has caused. */
  static void ended(EngineBench bench, Set<ErrorCode> codes) {
    bench.assertEnded(ArraywireException.class);
    ArraywireException cause = bench.handler.cause;
    require(cause != null && codes.contains(cause.code()), "ended by " + cause + " of " + codes);
    require(cause.getMessage().length() < 300, "a long text: " + cause.getMessage());
    require(
        cause.getMessage().chars().noneMatch(Character::isISOControl),
        "control characters: " + cause.getMessage());
    for (Throwable each = cause; each != null; each = each.getCause()) {
      require(!isOurOwn(each), "a mistake of this library: " + trace(each));
    }
  }

  /** Providers may throw what they like; what this library throws has a type of its own. */
  private static boolean isOurOwn(Throwable thrown) {
    if (!(thrown instanceof RuntimeException || thrown instanceof Error)) {
      return false;
    }
    String thrower = thrower(thrown);
    return thrower != null && thrower.startsWith("io.arraywire.");
  }

  private static @Nullable String thrower(Throwable thrown) {
    return Arrays.stream(thrown.getStackTrace())
        .map(StackTraceElement::getClassName)
        .filter(each -> !each.startsWith("java."))
        .findFirst()
        .orElse(null);
  }

  private static String trace(Throwable thrown) {
    return thrown + " at " + Arrays.toString(Arrays.copyOf(thrown.getStackTrace(), 6));
  }
}
