package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Delivery;
import io.arraywire.ElementType;
import io.arraywire.LeasedArray;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.TargetMismatchException;
import io.arraywire.testkit.Running.Kind;
import io.arraywire.testkit.TransportStage.Ends;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * Arrays that are received with a note, again and again in the same memory. What a connection uses
 * again belongs to one array at a time.
 */
interface NoteTests {
  TransportStage stage();

  @Test
  default void aNoteSaysWhatAReceivedArraySays() throws Exception {
    Ends ends = stage().ends();
    ArrayInfo note = new ArrayInfo();
    assertThatThrownBy(note::type).isInstanceOf(IllegalStateException.class);
    SeededArrays.check(arrays -> {
      for (ElementType type : ElementType.values()) {
        for (int count : new int[] {0, 1, 16, 5000, 70_000}) {
          ArrayAttributes attributes = attributes(arrays, count);
          SendOptions options = new SendOptions(attributes, Delivery.PROCESSED);
          ArraySlice source = ArraySlice.ofArray(arrays.array(type, count)).as(type);
          Object target = type.newArray(count + 3);

          CompletionStage<Receipt> first = ends.here().sendAsync(source, options);
          ReceivedArray received =
              ends.there().receiveInto(ArraySlice.ofArray(target, 2, count + 1).as(type));
          CompletionStage<Receipt> second = ends.here().sendAsync(source, options);
          ends.there().receiveInto(ArraySlice.ofArray(target, 2, count + 1).as(type), note);

          assertThat(note.type()).isEqualTo(type);
          assertThat(note.count()).isEqualTo(count);
          assertThat(note.sequence()).isEqualTo(received.header().sequence() + 1);
          assertThat(note.channel()).isZero();
          assertThat(note.dropped()).isZero();
          assertThat(note.tag()).isEqualTo(attributes.tag());
          assertThat(note.attributes()).isEqualTo(attributes);
          assertThat(note.channelOperations()).isPositive();
          assertThat(note.toString()).contains("type=" + type.typeName(), "count=" + count);
          Elements.assertSame(type, source.array(), 0, target, 2, count);
          Eventually.get(first);
          Receipt sent = Eventually.get(second);
          assertThat(sent.elements()).isEqualTo(count);
          // Not what the array before it took: credit decides into how many chunks each is cut.
          assertThat(note.wireBytes()).isEqualTo(sent.wireBytes());
        }
      }
    });
  }

  private static ArrayAttributes attributes(SeededArrays arrays, int count) {
    return switch (arrays.between(0, 3)) {
      case 0 -> ArrayAttributes.NONE;
      case 1 -> ArrayAttributes.of(arrays.between(1, 1000), new long[0], Map.of());
      default ->
          ArrayAttributes.of(arrays.between(0, 1000), new long[] {1, count}, Map.of("unit", "K"));
    };
  }

  /** Ways of sending and of receiving in any order, arrays that wait and such that are awaited. */
  @Test
  default void whatIsUsedAgainBelongsToOneArrayAtATime() throws Exception {
    SeededArrays.check(arrays -> {
      Ends ends = stage().ends();
      int channels = 3;
      int rounds = 1500;
      List<Running<?>> all = new ArrayList<>();
      for (int id = 0; id < channels; id++) {
        Channel from = ends.here().channel(id);
        Channel to = ends.there().channel(id);
        int[] counts = counts(arrays, rounds);
        int[] ways = ways(arrays, rounds);
        int base = id * 1_000_000;
        all.add(Running.start(() -> sendAll(from, base, counts, ways)));
        all.add(Running.start(() -> receiveAll(to, base, counts, ways)));
      }
      for (Running<?> each : all) {
        each.get();
      }
      ends.here().close();
    });
  }

  private static int[] counts(SeededArrays arrays, int rounds) {
    int[] counts = new int[rounds];
    Arrays.setAll(
        counts,
        i -> arrays.between(0, 20) == 0 ? arrays.between(0, 40_000) : arrays.between(0, 40));
    return counts;
  }

  private static int[] ways(SeededArrays arrays, int rounds) {
    int[] ways = new int[rounds];
    Arrays.setAll(ways, i -> arrays.between(0, 1000));
    return ways;
  }

