package io.arraywire.testkit.simulation;

import io.arraywire.ArrayHeader;
import io.arraywire.ArrayInfo;
import io.arraywire.ArrayInput;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.LeasedArray;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.TargetMismatchException;
import org.jspecify.annotations.Nullable;

/** Users that take arrays with receive calls, one for each channel, until there are no more. */
final class Receivers {
  private static final int LARGEST = 64 << 10;

  private static final int MOST_VAIN = 100;

  private final World world;
  private final Choices choices;

  Receivers(World world, Choices choices) {
    this.world = world;
    this.choices = choices;
  }

  void begin(End end) {
    for (int channel = 0; channel < end.channels(); channel++) {
      ArrayInput input = end.connection.channel(channel);
      Runnable unused =
          world.scheduler.after(
              choices.around(1_000_000L), "begins to receive", () -> receiveAll(end, input));
    }
  }

  private void receiveAll(End end, ArrayInput input) {
    int vain = 0;
    while (true) {
      try {
        Sent sent = receive(end, input);
        vain = 0;
        if (sent != null) {
          sent.handled = true;
        }
        if (!world.isCalm() && choices.percent(10)) {
          world.scheduler.sleep(choices.around(choices.of(1_000_000L, 100_000_000L)));
        }
      } catch (TargetMismatchException e) {
        world.judge.told(e);
        // The array is still there, for a receiver without a target.
        vain++;
      } catch (ArraywireException e) {
        world.judge.told(e);
        return;
      } catch (InterruptedException e) {
        // Nothing is lost.
        vain++;
      }
      if (vain > MOST_VAIN) {
        world.judge.violation("receive calls of " + end + " fail for ever");
        return;
      }
    }
  }

  private @Nullable Sent receive(End end, ArrayInput input)
      throws ArraywireException, InterruptedException {
    switch (choices.below(4)) {
      case 0 -> {
        int[] target = new int[LARGEST / Integer.BYTES];
        ArrayInfo note = new ArrayInfo();
        input.receiveInto(ArraySlice.of(target), note);
        world.judge.met(Occurrence.RECEIVED_INTO);
        return world.judge.delivered(
            end,
            new ReceivedArray(
                new ArrayHeader(
                    note.type(),
                    note.count(),
                    note.sequence(),
                    note.attributes(),
                    note.channel(),
                    note.dropped()),
                ArraySlice.of(target, 0, note.count()),
                new Receipt(note.count(), note.wireBytes(), 0, 0, 0)));
      }
      case 1 -> {
        try (LeasedArray lease = input.receiveLeased()) {
          Object array = lease.header().type().newArray(lease.header().count());
          ArraySlice slice = ArraySlice.ofArray(array).as(lease.header().type());
          lease.copyTo(slice);
          world.judge.met(Occurrence.RECEIVED_LEASED);
          return world.judge.delivered(
              end, new ReceivedArray(lease.header(), slice, lease.receipt()));
        }
      }
      default -> {
        return world.judge.delivered(end, input.receive());
      }
    }
  }
}
