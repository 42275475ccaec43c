package io.arraywire.compression;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Delivery;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.codec.AdaptiveCompression;
import io.arraywire.nio.NioTransport;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Random;

/**
 * Prints how many bytes of elements pass a link in a second: plain, with each lossless codec, and
 * as the connection chooses by itself. {@code listen PORT} at one end, {@code send HOST PORT
 * SECONDS} at the other; {@code docs/encodings.md} has what it said.
 */
final class LinkFigures {
  private static final int COUNT = 1 << 20;
  private static final int ROUNDS = 3;

  private LinkFigures() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("listen")) {
      listen(Integer.parseInt(arguments[1]));
    } else {
      InetSocketAddress to = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
      send(to, Double.parseDouble(arguments[3]));
    }
  }

  private static void listen(int port) throws Exception {
    float[] target = new float[COUNT];
    try (Transport transport = NioTransport.create(TransportOptions.defaults());
        Listener listener =
            transport.listen(
                new InetSocketAddress(port),
                Handlers.ofArrays((connection, array) -> {})
                    .withTargets((connection, header) -> ArraySlice.of(target)))) {
      System.out.println("listening on " + listener.address());
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  private static void send(InetSocketAddress to, double seconds) throws Exception {
    Random random = new Random(25);
    float[] sensor = new float[COUNT];
    float[] noise = new float[COUNT];
    double level = 20;
    for (int i = 0; i < COUNT; i++) {
      level += random.nextGaussian() * 0.02;
      sensor[i] = Math.round(level * 100) / 100f;
      noise[i] = Float.intBitsToFloat(random.nextInt());
    }
    TransportOptions plain =
        TransportOptions.builder().adaptiveCompression(AdaptiveCompression.UNWANTED).build();
    System.out.printf(
        Locale.ROOT,
        "JDK %s, %d processors%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors());
    try (Transport fixed = NioTransport.create(plain);
        Transport choosing = NioTransport.create(TransportOptions.defaults());
        Connection fixedTo = fixed.connect(to);
        Connection choosingTo = choosing.connect(to)) {
      for (int round = 0; round < ROUNDS; round++) {
        for (boolean isNoise : new boolean[] {false, true}) {
          float[] array = isNoise ? noise : sensor;
          String name = isNoise ? "noise" : "sensor";
          print(round, name, "none", rate(fixedTo, array, null, seconds));
          print(round, name, "shuffle-lz4", rate(fixedTo, array, "shuffle-lz4", seconds));
          print(round, name, "shuffle-zstd", rate(fixedTo, array, "shuffle-zstd", seconds));
          print(round, name, "chosen", rate(choosingTo, array, null, seconds));
        }
      }
      System.out.println(choosingTo.describe());
    }
  }

  private static void print(int round, String data, String codec, double rate) {
    System.out.printf(Locale.ROOT, "%d %-6s %-12s %8.1f MB/s%n", round, data, codec, rate / 1e6);
  }

  /** The last array is acknowledged within the time that counts. */
  private static double rate(Connection connection, float[] array, String codec, double seconds)
      throws Exception {
    SendOptions options = SendOptions.handedOff().codec(codec);
    ArraySlice slice = ArraySlice.of(array);
    connection.send(slice, options.delivery(Delivery.PROCESSED));
    long begin = System.nanoTime();
    long bytes = 0;
    while (System.nanoTime() - begin < seconds * 1e9) {
      connection.send(slice, options);
      bytes += slice.bytes();
    }
    connection.send(slice, options.delivery(Delivery.PROCESSED));
    bytes += slice.bytes();
    return bytes * 1e9 / (System.nanoTime() - begin);
  }
}
