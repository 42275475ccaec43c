package io.arraywire.compression;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Random;

/**
 * Prints how small the codecs make arrays of some kinds, and how fast, on one thread: the table of
 * {@code docs/encodings.md}. The arrays are made here, from a seed; the page says how.
 */
final class EncodingFigures {
  private static final int COUNT = 1 << 20;
  private static final int ROUNDS = 7;

  private EncodingFigures() {}

  private record Data(String name, ArraySlice slice) {}

  public static void main(String[] arguments) throws ProtocolException {
    System.out.printf(
        Locale.ROOT,
        "JDK %s, %d processors%n%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors());
    System.out.println("| Data | Codec | Ratio | Encode, MB/s | Decode, MB/s |");
    System.out.println("|---|---|---:|---:|---:|");
    Data[] all = data();
    for (int round = 0; round < 2; round++) {
      for (Data data : all) {
        for (Codec codec : Compression.list()) {
          if (codec.encoding().supports(data.slice().type())) {
            measure(data, codec, round == 1);
          }
        }
      }
    }
  }

  private static Data[] data() {
    Random random = new Random(25);
    float[] sensor = new float[COUNT];
    double[] prices = new double[COUNT];
    long[] times = new long[COUNT];
    float[] weights = new float[COUNT];
    float[] embeddings = new float[COUNT];
    byte[] image = new byte[COUNT];
    float[] noise = new float[COUNT];
    double level = 20;
    long cents = 10_000;
    long time = 1_700_000_000_000_000_000L;
    for (int i = 0; i < COUNT; i++) {
      level += random.nextGaussian() * 0.02;
      sensor[i] = Math.round(level * 100) / 100f;
      cents += random.nextInt(5) - 2;
      prices[i] = cents / 100d;
      time += 1_000 * (long) (-1000 * Math.log(1 - random.nextDouble()));
      times[i] = time;
      weights[i] = (float) (random.nextGaussian() * 0.02);
      embeddings[i] = (float) (random.nextGaussian() / Math.sqrt(384));
      int row = i >> 10;
      int column = i & 1023;
      image[i] =
          (byte)
              (128 + 60 * Math.sin(row / 90d) * Math.cos(column / 70d) + random.nextGaussian() * 2);
      noise[i] = Float.intBitsToFloat(random.nextInt());
    }
    return new Data[] {
      new Data("sensor, `float`", ArraySlice.of(sensor)),
      new Data("prices, `double`", ArraySlice.of(prices)),
      new Data("time stamps, `long`", ArraySlice.of(times)),
      new Data("weights, `float`", ArraySlice.of(weights)),
      new Data("embeddings, `float`", ArraySlice.of(embeddings)),
      new Data("image, `uint8`", ArraySlice.of(image).as(ElementType.UINT8)),
      new Data("noise, `float`", ArraySlice.of(noise)),
    };
  }

  private static void measure(Data data, Codec codec, boolean print) throws ProtocolException {
    ElementType type = data.slice().type();
    int most = Encoding.MAX_BLOCK_BYTES / type.bytes();
    int blocks = COUNT / most;
    ByteBuffer[] encoded = new ByteBuffer[blocks];
    for (int i = 0; i < blocks; i++) {
      encoded[i] = ByteBuffer.allocateDirect(Encoding.MAX_BLOCK_BYTES - 1);
    }
    Object decoded = type.newArray(COUNT);
    long encode = Long.MAX_VALUE;
    long decode = Long.MAX_VALUE;
    long bytes = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long begin = System.nanoTime();
      bytes = 0;
      for (int i = 0; i < blocks; i++) {
        codec.encode(type, data.slice().array(), i * most, most, encoded[i].clear());
        int size = encoded[i].flip().limit();
        bytes += 8 + (size == 0 ? Encoding.MAX_BLOCK_BYTES : size);
      }
      long middle = System.nanoTime();
      for (int i = 0; i < blocks; i++) {
        if (encoded[i].hasRemaining()) {
          codec.decode(type, encoded[i], decoded, i * most, most);
        }
      }
      encode = Math.min(encode, middle - begin);
      decode = Math.min(decode, System.nanoTime() - middle);
    }
    if (print) {
      double plain = (double) blocks * Encoding.MAX_BLOCK_BYTES;
      boolean raw = bytes >= plain;
      System.out.printf(
          Locale.ROOT,
          "| %s | `%s` | %.2f | %.0f | %s |%n",
          data.name(),
          codec.name(),
          plain / bytes,
          plain * 1e3 / encode,
          raw ? "raw" : String.format(Locale.ROOT, "%.0f", plain * 1e3 / decode));
    }
  }
}
