package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ByNumberTest {
  private record Thing(long number) {}

  private final ByNumber<Thing> things = new ByNumber<>(Thing::number);

  @Test
  void anEmptyOneHasNothing() {
    assertThat(things.get(0)).isNull();
    assertThat(things.has(1)).isFalse();
    assertThat(things.remove(new Thing(1))).isFalse();
    assertThat(things.size()).isZero();
    assertThat(things.all()).isEmpty();
  }

  @Test
  void onlyThatVeryThingIsTakenOut() {
    Thing thing = new Thing(7);
    things.put(thing);
    assertThat(things.remove(new Thing(7))).isFalse();
    assertThat(things.get(7)).isSameAs(thing);
    assertThat(things.remove(thing)).isTrue();
    assertThat(things.remove(thing)).isFalse();
    assertThat(things.size()).isZero();
  }

  @Test
  void oneWithTheSameNumberTakesItsPlace() {
    things.put(new Thing(7));
    Thing second = new Thing(7);
    things.put(second);
    assertThat(things.size()).isOne();
    assertThat(things.get(7)).isSameAs(second);
  }

  /** Numbers that are close together, far apart, and of any bits; few at a time and many. */
  @Test
  void itHasWhatAMapHas() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      int shift = random.nextInt(60);
      int range = 1 + random.nextInt(500);
      ByNumber<Thing> mine = new ByNumber<>(Thing::number);
      TreeMap<Long, Thing> expected = new TreeMap<>();
      for (int i = 0; i < 5_000; i++) {
        long number = (long) random.nextInt(range) << shift;
        if (random.nextBoolean()) {
          Thing thing = new Thing(number);
          mine.put(thing);
          expected.put(number, thing);
        } else {
          Thing thing = expected.remove(number);
          assertThat(thing != null && mine.remove(thing)).isEqualTo(thing != null);
        }
        assertThat(mine.get(number)).isSameAs(expected.get(number));
        assertThat(mine.size()).isEqualTo(expected.size());
        if (i % 100 == 0) {
          assertThat(mine.all()).isEqualTo(List.copyOf(expected.values()));
          expected.forEach((key, thing) -> assertThat(mine.get(key)).isSameAs(thing));
        }
      }
    }
  }
}
