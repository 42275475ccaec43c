package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ElementType;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;

class SeededArraysTest {

  @ParameterizedTest
  @EnumSource
  void makesTheSameArrayFromTheSameSeed(ElementType type) {
    Object one = SeededArrays.withSeed(7).array(type, 100);
    Object same = SeededArrays.withSeed(7).array(type, 100);
    Object other = SeededArrays.withSeed(8).array(type, 100);

    assertThat(bits(type, one)).isEqualTo(bits(type, same)).isNotEqualTo(bits(type, other));
  }

  @ParameterizedTest
  @EnumSource
  void strewsInEverySpecialValue(ElementType type) {
    List<Long> specials = bits(type, SeededArrays.specials(type));

    assertThat(bits(type, SeededArrays.withSeed(1).array(type, 10_000))).containsAll(specials);
  }

  @Test
  void givesNumbersBetweenBothEnds() {
    SeededArrays arrays = SeededArrays.withSeed(1);
    List<Integer> few = new ArrayList<>();
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      few.add(arrays.between(-2, 2));
      all.add(arrays.between(Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    assertThat(few).containsOnly(-2, -1, 0, 1, 2);
    assertThat(all).anyMatch(n -> n < -2_000_000_000).anyMatch(n -> n > 2_000_000_000);
    assertThat(arrays.between(7, 7)).isEqualTo(7);
  }

  @Test
  void namesTheSeedWhenATestFails() {
    IllegalStateException cause = new IllegalStateException("wrong");

    assertThatThrownBy(() ->
            SeededArrays.check(
                42,
                arrays -> {
                  throw cause;
                }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("wrong")
        .hasMessageContaining("seed=42, repeat with -Darraywire.seed=42")
        .hasCause(cause);
  }

  @Test
  void letsAnAbortedTestBeAborted() {
    assertThatThrownBy(() ->
            SeededArrays.check(arrays -> {
              throw new TestAbortedException("not here");
            }))
        .isInstanceOf(TestAbortedException.class);
  }

  @Test
  void takesTheSeedFromTheSystemProperty() {
    String before = System.getProperty(SeededArrays.SEED_PROPERTY);
    System.setProperty(SeededArrays.SEED_PROPERTY, "-5");
    try {
      List<Long> seeds = new ArrayList<>();
      SeededArrays.check(arrays -> seeds.add(arrays.seed()));
      assertThat(seeds).containsExactly(-5L);
    } finally {
      if (before == null) {
        System.clearProperty(SeededArrays.SEED_PROPERTY);
      } else {
        System.setProperty(SeededArrays.SEED_PROPERTY, before);
      }
    }
  }

  private static List<Long> bits(ElementType type, Object array) {
    List<Long> bits = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      bits.add(NaiveElements.bits(type, array, i));
    }
    return bits;
  }
}
