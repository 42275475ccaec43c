package io.arraywire.examples;

import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Listener;
import io.arraywire.RowReader;
import io.arraywire.RowWriter;
import io.arraywire.nio.NioTransport;
import java.net.InetSocketAddress;

/** Sends the positions of particles, three numbers each, of which there are many. */
public final class ParticleStream {
  private ParticleStream() {}

  /**
   * Sends 10,000 positions and adds up what arrives.
   *
   * @param arguments none
   * @throws Exception if that fails
   */
  public static void main(String[] arguments) throws Exception {
    try (Listener listener = NioTransport.listen(new InetSocketAddress("localhost", 0));
        Connection near = NioTransport.connect(listener.address());
        Connection far = listener.accept()) {
      Thread sender =
          new Thread(() -> {
            // 128 positions leave together, and the rest with close.
            try (RowWriter rows = RowWriter.of(near, ElementType.FLOAT, 3, 128)) {
              float[] position = new float[3];
              for (int i = 0; i < 10_000; i++) {
                position[0] = i % 10;
                rows.write(position, 0);
              }
            } catch (Exception e) {
              near.closeNow();
            }
          });
      sender.start();
      RowReader rows = RowReader.of(far, ElementType.FLOAT, 3 * 128);
      float[] position = new float[3];
      double sum = 0;
      for (int i = 0; i < 10_000; i++) {
        rows.read(position, 0);
        sum += position[0];
      }
      System.out.println(sum); // 45000.0
    }
  }
}
