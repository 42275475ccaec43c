package io.arraywire.benchmarks.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * What arrays are filled with: values that compressions make smaller, or not. They stand for data
 * of that kind, are made from a seed, and are the same in every JVM. The JVMs of contenders are
 * told by a system property, so that how they are asked is the same in every build.
 */
enum SampleData {
  /** Any bits, NaNs with payloads among them: what there is without the option. */
  NOISE {
    @Override
    float[] elements(int count) {
      return Elements.random(count);
    }
  },

  /** Readings that wander, with two decimals. */
  SENSORS {
    @Override
    float[] elements(int count) {
      RandomGenerator random = new SplittableRandom(SEED);
      float[] elements = new float[count];
      double level = 20;
      for (int i = 0; i < count; i++) {
        level += random.nextGaussian() * 0.02;
        elements[i] = Math.round(level * 100) / 100f;
      }
      return elements;
    }
  },

  /** Prices that go up and down by at most two cents. */
  TICKS {
    @Override
    float[] elements(int count) {
      RandomGenerator random = new SplittableRandom(SEED);
      float[] elements = new float[count];
      int cents = 10_000;
      for (int i = 0; i < count; i++) {
        cents += random.nextInt(5) - 2;
        elements[i] = cents / 100f;
      }
      return elements;
    }
  },

  /** Normal values with a standard deviation of 0.02. */
  WEIGHTS {
    @Override
    float[] elements(int count) {
      RandomGenerator random = new SplittableRandom(SEED);
      float[] elements = new float[count];
      for (int i = 0; i < count; i++) {
        elements[i] = (float) (random.nextGaussian() * 0.02);
      }
      return elements;
    }
  };

  private static final String PROPERTY = "arraywire.bench.data";
  private static final long SEED = 25;

  /** So many elements, always the same. */
  abstract float[] elements(int count);

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What tells a JVM of it. */
  String jvmOption() {
    return "-D" + PROPERTY + "=" + word();
  }

  /** What this JVM was told. */
  static SampleData here() {
    return named(System.getProperty(PROPERTY, NOISE.word()));
  }

  /**
   * Data by its word.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  static SampleData named(String word) {
    return Arrays.stream(values())
        .filter(each -> each.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no such data; there are "
                    + Arrays.stream(values())
                        .map(SampleData::word)
                        .collect(Collectors.joining(", "))
                    + " (data="
                    + word
                    + ")"));
  }
}
