package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.memory.Portions;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Row 12: one side writes in portions of 1, 2, 4 to 32,768 bytes, and the other reads in portions
 * of 32,768, 16,384 to 1, in both directions at once.
 */
@Tag("newest")
class EnginePortionsTest {
  private static final int LARGEST = 15;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
  void writesOfOneSizeAgainstReadsOfTheReverse(int exponent) {
    Portions writes = Portions.fixed(1 << exponent);
    Portions reads = Portions.fixed(1 << (LARGEST - exponent));
    for (boolean checksums : new boolean[] {false, true}) {
      EngineBench here =
          EngineBench.connector(EngineBench.options().checksums(Checksums.of(checksums)));
      EngineBench there =
          EngineBench.acceptor(EngineBench.options().checksums(Checksums.of(checksums)));
      // Each reads what the other writes the other way round.
      here.portions(reads, writes);
      there.portions(reads, writes);
      EngineBench.join(here, there);
      List<Object> sent = new ArrayList<>();
      List<CompletionStage<Receipt>> receipts = new ArrayList<>();
      SeededArrays arrays = SeededArrays.withSeed(exponent);
      for (ElementType type : ElementType.values()) {
        if (type.isPrimitive()) {
          for (int count : new int[] {0, 1, 700, 8193}) {
            Object array = arrays.array(type, count);
            sent.add(array);
            for (EngineBench each : List.of(here, there)) {
              receipts.add(
                  each.connection.sendAsync(ArraySlice.ofArray(array), SendOptions.processed()));
            }
          }
        }
      }
      EngineBench.join(here, there);
      assertThat(receipts)
          .allMatch(each -> each.toCompletableFuture().isDone())
          .noneMatch(each -> each.toCompletableFuture().isCompletedExceptionally());
      for (EngineBench each : List.of(here, there)) {
        assertThat(each.handler.arrays).hasSameSizeAs(sent);
        for (int i = 0; i < sent.size(); i++) {
          assertSame(sent.get(i), each.handler.arrays.get(i).slice());
        }
      }
      here.core.beginClose();
      EngineBench.join(here, there);
      here.assertEnded(null);
      there.assertEnded(null);
    }
  }

  private static void assertSame(Object expected, ArraySlice actual) {
    ElementType type = ElementType.of(expected);
    assertThat(actual.type()).isEqualTo(type);
    assertThat(actual.length()).isEqualTo(Array.getLength(expected));
    for (int i = 0; i < actual.length(); i++) {
      if (!NaiveElements.same(type, expected, i, actual.array(), actual.offset() + i)) {
        throw new AssertionError("elements differ (type=" + type + ", at=" + i + ")");
      }
    }
  }
}
