package io.arraywire.compression;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.compression.Repeating.Kind;
import org.junit.jupiter.api.Test;

/** When the layout of elements that repeat is chosen again. */
class RepeatingTest {
  private static final int BYTES = 60_000;

  private final Repeating repeating = new Repeating();

  private void remember(Kind kind) {
    repeating.remember(ElementType.FLOAT, kind, 20_000, BYTES);
  }

  private Kind known() {
    return repeating.known(ElementType.FLOAT);
  }

  @Test
  void knowsNothingAtFirst() {
    assertThat(known()).isNull();
  }

  @Test
  void remembersForSomeBlocks() {
    for (Kind kind : Kind.values()) {
      remember(kind);
      for (int i = 0; i < 31; i++) {
        assertThat(known()).as("block %d", i).isEqualTo(kind);
        repeating.used(20_000 + 100 * i, BYTES);
      }
      assertThat(known()).isNull();
    }
  }

  @Test
  void forgetsWhereBlocksGetLargerOrSmallerThanTheyWere() {
    Kind kind = Kind.VALUES;
    for (int became : new int[] {25_100, 15_900}) {
      kind = kind == Kind.VALUES ? Kind.WHOLE : Kind.VALUES;
      remember(kind);
      repeating.used(became, BYTES);
      assertThat(known()).as("bytes=%d", became).isNull();
    }
    for (int became : new int[] {24_900, 16_100}) {
      kind = kind == Kind.VALUES ? Kind.WHOLE : Kind.VALUES;
      remember(kind);
      repeating.used(became, BYTES);
      assertThat(known()).as("bytes=%d", became).isEqualTo(kind);
    }
    // A short block at the end of an array is measured by its own elements.
    repeating.used(2_000, BYTES / 10);
    assertThat(known()).isEqualTo(kind);
  }

  /** Columns of several kinds, one after the other: their sizes change all the time. */
  @Test
  void heedsChangesLessWhereTheLayoutStays() {
    for (int waits : new int[] {1, 2, 4, 8, 8, 8}) {
      remember(Kind.WHOLE);
      for (int i = 1; i < waits; i++) {
        repeating.used(1_000, BYTES);
        assertThat(known()).as("%d of %d", i, waits).isEqualTo(Kind.WHOLE);
      }
      repeating.used(1_000, BYTES);
      assertThat(known()).as("after %d", waits).isNull();
    }
    remember(Kind.VALUES);
    repeating.used(1_000, BYTES);
    assertThat(known()).as("another layout").isNull();
  }

  @Test
  void asksAnewForAnotherType() {
    remember(Kind.WHOLE);
    assertThat(repeating.known(ElementType.INT)).isNull();
    assertThat(known()).isEqualTo(Kind.WHOLE);
  }
}