  private static int sendAll(Channel to, int base, int[] counts, int[] ways) throws Exception {
    List<CompletionStage<Receipt>> open = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      ArraySlice slice = ArraySlice.of(filled(base + i, counts[i]));
      SendOptions options = SendOptions.processed().tag(base + i);
      switch (ways[i] % 4) {
        case 0 -> assertThat(to.send(slice, options).elements()).isEqualTo(counts[i]);
        case 1 -> open.add(to.sendAsync(slice, options));
        case 2 -> to.send(slice, SendOptions.handedOff().tag(base + i));
        default -> {
          Eventually.until("there is room", () -> isAccepted(to, slice, options));
          Arrays.fill((int[]) slice.array(), -1);
        }
      }
    }
    Eventually.all(open);
    return counts.length;
  }

  private static boolean isAccepted(Channel to, ArraySlice slice, SendOptions options) {
    try {
      return to.offer(slice, options) == OfferStatus.ACCEPTED;
    } catch (ArraywireException e) {
      throw new AssertionError(e);
    }
  }

  private static int receiveAll(Channel from, int base, int[] counts, int[] ways) throws Exception {
    ArrayInfo note = new ArrayInfo();
    int[] target = new int[40_000];
    for (int i = 0; i < counts.length; i++) {
      int[] sent = filled(base + i, counts[i]);
      int[] came;
      long tag;
      switch (ways[i] / 4 % 8) {
        case 0 -> {
          ReceivedArray received = from.receive();
          tag = received.tag();
          came = received.ints();
        }
        case 1 -> {
          ReceivedArray received = from.receiveInto(target);
          tag = received.tag();
          came = Arrays.copyOf(target, received.count());
        }
        case 2 -> {
          try (LeasedArray lease = from.receiveLeased()) {
            came = new int[lease.header().count()];
            tag = lease.header().attributes().tag();
            lease.copyTo(ArraySlice.of(came));
          }
        }
        default -> {
          from.receiveInto(ArraySlice.of(target), note);
          tag = note.tag();
          came = Arrays.copyOf(target, note.count());
        }
      }
      assertThat(tag).isEqualTo(base + i);
      assertThat(came).as("array %d", i).isEqualTo(sent);
    }
    return counts.length;
  }

  private static int[] filled(int number, int count) {
    int[] array = new int[count];
    Arrays.setAll(array, i -> number * 31 + i);
    return array;
  }

  @Test
  default void aReceiverWithANoteCanBeInterruptedAndLosesNothing() throws Exception {
    for (Kind kind : Running.kinds()) {
      Ends ends = stage().ends();
      ArrayInfo note = new ArrayInfo();
      int[] target = new int[9];
      for (int i = 0; i < 10; i++) {
        Running<?> receive =
            Running.start(
                kind,
                () -> {
                  ends.there().receiveInto(ArraySlice.of(target), note);
                  return null;
                });
        Described.awaitReceivers(ends.there(), 1);
        receive.interrupt();
        assertThat(receive.failure()).isInstanceOf(InterruptedException.class);
        Described.awaitReceivers(ends.there(), 0);
        ends.here().send(new int[] {i});
        ends.there().receiveInto(ArraySlice.of(target), note);
        assertThat(target[0]).isEqualTo(i);
        assertThat(note.count()).isEqualTo(1);
      }
      ends.here().close();
    }
  }

  @Test
  default void anArrayThatDoesNotFitIsStillThereWithANote() throws Exception {
    Ends ends = stage().ends();
    ArrayInfo note = new ArrayInfo();
    ends.here().send(new int[] {1, 2, 3});
    assertThatThrownBy(() -> ends.there().receiveInto(ArraySlice.of(new int[2]), note))
        .isInstanceOf(TargetMismatchException.class);
    int[] target = new int[3];
    ends.there().receiveInto(ArraySlice.of(target), note);
    assertThat(target).containsExactly(1, 2, 3);
    assertThat(note.count()).isEqualTo(3);
  }

  /** A receipt that is used again is the right one. */
  @Test
  default void aReceiptIsThatOfItsOwnArray() throws Exception {
    Ends ends = stage().ends();
    Running<Integer> receiving =
        Running.start(() -> {
          ArrayInfo note = new ArrayInfo();
          for (int i = 0; i < 60; i++) {
            ends.there().receiveInto(ArraySlice.of(new int[5]), note);
          }
          return note.count();
        });
    long plain = 0;
    for (int i = 0; i < 30; i++) {
      SendOptions with = SendOptions.processed().metadata("key", "v".repeat(i));
      long alone = ends.here().send(ArraySlice.of(new int[5]), SendOptions.processed()).wireBytes();
      plain = i == 0 ? alone : plain;
      assertThat(alone).isEqualTo(plain);
      assertThat(ends.here().send(ArraySlice.of(new int[5]), with).wireBytes())
          .isGreaterThanOrEqualTo(plain + i);
    }
    assertThat(receiving.get()).isEqualTo(5);
  }

  @Test
  default void plainModeHasNotesToo() throws Exception {
    Ends ends = stage().ends(options -> options.plain(ElementType.FLOAT));
    ArrayInfo note = new ArrayInfo();
    float[] target = new float[1000];
    for (int i = 1; i <= 50; i++) {
      float[] source = new float[i * 20];
      Arrays.fill(source, i);
      ends.here().send(source);
      ends.there().receiveInto(ArraySlice.of(target), note);
      assertThat(note.count()).isEqualTo(source.length);
      assertThat(note.type()).isEqualTo(ElementType.FLOAT);
      assertThat(Arrays.copyOf(target, note.count())).isEqualTo(source);
      // Of this array alone, whether it came before it was asked for or not.
      assertThat(note.copiedBytes()).isLessThanOrEqualTo(4L * Float.BYTES * source.length);
    }
    ends.here().closeNow();
  }
}
