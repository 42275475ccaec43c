package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.network.JvmHosts;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Values that compressions make smaller, or not. They stand for data of that kind and are made from
 * a seed.
 */
enum SampleData implements ArrayData {
  /** Any bits, NaNs with payloads among them: what there is without the option. */
  NOISE {
    @Override
    public float[] elements(int count) {
      return Elements.random(count);
    }
  },

  /** Readings that wander, with two decimals. */
  SENSORS {
    @Override
    public float[] elements(int count) {
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
    public float[] elements(int count) {
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
    public float[] elements(int count) {
      RandomGenerator random = new SplittableRandom(SEED);
      float[] elements = new float[count];
      for (int i = 0; i < count; i++) {
        elements[i] = (float) (random.nextGaussian() * 0.02);
      }
      return elements;
    }
  };

  private static final long SEED = 25;

  @Override
  public abstract float[] elements(int count);

  @Override
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String word(JvmHosts hosts) {
    return label();
  }

  /** Data by its word, or null if there is none of that name. */
  static @Nullable SampleData named(String word) {
    return Arrays.stream(values())
        .filter(each -> each.label().equals(word))
        .findFirst()
        .orElse(null);
  }

  /** All words, for completion and messages. */
  static final class Words implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(values()).map(SampleData::label).iterator();
    }
  }
}
