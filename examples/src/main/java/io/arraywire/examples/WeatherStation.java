package io.arraywire.examples;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.OfferStatus;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.nio.NioTransport;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Takes what a weather station measures. Readings must not be lost, so they are sent in a session.
 * A picture that does not get through is not missed, and has a channel of its own so that no
 * reading waits for it.
 */
public final class WeatherStation implements ArrayHandler {
  private static final int READINGS = 1;
  private static final int PICTURES = 2;

  private double sum;
  private long count;

  @Override
  public synchronized void onArray(Connection connection, ReceivedArray array) {
    if (array.header().channel() == READINGS) {
      for (float reading : array.floats()) {
        sum += reading;
        count++;
      }
    }
  }

  /**
   * The mean of all readings.
   *
   * @return NaN before there are any
   */
  public synchronized double mean() {
    return sum / count;
  }

  /**
   * Sends readings and a picture.
   *
   * @param arguments none
   * @throws Exception if that fails
   */
  public static void main(String[] arguments) throws Exception {
    WeatherStation station = new WeatherStation();
    TransportOptions options =
        TransportOptions.builder().sessionTimeout(Duration.ofMinutes(1)).build();
    try (Transport transport = NioTransport.create(options);
        Listener listener = transport.listen(new InetSocketAddress("localhost", 0), station);
        Connection connection = transport.connect(listener.address())) {
      // Never waits, and never says whether the array arrived.
      OfferStatus offered = connection.channel(PICTURES).offer(ArraySlice.of(new byte[1 << 20]));
      System.out.println(offered); // ACCEPTED
      // Waits until the handler has returned, over another connection if this one breaks.
      ArraySlice readings = ArraySlice.of(new float[] {20.5f, 21});
      connection.channel(READINGS).send(readings, SendOptions.session());
      System.out.println(station.mean()); // 20.75
    }
  }
}
